package standard

import (
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/surface"
)

// Control is a file with rules of one subject: what an agent may reach, what a
// merge goes through, what a model costs. Pattern files are there where a team
// selected them; registers come with the profiles from governed on.
//
// grimoire checks their form. What they say is for people and agents to follow;
// what the hook enforces is in policies.yaml.
type Control struct {
	Type    string // "blast_radius_policy"
	Family  string // what its checks begin with: "tools.blast_radius_"
	Pattern bool   // it is selected, by its name or by a need
	About   surface.Text
	Fields  []Field
}

// Field is a key of a control and what it holds.
type Field struct {
	Key  string
	Kind Kind
	// Optional is a key that may be left out.
	Optional bool
	// Empty is a list that may have no entry.
	Empty bool
	Words []string // of Enum and Enums
	Of    []Field  // of Table and Entries
	Ref   string   // of Reference: the list of the same file whose ids it takes
	About string   // for editors, in English as the schemas are
}

// Kind is what a field holds.
type Kind int

const (
	Text      Kind = iota // a text that is not empty
	Texts                 // a list of them
	Enum                  // one of Words
	Enums                 // a list of them
	Flag                  // true or false
	Enforced              // true, and nothing else: the control stands on it
	Count                 // a whole number from 1
	Percent               // a whole number from 1 to 100
	Amount                // a number that is not negative
	Date                  // a day, "2026-11-30"
	Place                 // a path that stays in the project
	Reference             // the id of an entry of the list Ref
	Table                 // a mapping of Of
	Entries               // a list of mappings of Of; an id stands once
)

// Name is the control's name for people, its file without extension, and the
// name of its schema: "blast-radius-policy".
func (c Control) Name() string { return strings.ReplaceAll(c.Type, "_", "-") }

// Path is where the control stands, relative to the project.
func (c Control) Path() string { return Dir + "/" + c.Name() + ".yaml" }

// Format is the `$schema` of grimoire's own format. A file that names another
// one is not held against it: the existing kit has files of the same names,
// whose format is its own.
func (c Control) Format() string { return "grimoire-control-" + c.Name() + "/v1" }

// Controls lists every control, the patterns first, in the order people read
// them.
func Controls() []Control { return slices.Clone(controlFiles) }

// Patterns lists the controls that are selected.
func Patterns() []Control {
	return slices.DeleteFunc(Controls(), func(c Control) bool { return !c.Pattern })
}

// FindPattern is the pattern of a name, spelled with hyphens or underscores.
func FindPattern(name string) (Control, bool) {
	kind := strings.ReplaceAll(name, "-", "_")
	i := slices.IndexFunc(controlFiles, func(c Control) bool { return c.Pattern && c.Type == kind })
	if i < 0 {
		return Control{}, false
	}
	return controlFiles[i], true
}

// Checks lists the ids that an examination of the control can report, up to
// "yaml.invalid", which every file has.
func (c Control) Checks() []string {
	ids := []string{c.Family + "format_unknown", c.Family + "key_unknown"}
	var walk func(prefix string, fields []Field)
	walk = func(prefix string, fields []Field) {
		for _, f := range fields {
			id := prefix + f.Key
			if !f.Optional {
				ids = append(ids, id+"_missing")
			}
			ids = append(ids, id+"_invalid")
			switch f.Kind {
			case Enforced:
				ids = append(ids, id+"_required")
			case Place:
				ids = append(ids, id+"_outside_root")
			case Reference:
				ids = append(ids, id+"_unknown")
			case Table:
				walk(id+".", f.Of)
			case Entries:
				if hasID(f.Of) {
					ids = append(ids, id+".id_duplicate")
				}
				walk(id+".", f.Of)
			}
		}
	}
	walk(c.Family, c.Fields)
	return ids
}

func hasID(fields []Field) bool {
	return slices.ContainsFunc(fields, func(f Field) bool { return f.Key == "id" })
}
