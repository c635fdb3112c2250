package sync

import (
	"io"

	"github.com/rogpeppe/go-internal/diff"
)

// Diff writes, as unified diffs, what applying would change.
func (c *ChangeSet) Diff(w io.Writer) error {
	for _, ch := range c.Changes {
		if ch.Action != Write && ch.Action != Delete {
			continue
		}
		before, after := "a/"+ch.Path, "b/"+ch.Path
		if ch.Before == nil {
			before = "/dev/null"
		}
		if ch.Action == Delete {
			after = "/dev/null"
		}
		if _, err := w.Write(diff.Diff(before, ch.Before, after, ch.After)); err != nil {
			return err
		}
	}
	return nil
}
