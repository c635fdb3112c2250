package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/grimoire-kit/grimoire/governance/ledger"
)

// BenchmarkTaskListReady prints what it costs to list the ready ones of 10,000
// tasks, fork to exit, beside `grimoire --version`: pairs run by turns, medians
// of each, in milliseconds. It fails on no time: a machine may be slow.
func BenchmarkTaskListReady(b *testing.B) {
	program := filepath.Join(b.TempDir(), "grimoire")
	if out, err := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", program, ".").CombinedOutput(); err != nil {
		b.Fatalf("build grimoire: %v\n%s", err, out)
	}
	for _, n := range []int{100, 10_000} {
		b.Run(fmt.Sprintf("tasks=%d", n), func(b *testing.B) {
			root := b.TempDir()
			if err := os.WriteFile(filepath.Join(root, "project-context.yaml"), []byte("project: {name: demo}\n"), 0o644); err != nil {
				b.Fatal(err)
			}
			ready := fillLedger(b, root, n)
			run := func(args ...string) (time.Duration, int) {
				cmd := exec.Command(program, args...)
				cmd.Dir = root
				started := time.Now()
				out, err := cmd.Output()
				if err != nil {
					b.Fatal(err)
				}
				return time.Since(started), slices.Index(out, '\n')
			}
			var floor, list []time.Duration
			pair := func() {
				f, _ := run("--version")
				l, _ := run("task", "list", "--status", "ready")
				floor, list = append(floor, f), append(list, l)
			}
			pair()
			floor, list = nil, nil
			for b.Loop() {
				pair()
			}
			slices.Sort(floor)
			slices.Sort(list)
			f, l := floor[len(floor)/2], list[len(list)/2]
			b.ReportMetric(float64(f)/1e6, "version-ms")
			b.ReportMetric(float64(l)/1e6, "list-ms")
			b.ReportMetric(float64(l-f)/1e6, "over-ms")
			b.ReportMetric(float64(l)/float64(f), "ratio")
			b.ReportMetric(float64(ready), "ready")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// fillLedger writes n tasks in every state, and returns how many are ready.
func fillLedger(tb testing.TB, root string, n int) (ready int) {
	tb.Helper()
	l := ledger.Open(root, "")
	var mission string
	for from := 0; from < n; from += 500 {
		err := l.Update(context.Background(), func(tx *ledger.Tx) (err error) {
			if mission == "" {
				if mission, err = tx.CreateMission(ledger.Mission{Title: "bench"}); err != nil {
					return err
				}
			}
			for i := from; i < min(n, from+500); i++ {
				id := fmt.Sprintf("GAO-bench-%05d", i)
				if _, err := tx.CreateTask(ledger.Task{ID: id, Title: "Search answers in 50 ms " + id, Mission: mission, Owner: "ada",
					Acceptance: []string{"the search tests pass", "a code review"}}); err != nil {
					return err
				}
				for step, to := range []ledger.Status{ledger.Ready, ledger.Claimed, ledger.Running, ledger.NeedsVerification, ledger.Closed} {
					if step >= i%7 {
						break
					}
					m := ledger.Move{To: to}
					if to == ledger.Claimed {
						c := tx.Lease(id, ledger.Claim{Actor: "ada"})
						m.Claim = &c
					}
					if err := tx.Move(id, m); err != nil {
						return err
					}
				}
				if i%7 == 1 {
					ready++
				}
			}
			return nil
		})
		if err != nil {
			tb.Fatal(err)
		}
	}
	return ready
}
