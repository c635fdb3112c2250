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
)

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
