package ledger

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/tidwall/gjson"

	"github.com/grimoire-kit/grimoire/governance/failpoint"
	"github.com/grimoire-kit/grimoire/governance/gitignore"
)

// What is kept beside the log, and may be deleted at any time.
const (
	snapshotName = ".events.snapshot"
	heldName     = ".events.held"
	temporary    = snapshotName + ".tmp"

	// throwaway tells git what of the ledger's folder may be deleted at any
	// time, the existing kit's temporary files with it. The log is history.
	throwaway = "# events.jsonl and incidents.jsonl are history: commit them. These files are made anew.\n/.events.*\n/.board.*\n/.tmp-ledger-*\n"

	// A snapshot is written anew when the log has grown by that much since, in
	// bytes, and by an eighth of the snapshot: reading on from it stays short,
	// and writing it costs each event the same.
	minGrowth = 256 << 10
	growth    = 8
	// readerWait is how long a reader waits for the lock, only to write down
	// what it found.
	readerWait = time.Millisecond
	// maxImage bounds what is read as an image, in bytes.
	maxImage = 512 << 20
)

// images are the snapshot and the held tasks of a File.
type images struct {
	file *File
	// readOnly: a reader writes nothing down.
	readOnly bool
	// snapshot is the version's offset in the last snapshot seen, size its
	// length in bytes; a new one waits for the log to have grown by minGrowth.
	snapshot, size, minGrowth int64
	// doubt says that the log is another file than was last written to, or was
	// written to by another: what is kept beside it is to be made anew.
	doubt bool
}

// doubtful looks whether the log, where it is as long as it was after the last
// write, is the file it was: its end alone would not show a change further back.
func (i *images) doubtful() bool {
	dir, err := i.file.folder(false)
	if err != nil {
		return false
	}
	defer dir.Close()
	held, ok := imageHead(dir, heldName)
	log, err := dir.Lstat(LogName)
	if !ok || err != nil || held.Get("offset").Int() != log.Size() {
		return i.doubt
	}
	if file := held.Get("file").Str; file != "" && file != identity(log) {
		i.doubt = true
	}
	return i.doubt
}

// imageHead is the first line of an image, unchecked.
func imageHead(dir *os.Root, name string) (head gjson.Result, ok bool) {
	f, err := dir.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return head, false
	}
	defer f.Close()
	var text [512]byte
	n, _ := f.ReadAt(text[:], 0)
	if n < 10 {
		return head, false
	}
	return gjson.ParseBytes(text[9:n]), true
}

// load is the snapshot, or nothing.
func (i *images) load() memory {
	if i.doubtful() {
		return memory{}
	}
	m, size := i.read(snapshotName)
	if m.state == nil || m.state.partial {
		return memory{}
	}
	i.snapshot, i.size = m.at.Offset, size
	return m
}

// loadHeld are the held tasks, or nothing.
func (i *images) loadHeld() memory {
	if i.doubtful() {
		return memory{}
	}
	m, _ := i.read(heldName)
	if m.state == nil || !m.state.partial {
		return memory{}
	}
	return m
}

func (i *images) read(name string) (memory, int64) {
	dir, err := i.file.folder(false)
	if err != nil {
		return memory{}, 0
	}
	defer dir.Close()
	if info, err := dir.Lstat(name); err != nil || !info.Mode().IsRegular() || info.Size() > maxImage {
		return memory{}, 0
	}
	f, err := dir.Open(name)
	if err != nil {
		return memory{}, 0
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() > maxImage {
		return memory{}, 0
	}
	var image strings.Builder
	image.Grow(int(info.Size()))
	if _, err := io.Copy(&image, io.LimitReader(f, info.Size())); err != nil {
		return memory{}, 0
	}
	m, ok := decodeImage(image.String())
	if !ok {
		return memory{}, 0
	}
	return m, info.Size()
}

// stale reports whether a new snapshot is worth its price.
func (i *images) stale(m memory) bool {
	grown := m.at.Offset - i.snapshot
	if grown < 0 {
		grown = m.at.Offset // of another log
	}
	return grown >= i.minGrowth && grown >= i.size/growth
}

// save writes the snapshot, under the lock. It takes the old one's place in
// one step. Nothing is synced: what a power cut leaves of it is no image.
func (i *images) save(m memory) {
	dir, err := i.file.folder(false)
	if err != nil {
		return
	}
	defer dir.Close()
	if i.peek(dir); !i.stale(m) {
		return // another process wrote one
	}
	data := encodeImage(m)
	_ = dir.Remove(temporary) // of a process that was killed
	f, err := dir.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return
	}
	_, err = f.Write(data)
	failpoint.Hit("ledger.snapshot-written")
	if errors.Join(err, f.Close()) != nil || dir.Rename(temporary, snapshotName) != nil {
		_ = dir.Remove(temporary)
		return
	}
	i.snapshot, i.size = m.at.Offset, int64(len(data))
}

// peek looks at which version the snapshot on the disk is of.
func (i *images) peek(dir *os.Root) {
	info, err := dir.Lstat(snapshotName)
	head, ok := imageHead(dir, snapshotName)
	if err != nil || !ok {
		return
	}
	i.snapshot, i.size = head.Get("offset").Int(), info.Size()
}

// saveHeld writes the held tasks, under the lock, in place: a reader that
// meets it half written finds no image, and reads the log.
func (i *images) saveHeld(m memory) {
	dir, err := i.file.folder(false)
	if err != nil {
		return
	}
	defer dir.Close()
	switch info, err := dir.Lstat(heldName); {
	case err == nil && !info.Mode().IsRegular() || err != nil && !errors.Is(err, fs.ErrNotExist):
		return
	case err != nil && i.file.dir == filepath.FromSlash(Dir): // elsewhere the folder is not ours alone
		gitignore.Put(dir, ".", throwaway)
	}
	if i.doubt { // before the held tasks vouch for the log again
		if err := dir.Remove(snapshotName); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return
		}
		i.snapshot, i.size, i.doubt = 0, 0, false
	}
	f, err := dir.OpenFile(heldName, os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		return
	}
	defer f.Close()
	image := memory{state: m.state.onlyHeld(), at: m.at}
	if log, err := dir.Lstat(LogName); err == nil && log.Size() == m.at.Offset {
		image.file = identity(log)
	}
	data := encodeImage(image)
	_, err = f.WriteAt(data, 0)
	failpoint.Hit("ledger.held-written")
	if err == nil {
		_ = f.Truncate(int64(len(data)))
	}
}

// saveIfFree is save for a reader: it takes the lock only if nobody has it.
func (i *images) saveIfFree(m memory) { i.ifFree(func() { i.save(m) }) }

func (i *images) ifFree(do func()) {
	if i.readOnly {
		return
	}
	dir, err := i.file.folder(false)
	if err != nil {
		return // a reader creates no ledger
	}
	_, err = dir.Lstat(LogName)
	dir.Close()
	if err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), readerWait)
	defer cancel()
	if unlock, err := i.file.Lock(ctx); err == nil {
		do()
		unlock()
	}
}
