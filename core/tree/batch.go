package tree

import (
	"context"

	"golang.org/x/sync/errgroup"

	"github.com/grimoire-kit/grimoire/governance/failpoint"
)

const (
	// writers is how many files are written at once: they wait for the disk, not
	// for a processor.
	writers = 8
	// wholeSync is the number of files from which one sync of the whole file
	// system costs less than one for each.
	wholeSync = 128
	// batchSize bounds the temporaries that exist at once.
	batchSize = 256
)

// Replacement is the content a file is to have.
type Replacement struct {
	File *File
	Data []byte
}

// ReplaceAll is Replace for many files, several at a time. It calls done once for
// each, from one goroutine at a time, with the index in list. Once ctx ends, the
// files that were not begun get its error.
//
// From a certain number on, and where the system can, it syncs all temporaries of
// a batch together before the first rename, which is as safe and much faster.
func (t *Tree) ReplaceAll(ctx context.Context, list []Replacement, done func(i int, changed bool, err error)) {
	type result struct {
		changed bool
		err     error
	}
	whole := len(list) >= wholeSync && t.canSyncWhole()
	for start := 0; start < len(list); start += batchSize {
		batch := list[start:min(start+batchSize, len(list))]
		results := make([]result, len(batch))
		temporaries := make([]*staged, len(batch))
		each(len(batch), func(i int) {
			if err := ctx.Err(); err != nil {
				results[i].err = err
				return
			}
			s, err := t.stage(batch[i].File, batch[i].Data, !whole)
			switch {
			case err != nil:
				results[i].err = err
			case whole:
				temporaries[i] = s
			default:
				results[i].changed, results[i].err = t.commit(s)
			}
		})
		if whole {
			failpoint.Hit("tree.before-whole-sync")
			err := t.syncWhole()
			failpoint.Hit("tree.after-whole-sync")
			each(len(batch), func(i int) {
				switch s := temporaries[i]; {
				case s == nil:
				case err != nil:
					t.discard(s)
					results[i].err = writeFault(s.file.Path, err)
				default:
					results[i].changed, results[i].err = t.commit(s)
				}
			})
		}
		for i, r := range results {
			done(start+i, r.changed, r.err)
		}
	}
}

// discard removes a temporary that will not be used.
func (t *Tree) discard(s *staged) {
	if parent, err := t.openParent(s.file); err == nil {
		_ = parent.Remove(s.name)
		_ = parent.Close()
	}
}

func each(n int, work func(i int)) {
	var g errgroup.Group
	g.SetLimit(writers)
	for i := range n {
		g.Go(func() error {
			work(i)
			return nil
		})
	}
	_ = g.Wait()
}
