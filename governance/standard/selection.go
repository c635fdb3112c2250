package standard

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/grimoire-kit/grimoire/surface"
)

// SelectionFile records what a team selected beside its profile.
const SelectionFile = Dir + "/install-manifest.yaml"

// SelectionFormat is the `$schema` of grimoire's own record. The words of a
// record in another format, the existing kit's, are read as far as they can be
// and bind to nothing: `standard verify` misses no file for them.
const SelectionFormat = "grimoire-control-install-manifest/v1"

// Selection is what a team selected, by id: needs with hyphens, patterns by
// the type of their control, stores of memory. A file may also hold words that
// only another kit knows; they are kept and lead to nothing.
type Selection struct {
	Needs, Patterns, Memory []string
}

// WordError is a word that names no need, pattern or store.
type WordError struct {
	Kind surface.Text // "need"
	Word string
	List []string // what could have been meant
	See  string   // the command that tells more
}

func (e *WordError) Error() string { return e.Text().EN }

// Text is the message in both languages.
func (e *WordError) Text() surface.Text {
	list, shown := strings.Join(e.List, ", "), surface.Quoted(e.Word)
	return surface.Text{
		FR: fmt.Sprintf("%s : %s (attendu : %s ; `%s` les décrit)", e.Kind.FR, shown, list, e.See),
		EN: fmt.Sprintf("%s: %s (expected one of: %s; `%s` describes them)", e.Kind.EN, shown, list, e.See),
	}
}

// Select reads words as a person types them, in any case, each kept once and
// in order. A word that is unknown is a *WordError.
func Select(needWords, patternWords, memoryWords []string) (Selection, error) {
	var s Selection
	for _, word := range needWords {
		if blank(word) {
			continue
		}
		n, ok := FindNeed(typed(word))
		if !ok {
			return s, unknownNeed(word)
		}
		s.Needs = append(s.Needs, n.ID)
	}
	for _, word := range patternWords {
		if blank(word) {
			continue
		}
		c, ok := FindPattern(typed(word))
		if !ok {
			return s, UnknownPattern(word)
		}
		s.Patterns = append(s.Patterns, c.Type)
	}
	for _, word := range memoryWords {
		if blank(word) {
			continue
		}
		m, ok := FindStore(typed(word))
		if !ok {
			return s, unknownStore(word)
		}
		s.Memory = append(s.Memory, m.ID)
	}
	return Selection{}.Union(s), nil
}

func typed(word string) string { return strings.ToLower(strings.TrimSpace(word)) }
func blank(word string) bool   { return strings.TrimSpace(word) == "" }

func unknownNeed(word string) error {
	e := &WordError{Kind: surface.Text{FR: "Besoin inconnu", EN: "Unknown need"}, Word: word, See: "grimoire standard needs"}
	for _, n := range needs {
		e.List = append(e.List, n.ID)
	}
	return e
}

// UnknownPattern is the *WordError of a word that names no pattern.
func UnknownPattern(word string) error {
	e := &WordError{Kind: surface.Text{FR: "Motif inconnu", EN: "Unknown pattern"}, Word: word, See: "grimoire standard pattern list"}
	for _, c := range Patterns() {
		e.List = append(e.List, c.Name())
	}
	return e
}

func unknownStore(word string) error {
	e := &WordError{Kind: surface.Text{FR: "Mémoire inconnue", EN: "Unknown memory"}, Word: word, See: "grimoire standard init --help"}
	for _, s := range stores {
		e.List = append(e.List, s.ID)
	}
	return e
}

// Union is both selections, s first.
func (s Selection) Union(o Selection) Selection {
	both := func(a, b []string) []string {
		var out []string
		seen := set{}
		for _, w := range slices.Concat(a, b) {
			if !seen[w] {
				seen[w] = true
				out = append(out, w)
			}
		}
		return out
	}
	return Selection{both(s.Needs, o.Needs), both(s.Patterns, o.Patterns), both(s.Memory, o.Memory)}
}

// Lacks is what of o is not in s.
func (s Selection) Lacks(o Selection) Selection {
	rest := func(have, want []string) []string {
		return slices.DeleteFunc(slices.Clone(want), func(w string) bool { return slices.Contains(have, w) })
	}
	return Selection{rest(s.Needs, o.Needs), rest(s.Patterns, o.Patterns), rest(s.Memory, o.Memory)}
}

// IsEmpty reports that nothing is selected.
func (s Selection) IsEmpty() bool { return len(s.Needs)+len(s.Patterns)+len(s.Memory) == 0 }

// Controls are the patterns that are selected by name or by a need, in the
// order people read them.
func (s Selection) Controls() []Control {
	wanted := set{}
	for _, p := range s.Patterns {
		if c, ok := FindPattern(p); ok {
			wanted[c.Type] = true
		}
	}
	for _, word := range s.Needs {
		n, _ := FindNeed(word)
		for _, p := range n.Patterns {
			wanted[p] = true
		}
	}
	return slices.DeleteFunc(Patterns(), func(c Control) bool { return !wanted[c.Type] })
}

// Profile is the weakest profile that the needs make sense at.
func (s Selection) Profile() surface.Profile {
	p := surface.ProfileStarter
	for _, word := range s.Needs {
		if n, ok := FindNeed(word); ok && n.Profile.Rank() > p.Rank() {
			p = n.Profile
		}
	}
	return p
}

