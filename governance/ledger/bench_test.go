package ledger

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// logOf is a log with that many events: a tenth as many tasks, with the moves
// of their lives.
func logOf(t testing.TB, events int) (root string) {
	t.Helper()
	root = t.TempDir()
	path := filepath.Join(root, filepath.FromSlash(Dir), LogName)
	tx := &Tx{state: newState(), now: morning}
	if events > 0 {
		if _, err := tx.CreateMission(Mission{ID: "MIS-m-001", Title: "m"}); err != nil {
			t.Fatal(err)
		}
	}
	for i := 0; len(tx.events) < events; i++ {
		id := fmt.Sprintf("GAO-t-%05d", i)
		if err := addTask(tx, id); err != nil {
			t.Fatal(err)
		}
		actor := fmt.Sprint("a", i%50)
		moves := []Status{Claimed, Running, NeedsVerification, Running, NeedsVerification, Running, NeedsVerification, Closed}
		if i%20 == 0 {
			moves = nil // still ready
		} else if i%500 == 1 {
			moves = moves[:2] // under way
		}
		for _, to := range moves {
			m := Move{To: to, Actor: actor, Reason: "because"}
			if to == Claimed {
				c := tx.Lease(id, Claim{Actor: actor, Host: "local"})
				m.Claim = &c
			}
			if err := tx.Move(id, m); err != nil {
				t.Fatal(err)
			}
		}
	}
	var log bytes.Buffer
	for i := range tx.events[:events] {
		line, err := tx.events[i].encode()
		if err != nil {
			t.Fatal(err)
		}
		log.Write(append(line, '\n'))
	}
	write(t, path, log.String())
	return root
}

var sizes = []int{0, 1_000, 10_000, 100_000}

