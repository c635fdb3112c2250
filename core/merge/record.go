package merge

import (
	"maps"
	"slices"
	"strings"
)

// Record is what Apply put into one file. It is small, JSON, and committed with
// the project, so it is not to be trusted when it is read back: an entry leads to
// the removal of a value only if Target owns that value too, and the one thing it
// can put into a file is JSON whitespace.
//
// Hook handlers need no entry: they are known by the command they run.
type Record struct {
	// File is true when Apply created the file.
	File bool `json:"file,omitempty"`
	// Strings lists the items we added, by the JSON pointer of their array.
	Strings map[string][]string `json:"strings,omitempty"`
	// Keys lists the JSON pointers of the keys we set, sorted.
	Keys []string `json:"keys,omitempty"`
	// Space holds, by JSON pointer, the whitespace that stood in an object or array
	// which was there, and empty, before we put something into it.
	Space map[string]string `json:"space,omitempty"`
}

// IsZero reports whether the record says nothing: the file holds nothing of ours
// but, perhaps, hook handlers.
func (r Record) IsZero() bool {
	return !r.File && len(r.Strings) == 0 && len(r.Keys) == 0 && len(r.Space) == 0
}

func (r Record) clone() Record {
	c := Record{File: r.File, Keys: slices.Clone(r.Keys), Space: maps.Clone(r.Space)}
	for p, s := range r.Strings {
		c.setStrings(p, slices.Clone(s))
	}
	return c
}

func (r *Record) setStrings(pointer string, s []string) {
	if len(s) == 0 {
		delete(r.Strings, pointer)
		return
	}
	if r.Strings == nil {
		r.Strings = map[string][]string{}
	}
	r.Strings[pointer] = s
}

func (r *Record) hasKey(pointer string) bool { return slices.Contains(r.Keys, pointer) }

func (r *Record) addKey(pointer string) {
	if !r.hasKey(pointer) {
		r.Keys = append(r.Keys, pointer)
		slices.Sort(r.Keys)
	}
}

func (r *Record) dropKey(pointer string) {
	r.Keys = slices.DeleteFunc(r.Keys, func(k string) bool { return k == pointer })
}

func (r *Record) setSpace(pointer, space string) {
	if r.Space == nil {
		r.Space = map[string]string{}
	}
	r.Space[pointer] = space
}

// takeSpace gives the whitespace recorded for a container and forgets it. An
// entry with anything else in it is not one of ours.
func (r *Record) takeSpace(pointer string) (space string, found bool) {
	space, found = r.Space[pointer]
	delete(r.Space, pointer)
	return space, found && strings.Trim(space, " \t\r\n") == ""
}
