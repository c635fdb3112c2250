package tree

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
)

const (
	maxFile  = 16 << 20 // bytes of a file that is read
	maxLinks = 40       // links followed for one path, as Linux does
)

// Tree is one project's directory. Reads may run at the same time; so may
// writes of different files.
type Tree struct {
	root *os.Root
	dir  string // absolute, links resolved

	mu    sync.Mutex
	dirs  map[string]location // by project-relative directory, as asked for
	known map[string]bool     // real directories known to exist
	dirty map[string]bool     // real directories whose entries are not synced yet
}

// Open opens the project at dir.
func Open(dir string) (*Tree, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("open project: %w", err)
	}
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return nil, fmt.Errorf("open project: %w", err)
	}
	root, err := os.OpenRoot(real)
	if err != nil {
		return nil, fmt.Errorf("open project: %w", err)
	}
	return &Tree{
		root: root, dir: real,
		dirs:  map[string]location{".": {abs: real, exists: true}},
		known: map[string]bool{".": true},
		dirty: map[string]bool{},
	}, nil
}

// Close releases the directory.
func (t *Tree) Close() error { return t.root.Close() }

// Dir is the project's absolute directory, links resolved.
func (t *Tree) Dir() string { return t.dir }

// File is one path of the project as it was when it was read.
type File struct {
	Path string // as asked for
	Real string // project-relative, once links are resolved
	Info fs.FileInfo
	Data []byte
}

// Exists reports whether there was a file.
func (f *File) Exists() bool { return f.Info != nil }

// Read resolves p and reads what is there. A path with no file is not an error.
// Anything but a regular file inside the project is a *Fault.
func (t *Tree) Read(p string) (*File, error) {
	f, err := t.Stat(p)
	if err != nil || !f.Exists() {
		return f, err
	}
	if f.Info.Size() > maxFile {
		return nil, &Fault{Path: p, Reason: ErrTooLarge}
	}
	h, err := os.OpenFile(t.abs(f.Real), os.O_RDONLY|openNoFollow, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &Fault{Path: p, Reason: ErrChanged}
	}
	if err != nil {
		return nil, &Fault{Path: p, Reason: ErrUnreadable, Cause: err}
	}
	defer h.Close()
	f.Info, f.Data, err = readOpen(p, h)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// Stat is Read without the content.
func (t *Tree) Stat(p string) (*File, error) {
	if err := CheckPath(p); err != nil {
		return nil, err
	}
	loc, err := t.resolve(p)
	if err != nil {
		return nil, &Fault{Path: p, Reason: reasonOf(err), Cause: causeOf(err)}
	}
	real, ok := t.inside(loc.abs)
	if !ok {
		return nil, &Fault{Path: p, Reason: ErrOutside}
	}
	for _, part := range strings.Split(real, "/") {
		if isGit(part) {
			return nil, &Fault{Path: p, Reason: ErrGitDirectory}
		}
	}
	switch {
	case real == "." || loc.exists && loc.info.IsDir():
		return nil, &Fault{Path: p, Reason: ErrDirectory}
	case loc.exists && !loc.info.Mode().IsRegular():
		return nil, &Fault{Path: p, Reason: ErrNotRegular}
	}
	return &File{Path: p, Real: real, Info: loc.info}, nil
}

func readOpen(p string, h *os.File) (fs.FileInfo, []byte, error) {
	info, err := h.Stat()
	if err != nil {
		return nil, nil, &Fault{Path: p, Reason: ErrUnreadable, Cause: err}
	}
	if !info.Mode().IsRegular() {
		return nil, nil, &Fault{Path: p, Reason: ErrNotRegular}
	}
	// One byte more than the size, so that the end is seen in the same read.
	data := make([]byte, info.Size()+1)
	n, err := io.ReadFull(h, data)
	switch {
	case err == nil:
		return nil, nil, &Fault{Path: p, Reason: ErrChanged} // it grew since
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		return info, data[:n:n], nil
	}
	return nil, nil, &Fault{Path: p, Reason: ErrUnreadable, Cause: err}
}

// location is where a path leads once its links are followed.
type location struct {
	abs    string
	exists bool
	info   fs.FileInfo // nil when it does not exist, or for the project itself
	err    error
}

func (t *Tree) resolve(p string) (location, error) {
	dir, err := t.resolveDir(path.Dir(p))
	if err != nil {
		return location{}, err
	}
	if !dir.exists {
		return location{abs: filepath.Join(dir.abs, path.Base(p))}, nil
	}
	return walk(dir.abs, []string{path.Base(p)})
}

// resolveDir resolves a directory once for all the files below it. What does
// not exist yet is a plain continuation of what does.
func (t *Tree) resolveDir(p string) (location, error) {
	t.mu.Lock()
	loc, ok := t.dirs[p]
	t.mu.Unlock()
	if ok {
		return loc, loc.err
	}
	parent, err := t.resolveDir(path.Dir(p))
	switch {
	case err != nil:
		loc = location{err: err}
	case !parent.exists:
		loc = location{abs: filepath.Join(parent.abs, path.Base(p))}
	default:
		loc, err = walk(parent.abs, []string{path.Base(p)})
		if err == nil && loc.exists && loc.info != nil && !loc.info.IsDir() {
			err = ErrNotDirectory
		}
		loc.err = err
	}
	t.mu.Lock()
	t.dirs[p] = loc
	t.mu.Unlock()
	return loc, loc.err
}

// walk follows parts from the directory at, as the kernel would, but looking at
// each component itself.
func walk(at string, parts []string) (location, error) {
	loc := location{abs: at, exists: true}
	for links := 0; len(parts) > 0; {
		part := parts[0]
		parts = parts[1:]
		switch part {
		case "", ".":
			continue
		case "..":
			if !loc.exists {
				return location{}, ErrBrokenLink
			}
			loc = location{abs: filepath.Dir(loc.abs), exists: true}
			continue
		}
		if !loc.exists {
			loc.abs = filepath.Join(loc.abs, part)
			continue
		}
		if loc.info != nil && !loc.info.IsDir() {
			return location{}, ErrNotDirectory
		}
		next := filepath.Join(loc.abs, part)
		info, err := os.Lstat(next)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			loc = location{abs: next}
		case errors.Is(err, syscall.ENOTDIR):
			return location{}, ErrNotDirectory
		case err != nil:
			return location{}, err
		case info.Mode()&fs.ModeSymlink == 0:
			loc = location{abs: next, exists: true, info: info}
		default:
			if links++; links > maxLinks {
				return location{}, ErrLinkLoop
			}
			target, err := os.Readlink(next)
			if err != nil {
				return location{}, err
			}
			if filepath.IsAbs(target) {
				volume := filepath.VolumeName(target)
				loc = location{abs: volume + string(filepath.Separator), exists: true}
				target = target[len(volume):]
			}
			parts = append(strings.Split(filepath.ToSlash(target), "/"), parts...)
		}
	}
	return loc, nil
}

// inside gives an absolute path relative to the project.
func (t *Tree) inside(abs string) (string, bool) {
	rel, err := filepath.Rel(t.dir, abs)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

func (t *Tree) abs(real string) string { return filepath.Join(t.dir, filepath.FromSlash(real)) }

// reasonOf and causeOf split an error of walk: ours is a reason, the system's is
// the cause of an unreadable path.
func reasonOf(err error) error {
	if _, ok := err.(*reason); ok {
		return err
	}
	return ErrUnreadable
}

func causeOf(err error) error {
	if _, ok := err.(*reason); ok {
		return nil
	}
	return err
}
