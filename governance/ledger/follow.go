package ledger

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// Follow calls draw, which makes a projection of the ledger and puts it in its
// place, while no other process does. name is a word: the projection has its
// lock of that name beside the log, apart from the log's own, so that drawing
// keeps nobody from writing. What draw puts in place is thus never older than
// what was there.
//
// Of several that wait, one draws for those whose changes it saw; draw is not
// called for them. Follow waits until ctx ends, then fails with ErrBusy. Where
// nothing can be locked it draws all the same.
func (l *Ledger) Follow(ctx context.Context, name string, draw func() error) error {
	f, ok := l.store.(*File)
	if !ok {
		return draw()
	}
	ours, err := l.lines()
	if err != nil {
		return err
	}
	before := f.drawn(name)
	release, err := f.lock(ctx, "."+name+".lock")
	switch {
	case errors.Is(err, ErrNoLock):
		return draw()
	case err != nil:
		return err
	}
	defer release()
	last := f.drawn(name)
	if last.times > before.times && last.lines >= ours {
		return nil
	}
	sees, err := l.lines() // no more than draw will
	if err != nil {
		return err
	}
	if err := draw(); err != nil {
		return err
	}
	f.setDrawn(name, drawing{last.times + 1, sees})
	return nil
}

// drawing is what is kept of the last time a projection was drawn: how often it
// was, and how many lines of the log were seen. It may be deleted at any time.
type drawing struct{ times, lines int }

func drawnName(projection string) string { return "." + projection + ".drawn" }

func (f *File) drawn(projection string) (d drawing) {
	dir, err := f.folder(false)
	if err != nil {
		return d
	}
	defer dir.Close()
	file, err := f.regular(dir, drawnName(projection), os.O_RDONLY)
	if err != nil {
		return d
	}
	defer file.Close()
	text := make([]byte, 64)
	n, err := file.ReadAt(text, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return d
	}
	if _, err := fmt.Sscanf(string(text[:n]), "%d %d\n", &d.times, &d.lines); err != nil {
		return drawing{} // of a process that was killed
	}
	return d
}

// setDrawn is called under the projection's lock. Failing to costs others a
// drawing.
func (f *File) setDrawn(projection string, d drawing) {
	dir, err := f.folder(false)
	if err != nil {
		return
	}
	defer dir.Close()
	file, err := f.regular(dir, drawnName(projection), os.O_WRONLY|os.O_CREATE|os.O_TRUNC)
	if err != nil {
		return
	}
	_, _ = fmt.Fprintf(file, "%d %d\n", d.times, d.lines)
	_ = file.Close()
}

// lines is how many lines the log has.
func (l *Ledger) lines() (n int, err error) {
	err = l.View(func(s *State) error {
		n = s.Log.Lines
		return nil
	})
	return n, err
}
