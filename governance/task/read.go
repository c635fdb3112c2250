package task

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/tidwall/gjson"
	"go.yaml.in/yaml/v3"

	"github.com/grimoire-kit/grimoire/governance/canonical"
	"github.com/grimoire-kit/grimoire/governance/failpoint"
	"github.com/grimoire-kit/grimoire/governance/gitignore"
	"github.com/grimoire-kit/grimoire/governance/locate"
	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/fault"
	"github.com/grimoire-kit/grimoire/surface/frontmatter"
)

// What is read of a project's file, in bytes. A repository is hostile input: a
// link does not lead out of it, a pipe does not hold us. The board grows with
// the work done: ten thousand cards are some 7 MiB, with long criteria 20.
const (
	maxFile  = 16 << 20
	maxBoard = 64 << 20
)

// fileError is a file of the project that is there and cannot be read.
type fileError struct {
	path string
	why  error
}

func (e *fileError) Error() string { return e.path + ": " + e.why.Error() }
func (e *fileError) Unwrap() error { return e.why }
func (e *fileError) Text() surface.Text {
	t := fault.Text(e.why)
	if why, ok := locate.Escape(e.why); ok {
		t = why
	}
	return surface.Text{FR: e.path + " : " + t.FR, EN: e.path + ": " + t.EN}
}

// read returns a file of the project. Errors match fs.ErrNotExist where there
// is none; any other is a *fileError.
func (d *Desk) read(name string) ([]byte, error) {
	limit := int64(maxFile)
	if name == standard.BoardFile {
		limit = maxBoard
	}
	f, size, err := d.open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if size > limit {
		return nil, &fileError{name, say("le fichier dépasse %d Mio", "the file is larger than %d MiB", limit>>20)}
	}
	data, err := io.ReadAll(io.LimitReader(f, limit))
	if err != nil {
		return nil, &fileError{name, err}
	}
	return data, nil
}

// open opens a regular file of the project, with its size. Errors are as for
// read.
func (d *Desk) open(name string) (*os.File, int64, error) {
	root, err := os.OpenRoot(d.Root)
	if err != nil {
		return nil, 0, fmt.Errorf("open the project: %w", err)
	}
	defer root.Close()
	f, err := root.OpenFile(filepath.FromSlash(name), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, err
	}
	if err != nil {
		return nil, 0, &fileError{name, err}
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = say("ce n'est pas un fichier ordinaire", "it is not a regular file")
	}
	if err != nil {
		_ = f.Close()
		return nil, 0, &fileError{name, err}
	}
	return f, info.Size(), nil
}

// openIn is open for a file in a folder that a person names: relative to the
// project, which it does not lead out of, or absolute.
func (d *Desk) openIn(folder, name string) (*os.File, int64, error) {
	if filepath.IsAbs(folder) {
		return (&Desk{Root: folder}).open(name)
	}
	return d.open(path.Join(filepath.ToSlash(folder), name))
}

// maxJSONLine bounds a line of JSON lines, in bytes; a longer one is skipped.
const maxJSONLine = 1 << 20

// eachLine calls visit with the JSON objects of a file of lines. It holds one
// line at a time, and returns how many were none. Errors match fs.ErrNotExist
// where there is no file.
func (d *Desk) eachLine(folder, name string, visit func(gjson.Result)) (skipped int, err error) {
	f, _, err := d.openIn(folder, name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	in := bufio.NewReaderSize(f, maxJSONLine)
	for {
		line, err := in.ReadSlice('\n')
		long := errors.Is(err, bufio.ErrBufferFull)
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = in.ReadSlice('\n')
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return skipped, &fileError{path.Join(filepath.ToSlash(folder), name), err}
		}
		if line = bytes.TrimSpace(line); long {
			skipped++
		} else if len(line) > 0 {
			if _, ok := canonical.Parse(line); ok && line[0] == '{' {
				visit(gjson.Parse(string(line)))
			} else {
				skipped++
			}
		}
		if err != nil {
			return skipped, nil
		}
	}
}

// readYAML reads a file that must be one mapping, in which no key stands twice.
func (d *Desk) readYAML(name string, to any) error {
	data, err := d.read(name)
	if err != nil {
		return err
	}
	doc, wrong := frontmatter.Document(data)
	if wrong != nil {
		return &fileError{name, say("YAML invalide, ligne %d : %s", "invalid YAML, line %d: %s", wrong.Line, wrong.Text)}
	}
	if doc == nil || doc.Kind != yaml.MappingNode {
		return &fileError{name, say("une table de clés était attendue", "a mapping was expected")}
	}
	if err := doc.Decode(to); err != nil {
		return &fileError{name, wrongType(err)}
	}
	return nil
}

