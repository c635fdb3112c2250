// Package merge edits a user's JSON or JSONC configuration file (Claude Code's
// .claude/settings.json, opencode.json and opencode.jsonc, .mcp.json) without
// rendering it again: the few values that are ours are spliced into the bytes
// that are there, and taken out again, and every other byte stays.
//
// It is bytes in, bytes out. It is not for files that are ours as a whole (those
// are package managed's), it decides nothing about what a host needs, and it
// touches no disk. Packages under core and cmd may import it.
//
// Three laws hold for every file it does not refuse. What is not ours is the same
// bytes in the same order afterwards. Applying twice is applying once. For a file
// x that holds nothing of ours, Remove(Apply(x)) with the record that Apply gave
// is x, byte for byte. Where x held stale entries of ours, Remove drops those too.
package merge

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// An Op is one thing a file must hold.
type Op interface{ isOp() }

// EnsureString asks that the array of strings at Path holds Value (a permission
// rule, an instruction file). It is appended when absent.
type EnsureString struct {
	Path  Path
	Value string
}

// EnsureHook asks for one hook handler of ours under hooks.<Event>, in Claude
// Code's shape (observed 2.1.332): an array of groups {"matcher"?, "hooks": [handler]}.
// A nil Matcher is a group without that key. The EnsureHook ops of one Apply are
// the complete set: our handlers of every other event are taken out.
type EnsureHook struct {
	Event   string
	Matcher *string
	Handler json.RawMessage // an object whose command Target owns
}

// SetKey asks that the key at Path, which is ours by name, holds Value.
type SetKey struct {
	Path  Path
	Value json.RawMessage
}

// Expect refuses the file if the value at Path exists with another type.
type Expect struct {
	Path Path
	Type Type
}

func (EnsureString) isOp() {}
func (EnsureHook) isOp()   {}
func (SetKey) isOp()       {}
func (Expect) isOp()       {}

// Target says what is ours. A record or a file may claim anything; only what
// these functions accept is ever taken out. A nil function accepts nothing.
type Target struct {
	OwnsCommand func(command string) bool                // a hook's shell line
	OwnsArgs    func(command string, args []string) bool // a hook's exec form
	OwnsString  func(p Path, value string) bool          // an item our tables can put at p
	OwnsKey     func(p Path, value json.RawMessage) bool // a value our tables can put at p
}

// Apply gives src with the ops fulfilled and the record that Remove and the next
// Apply need. An empty src starts a fresh file. On an error, which is a
// *ShapeError, *ConflictError or *LimitError unless an op itself is malformed,
// src and rec come back as they were and the file is to be left alone.
func Apply(src []byte, ops []Op, rec Record, t Target) (out []byte, newRec Record, err error) {
	if err := check(ops, t); err != nil {
		return src, rec, err
	}
	start, next := src, rec.clone()
	if len(src) == 0 {
		start, next = []byte("{}\n"), Record{File: true}
	}
	f, err := open(start, next, t)
	if err != nil {
		return src, rec, err
	}
	if err := f.apply(ops); err != nil {
		return src, rec, err
	}
	if len(src) == 0 && bytes.Equal(f.src, start) {
		return src, rec, nil // nothing to put in a file that is not there
	}
	if out, err = f.close(); err != nil {
		return src, rec, err
	}
	return out, f.rec, nil
}

// Remove takes everything of ours out of src: what rec lists and our tables can
// generate, and every hook handler of ours. It gives nil when Apply had created
// the file and nothing else is left in it: the file can be deleted.
func Remove(src []byte, rec Record, t Target) (out []byte, err error) {
	if len(src) == 0 {
		return src, nil
	}
	f, err := open(src, rec.clone(), t)
	if err != nil {
		return src, err
	}
	created := f.rec.File
	if err := f.apply(nil); err != nil {
		return src, err
	}
	if created && f.bare() {
		return nil, nil
	}
	if out, err = f.close(); err != nil {
		return src, err
	}
	return out, nil
}

// file is one document being edited: the scanned bytes and the record that
// follows them. Every edit rescans, so offsets are good for one edit only.
type file struct {
	*doc
	user   *doc // as the user wrote it: errors point there
	rec    Record
	target Target
}

func open(src []byte, rec Record, t Target) (*file, error) {
	d, err := parse(src)
	if err != nil {
		return nil, err
	}
	if d.kind(d.root) != Object {
		return nil, d.locate(d.shape(nil, d.root, string(Object)))
	}
	return &file{doc: d, user: d, rec: rec, target: t}, nil
}

