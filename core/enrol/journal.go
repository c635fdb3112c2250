package enrol

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path"
	"syscall"
	"time"

	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

// FixesFile is where applied repairs are noted.
const FixesFile = "_grimoire-output/events/applied-fixes.jsonl"

// stamp is Python's datetime.isoformat of a UTC time.
const stamp = "2006-01-02T15:04:05.000000+00:00"

// Event is a line of the journal.
type Event struct {
	Type    string // "gate.checked", "score.calculated", …
	Task    string
	Profile string
	At      time.Time
	Details map[string]any
}

// Note adds an event to the project's journal. An error means that the line is
// lost; no decision may depend on it.
func Note(root string, e Event) error {
	return appendLine(root, standard.JournalFile, map[string]any{
		"schema": "grimoire-agentic-standard-runtime-event/v1", "event_type": e.Type, "task_id": e.Task,
		"profile": e.Profile, "timestamp": e.At.UTC().Format(stamp), "details": e.Details,
	})
}

// NoteFix adds what a repair wrote to the list of applied repairs.
func NoteFix(root string, p *Plan, written []string, at time.Time) error {
	return appendLine(root, FixesFile, map[string]any{
		"schema": "grimoire-agentic-standard-applied-fixes/v1", "task_id": p.Task, "profile": string(p.Profile),
		"timestamp": at.UTC().Format(stamp), "written": written,
	})
}

// appendLine adds one JSON object with sorted keys, in one write. A line that
// was cut short before stays a line of its own.
func appendLine(root, name string, object map[string]any) (err error) {
	defer func() {
		if err != nil {
			err = &standard.FileError{Path: name, Why: reason(err)}
		}
	}()
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(object); err != nil {
		return err
	}
	// os.Root keeps a link in a cloned repository from leading the write out
	// of the project; a pipe is not waited for.
	dir, err := os.OpenRoot(root)
	if err != nil {
		return err
	}
	defer dir.Close()
	if err := dir.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	if name == standard.JournalFile {
		standard.JoinJournal(dir)
	}
	f, err := dir.OpenFile(name, os.O_RDWR|os.O_APPEND|os.O_CREATE|syscall.O_NONBLOCK, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fault.NotRegular
	}
	text := line.Bytes()
	if n := info.Size(); n > 0 {
		last := make([]byte, 1)
		if _, err := f.ReadAt(last, n-1); err == nil && last[0] != '\n' {
			text = append([]byte{'\n'}, text...)
		}
	}
	_, err = f.Write(text)
	return err
}
