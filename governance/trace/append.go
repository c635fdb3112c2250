package trace

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/grimoire-kit/grimoire/governance/canonical"
	"github.com/grimoire-kit/grimoire/governance/gitignore"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

const (
	// maxText bounds each text of a record, in bytes. Names of tools, ids and
	// tags come from payloads.
	maxText = 256
	// maxList bounds the tags and the evidence of a record.
	maxList = 64
)

// Append writes one record at the end of the project's trace ledger, in one
// write: lines of concurrent processes do not mix. An error means that the
// line is lost; no decision may depend on it.
func Append(root string, r Record) error {
	if r.At.IsZero() {
		r.At = time.Now()
	}
	line := r.encode("TRC-" + bounded(r.Run) + "-" + stampID(r.At) + token(4))

	// os.Root keeps a link in a cloned repository from leading the write out
	// of the project.
	dir, err := os.OpenRoot(root)
	if err != nil {
		return fmt.Errorf("append to %s: %w", File, err)
	}
	defer dir.Close()
	if err := gitignore.Hide(dir, path.Dir(File)); err != nil {
		return fmt.Errorf("append to %s: %w", File, err)
	}
	// Without waiting: a pipe in the file's place would hold the hook until
	// somebody reads it.
	const flags = os.O_WRONLY | os.O_APPEND | os.O_CREATE | syscall.O_NONBLOCK
	f, err := dir.OpenFile(File, flags, 0o644)
	if err != nil {
		return fmt.Errorf("append to %s: %w", File, err)
	}
	if info, ierr := f.Stat(); ierr != nil || !info.Mode().IsRegular() {
		_ = f.Close()
		return &fs.PathError{Op: "append to", Path: File, Err: fault.NotRegular}
	}
	_, err = f.Write(line)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("append to %s: %w", File, err)
	}
	return nil
}

// token is n random bytes, at most eight, in hex. It has to differ from one
// process to the next, not to be a secret: what crypto/rand links would cost
// every call of the hook.
func token(n int) string {
	b := binary.LittleEndian.AppendUint64(nil, rand.Uint64())
	return hex.EncodeToString(b[:n])
}

// stampID is a time in a form that sorts, for ids.
func stampID(t time.Time) string { return t.UTC().Format("20060102T150405.000000") + "-" }

// label is one word or phrase of a person or a model, on one line and short.
func label(s string) string {
	return bounded(strings.Join(strings.Fields(s), " "))
}

// bounded cuts a text to maxText bytes at the edge of a character.
func bounded(s string) string {
	if len(s) <= maxText {
		return s
	}
	n := maxText
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// writer spells one JSON object after another, in the order of the calls.
type writer struct{ buf []byte }

func (w *writer) comma() {
	if n := len(w.buf); n > 0 && w.buf[n-1] != '{' && w.buf[n-1] != '[' && w.buf[n-1] != ':' {
		w.buf = append(w.buf, ',')
	}
}

func (w *writer) raw(s string) { w.buf = append(w.buf, s...) }

func (w *writer) open() {
	w.comma()
	w.buf = append(w.buf, '{')
}

func (w *writer) close() { w.buf = append(w.buf, '}') }

func (w *writer) key(k string) {
	w.comma()
	w.buf = canonical.AppendString(w.buf, k)
	w.buf = append(w.buf, ':')
}

func (w *writer) str(s string) {
	w.buf = canonical.AppendString(w.buf, strings.ToValidUTF8(bounded(s), "\ufffd"))
}

func (w *writer) text(k, s string) {
	w.key(k)
	w.str(s)
}

func (w *writer) number(k, n string) {
	w.key(k)
	w.raw(n)
}

func (w *writer) texts(k string, list []string) {
	w.key(k)
	w.buf = append(w.buf, '[')
	for _, s := range list[:min(len(list), maxList)] {
		w.comma()
		w.str(s)
	}
	w.buf = append(w.buf, ']')
}
