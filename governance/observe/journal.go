package observe

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/grimoire-kit/grimoire/governance/command"
	"github.com/grimoire-kit/grimoire/governance/gitignore"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

// Dir holds the journals, a folder for each task, relative to the project.
const Dir = "_grimoire-output/.runs/evidence"

// Path is the journal of a task, whose id must be one that a path may be built
// of.
func Path(task string) string { return Dir + "/" + task + "/evidence-log.jsonl" }

// The types of entries, in the existing kit's words.
const (
	Check = "test_run"
	Bash  = "bash" // a command that may have written
	Write = "file_write"
)

// maxCommand bounds a command in the journal, in characters.
const maxCommand = 240

// Entry is one thing that was seen.
type Entry struct {
	At      string  `json:"ts"`
	Type    string  `json:"type"`
	Command string  `json:"command,omitempty"`
	Exit    *int    `json:"exit_code,omitempty"`
	Outcome Outcome `json:"outcome,omitempty"`
	Path    string  `json:"path,omitempty"`
	Session string  `json:"session_id,omitempty"`
	Host    string  `json:"host_id,omitempty"`
	// Kinds are what a check checks ("go test"); an older journal has none.
	Kinds []string `json:"kinds,omitempty"`
	Files *Files   `json:"files,omitempty"` // of a check, when it had run
	// Tree is the folder of the project in the linked worktree where it happened,
	// "" for the main one.
	Tree string `json:"worktree,omitempty"`
}

// What names the entry for people.
func (e *Entry) What() string {
	if e.Path != "" {
		return e.Path
	}
	return e.Command
}

// Line is a command as the journal keeps it.
func Line(command string) string {
	line := strings.Join(strings.Fields(command), " ")
	if r := []rune(line); len(r) > maxCommand {
		line = string(r[:maxCommand-1]) + "…"
	}
	return line
}

// Stamp is a time as the journal spells it.
func Stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000+00:00") }

// Append adds an entry to a task's journal, in one write. It costs the same
// whatever the journal's length.
func Append(root, task string, e Entry) error {
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	dir, err := os.OpenRoot(root)
	if err != nil {
		return err
	}
	defer dir.Close()
	if err := gitignore.Hide(dir, path.Dir(Dir)); err != nil {
		return err
	}
	name := filepath.FromSlash(Path(task))
	const flags = os.O_WRONLY | os.O_APPEND | os.O_CREATE | syscall.O_NONBLOCK
	f, err := dir.OpenFile(name, flags, 0o644)
	if errors.Is(err, fs.ErrNotExist) {
		if err = dir.MkdirAll(path.Dir(Path(task)), 0o755); err == nil {
			f, err = dir.OpenFile(name, flags, 0o644)
		}
	}
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fault.NotRegular
	}
	if err == nil {
		_, err = f.Write(append(line, '\n'))
	}
	return errors.Join(err, f.Close())
}

// Seen is what a task's journal comes to.
type Seen struct {
	// Check is the check that counts, nil where none was seen: the last one that
	// did not pass and after which none of its kind did, else the last of all.
	Check *Entry
	// Write is the first write after the last check, nil where there was none.
	// Where the files of that check are known, a command is none: whether it
	// changed any is seen by comparing them.
	Write *Entry
}

// Read reads a task's journal. A line that is none is skipped; a journal that
// is not there has seen nothing. own are the lines that the project declares to
// be its checks: where there are any, no other check counts, and each is a kind
// of its own. Neither does a check that was no run (NoRun).
func Read(root, task string, own []string) (Seen, error) {
	var s Seen
	red := map[string]*Entry{} // by kind
	n := map[*Entry]int{}      // their order
	compares := false          // the files of the last check are known
	err := Each(root, task, func(e Entry) {
		switch e.Type {
		case Check:
			if len(own) > 0 {
				if !Declared(own, e.Command) {
					return
				}
				e.Kinds = []string{e.Command}
			}
			if NoRun(e.Exit) {
				return
			}
			s, compares = Seen{Check: &e}, e.Files != nil && e.Files.Unknown == ""
			n[&e] = len(n)
			for _, kind := range e.kinds() {
				if e.passed() {
					delete(red, kind)
				} else {
					red[kind] = &e
				}
			}
		case Bash, Write:
			if s.Write == nil && (e.Type == Write || !compares) {
				s.Write = &e
			}
		}
	})
	if s.Check != nil && s.Check.passed() {
		var last *Entry
		for _, e := range red {
			if last == nil || n[e] > n[last] {
				last = e
			}
		}
		if last != nil {
			s.Check = last
		}
	}
	return s, err
}

// Declared reports whether a line is, word for word, one of those that a project
// declares to be its checks.
func Declared(own []string, line string) bool {
	return slices.ContainsFunc(own, func(o string) bool { return Line(o) == Line(line) })
}

// passed reports whether a check did; an older journal has the code alone.
func (e *Entry) passed() bool {
	return e.Outcome == Passed || e.Outcome == "" && e.Exit != nil && *e.Exit == 0
}

// kinds are those of a check; what cannot be told is a kind of its own.
func (e *Entry) kinds() []string {
	if len(e.Kinds) > 0 {
		return e.Kinds
	}
	if c := ChecksOf(e.Command, command.Analyze(e.Command, command.Options{}), Place{Root: "/", Dir: "/"}); len(c.Kinds) > 0 {
		return c.Kinds
	}
	return []string{e.Command}
}

// maxLine bounds a line of the journal, in bytes: what a look at the files
// holds at most, and more than that.
const maxLine = 1 << 20

// Each visits the entries of a task's journal in their order, as Read does.
func Each(root, task string, visit func(Entry)) error {
	dir, err := os.OpenRoot(root)
	if err != nil {
		return err
	}
	defer dir.Close()
	f, err := dir.OpenFile(filepath.FromSlash(Path(task)), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return errors.Join(err, fault.NotRegular)
	}
	r := bufio.NewReaderSize(f, 64<<10)
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(line) <= maxLine {
			line = append(line, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		var e Entry
		if len(line) <= maxLine && json.Unmarshal(line, &e) == nil {
			visit(e)
		}
		line = line[:0]
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
