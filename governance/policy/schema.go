package policy

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/frontmatter"
)

// The pieces of schema that load.go is written in: each reads one node, or
// records what was expected there.

// mapping returns the values of n by key, and refuses keys that are not in
// allowed, that stand twice or that are not plain words.
func (l *loader) mapping(n *yaml.Node, at string, allowed ...string) map[string]*yaml.Node {
	n = deref(n)
	if n.Kind != yaml.MappingNode {
		l.fail(n, at, surface.Text{FR: "une table de clés", EN: "a mapping"})
		return nil
	}
	out, lines := map[string]*yaml.Node{}, map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, key := n.Content[i], dotted(at, clip(n.Content[i].Value, 60))
		switch {
		case k.Kind != yaml.ScalarNode || !slices.Contains(allowed, k.Value):
			l.failKey(k, key, surface.Text{
				FR: "une clé connue : " + strings.Join(allowed, ", "),
				EN: "a known key: " + strings.Join(allowed, ", ")})
		case out[k.Value] != nil:
			l.failKey(k, key, surface.Text{
				FR: fmt.Sprintf("une clé présente une seule fois (déjà ligne %d)", lines[k.Value]), EN: fmt.Sprintf("a key that stands once (already on line %d)", lines[k.Value])})
		default:
			out[k.Value], lines[k.Value] = deref(n.Content[i+1]), k.Line
		}
	}
	return out
}

// failKey is fail for a key itself, whose text need not be repeated.
func (l *loader) failKey(k *yaml.Node, key string, expected surface.Text) {
	l.report(&Error{Code: CodeInvalid, Line: k.Line, Rule: l.rule, Key: key, Expected: expected})
}

func (l *loader) missing(n *yaml.Node, key string) {
	l.failKey(n, key, surface.Text{FR: "cette clé, obligatoire", EN: "this key, which is required"})
}

func (l *loader) text(n *yaml.Node, key string) string {
	if n == nil || isNull(n) {
		return ""
	}
	if n.Kind != yaml.ScalarNode {
		l.fail(n, key, surface.Text{FR: "un texte", EN: "a text"})
		return ""
	}
	return n.Value
}

func (l *loader) flag(n *yaml.Node, key string) bool {
	if n == nil || isNull(n) {
		return false
	}
	b, ok := frontmatter.Bool(n)
	if !ok {
		l.fail(n, key, surface.Text{FR: "true ou false", EN: "true or false"})
	}
	return b
}

func (l *loader) integer(n *yaml.Node, key string, least, most int) *int {
	if n == nil || isNull(n) {
		return nil
	}
	var v int
	if n.Kind != yaml.ScalarNode || n.Tag != "!!int" || n.Decode(&v) != nil || v < least || v > most {
		l.fail(n, key, surface.Text{
			FR: fmt.Sprintf("un entier de %d à %d", least, most),
			EN: fmt.Sprintf("a whole number from %d to %d", least, most)})
		return nil
	}
	return &v
}

func (l *loader) number(n *yaml.Node, key string) *float64 {
	if n == nil || isNull(n) {
		return nil
	}
	var v float64
	if n.Kind != yaml.ScalarNode || (n.Tag != "!!int" && n.Tag != "!!float") || n.Decode(&v) != nil ||
		v < 0 || math.IsInf(v, 0) || math.IsNaN(v) {
		l.fail(n, key, surface.Text{FR: "un nombre à partir de 0", EN: "a number from 0 up"})
		return nil
	}
	return &v
}

func (l *loader) pattern(n *yaml.Node, key string) Pattern {
	p, ok := ParsePattern(n.Value)
	if n.Kind != yaml.ScalarNode || !ok {
		l.fail(n, key, surface.Text{
			FR: "un motif : *, Outil ou Outil(corps)",
			EN: "a pattern: *, Tool or Tool(body)"})
	}
	return p
}

func word[T ~string](l *loader, n *yaml.Node, key string, allowed []T) T {
	if n.Kind == yaml.ScalarNode && slices.Contains(allowed, T(n.Value)) {
		return T(n.Value)
	}
	names := make([]string, len(allowed))
	for i, a := range allowed {
		names[i] = string(a)
	}
	list := strings.Join(names, ", ")
	l.fail(n, key, surface.Text{FR: "l'un de : " + list, EN: "one of: " + list})
	return ""
}

func words[T ~string](l *loader, n *yaml.Node, key string, allowed []T) []T {
	if n == nil || isNull(n) {
		return nil
	}
	if n.Kind != yaml.SequenceNode {
		l.fail(n, key, surface.Text{FR: "une liste", EN: "a list"})
		return nil
	}
	var out []T
	for _, item := range n.Content {
		out = append(out, word(l, deref(item), key, allowed))
	}
	return out
}

// deref follows an alias to the node it names. An anchored node is never an
// alias itself, so one step is enough.
func deref(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		return n.Alias
	}
	return n
}

func lookup(n *yaml.Node, key string) *yaml.Node {
	if n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return deref(n.Content[i+1])
		}
	}
	return nil
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

func dotted(at, key string) string {
	if at == "" {
		return key
	}
	return at + "." + key
}

// clip shortens s to at most n bytes, at the edge of a character.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
