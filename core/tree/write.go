package tree

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"

	"github.com/grimoire-kit/grimoire/governance/failpoint"
)

// Names of the temporaries, so that a later run knows those a killed one left.
var temporary = regexp.MustCompile(`^\.grimoire-[0-9a-f]{16}\.tmp$`)

func temporaryName() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return ".grimoire-" + hex.EncodeToString(b[:]) + ".tmp"
}

// Obstacle reports, as a *Fault, what forbids replacing or deleting f: its mode,
// its owner, or its directory. It looks at mode bits, which also hold for root.
func (t *Tree) Obstacle(f *File) error {
	if f.Exists() {
		if f.Info.Mode().Perm()&0o200 == 0 {
			return &Fault{Path: f.Path, Reason: ErrReadOnly}
		}
		if foreign(f.Info) {
			return &Fault{Path: f.Path, Reason: ErrForeignOwner}
		}
	}
	for dir := path.Dir(f.Real); ; dir = path.Dir(dir) {
		info, err := t.root.Lstat(dir)
		if errors.Is(err, fs.ErrNotExist) && dir != "." {
			continue
		}
		if err != nil {
			return &Fault{Path: f.Path, Reason: ErrUnreadable, Cause: err}
		}
		if info.Mode().Perm()&0o200 == 0 {
			return &Fault{Path: f.Path, Reason: ErrReadOnlyDirectory}
		}
		return nil
	}
}

// Replace gives f the content data, all or nothing: what stands at f.Real is the
// old file or the new one at every moment. It keeps the mode of a file that
// exists. The boolean is false when the file already had that content by the
// time it was looked at again. Errors are *Fault. The rename survives a power
// cut once Sync has returned.
func (t *Tree) Replace(f *File, data []byte) (bool, error) {
	s, err := t.stage(f, data, true)
	if err != nil {
		return false, err
	}
	return t.commit(s)
}

// staged is a temporary, written and closed, that is to take the place of a file.
type staged struct {
	file *File
	data []byte
	name string
}

// stage writes the temporary beside f.
func (t *Tree) stage(f *File, data []byte, sync bool) (*staged, error) {
	if err := t.Obstacle(f); err != nil {
		return nil, err
	}
	parent, err := t.openParent(f)
	if err != nil {
		return nil, err
	}
	defer parent.Close()
	s := &staged{file: f, data: data, name: temporaryName()}
	if err := t.writeTemporary(parent, s, sync); err != nil {
		_ = parent.Remove(s.name)
		return nil, writeFault(f.Path, err)
	}
	return s, nil
}

func (t *Tree) writeTemporary(parent *os.Root, s *staged, sync bool) error {
	perm := fs.FileMode(0o644)
	if s.file.Exists() {
		perm = s.file.Info.Mode().Perm()
	}
	h, err := parent.OpenFile(s.name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	defer h.Close()
	failpoint.Hit("tree.temporary-created")
	if _, err := h.Write(s.data); err != nil {
		return err
	}
	failpoint.Hit("tree.temporary-written")
	if s.file.Exists() {
		if err := h.Chmod(perm); err != nil { // the umask must not narrow it
			return err
		}
	}
	if sync || !t.syncedWhole(h) {
		if err := h.Sync(); err != nil {
			return err
		}
	}
	failpoint.Hit("tree.temporary-synced")
	return h.Close()
}

// commit puts a synced temporary in its place, after the last look at what it
// replaces.
func (t *Tree) commit(s *staged) (bool, error) {
	parent, err := t.openParent(s.file)
	if err != nil {
		return false, err
	}
	defer parent.Close()
	failpoint.Hit("tree.before-check")
	same, err := t.check(parent, s.file, s.data)
	if same || err != nil {
		_ = parent.Remove(s.name)
		return false, err
	}
	failpoint.Hit("tree.before-rename")
	if err := parent.Rename(s.name, path.Base(s.file.Real)); err != nil {
		_ = parent.Remove(s.name)
		return false, writeFault(s.file.Path, err)
	}
	failpoint.Hit("tree.after-rename")
	t.touched(path.Dir(s.file.Real))
	return true, nil
}

// Delete removes f, when it still is what was read.
func (t *Tree) Delete(f *File) error {
	if err := t.Obstacle(f); err != nil {
		return err
	}
	parent, err := t.openParent(f)
	if err != nil {
		return err
	}
	defer parent.Close()
	if _, err := t.check(parent, f, nil); err != nil {
		return err
	}
	failpoint.Hit("tree.before-delete")
	if err := parent.Remove(path.Base(f.Real)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return writeFault(f.Path, err)
	}
	failpoint.Hit("tree.after-delete")
	t.touched(path.Dir(f.Real))
	return nil
}

// openParent opens the directory of f, which it creates where needed, and makes
// sure that no link was put in its place since it was resolved.
func (t *Tree) openParent(f *File) (*os.Root, error) {
	now, err := t.Stat(f.Path)
	if err != nil {
		return nil, err
	}
	if now.Real != f.Real {
		return nil, &Fault{Path: f.Path, Reason: ErrChanged}
	}
	dir := path.Dir(f.Real)
	if err := t.makeDir(dir); err != nil {
		return nil, writeFault(f.Path, err)
	}
	parent, err := t.root.OpenRoot(dir)
	if err != nil {
		return nil, writeFault(f.Path, err)
	}
	opened, err := parent.Stat(".")
	if err == nil {
		var named fs.FileInfo
		if named, err = os.Lstat(t.abs(dir)); err == nil && !os.SameFile(opened, named) {
			err = ErrChanged
		}
	}
	if err != nil {
		_ = parent.Close()
		return nil, &Fault{Path: f.Path, Reason: ErrChanged, Cause: causeOf(err)}
	}
	return parent, nil
}

// check looks at f for the last time before it is replaced. The boolean is true
// when the file already holds want. A file that is not the one that was read, in
// identity or in bytes, is ErrChanged.
func (t *Tree) check(parent *os.Root, f *File, want []byte) (bool, error) {
	changed := &Fault{Path: f.Path, Reason: ErrChanged}
	name := path.Base(f.Real)
	info, err := parent.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		if f.Exists() {
			return false, changed
		}
		return false, nil
	}
	if err != nil || !info.Mode().IsRegular() {
		return false, changed
	}
	h, err := parent.OpenFile(name, os.O_RDONLY|openNoFollow, 0)
	if err != nil {
		return false, changed
	}
	defer h.Close()
	info, data, err := readOpen(f.Path, h)
	switch {
	case err != nil:
		return false, changed
	case want != nil && bytes.Equal(data, want):
		return true, nil
	case !f.Exists() || !os.SameFile(info, f.Info) || !bytes.Equal(data, f.Data) || info.Mode() != f.Info.Mode():
		return false, changed
	}
	return false, nil
}

