package session

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/grimoire-kit/grimoire/governance/gitignore"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

// Dir is where session files live, relative to the project root.
const Dir = "_grimoire-output/.runs"

const (
	// lockWait is how long Update waits for other hook processes, each of which
	// holds the lock for about a millisecond; thirty-two at once on two slow
	// cores were seen to keep one of them waiting for more than a second. It
	// leaves the decision half of its own deadline.
	lockWait = 2 * time.Second
	lockPoll = 500 * time.Microsecond
	// maxFile bounds what is read of a session file, in bytes: a file that a
	// full session can reach is far smaller.
	maxFile = 4 << 20
)

// FileName is the name of a session's file below Dir. An id that could leave
// the folder, or that some file system could not hold, is hashed.
func FileName(id string) string { return "session-" + fileKey(id) + ".json" }

func fileKey(id string) string {
	if strings.TrimSpace(id) == "" {
		return "unknown"
	}
	plain := len(id) <= 128
	for i := 0; i < len(id) && plain; i++ {
		c := id[i]
		plain = c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '-'
	}
	if plain {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return "h-" + hex.EncodeToString(sum[:])[:32]
}

// Path is the absolute path of a session's file.
func Path(root, id string) string {
	return filepath.Join(root, filepath.FromSlash(Dir), FileName(id))
}

// Read returns the session as it stands, without a lock. A file that is
// missing, cut short, of another schema or not readable is a session that
// starts now: never an error.
func Read(root, id string) *State {
	s, _ := load(Path(root, id))
	if s == nil {
		return New(id, time.Now())
	}
	return s
}

// Seen is when a session last wrote its file; ok is false where there is none
// that can be read.
func Seen(root, id string) (at time.Time, ok bool) {
	s, _ := load(Path(root, id))
	if s == nil || s.UpdatedAt.IsZero() {
		return time.Time{}, false
	}
	return s.UpdatedAt, true
}

// load reads a session and the text it stands in; nil where there is none.
func load(path string) (*State, []byte) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxFile {
		return nil, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil
	}
	defer f.Close()
	data := make([]byte, info.Size())
	if _, err := io.ReadFull(f, data); err != nil { // cut short under our hands
		return nil, nil
	}
	s, ok := decode(data)
	if !ok {
		return nil, nil
	}
	return s, data
}

// Update changes the session under its lock: it reads the file, lets change
// work on the state and replaces the file at once. If change fails, or leaves
// the state as it was, nothing is written. A lock that does not come free
// within lockWait is an error, and then nothing was counted.
func Update(root, id string, change func(*State) error) error {
	unlock, err := lock(root, fileKey(id))
	if err != nil {
		return fmt.Errorf("update session %s: %w", fileKey(id), err)
	}
	defer unlock()

	path := Path(root, id)
	now := time.Now()
	s, before := load(path)
	if s == nil {
		s = New(id, now)
	}
	if err := change(s); err != nil {
		return err
	}
	if bytes.Equal(before, s.encode()) { // a file in another spelling is written anew
		return nil
	}
	s.UpdatedAt = now
	if err := replace(path, s.encode()); err != nil {
		return fmt.Errorf("update session %s: %w", fileKey(id), err)
	}
	return nil
}

// Reset deletes the session's file, so that the session counts from zero. It
// reports whether there was one.
func Reset(root, id string) (bool, error) {
	if _, err := os.Lstat(Path(root, id)); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	unlock, err := lock(root, fileKey(id))
	if err != nil {
		return false, fmt.Errorf("reset session %s: %w", fileKey(id), err)
	}
	defer unlock()
	err = os.Remove(Path(root, id))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("reset session %s: %w", fileKey(id), err)
	}
	return true, nil
}

// lock takes the lock named name. The lock file stays: removing one that
// another process waits for would give the lock to both.
func lock(root, name string) (unlock func(), err error) {
	dir, err := runsDir(root)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, "session-"+name+".lock")
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "lock", Path: path, Err: fault.NotRegular} // a link would be created through
	}
	l := flock.New(path)
	ctx, cancel := context.WithTimeout(context.Background(), lockWait)
	defer cancel()
	ok, err := l.TryLockContext(ctx, lockPoll)
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", l.Path(), err)
	}
	if !ok {
		return nil, fmt.Errorf("lock %s: held by another process", l.Path())
	}
	return func() { _ = l.Unlock() }, nil
}

// runsDir makes the folder, and refuses one that leaves the project: a
// repository can carry a link to anywhere.
func runsDir(root string) (string, error) {
	r, err := os.OpenRoot(root)
	if err != nil {
		return "", err
	}
	defer r.Close()
	if err := gitignore.Hide(r, Dir); err != nil {
		return "", err
	}
	return filepath.Join(root, filepath.FromSlash(Dir)), nil
}

// replace puts a file in place in one step. The name of the temporary file
// is the existing kit's; the lock keeps two writers from sharing it.
func replace(path string, data []byte) error {
	dir, name := filepath.Split(path)
	tmp := filepath.Join(dir, "."+name+"."+strconv.Itoa(os.Getpid())+".tmp")
	if err := create(tmp, data); errors.Is(err, fs.ErrExist) {
		// Left by a process that was killed, or a link put there to lead the
		// write elsewhere.
		if err := os.Remove(tmp); err != nil {
			return err
		}
		if err := create(tmp, data); err != nil {
			return err
		}
	} else if err != nil {
		return err
	}
	if err := swap(tmp, path); err != nil {
		_ = os.Remove(tmp)
		return err
	}
	return nil
}

func create(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}
