package standard

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/grimoire-kit/grimoire/governance/locate"
	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

// maxFile bounds what is read of a file, in bytes. The board and the journal
// grow with the work done: ten thousand cards are some 7 MiB.
const (
	maxFile    = 1 << 20
	maxBoard   = 64 << 20
	maxJournal = 64 << 20
)

// Folder is a project that is read. Nothing outside of it is, whatever links a
// repository brings along.
type Folder struct {
	root *os.Root
	dir  string
}

// Open opens the project at dir.
func Open(dir string) (*Folder, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open the project: %w", err)
	}
	return &Folder{root: root, dir: dir}, nil
}

// Close ends the reading.
func (f *Folder) Close() error { return f.root.Close() }

// Dir is the project's folder as it was opened.
func (f *Folder) Dir() string { return f.dir }

// unreadable is a file that is there and cannot be read.
type unreadable struct {
	why  surface.Text
	line int // from 1; 0 where the whole file is meant
}

func (u *unreadable) Error() string { return u.why.EN }

// Text is the message in both languages.
func (u *unreadable) Text() surface.Text { return u.why }

// read returns a regular file of at most limit bytes. Errors match
// fs.ErrNotExist where there is none; any other is an *unreadable.
func (f *Folder) read(path string, limit int64) ([]byte, error) {
	// A pipe must not hold us: it opens at once this way, and is turned down.
	h, err := f.root.OpenFile(filepath.FromSlash(path), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err != nil {
		return nil, system(err)
	}
	defer func() { _ = h.Close() }()
	info, err := h.Stat()
	switch {
	case err != nil:
		return nil, system(err)
	case !info.Mode().IsRegular():
		return nil, &unreadable{why: surface.Text{FR: "ce n'est pas un fichier ordinaire", EN: "it is not a regular file"}}
	case info.Size() > limit:
		return nil, &unreadable{why: surface.Text{
			FR: fmt.Sprintf("le fichier dépasse %d Mio", limit>>20), EN: fmt.Sprintf("the file is larger than %d MiB", limit>>20)}}
	}
	data, err := io.ReadAll(io.LimitReader(h, limit))
	if err != nil {
		return nil, system(err)
	}
	return data, nil
}

// system is an error of the system without this machine's paths.
func system(err error) error {
	if why, ok := locate.Escape(err); ok {
		return &unreadable{why: why}
	}
	why := fault.Cause(err)
	return &unreadable{why: surface.Text{FR: "lecture impossible : " + why.FR, EN: "cannot be read: " + why.EN}}
}

// isFile reports whether a regular file is there, inside the project.
func (f *Folder) isFile(path string) bool {
	info, err := f.root.Stat(filepath.FromSlash(path))
	return err == nil && info.Mode().IsRegular()
}

// stands reports whether anything is at that path, be it a link that leads
// nowhere or out of the project.
func (f *Folder) stands(path string) bool {
	_, err := f.root.Lstat(filepath.FromSlash(path))
	return err == nil
}

// exists reports whether anything is there, inside the project.
func (f *Folder) exists(path string) bool {
	_, err := f.root.Stat(filepath.FromSlash(path))
	return err == nil
}