// makeDir creates a directory and its parents.
func (t *Tree) makeDir(dir string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.makeDirLocked(dir)
}

func (t *Tree) makeDirLocked(dir string) error {
	if t.known[dir] {
		return nil
	}
	parent := path.Dir(dir)
	if err := t.makeDirLocked(parent); err != nil {
		return err
	}
	err := t.root.Mkdir(dir, 0o755)
	if err == nil {
		failpoint.Hit("tree.directory-created")
		t.dirty[parent] = true
		t.forgetMissing()
	} else if !errors.Is(err, fs.ErrExist) {
		return err
	}
	t.known[dir] = true
	return nil
}

// Missing lists the directories that Replace would create for f, outermost first.
func (t *Tree) Missing(f *File) []string {
	var missing []string
	for dir := path.Dir(f.Real); dir != "."; dir = path.Dir(dir) {
		if _, err := t.root.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		missing = append(missing, dir)
	}
	slices.Reverse(missing)
	return missing
}

// RemoveDir removes a directory that is empty; the boolean says whether it did.
func (t *Tree) RemoveDir(real string) bool {
	info, err := t.root.Lstat(real)
	if err != nil || !info.IsDir() {
		return false
	}
	if t.root.Remove(real) != nil {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.known, real)
	delete(t.dirty, real)
	t.dirty[path.Dir(real)] = true
	maps.DeleteFunc(t.dirs, func(p string, _ location) bool { return p != "." })
	return true
}

// forgetMissing drops what was resolved through a directory that did not exist.
func (t *Tree) forgetMissing() {
	maps.DeleteFunc(t.dirs, func(_ string, l location) bool { return !l.exists })
}

// HasDir reports whether real is a directory.
func (t *Tree) HasDir(real string) bool {
	info, err := t.root.Lstat(real)
	return err == nil && info.IsDir()
}

func (t *Tree) touched(dir string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.dirty[dir] = true
}

// Sync makes every rename, deletion and new directory so far survive a power cut.
func (t *Tree) Sync() error {
	t.mu.Lock()
	dirs := make([]string, 0, len(t.dirty))
	for dir := range t.dirty {
		dirs = append(dirs, dir)
	}
	clear(t.dirty)
	t.mu.Unlock()
	slices.Sort(dirs)
	var errs []error
	for _, dir := range dirs {
		d, err := t.root.Open(dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue // it was removed in the same run
		}
		if err == nil {
			err = syncDir(d)
			_ = d.Close()
		}
		if err != nil {
			errs = append(errs, &Fault{Path: dir, Reason: ErrWrite, Cause: err})
		}
	}
	return errors.Join(errs...)
}

// SweepTemporaries removes, from a directory as it was asked for, what a killed
// run left. The caller must be the only writer of the project.
func (t *Tree) SweepTemporaries(dir string) {
	real, ok := t.realDir(dir)
	if !ok {
		return
	}
	t.sweep(real, t.entries(real))
}
