package ledger

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// waiting is a context that tells when it is first waited with.
type waiting struct {
	context.Context
	once  *sync.Once
	begun chan struct{}
}

func (w waiting) Done() <-chan struct{} {
	w.once.Do(func() { close(w.begun) })
	return w.Context.Done()
}

func TestFollow(t *testing.T) {
	l, path, _ := started(t)
	drawings := 0
	draw := func() error { drawings++; return nil }
	follow := func(want int) {
		t.Helper()
		if err := again(path).Follow(t.Context(), "board", draw); err != nil || drawings != want {
			t.Fatalf("%d drawings, want %d: %v", drawings, want, err)
		}
	}
	follow(1)
	follow(2) // the projection may have been changed by hand since
	mark := filepath.Join(filepath.Dir(path), drawnName("board"))
	for _, text := range []string{"", "2", "x", "99999999999999999999 1\n"} {
		write(t, mark, text) // a mark that is none hides nothing
		drawings = 0
		follow(1)
	}
	if err := l.Follow(t.Context(), "board", func() error { return errPower }); !errors.Is(err, errPower) {
		t.Fatal(err)
	}
	follow(2)
	other := l.store.(*File)

	// While one draws, another waits, and is content with what the one saw.
	for _, tt := range []struct {
		name          string
		sees, drawing int
	}{{"all", 1000, 0}, {"not all", 1, 1}} {
		release, err := other.lock(t.Context(), ".board.lock")
		if err != nil {
			t.Fatal(err)
		}
		drawings = 0
		ctx := waiting{t.Context(), new(sync.Once), make(chan struct{})}
		done := make(chan error)
		go func() { done <- again(path).Follow(ctx, "board", draw) }()
		<-ctx.begun
		last := other.drawn("board")
		other.setDrawn("board", drawing{last.times + 1, tt.sees})
		release()
		if err := <-done; err != nil || drawings != tt.drawing {
			t.Errorf("the other saw %s: %d drawings, %v", tt.name, drawings, err)
		}
	}

	// One that never ends is waited for as long as the caller wants.
	release, err := other.lock(t.Context(), ".board.lock")
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	drawings = 0
	if err := again(path).Follow(ctx, "board", draw); !errors.Is(err, ErrBusy) || drawings != 0 {
		t.Errorf("%d drawings, %v", drawings, err)
	}
	// And nobody is kept from writing to the log.
	update(t, again(path), running)
}
