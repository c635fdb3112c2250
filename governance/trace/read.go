package trace

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/grimoire-kit/grimoire/surface/fault"
)

// maxLine bounds a line on reading, in bytes; a longer one is skipped. Lines
// of this package stay far below, the existing kit's may list many calls.
const maxLine = 256 << 10

// Entry is a line as read back. Lines of the existing kit may lack parts,
// which are then empty.
type Entry struct {
	ID, Run, Task, Recipe, Agent, Host string

	Outcome Outcome
	Calls   []Call
	// Verdicts are the ids of what rules or gates said: at a gate, of the
	// evidence that is missing.
	Verdicts []string
	Tags     []string
	// Started is the text of started_at: what is compared and shown for
	// lines whose time does not parse.
	Started string
	// At is that time, zero where it does not parse. One without a zone is UTC.
	At time.Time
}

// Tag returns the rest of the last tag that starts with prefix.
func (e *Entry) Tag(prefix string) (string, bool) {
	for i := len(e.Tags) - 1; i >= 0; i-- {
		if rest, ok := strings.CutPrefix(e.Tags[i], prefix); ok {
			return rest, true
		}
	}
	return "", false
}

// Has reports whether the entry carries that very tag.
func (e *Entry) Has(tag string) bool {
	for _, t := range e.Tags {
		if t == tag {
			return true
		}
	}
	return false
}

// Read calls visit with every readable line of the project's trace ledger, in
// file order, and returns how many lines it could not read. It holds one line
// at a time. A missing file has no lines.
func Read(root string, visit func(*Entry)) (skipped int, err error) {
	path := filepath.Join(root, filepath.FromSlash(File))
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("read %s: %w", File, err)
	}
	if !info.Mode().IsRegular() {
		return 0, &fs.PathError{Op: "read", Path: File, Err: fault.NotRegular}
	}
	f, err := os.Open(path)
	if err != nil {
		return 0, fmt.Errorf("read %s: %w", File, err)
	}
	defer f.Close()
	skipped, err = read(f, visit)
	if err != nil {
		return skipped, fmt.Errorf("read %s: %w", File, err)
	}
	return skipped, nil
}

func read(r io.Reader, visit func(*Entry)) (skipped int, err error) {
	br := bufio.NewReaderSize(r, maxLine)
	for {
		line, err := br.ReadSlice('\n')
		long := errors.Is(err, bufio.ErrBufferFull)
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = br.ReadSlice('\n')
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return skipped, err
		}
		if long {
			skipped++
		} else if line := bytes.TrimSpace(line); len(line) > 0 {
			if e, ok := decode(line); ok {
				visit(e)
			} else {
				skipped++
			}
		}
		if err != nil {
			return skipped, nil
		}
	}
}

// decode reads one line in one pass. gjson's check follows nesting by
// recursion, which the length of a line bounds.
func decode(line []byte) (*Entry, bool) {
	if !gjson.ValidBytes(line) {
		return nil, false
	}
	o := gjson.ParseBytes(line)
	if !o.IsObject() {
		return nil, false
	}
	e := &Entry{}
	o.ForEach(func(key, v gjson.Result) bool {
		switch key.Str {
		case "id":
			e.ID = text(v)
		case "task_id":
			e.Task = text(v)
		case "policy_verdicts":
			if v.IsArray() {
				v.ForEach(func(_, p gjson.Result) bool {
					if id := text(p.Get("verdict_id")); id != "" {
						e.Verdicts = append(e.Verdicts, id)
					}
					return true
				})
			}
		case "run_id":
			e.Run = text(v)
		case "recipe_id":
			e.Recipe = text(v)
		case "agent":
			if v.IsObject() {
				e.Agent, e.Host = text(v.Get("agent_id")), text(v.Get("host_id"))
			}
		case "outcome":
			e.Outcome = Outcome(text(v))
		case "started_at":
			e.Started = text(v)
			e.At = parseTime(e.Started)
		case "tags":
			e.Tags = tags(v)
		case "tool_calls":
			e.Calls = calls(v)
		}
		return true
	})
	return e, true
}

func tags(v gjson.Result) []string {
	var out []string
	if v.IsArray() {
		v.ForEach(func(_, t gjson.Result) bool {
			if t.Type == gjson.String {
				out = append(out, t.Str)
			}
			return true
		})
	}
	return out
}

func calls(v gjson.Result) []Call {
	var out []Call
	if v.IsArray() {
		v.ForEach(func(_, c gjson.Result) bool {
			if c.IsObject() {
				out = append(out, Call{Tool: text(c.Get("tool")), Verdict: text(c.Get("verdict")), Args: text(c.Get("args_hash")), ID: text(c.Get("call_id"))})
			}
			return true
		})
	}
	return out
}

func text(v gjson.Result) string {
	if v.Type == gjson.String {
		return v.Str
	}
	return ""
}

func parseTime(s string) time.Time {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}
