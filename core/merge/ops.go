package merge

import (
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
