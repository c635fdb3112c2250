package ledger

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/grimoire-kit/grimoire/governance/failpoint"
	"github.com/grimoire-kit/grimoire/governance/gitignore"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

const (
	// Dir is the ledger's folder, relative to the project.
	Dir = "_grimoire-runtime-output/ledger"
	// LogName is the log's name in it.
	LogName = "events.jsonl"

	// tailSize is how much of the log a Version's hash covers, in bytes.
	tailSize = 4 << 10
)

// File is the log as a file of the project.
type File struct {
	root string // the folder that paths are confined to
	dir  string // the ledger's folder below it
	open func(r *os.Root, name string, flag int) (logFile, error)
}

// logFile is what a File does with its file. Tests put a disk that loses and
// tears in its place.
type logFile interface {
	io.ReaderAt
	io.Writer
	io.Closer
	Sync() error
	Stat() (fs.FileInfo, error)
}

// NewFile is the log of a project. dir is its folder, relative to the project
// or absolute; "" is the usual one. A relative one cannot lead out of the
// project, also through links. Nothing is created before something is written.
func NewFile(project, dir string) *File {
	if dir == "" {
		dir = filepath.FromSlash(Dir)
	}
	if filepath.IsAbs(dir) {
		project, dir = dir, "."
	}
	return &File{root: project, dir: dir, open: openLog}
}

// Exists reports whether a project has a log, in dir as NewFile takes it. One
// that cannot be looked at is there: reading it says what is wrong.
func Exists(project, dir string) bool {
	f := NewFile(project, dir)
	r, err := f.folder(false)
	if err == nil {
		defer r.Close()
		_, err = r.Lstat(LogName)
	}
	return !errors.Is(err, fs.ErrNotExist)
}

func openLog(r *os.Root, name string, flag int) (logFile, error) {
	f, err := r.OpenFile(name, flag, 0o644)
	if err != nil {
		return nil, err // not a nil *os.File in an interface
	}
	return f, nil
}

// Path is where the log is.
func (f *File) Path() string { return filepath.Join(f.root, f.dir, LogName) }

// folder opens the ledger's folder, which it creates if asked to.
func (f *File) folder(create bool) (*os.Root, error) {
	if create && f.dir == "." {
		if err := os.MkdirAll(f.root, 0o755); err != nil {
			return nil, err
		}
	}
	project, err := os.OpenRoot(f.root)
	if err != nil {
		return nil, err
	}
	defer project.Close()
	dir, err := project.OpenRoot(f.dir)
	if create && errors.Is(err, fs.ErrNotExist) {
		if err := project.MkdirAll(f.dir, 0o755); err != nil {
			return nil, err
		}
		for at := f.dir; at != "."; at = filepath.Dir(at) { // each new name is in its parent
			if err := syncFolder(project, filepath.Dir(at)); err != nil {
				return nil, err
			}
		}
		dir, err = project.OpenRoot(f.dir)
	}
	return dir, err
}

func syncFolder(r *os.Root, name string) error {
	d, err := r.Open(name)
	if err != nil {
		return err
	}
	defer d.Close()
	return syncDirectory(d)
}

// regular opens a file of the folder that is no link, pipe or device: opening
// one of those would lead elsewhere, or never return.
func (f *File) regular(dir *os.Root, name string, flag int) (logFile, error) {
	info, err := dir.Lstat(name)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return nil, &fs.PathError{Op: "open", Path: name, Err: fault.NotRegular}
	case err != nil && !(errors.Is(err, fs.ErrNotExist) && flag&os.O_CREATE != 0):
		return nil, err
	}
	return f.open(dir, name, flag)
}

// Read implements Store. It takes no lock: a line that is being written is
// seen whole, or as one that was cut short.
func (f *File) Read(from Version, visit func(Line)) (Version, error) {
	v, err := f.read(from, visit)
	if errors.Is(err, io.EOF) {
		err = ErrMoved
	}
	if err != nil && !errors.Is(err, ErrMoved) {
		err = explain("read", f.Path(), err)
	}
	return v, err
}

func (f *File) read(from Version, visit func(Line)) (Version, error) {
	dir, err := f.folder(false)
	if errors.Is(err, fs.ErrNotExist) {
		return absent(from)
	} else if err != nil {
		return Version{}, err
	}
	defer dir.Close()
	log, err := f.regular(dir, LogName, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return absent(from)
	} else if err != nil {
		return Version{}, err
	}
	defer log.Close()
	if err := through(log, from); err != nil {
		return Version{}, err
	}
	info, err := log.Stat()
	if err != nil {
		return Version{}, err
	}
	if info.Size() == from.Offset {
		return from, nil
	}
	end, err := scan(io.NewSectionReader(log, from.Offset, info.Size()-from.Offset), from.Offset, visit)
	if err != nil {
		return Version{}, err
	}
	return versionAt(log, end)
}

// absent is reading a log that does not exist.
func absent(from Version) (Version, error) {
	if from != (Version{}) {
		return Version{}, ErrMoved
	}
	return Version{}, nil
}

// Append implements Store. The log is opened after the lock was taken, since
// the existing kit replaces it under that lock. All lines are one write.
func (f *File) Append(at Version, lines ...[]byte) (Version, error) {
	var block []byte
	for _, line := range lines {
		block = append(append(block, line...), '\n')
	}
	v, err := f.append(at, block)
	if err != nil && !errors.Is(err, ErrMoved) {
		err = explain("append to", f.Path(), err)
	}
	return v, err
}

func (f *File) append(at Version, block []byte) (Version, error) {
	dir, err := f.folder(true)
	if err != nil {
		return Version{}, err
	}
	defer dir.Close()
	if f.dir == filepath.FromSlash(Dir) { // elsewhere the folder is not ours alone
		gitignore.Join(dir, ".", LogName, "incidents.jsonl")
	}
	_, missing := dir.Lstat(LogName)
	log, err := f.regular(dir, LogName, os.O_RDWR|os.O_APPEND|os.O_CREATE)
	if err != nil {
		return Version{}, err
	}
	defer log.Close()
	if err := through(log, at); err != nil {
		return Version{}, err
	}
	info, err := log.Stat()
	if err != nil {
		return Version{}, err
	}
	closed, err := endsAt(log, at.Offset, info.Size())
	if err != nil {
		return Version{}, err
	}
	if !closed {
		block = append([]byte{'\n'}, block...) // never glue onto a line that was cut short
	}
	failpoint.Hit("ledger.before-write")
	if _, err := log.Write(block); err != nil {
		return Version{}, err
	}
	failpoint.Hit("ledger.written")
	if err := log.Sync(); err != nil {
		return Version{}, err
	}
	if missing != nil {
		if err := syncFolder(dir, "."); err != nil {
			return Version{}, err
		}
	}
	failpoint.Hit("ledger.synced")
	if now, err := dir.Lstat(LogName); err != nil || !os.SameFile(now, info) {
		return Version{}, ErrMoved // replaced meanwhile: what was written is in no log
	}
	return versionAt(log, info.Size()+int64(len(block)))
}
