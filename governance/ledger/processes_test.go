package ledger

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// mill makes n transitions of tasks that others move at the same time, and
// acknowledges each.
func mill(l *Ledger, n int) error {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	actor := fmt.Sprint("p", os.Getpid())
	for done := 0; done < n; {
		var id string
		var to Status
		err := l.Update(context.Background(), func(tx *Tx) error {
			id = fmt.Sprintf("GAO-%c-001", 'a'+rune(rand.IntN(8)))
			if t, _ := tx.State().Task(id); t.Status.Active() && t.Claim.Actor != actor {
				return refuse(ErrHeld, "", "")
			}
			if err := turn(tx, id, actor); err != nil {
				return err
			}
			t, _ := tx.State().Task(id)
			to = t.Status
			return nil
		})
		if errors.Is(err, ErrHeld) {
			continue
		}
		if err != nil {
			return err
		}
		done++
		fmt.Fprintf(out, "%s/%s/%s\n", actor, id, to)
	}
	// What it still holds others may go on with.
	return l.Update(context.Background(), func(tx *Tx) error {
		for _, t := range tx.State().Held() {
			if t.Status.Active() && t.Claim.Actor == actor {
				if err := tx.Move(t.ID, Move{To: Ready, Actor: "end of " + actor}); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

func TestManyProcessesLoseNothing(t *testing.T) {
	t.Parallel()
	l, path := open(t, "")
	update(t, l, func(tx *Tx) error {
		for c := 'a'; c < 'a'+8; c++ {
			if err := addTask(tx, fmt.Sprintf("GAO-%c-001", c)); err != nil {
				return err
			}
		}
		return nil
	})
	const processes = 16
	n := *mills
	if testing.Short() {
		n = 5
	}
	var mu sync.Mutex
	acked := map[string]int{}
	var all sync.WaitGroup
	for range processes {
		all.Go(func() {
			acks, err := child("mill", n, project(path))
			mu.Lock()
			defer mu.Unlock()
			if err != nil || len(acks) != n {
				t.Errorf("%d acknowledged: %v", len(acks), err)
			}
			for _, a := range acks {
				acked[a]++
			}
		})
	}
	all.Wait()
	if t.Failed() {
		return
	}
	// Verify finds a move from a state that was not so, and a lease given twice.
	r, err := Verify(project(path), "")
	if err != nil || len(r.Problems) != 0 {
		t.Fatalf("%d problems: %+v %v", len(r.Problems), r.Problems[:min(3, len(r.Problems))], err)
	}
	logged := map[string]int{}
	total := 0
	if err := again(path).Events(func(e Event) {
		if e.Type == TaskTransitioned && strings.HasPrefix(e.Actor, "p") {
			_, to, _ := strings.Cut(e.Payload, `"to_state": "`)
			to, _, _ = strings.Cut(to, `"`)
			logged[e.Actor+"/"+e.Entity+"/"+to]++
			total++
		}
	}); err != nil {
		t.Fatal(err)
	}
	if total != processes*n {
		t.Fatalf("%d transitions in the log, %d acknowledged", total, processes*n)
	}
	for what, times := range acked {
		if logged[what] != times {
			t.Fatalf("%s: %d in the log, %d acknowledged", what, logged[what], times)
		}
	}
	agrees(t, path)
}

// kit appends n events as the existing kit does: under the lock, the whole log
// and a line more to a temporary file that is renamed over it.
func kit(f *File, n int) error {
	for i := range n {
		release, err := f.Lock(context.Background())
		if err != nil {
			return err
		}
		e := sample()
		e.ID, e.Actor = NewEventID(), "kit"
		line, err := e.encode()
		if err != nil {
			return err
		}
		old, err := os.ReadFile(f.Path())
		if err != nil {
			return err
		}
		tmp := filepath.Join(filepath.Dir(f.Path()), fmt.Sprintf(".tmp-ledger-%d-%d", os.Getpid(), i))
		if err := errors.Join(os.WriteFile(tmp, append(append(old, line...), '\n'), 0o644), os.Rename(tmp, f.Path())); err != nil {
			return err
		}
		fmt.Println("kit")
		release()
	}
	return nil
}

// Processes of the existing kit and of this one write to one log at once.
func TestBothKitsAtOnce(t *testing.T) {
	t.Parallel()
	l, path := open(t, "")
	update(t, l, func(tx *Tx) error {
		for c := 'a'; c < 'a'+8; c++ {
			if err := addTask(tx, fmt.Sprintf("GAO-%c-001", c)); err != nil {
				return err
			}
		}
		return nil
	})
	const each = 40
	var all sync.WaitGroup
	for _, what := range []string{"kit", "mill", "kit", "mill"} {
		all.Go(func() {
			if acks, err := child(what, each, project(path)); err != nil || len(acks) != each {
				t.Errorf("%s: %d acknowledged: %v", what, len(acks), err)
			}
		})
	}
	all.Wait()
	kits, moves := 0, 0
	if err := again(path).Events(func(e Event) {
		switch {
		case e.Actor == "kit":
			kits++
		case e.Type == TaskTransitioned && strings.HasPrefix(e.Actor, "p"):
			moves++
		}
	}); err != nil {
		t.Fatal(err)
	}
	if kits != 2*each || moves != 2*each {
		t.Errorf("%d events of the existing kit and %d moves, %d of each were acknowledged", kits, moves, 2*each)
	}
	if r, err := Verify(project(path), ""); err != nil || len(r.Problems) != 0 {
		t.Errorf("%+v %v", r, err)
	}
	agrees(t, path)
}

// Several goroutines, of one ledger and of others, are as good as processes.
func TestGoroutines(t *testing.T) {
	l, path := open(t, "")
	l.Now = nil
	update(t, l, func(tx *Tx) error { return addTask(tx, "GAO-a-001") })
	var all sync.WaitGroup
	for i := range 4 {
		ledger := l
		if i%2 == 1 {
			ledger = again(path)
		}
		all.Go(func() {
			for range 10 {
				if err := ledger.Update(t.Context(), func(tx *Tx) error {
					_, err := tx.Direct("GAO-a-001", "comment", "x", "y")
					return err
				}); err != nil {
					t.Error(err)
				}
				if err := ledger.View(func(*State) error { return nil }); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if n := len(task(t, l, "GAO-a-001").Directives); n != 40 {
		t.Errorf("%d remarks", n)
	}
	agrees(t, path)
}