// BenchmarkAppend is one event of history on the disk, in a log of that many.
// The existing kit's way, with the sync it does not do, is beside it.
func BenchmarkAppend(b *testing.B) {
	for _, n := range sizes {
		root := logOf(b, n)
		b.Run(fmt.Sprintf("events=%d", n), func(b *testing.B) {
			f := NewFile(root, "")
			at, err := f.Read(Version{}, func(Line) {})
			if err != nil {
				b.Fatal(err)
			}
			line, _ := ptr(sample()).encode()
			for b.Loop() {
				if at, err = f.Append(at, line); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("rewrite/events=%d", n), func(b *testing.B) {
			for b.Loop() {
				rewrite(b, filepath.Join(root, filepath.FromSlash(Dir), LogName))
			}
		})
	}
}

// rewrite appends as the existing kit does: old content and a new line to a
// temporary file, which takes the log's place.
func rewrite(t testing.TB, path string) {
	old, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	e := sample()
	line, err := e.encode()
	if err != nil {
		t.Fatal(err)
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".tmp-ledger-*")
	if err != nil {
		t.Fatal(err)
	}
	_, err = tmp.Write(append(append(old, line...), '\n'))
	if err == nil {
		err = tmp.Sync()
	}
	if err != nil || tmp.Close() != nil || os.Rename(tmp.Name(), path) != nil {
		t.Fatal(err)
	}
}

// BenchmarkUpdate is a task's move, judged, written, with what is kept beside.
func BenchmarkUpdate(b *testing.B) {
	for _, n := range sizes[1:] {
		b.Run(fmt.Sprintf("events=%d", n), func(b *testing.B) {
			l := Open(logOf(b, n), "")
			move := func() {
				if err := l.Update(context.Background(), func(tx *Tx) error { return turn(tx, "GAO-t-00000", "x") }); err != nil {
					b.Fatal(err)
				}
			}
			move() // reads the log, once
			begun := cpu()
			for b.Loop() {
				move()
			}
			b.ReportMetric(float64((cpu()-begun).Nanoseconds())/float64(b.N), "cpu-ns/op")
		})
	}
}

// BenchmarkColdView is what a command pays to know every task.
func BenchmarkColdView(b *testing.B) {
	for _, n := range sizes[1:] {
		root := logOf(b, n)
		b.Run(fmt.Sprintf("snapshot/events=%d", n), func(b *testing.B) { cold(b, root, (*Ledger).View) })
		b.Run(fmt.Sprintf("replay/events=%d", n), func(b *testing.B) {
			cold(b, root, func(l *Ledger, read func(*State) error) error {
				l.images = nil
				return l.View(read)
			})
		})
	}
}

// BenchmarkColdViewHeld is what a hook pays to know who works on what.
func BenchmarkColdViewHeld(b *testing.B) {
	for _, n := range sizes[1:] {
		root := logOf(b, n)
		b.Run(fmt.Sprintf("events=%d", n), func(b *testing.B) { cold(b, root, (*Ledger).ViewHeld) })
	}
}

func cold(b *testing.B, root string, view func(*Ledger, func(*State) error) error) {
	b.ReportAllocs()
	ready := 0
	for range 2 { // the first writes down what it found
		if err := view(Open(root, ""), func(*State) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		err := view(Open(root, ""), func(s *State) error {
			for r := range s.Rows() {
				if r.Status == Ready {
					ready++
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkHistory is what showing one task's past costs.
func BenchmarkHistory(b *testing.B) {
	l := Open(logOf(b, 100_000), "")
	for b.Loop() {
		n := 0
		if err := l.History("GAO-t-00101", func(Event) { n++ }); err != nil || n != 10 {
			b.Fatal(n, err)
		}
	}
}

// BenchmarkVerify reads and judges everything.
func BenchmarkVerify(b *testing.B) {
	root := logOf(b, 100_000)
	for b.Loop() {
		if r, err := Verify(root, ""); err != nil || !r.Sound() {
			b.Fatal(r, err)
		}
	}
}

// appendCosts is the CPU time of one append in an empty log, of one after
// 100,000 events, and of rewriting those. The best of several, in turns, so that
// the machine's other work does not count; of as many as it takes for enough.
func appendCosts(tb testing.TB, enough func(empty, long time.Duration) bool) (empty, long, rewriting time.Duration) {
	tb.Helper()
	const batch, atLeast, atMost = 10, 10, 200
	spent := func(do func()) time.Duration {
		begun := cpu()
		do()
		return cpu() - begun
	}
	line, _ := ptr(sample()).encode()
	appender := func(root string) func() {
		f := NewFile(root, "")
		at, err := f.Read(Version{}, func(Line) {})
		if err != nil {
			tb.Fatal(err)
		}
		return func() {
			for range batch {
				if at, err = f.Append(at, line); err != nil {
					tb.Fatal(err)
				}
			}
		}
	}
	many := logOf(tb, 100_000)
	toNone, toMany := appender(tb.TempDir()), appender(many)
	empty, long, rewriting = time.Hour, time.Hour, time.Hour
	for i := 0; i < atLeast || i < atMost && !enough(empty, long); i++ {
		empty = min(empty, spent(toNone)/batch)
		long = min(long, spent(toMany)/batch)
	}
	for range 3 {
		rewriting = min(rewriting, spent(func() { rewrite(tb, filepath.Join(many, filepath.FromSlash(Dir), LogName)) }))
	}
	return empty, long, rewriting
}

// BenchmarkAppendRatios prints what an append costs after 100,000 events beside
// one in an empty log (at most 1.2), and rewriting the log beside an append (at
// least 50), by CPU time, in one run.
func BenchmarkAppendRatios(b *testing.B) {
	for b.Loop() {
		rounds := 0
		empty, long, rewriting := appendCosts(b, func(_, _ time.Duration) bool { rounds++; return rounds > 60 })
		b.ReportMetric(float64(long.Nanoseconds()), "append-cpu-ns")
		b.ReportMetric(float64(long)/float64(empty), "long/empty")
		b.ReportMetric(float64(rewriting)/float64(long), "rewrite/append")
	}
	b.ReportMetric(0, "ns/op")
}

// What an append costs does not depend on the log's length, and a long log is
// where rewriting it hurts. It is measured until one is within 1.2 times the
// other: the machine has other work, and what costs more with each event never is.
func TestTheCostOfAnAppend(t *testing.T) {
	if testing.Short() {
		t.Skip("writes a log of 100,000 events")
	}
	const bound = 1.2
	within := func(empty, long time.Duration) bool { return float64(long) <= bound*float64(empty) }
	empty, long, rewriting := appendCosts(t, within)
	t.Logf("CPU of one append: %v in an empty log, %v after 100,000 events (%.2f ×); rewriting: %v (%.0f ×)",
		empty, long, float64(long)/float64(empty), rewriting, float64(rewriting)/float64(long))
	if empty > 0 && !within(empty, long) {
		t.Errorf("an append costs %v in an empty log and %v after 100,000 events: more than %v times that", empty, long, bound)
	}
	if rewriting < 50*long {
		t.Errorf("rewriting costs %v, an append %v: less than 50 times", rewriting, long)
	}
}