// bare reports whether the document is an empty object and nothing else.
func (f *file) bare() bool {
	return string(bytes.Join(bytes.Fields(f.src), nil)) == "{}"
}

// close validates the result as strictly as the source was.
func (f *file) close() ([]byte, error) {
	if f.doc == f.user {
		return f.src, nil
	}
	if _, err := parse(f.src); err != nil {
		return nil, fmt.Errorf("check the merged file: %w", err)
	}
	return f.src, nil
}

// apply follows the order of the ops, which a fresh file shows. It adds before it
// takes out, so that no container is emptied on the way to being filled again.
func (f *file) apply(ops []Op) error {
	want := gather(ops)
	var steps []func(*file) error
	for _, op := range ops {
		switch op := op.(type) {
		case Expect:
			steps = append(steps, func(f *file) error { return f.expect(op) })
		case EnsureString:
			values := want.takeStrings(op.Path)
			steps = append(steps, func(f *file) error { return f.ensureStrings(op.Path, values) })
		case EnsureHook:
			steps = append(steps, func(f *file) error { return f.ensureHook(op) })
		case SetKey:
			steps = append(steps, func(f *file) error { return f.setKey(op) })
		}
	}
	steps = append(steps,
		func(f *file) error { return f.dropHooks(want.events) },
		func(f *file) error { return f.dropStrings(want.strings) },
		func(f *file) error { return f.dropKeys(want.keys) })
	for _, step := range steps {
		if err := step(f); err != nil {
			return f.blame(step, err)
		}
	}
	return nil
}

// blame gives the error of a step with the place in the user's own text, which is
// no longer where it was once an earlier step has edited something: the step is
// taken again on the original.
func (f *file) blame(step func(*file) error, err error) error {
	again := &file{doc: f.user, user: f.user, rec: f.rec.clone(), target: f.target}
	if first := step(again); first != nil {
		return f.user.locate(first)
	}
	return f.locate(err)
}

// budget refuses n edits to a document when rescanning it for each would take
// seconds: a hostile file can hold a hundred thousand hooks of "ours".
func (f *file) budget(n int) error {
	if limit := maxRescan / (len(f.src) + 1); n > limit {
		return &LimitError{What: tooMany, Max: limit}
	}
	return nil
}

// wanted is the complete set that the ops ask for, by event and JSON pointer.
type wanted struct {
	events, keys map[string]bool
	strings      map[string][]string
	added        map[string]bool // arrays already brought up to date
}

func gather(ops []Op) wanted {
	w := wanted{map[string]bool{}, map[string]bool{}, map[string][]string{}, map[string]bool{}}
	for _, op := range ops {
		switch op := op.(type) {
		case EnsureHook:
			w.events[op.Event] = true
		case SetKey:
			w.keys[op.Path.pointer()] = true
		case EnsureString:
			p := op.Path.pointer()
			if !slices.Contains(w.strings[p], op.Value) {
				w.strings[p] = append(w.strings[p], op.Value)
			}
		}
	}
	return w
}

// takeStrings gives all strings of one array at once, the first time they are
// asked for: one edit for a table of rules.
func (w wanted) takeStrings(p Path) []string {
	if key := p.pointer(); !w.added[key] {
		w.added[key] = true
		return w.strings[key]
	}
	return nil
}

func (f *file) expect(op Expect) error {
	at, depth, err := f.walk(op.Path)
	if err != nil || depth < len(op.Path) || f.kind(at) == op.Type {
		return err
	}
	return f.shape(op.Path.steps(), at, string(op.Type))
}

// check refuses ops that could not be fulfilled or not be undone.
func check(ops []Op, t Target) error {
	var events []string
	for _, op := range ops {
		switch op := op.(type) {
		case EnsureHook:
			if op.Event == "" || slices.Contains(events, op.Event) {
				return fmt.Errorf("merge: hook event %q is empty or asked for twice", op.Event)
			}
			events = append(events, op.Event)
			d, err := parse(op.Handler)
			if err != nil || !json.Valid(op.Handler) {
				return fmt.Errorf("merge: handler of %s is not JSON", op.Event)
			}
			if h, err := d.handler(d.root, nil, t); err != nil || !h.owned {
				return fmt.Errorf("merge: handler of %s does not run a command of ours", op.Event)
			}
		case SetKey:
			if len(op.Path) == 0 || !json.Valid(op.Value) {
				return fmt.Errorf("merge: set %s: the path is empty or the value is not JSON", op.Path)
			}
		case EnsureString:
			if len(op.Path) == 0 {
				return errors.New("merge: a string needs a path")
			}
		}
	}
	return nil
}
