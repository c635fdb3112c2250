package sync

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

const (
	lockWait  = 30 * time.Second
	lockRetry = 20 * time.Millisecond
)

// ErrBusy says that another grimoire kept the project locked for too long.
var ErrBusy error = spoken{
	FR: "un autre grimoire écrit dans ce projet ; attends qu'il ait fini, puis relance la commande",
	EN: "another grimoire is writing this project; wait for it to end, then run the command again",
}

// Lock is the right to write one project. Only one process has it at a time; it
// ends with the process.
type Lock struct {
	dir  string
	held *flock.Flock
}

// Acquire locks the project at root, waiting at most 30 s, or until ctx ends, for
// the one who has it. Taken before the project is read, it makes two syncs run
// one after the other.
//
// The lock is on the project's directory itself, so that nothing appears in the
// tree; where a directory cannot be locked (Windows, some network disks), on a
// file in the user's cache.
func Acquire(ctx context.Context, root string) (*Lock, error) {
	dir, err := filepath.Abs(root)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return nil, notLocked(root, err)
	}
	wait, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	held := flock.New(dir, flock.SetFlag(os.O_RDONLY))
	ok, err := held.TryLockContext(wait, lockRetry)
	if err != nil && wait.Err() == nil { // the directory cannot be locked
		if held, err = cacheLock(dir); err == nil {
			ok, err = held.TryLockContext(wait, lockRetry)
		}
	}
	switch {
	case ok:
		return &Lock{dir: dir, held: held}, nil
	case ctx.Err() != nil && !errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, fmt.Errorf("lock %s: %w", dir, ctx.Err())
	case wait.Err() != nil:
		return nil, fmt.Errorf("lock %s: %w", dir, ErrBusy)
	}
	return nil, notLocked(dir, err)
}

// lockError is a project that could not be locked for a reason of the system's.
type lockError struct {
	spoken
	cause error
}

func (e *lockError) Unwrap() error { return e.cause }

func notLocked(dir string, err error) error {
	return &lockError{spoken{
		FR: fmt.Sprintf("le projet %s ne peut être réservé : %v", dir, err),
		EN: fmt.Sprintf("the project %s cannot be locked: %v", dir, err),
	}, err}
}

func cacheLock(dir string) (*flock.Flock, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	cache = filepath.Join(cache, "grimoire", "locks")
	if err := os.MkdirAll(cache, 0o700); err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(dir))
	return flock.New(filepath.Join(cache, hex.EncodeToString(sum[:16])+".lock")), nil
}

// Release gives the lock back.
func (l *Lock) Release() error { return l.held.Unlock() }
