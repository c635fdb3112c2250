package ledger

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

// Looking at another's project leaves nothing in it, where reading one's own
// writes down what it found.
func TestReaderWritesNothing(t *testing.T) {
	root := t.TempDir()
	if err := Open(root, "").Update(context.Background(), func(tx *Tx) error {
		_, err := tx.CreateMission(Mission{Title: "m"})
		return err
	}); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(root, filepath.FromSlash(Dir))
	beside := func() (n int) {
		for _, name := range []string{snapshotName, heldName} {
			if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
				n++
			}
		}
		return n
	}
	look := func(l *Ledger) int {
		t.Helper()
		for _, name := range []string{snapshotName, heldName} {
			_ = os.Remove(filepath.Join(dir, name))
		}
		l.images.minGrowth = 1
		for _, view := range []func(func(*State) error) error{l.View, l.ViewHeld} {
			if err := view(func(s *State) error {
				if s.Log.Events != 1 {
					t.Errorf("%d events", s.Log.Events)
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
		}
		return beside()
	}
	if n := look(OpenReader(root, "")); n != 0 {
		t.Errorf("a reader wrote %d files", n)
	}
	for tries := 0; look(Open(root, "")) != 2; tries++ { // it does not wait for the lock
		if tries == 100 {
			t.Fatal("no reader writes, so the test shows nothing")
		}
	}
}
