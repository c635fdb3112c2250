package standard

import (
	"errors"
	"iter"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/frontmatter"
)

// node is one value of a YAML file, or the zero node for one that is not
// there. Aliases are followed one step at a time and never expanded, so a file
// costs what its bytes cost.
type node struct{ n *yaml.Node }

// yaml reads a YAML file that must be a mapping. present tells a file that is
// wrong, whose error is an *unreadable, from one that is not there.
func (f *Folder) yaml(path string) (top node, present bool, err error) {
	limit := int64(maxFile)
	if path == BoardFile {
		limit = maxBoard
	}
	data, err := f.read(path, limit)
	if err != nil {
		var u *unreadable
		return node{}, errors.As(err, &u), err
	}
	top, wrong := topOf(data)
	if wrong != nil {
		return node{}, true, &unreadable{line: wrong.Line, why: wrong.Text}
	}
	return top, true, nil
}

// topOf is the mapping that a YAML file must be.
func topOf(data []byte) (top node, wrong *frontmatter.Fault) {
	doc, wrong := frontmatter.Document(data)
	switch {
	case wrong != nil:
		return node{}, &frontmatter.Fault{Line: wrong.Line, Text: surface.Text{FR: "YAML invalide : " + wrong.Text.FR, EN: "invalid YAML: " + wrong.Text.EN}}
	case doc == nil || doc.Tag == "!!null":
		return node{}, &frontmatter.Fault{Text: surface.Text{FR: "document vide", EN: "empty document"}}
	case doc.Kind != yaml.MappingNode:
		return node{}, &frontmatter.Fault{Text: surface.Text{FR: "une table de clés était attendue", EN: "a mapping was expected"}}
	}
	return node{doc}, nil
}

func (v node) line() int {
	if v.n == nil {
		return 0
	}
	return v.n.Line
}

func (v node) isMap() bool  { return v.n != nil && v.n.Kind == yaml.MappingNode }
func (v node) isList() bool { return v.n != nil && v.n.Kind == yaml.SequenceNode }

// get is the value of a key, the first where it stands twice.
func (v node) get(key string) node {
	if !v.isMap() {
		return node{}
	}
	for i := 0; i+1 < len(v.n.Content); i += 2 {
		if v.n.Content[i].Value == key {
			return deref(v.n.Content[i+1])
		}
	}
	return node{}
}

// pairs are the keys of a mapping with their values, each key once.
func (v node) pairs() iter.Seq2[string, node] {
	return func(yield func(string, node) bool) {
		seen := map[string]bool{}
		for i := 0; v.isMap() && i+1 < len(v.n.Content); i += 2 {
			key := v.n.Content[i].Value
			if !seen[key] && !yield(key, deref(v.n.Content[i+1])) {
				return
			}
			seen[key] = true
		}
	}
}

// isBare reports a mapping without keys, or no mapping.
func (v node) isBare() bool { return !v.isMap() || len(v.n.Content) == 0 }

// list are the elements of a sequence.
func (v node) list() []node {
	if !v.isList() {
		return nil
	}
	out := make([]node, len(v.n.Content))
	for i, n := range v.n.Content {
		out[i] = deref(n)
	}
	return out
}

// texts are the elements of a sequence as texts.
func (v node) texts() []string {
	var out []string
	for _, e := range v.list() {
		out = append(out, e.text())
	}
	return out
}

// set are the elements of a sequence as texts.
func (v node) set() set {
	out := set{}
	for _, e := range v.list() {
		out[e.text()] = true
	}
	return out
}

// set is some words. A file of a project may hold as many as fit into it.
type set map[string]bool

// lacks are those of wanted that are not in the set.
func (s set) lacks(wanted []string) []string {
	return slices.DeleteFunc(slices.Clone(wanted), func(w string) bool { return s[w] })
}

// text is a scalar's text without blanks around it, "" for anything else.
func (v node) text() string {
	if v.n == nil || v.n.Kind != yaml.ScalarNode || v.n.Tag == "!!null" {
		return ""
	}
	return strings.TrimSpace(v.n.Value)
}

// isEmpty reports what the existing kit takes for a key that is missing: no
// value, or an empty text.
func (v node) isEmpty() bool {
	return v.n == nil || v.n.Kind == yaml.ScalarNode && (v.n.Tag == "!!null" || v.n.Value == "")
}

// flag is a boolean; ok is false for anything else.
func (v node) flag() (value, ok bool) {
	if v.n == nil {
		return false, false
	}
	return frontmatter.Bool(v.n)
}

func (v node) isTrue() bool { b, _ := v.flag(); return b }

// integer is a whole number; ok is false for anything else.
func (v node) integer() (n int, ok bool) {
	if v.n == nil || v.n.Kind != yaml.ScalarNode || v.n.Tag != "!!int" {
		return 0, false
	}
	n, err := strconv.Atoi(v.n.Value)
	return n, err == nil
}

func deref(n *yaml.Node) node {
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		return node{n.Alias}
	}
	return node{n}
}
