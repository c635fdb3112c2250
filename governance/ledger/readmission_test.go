package ledger

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A task whose lease is lost comes back to the queue later each time, and at
// once when something else came of it. What says so survives the log's replay
// and a snapshot.
func TestReadmission(t *testing.T) {
	root := t.TempDir()
	now := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	l := Open(root, "")
	l.images.minGrowth = 1
	l.Now = func() time.Time { return now }
	do := func(change func(tx *Tx) error) {
		t.Helper()
		if err := l.Update(context.Background(), change); err != nil {
			t.Fatal(err)
		}
	}
	move := func(to Status) {
		t.Helper()
		do(func(tx *Tx) error {
			m := Move{To: to}
			if to == Claimed {
				c := tx.Lease("A", Claim{Actor: "ada"})
				m.Claim = &c
			}
			return tx.Move("A", m)
		})
	}
	lose := func() {
		t.Helper()
		now = now.Add(LeaseTTL)
		do(func(tx *Tx) error { return tx.Move("A", Move{To: Ready, Readmission: tx.Readmit("A")}) })
	}
	held := func() (time.Duration, int64) {
		t.Helper()
		var wait time.Duration
		var losses int64
		again := Open(root, "") // from the snapshot
		bare := t.TempDir()
		log, err := os.ReadFile(NewFile(root, "").Path())
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(bare, LogName), log, 0o644); err != nil {
			t.Fatal(err)
		}
		for i, from := range []*Ledger{l, again, Open("", bare)} {
			if err := from.View(func(s *State) error {
				task, _ := s.Task("A")
				row := s.tasks["A"].row
				until, later := row.Later(now)
				w := time.Duration(0)
				if later {
					w = until.Sub(now)
				}
				n := int64(0)
				if task.Readmission != nil {
					n = task.Readmission.Losses
				}
				if i > 0 && (w != wait || n != losses) {
					t.Errorf("reader %d: %v after %d losses, the writer saw %v after %d", i, w, n, wait, losses)
				}
				wait, losses = w, n
				return nil
			}); err != nil {
				t.Fatal(err)
			}
		}
		return wait, losses
	}
	want := func(wait time.Duration, losses int64) {
		t.Helper()
		if w, n := held(); w != wait || n != losses {
			t.Errorf("out of the queue for %v after %d losses, want %v after %d", w, n, wait, losses)
		}
	}
	do(func(tx *Tx) error {
		m, err := tx.CreateMission(Mission{Title: "m"})
		if err == nil {
			_, err = tx.CreateTask(Task{ID: "A", Title: "a", Mission: m, Acceptance: []string{"x"}})
		}
		return err
	})
	move(Ready)
	want(0, 0)
	for i, wait := range []time.Duration{5, 10, 20, 40, 80, 160, 240, 240} {
		move(Claimed)
		want(0, int64(i))
		lose()
		want(wait*time.Minute, int64(i+1))
	}
	now = now.Add(MaxBackoff)
	want(0, 8)
	now = now.Add(-2 * MaxBackoff) // another clock
	want(0, 8)
	now = now.Add(2 * MaxBackoff)
	move(Claimed)
	move(Ready) // given back by hand
	want(0, 0)

	// A line of the log keeps nothing out for longer than the longest wait.
	path := NewFile(root, "").Path()
	log, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(log), "\n"), "\n")
	last := strings.Replace(lines[len(lines)-1], `"reason": ""`, `"reason": "", "readmission": {"lost_leases": -3, "after": "9999-01-01T00:00:00+00:00", "more": 1}`, 1)
	if err := os.WriteFile(path, []byte(strings.Join(append(lines[:len(lines)-1], last), "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	l = Open(root, "")
	l.Now = func() time.Time { return now }
	want(MaxBackoff, 0)
}

// A task that was nobody's becomes somebody's, once.
func TestAssign(t *testing.T) {
	root := t.TempDir()
	l := Open(root, "")
	assign := func(owner string) error {
		return l.Update(context.Background(), func(tx *Tx) error { return tx.Assign("A", owner, "", "ada") })
	}
	if err := l.Update(context.Background(), func(tx *Tx) error {
		m, err := tx.CreateMission(Mission{Title: "m"})
		if err == nil {
			_, err = tx.CreateTask(Task{ID: "A", Title: "a", Mission: m, Acceptance: []string{"x"}})
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for _, owner := range []string{" bob ", "bob"} {
		if err := assign(owner); err != nil {
			t.Fatal(err)
		}
	}
	if err := assign("  "); err == nil {
		t.Error("nobody was accepted")
	}
	log, err := os.ReadFile(NewFile(root, "").Path())
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(log), `"task.assigned"`); n != 1 {
		t.Errorf("%d events", n)
	}
	if err := Open(root, "").View(func(s *State) error {
		if task, _ := s.Task("A"); task.Owner != "bob" || s.tasks["A"].row.Owner != "bob" {
			t.Errorf("%q", task.Owner)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if r, err := Verify(root, ""); err != nil || len(r.Problems) > 0 || r.Unknown > 0 {
		t.Errorf("%+v %v", r, err)
	}
}
