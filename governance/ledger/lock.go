package ledger

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/grimoire-kit/grimoire/governance/failpoint"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

// lockName is the lock of the existing kit, which it also holds while it
// replaces the log.
const lockName = "." + LogName + ".lock"

const (
	// HookWait is how long a hook waits for the lock.
	HookWait = 100 * time.Millisecond
	// CommandWait is how long a command does.
	CommandWait = 30 * time.Second

	lockPoll = 500 * time.Microsecond
)

// Lock implements Store.
func (f *File) Lock(ctx context.Context) (release func(), err error) {
	release, err = f.lock(ctx, lockName)
	if err == nil {
		failpoint.Hit("ledger.locked")
	}
	return release, err
}

// lock takes the lock that is a file of that name. The file stays: removing one
// that another process waits for would give the lock to both.
func (f *File) lock(ctx context.Context, name string) (release func(), err error) {
	path := filepath.Join(f.root, f.dir, name)
	dir, err := f.folder(true)
	if err != nil {
		return nil, explain("lock", path, err)
	}
	defer dir.Close()
	if info, err := dir.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return nil, explain("lock", path, fault.NotRegular) // a link would be created through
	}
	if err := ctx.Err(); errors.Is(err, context.Canceled) {
		return nil, explain("lock", path, err)
	}
	l := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o644))
	ok, err := l.TryLock() // a lock that is free is got however little time there is
	if !ok && err == nil {
		ok, err = l.TryLockContext(ctx, lockPoll)
	}
	switch {
	case ok:
		return func() { _ = l.Unlock() }, nil
	case errors.Is(err, context.DeadlineExceeded):
		return nil, refuse(ErrBusy, "Un autre processus tient le verrou du ledger (%s) ; relance la commande dans un instant.",
			"Another process holds the ledger's lock (%s); run the command again in a moment.", path)
	case errors.Is(err, context.Canceled), errors.Is(err, fs.ErrPermission), errors.Is(err, fs.ErrNotExist), isReadOnly(err), isFull(err):
		return nil, explain("lock", path, err)
	}
	return nil, refuse(ErrNoLock, "Le système de fichiers ne pose pas de verrou sur %s (%v) : sans verrou, aucune tâche ne change de main.",
		"The file system cannot lock %s (%v): without a lock no task changes hands.", path, err)
}
