//go:build !linux

package tree

import (
	"errors"
	"os"
)

// Only Linux syncs one file system in one call that waits for the disk.

func (t *Tree) canSyncWhole() bool { return false }

func (t *Tree) syncWhole() error { return errors.ErrUnsupported }

func (t *Tree) syncedWhole(*os.File) bool { return false }
