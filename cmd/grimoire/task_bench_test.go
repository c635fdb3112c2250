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
// tasks, as text and as JSON, fork to exit, beside `grimoire --version`: run by
// turns, medians of each, in milliseconds, and of their CPU time. In one project they are in every
// state, in the other all are ready. It fails on no time: a machine may be slow.
func BenchmarkTaskListReady(b *testing.B) {
	program := filepath.Join(b.TempDir(), "grimoire")
	if out, err := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", program, ".").CombinedOutput(); err != nil {
		b.Fatalf("build grimoire: %v\n%s", err, out)
	}
	for _, bench := range []struct {
		tasks int
		all   bool
	}{{100, false}, {10_000, false}, {10_000, true}} {
		b.Run(fmt.Sprintf("tasks=%d/allready=%v", bench.tasks, bench.all), func(b *testing.B) {
			root := b.TempDir()
			if err := os.WriteFile(filepath.Join(root, "project-context.yaml"), []byte("project: {name: demo}\n"), 0o644); err != nil {
				b.Fatal(err)
			}
			ready := fillLedger(b, root, bench.tasks, bench.all)
			commands := []struct {
				name       string
				args       []string
				times, cpu []time.Duration
			}{
				{name: "version", args: []string{"--version"}},
				{name: "text", args: []string{"task", "list", "--status", "ready"}},
				{name: "json", args: []string{"-o", "json", "task", "list", "--status", "ready"}},
			}
			turn := func() {
				for i := range commands {
					cmd := exec.Command(program, commands[i].args...)
					cmd.Dir = root
					started := time.Now()
					if _, err := cmd.Output(); err != nil {
						b.Fatal(err)
					}
					commands[i].times = append(commands[i].times, time.Since(started))
					commands[i].cpu = append(commands[i].cpu, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
				}
			}
			turn() // writes down what it found
			for i := range commands {
				commands[i].times, commands[i].cpu = nil, nil
			}
			for b.Loop() {
				turn()
			}
			median := func(times []time.Duration) float64 {
				slices.Sort(times)
				return float64(times[len(times)/2]) / 1e6
			}
			for _, c := range commands {
				b.ReportMetric(median(c.times), c.name+"-ms")
				b.ReportMetric(median(c.cpu), c.name+"-cpu-ms")
			}
			b.ReportMetric(float64(ready), "ready")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// fillLedger writes n tasks, in every state or all of them ready, and returns how
// many are ready.
func fillLedger(tb testing.TB, root string, n int, all bool) (ready int) {
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
				steps := i % 7
				if all {
					steps = 1
				}
				for step, to := range []ledger.Status{ledger.Ready, ledger.Claimed, ledger.Running, ledger.NeedsVerification, ledger.Closed} {
					if step >= steps {
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
				if steps == 1 {
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