// wrongType says of an error of decoding where it is and what was expected.
func wrongType(err error) error {
	wrong := frontmatter.YAMLFault("", err)
	return say("ligne %d : %s", "line %d: %s", wrong.Line, wrong.Text)
}

// isFile reports whether a regular file of the project is there.
func (d *Desk) isFile(name string) bool {
	root, err := os.OpenRoot(d.Root)
	if err != nil {
		return false
	}
	defer root.Close()
	info, err := root.Stat(filepath.FromSlash(name))
	return err == nil && info.Mode().IsRegular()
}

// write replaces a file of the project, whole or not at all.
func (d *Desk) write(name string, data []byte) error {
	root, err := os.OpenRoot(d.Root)
	if err != nil {
		return fmt.Errorf("open the project: %w", err)
	}
	defer root.Close()
	if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	sweep(root, name)
	tmp := path.Join(path.Dir(name), "."+path.Base(name)+"."+rand.Text()+".tmp")
	if err := root.WriteFile(tmp, data, 0o644); err != nil {
		_ = root.Remove(tmp)
		return err
	}
	failpoint.Hit("task.file-written")
	if err := root.Rename(tmp, name); err != nil {
		_ = root.Remove(tmp)
		return err
	}
	failpoint.Hit("task.file-replaced")
	return nil
}

// sweep removes what killed processes left beside a file. One that is still
// writing is done within a minute.
func sweep(root *os.Root, name string) {
	dir, err := root.Open(path.Dir(name))
	if err != nil {
		return
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	for _, left := range names {
		if !strings.HasPrefix(left, "."+path.Base(name)+".") || !strings.HasSuffix(left, ".tmp") {
			continue
		}
		left = path.Join(path.Dir(name), left)
		if info, err := root.Lstat(left); err == nil && time.Since(info.ModTime()) > time.Minute {
			_ = root.Remove(left)
		}
	}
}

// appendLine adds one JSON object to a file of the project, in one write. A
// line that was cut short before stays a line of its own.
func (d *Desk) appendLine(name string, object any) error {
	line, err := marshal(object)
	if err != nil {
		return err
	}
	line = append(line, '\n')
	root, err := os.OpenRoot(d.Root)
	if err != nil {
		return fmt.Errorf("open the project: %w", err)
	}
	defer root.Close()
	if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	switch path.Dir(name) {
	case path.Dir(standard.JournalFile):
		standard.JoinJournal(root)
	case EvidenceDir: // elsewhere the folder is not ours alone
		gitignore.Join(root, EvidenceDir, "packs.jsonl", "verdicts.jsonl")
	}
	f, err := root.OpenFile(filepath.FromSlash(name), os.O_RDWR|os.O_APPEND|os.O_CREATE|syscall.O_NONBLOCK, 0o644)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fileError{name, say("ce n'est pas un fichier ordinaire", "it is not a regular file")}
	}
	if err == nil {
		var last [1]byte
		if n := info.Size(); n > 0 {
			if _, err := f.ReadAt(last[:], n-1); err == nil && last[0] != '\n' {
				line = append([]byte{'\n'}, line...)
			}
		}
		_, err = f.Write(line)
	}
	return errors.Join(err, f.Close())
}

// marshal is json.Marshal that keeps `<`, `>` and `&` as they are, and spells
// out what YAML would take for a line's end or not take at all.
func marshal(v any) ([]byte, error) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	text := strings.TrimSuffix(b.String(), "\n")
	if !strings.ContainsFunc(text, notYAML) {
		return []byte(text), nil
	}
	b.Reset()
	for _, r := range text {
		if notYAML(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return []byte(b.String()), nil
}

func notYAML(r rune) bool {
	return r >= 0x7f && r <= 0x9f || r == 0xfeff || r == 0xfffe || r == 0xffff
}

// appendQuoted appends s as JSON, as marshal spells it.
func appendQuoted(dst []byte, s string) []byte {
	start := len(dst)
	dst = append(dst, '"')
	done := 0 // of s, that far
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && c < 0x7f {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 || notYAML(r) || r == '\u2028' || r == '\u2029' {
				return append(dst[:start], quoted(s)...)
			}
			i += size
			continue
		}
		switch c {
		case '\n':
			c = 'n'
		case '\t':
			c = 't'
		case '"', '\\':
		default:
			return append(dst[:start], quoted(s)...)
		}
		dst = append(append(dst, s[done:i]...), '\\', c)
		i++
		done = i
	}
	return append(append(dst, s[done:]...), '"')
}

// quoted is s as JSON.
func quoted(s string) string {
	b, err := marshal(s)
	if err != nil {
		return `""`
	}
	return string(b)
}
