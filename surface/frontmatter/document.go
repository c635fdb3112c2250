package frontmatter

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

// Document is the value of the one YAML document that text holds, nil where it
// holds none. A second document is a fault, and so is a key that stands twice in
// a mapping, at any depth: one reader would take the first, another the last.
func Document(text []byte) (*yaml.Node, *Fault) {
	var doc yaml.Node
	in := yaml.NewDecoder(bytes.NewReader(text))
	err := in.Decode(&doc)
	for err == nil {
		var next yaml.Node
		if err = in.Decode(&next); err == nil && len(next.Content) > 0 && next.Content[0].Tag != "!!null" {
			return nil, &Fault{Line: next.Content[0].Line, Text: surface.Text{
				FR: "un second document YAML commence ici, un seul était attendu : il ne serait pas lu",
				EN: "a second YAML document begins here, one was expected: it would not be read"}}
		}
	}
	if !errors.Is(err, io.EOF) {
		if line := fault.Conflict(text); line > 0 {
			return nil, &Fault{Line: line, Text: surface.Text{
				FR: "un conflit de git est resté là", EN: "a git conflict was left here"}}
		}
		return nil, yamlFault(string(text), err)
	}
	if len(doc.Content) == 0 {
		return nil, nil
	}
	if found := twice(doc.Content[0], 1); len(found) > 0 {
		return nil, found[0].fault(0)
	}
	return doc.Content[0], nil
}

// Twice is a key that stands twice in one mapping.
type Twice struct {
	Key         *yaml.Node // the second time
	First, Line int
}

// Text says so with the first line; the other is where it is shown.
func (t Twice) Text() surface.Text {
	shown := surface.Shown(t.Key.Value)
	return surface.Text{
		FR: fmt.Sprintf("la clé %s est écrite deux fois, d'abord ligne %d", shown, t.First),
		EN: fmt.Sprintf("the key %s is written twice, first on line %d", shown, t.First)}
}

func (t Twice) fault(offset int) *Fault {
	t.First, t.Line = t.First+offset, t.Line+offset
	return &Fault{Line: t.Line, Text: t.Text()}
}

// maxTwice bounds the keys that are named: nobody reads more.
const maxTwice = 20

// Repeated are the keys of n, at any depth, that stand twice in their mapping.
func Repeated(n *yaml.Node) []Twice { return twice(n, maxTwice) }

// few is how many keys are compared one by one: most mappings have no more, and
// cost no map.
const few = 12

func twice(n *yaml.Node, most int) (out []Twice) {
	var look func(n *yaml.Node)
	look = func(n *yaml.Node) {
		if n.Kind == yaml.MappingNode {
			first := map[string]int(nil)
			if len(n.Content) > 2*few {
				first = make(map[string]int, len(n.Content)/2)
			}
			for i := 0; i+1 < len(n.Content); i += 2 {
				key := n.Content[i]
				if key.Kind != yaml.ScalarNode {
					continue
				}
				line, seen := first[key.Value]
				for j := 0; first == nil && j < i && !seen; j += 2 {
					other := n.Content[j]
					line, seen = other.Line, other.Kind == yaml.ScalarNode && other.Value == key.Value
				}
				switch {
				case seen && len(out) < most:
					out = append(out, Twice{key, line, key.Line})
				case !seen && first != nil:
					first[key.Value] = key.Line
				}
			}
		}
		for _, c := range n.Content {
			if len(out) == most {
				return
			}
			look(c)
		}
	}
	look(n)
	slices.SortStableFunc(out, func(a, b Twice) int { return a.Line - b.Line })
	return out
}

// Placed puts a fault's line before its words, for a message that has no place
// of its own for it.
func (f *Fault) Placed() surface.Text {
	if f.Line == 0 {
		return f.Text
	}
	return surface.Text{FR: fmt.Sprintf("ligne %d : %s", f.Line, f.Text.FR), EN: fmt.Sprintf("line %d: %s", f.Line, f.Text.EN)}
}
