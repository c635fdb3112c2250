package ledger

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
)

// stream is a Store as a message stream would be: lines have a sequence number,
// a publication expects the last one, and there is no lock to take.
type stream struct {
	mu    sync.Mutex
	lines [][]byte
}

func (s *stream) Lock(context.Context) (func(), error) { return func() {}, nil }

func (s *stream) Read(from Version, visit func(Line)) (Version, error) {
	s.mu.Lock()
	lines := slices.Clone(s.lines)
	s.mu.Unlock()
	if from.Offset > int64(len(lines)) {
		return Version{}, ErrMoved
	}
	for i, line := range lines[from.Offset:] {
		visit(Line{Offset: from.Offset + int64(i), Text: line})
	}
	return Version{Offset: int64(len(lines))}, nil
}

func (s *stream) Append(at Version, lines ...[]byte) (Version, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at.Offset != int64(len(s.lines)) {
		return Version{}, ErrMoved
	}
	for _, line := range lines {
		s.lines = append(s.lines, slices.Clone(line))
	}
	return Version{Offset: int64(len(s.lines))}, nil
}

// On a store without locks, comparing and setting is what gives a task to one.
func TestAnotherStore(t *testing.T) {
	s := &stream{}
	update(t, OpenStore(s), func(tx *Tx) error {
		return errors.Join(addTask(tx, "GAO-a-001"), addTask(tx, "GAO-b-001"))
	})
	const sessions = 8
	won := make([]string, sessions)
	var all sync.WaitGroup
	for i := range sessions {
		l := OpenStore(s)
		all.Go(func() {
			for _, id := range []string{"GAO-a-001", "GAO-b-001"} {
				err := l.Update(context.Background(), func(tx *Tx) error { return claim(tx, id, fmt.Sprint("s", i)) })
				if err == nil {
					won[i] += id
				} else if !errors.Is(err, ErrHeld) && !errors.Is(err, ErrChanged) && !errors.Is(err, ErrMoved) {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	for _, id := range []string{"GAO-a-001", "GAO-b-001"} {
		got := task(t, OpenStore(s), id)
		winners := 0
		for i, ids := range won {
			if ids == id || ids == "GAO-a-001GAO-b-001" {
				winners++
				if got.Claim.Actor != fmt.Sprint("s", i) {
					t.Errorf("%s is held by %s and s%d thinks it has it", id, got.Claim.Actor, i)
				}
			}
		}
		if winners != 1 || got.Status != Claimed || got.Epoch != 1 {
			t.Errorf("%s: %d winners, %+v", id, winners, got)
		}
	}
	if err := OpenStore(s).Events(func(e Event) {
		if e.Entity == "" {
			t.Error("an event about nothing")
		}
	}); err != nil {
		t.Error(err)
	}
	// A stream that was made anew is another log.
	l := OpenStore(s)
	if got := statuses(t, l); got == "" {
		t.Fatal("nothing")
	}
	s.lines = s.lines[:1]
	if got := statuses(t, l); got != "" {
		t.Errorf("%q is still there", got)
	}
}