// Selection is what the project recorded, nothing where it recorded none. An
// error means that the file is there and cannot be read, and has its line.
func (f *Folder) Selection() (Selection, error) {
	top, present, err := f.yaml(SelectionFile)
	switch {
	case !present:
		return Selection{}, nil
	case err != nil:
		why := words(err)
		return Selection{}, &SelectionError{surface.Text{
			FR: SelectionFile + " : " + why.FR + " ; répare-le ou supprime-le",
			EN: SelectionFile + ": " + why.EN + "; repair or delete it"}}
	}
	var s Selection
	for _, l := range selectionLists {
		at := top.get(l.key)
		if !at.isEmpty() && !at.isList() && !foreign(top, SelectionFormat) {
			return Selection{}, &SelectionError{surface.Text{
				FR: fmt.Sprintf("%s:%d : %s doit être une liste", SelectionFile, at.line(), l.key),
				EN: fmt.Sprintf("%s:%d: %s must be a list", SelectionFile, at.line(), l.key)}}
		}
		into := l.into(&s)
		for _, e := range at.list() {
			if w := e.text(); w != "" {
				*into = append(*into, l.known(w))
			}
		}
	}
	return Selection{}.Union(s), nil
}

// SelectionError is a record of the selection that cannot be read, or that
// cannot be written without taking a person's text.
type SelectionError struct{ Why surface.Text }

func (e *SelectionError) Error() string { return e.Why.EN }

// Text is the message in both languages.
func (e *SelectionError) Text() surface.Text { return e.Why }

// selectionLists are the lists of the file. known gives the id of a word, or
// the word itself where it is nobody's here.
var selectionLists = []struct {
	key   string
	into  func(*Selection) *[]string
	known func(string) string
}{
	{"needs", func(s *Selection) *[]string { return &s.Needs }, func(w string) string {
		if n, ok := FindNeed(w); ok {
			return n.ID
		}
		return w
	}},
	{"patterns", func(s *Selection) *[]string { return &s.Patterns }, func(w string) string {
		if c, ok := FindPattern(w); ok {
			return c.Type
		}
		return w
	}},
	{"memory", func(s *Selection) *[]string { return &s.Memory }, func(w string) string { return w }},
}

// Strangers are the words of the selection that this grimoire does not know.
func (s Selection) Strangers() []string {
	var out []string
	for _, w := range s.Needs {
		if _, ok := FindNeed(w); !ok {
			out = append(out, w)
		}
	}
	for _, w := range s.Patterns {
		if _, ok := FindPattern(w); !ok {
			out = append(out, w)
		}
	}
	for _, w := range s.Memory {
		if _, ok := FindStore(w); !ok {
			out = append(out, w)
		}
	}
	return out
}

// foreign reports a file that names another format than ours.
func foreign(top node, format string) bool {
	s := top.get("$schema")
	return !s.isEmpty() && s.text() != format
}

// IsForeign reports the text of a pattern's file or of the record of the
// selection that names another format than grimoire's: what another kit wrote.
func IsForeign(path string, text []byte) bool {
	format := SelectionFormat
	if path != SelectionFile {
		i := slices.IndexFunc(controlFiles, func(c Control) bool { return c.Path() == path })
		if i < 0 {
			return false
		}
		format = controlFiles[i].Format()
	}
	var doc yaml.Node
	if yaml.Unmarshal(text, &doc) != nil || len(doc.Content) == 0 {
		return false
	}
	return foreign(node{doc.Content[0]}, format)
}

// selection examines the record and gives the patterns that it leads to.
// binding is false where the record is another kit's.
func (e *examination) selection() (selected []Control, binding bool) {
	x := e.yaml(SelectionFile)
	if x == nil {
		return nil, false
	}
	binding = !foreign(x.top, SelectionFormat)
	for _, l := range selectionLists {
		at := x.top.get(l.key)
		if !at.isEmpty() && !at.isList() {
			fr, en := l.key+" doit être une liste", l.key+" must be a list"
			if binding {
				x.fail("manifest.selection_invalid", at, fr, en)
				return nil, true
			}
			x.note("manifest.selection_invalid", at, fr, en)
		}
		for _, w := range at.list() {
			var one Selection
			if *l.into(&one) = []string{l.known(w.text())}; len(one.Strangers()) == 0 {
				continue
			}
			s := Info
			if binding {
				s = Warning
			}
			x.add(s, "manifest.selection_unknown", w,
				l.key+" : "+surface.Quoted(w.text())+" est inconnu de ce grimoire et ne mène à rien",
				l.key+": "+surface.Quoted(w.text())+" is unknown to this grimoire and leads to nothing")
		}
	}
	s, err := e.f.Selection()
	if err != nil {
		return nil, binding // said above
	}
	return s.Controls(), binding
}

// ProviderPolicy is the word by which the registry of providers records how it
// was filled, "" where it records none.
func (f *Folder) ProviderPolicy() string {
	top, _, err := f.yaml(pathOf("llm_provider_registry", Bootstrap))
	if err != nil {
		return ""
	}
	return top.get("metadata").get("provider_policy").text()
}
