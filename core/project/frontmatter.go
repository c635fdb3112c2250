package project

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/grimoire-kit/grimoire/surface"
)

// maxFrontmatter bounds the YAML block of a Markdown file, in bytes.
const maxFrontmatter = 64 << 10

// frontmatter is a Markdown file split into its YAML block and its body.
type frontmatter struct {
	fields  mapping // empty where there is no block, or none that can be read
	present bool
	raw     string // the block's text, without its fences
	line    int    // line of the file on which raw starts
	body    string // with "\n" line ends
	fault   *fault // why a block that is present cannot be read
}

// fault is what is wrong on a line of a file.
type fault struct {
	line int
	text surface.Text
}

// unixLines makes a checkout with other line ends the same text.
func unixLines(text string) string {
	if !strings.Contains(text, "\r") {
		return text
	}
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}

// splitFrontmatter reads the head of text: blank lines and HTML comments, then a
// block between two `---` lines. A file without a block is all body.
func splitFrontmatter(text string) frontmatter {
	text = unixLines(text)
	rest := text
	for {
		rest = strings.TrimLeft(rest, " \t\n\ufeff")
		if !strings.HasPrefix(rest, "<!--") {
			break
		}
		_, after, closed := strings.Cut(rest, "-->")
		if !closed {
			// What the file declares is hidden behind it; to guess a wider
			// boundary from the text would be wrong.
			return frontmatter{body: text, present: true, line: 1, fault: &fault{
				line: lineOf(text, rest),
				text: surface.Text{FR: "le commentaire n'est jamais fermé", EN: "the comment is never closed"},
			}}
		}
		rest = after
	}
	first, block, _ := strings.Cut(rest, "\n")
	if strings.TrimRight(first, " \t\r") != "---" {
		return frontmatter{body: text}
	}
	fm := frontmatter{present: true, line: lineOf(text, rest) + 1}
	for at := 0; ; {
		line, _, more := strings.Cut(block[at:], "\n")
		if strings.TrimRight(line, " \t\r") == "---" {
			fm.raw = block[:at]
			if more {
				fm.body = block[at+len(line)+1:]
			}
			break
		}
		if !more {
			fm.raw, fm.body = block, text
			fm.fault = &fault{line: fm.line - 1, text: surface.Text{
				FR: "le bloc n'est jamais fermé par une ligne ---", EN: "the block is never closed by a --- line"}}
			return fm
		}
		at += len(line) + 1
	}
	if len(fm.raw) > maxFrontmatter {
		fm.fault = &fault{line: fm.line, text: surface.Text{
			FR: "le bloc YAML dépasse 64 Kio", EN: "the YAML block is larger than 64 KiB"}}
		return fm
	}
	fm.fields, fm.fault = parseMapping(fm.raw, fm.line)
	return fm
}

// lineOf is the 1-based line of text on which its suffix rest starts.
func lineOf(text, rest string) int {
	return 1 + strings.Count(text[:len(text)-len(rest)], "\n")
}

// field is one key of a YAML mapping with its value.
type field struct {
	line   int // line of the key in its file
	value  *yaml.Node
	offset int // from the lines of value's nodes to those of the file
}

// mapping holds the keys of one YAML mapping. Values are looked at one level
// deep and aliases are never expanded, so a document costs what its bytes cost.
type mapping map[string]field

// parseMapping reads a YAML document that must be a mapping, or nothing at all.
// first is the line of the file the text starts on.
func parseMapping(text string, first int) (mapping, *fault) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		f := yamlFault(text, err)
		f.line += first - 1
		return nil, f
	}
	if doc.Kind == 0 {
		return nil, nil
	}
	return newMapping(doc.Content[0], first-1)
}

// newMapping indexes a mapping node; offset is added to its line numbers.
func newMapping(n *yaml.Node, offset int) (mapping, *fault) {
	if n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
		return nil, nil
	}
	if n.Kind != yaml.MappingNode {
		return nil, &fault{line: n.Line + offset, text: surface.Text{
			FR: "des lignes « clé: valeur » étaient attendues", EN: "`key: value` lines were expected"}}
	}
	m := make(mapping, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Kind != yaml.ScalarNode {
			continue
		}
		if _, twice := m[key.Value]; twice {
			return nil, &fault{line: key.Line + offset, text: surface.Text{
				FR: "la clé " + shown(key.Value) + " est écrite deux fois", EN: "the key " + shown(key.Value) + " is written twice"}}
		}
		m[key.Value] = field{line: key.Line + offset, value: deref(n.Content[i+1]), offset: offset}
	}
	return m, nil
}

func deref(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// scalar returns the text of a value that is one, whatever YAML takes it for.
func (f field) scalar() (string, bool) {
	if f.value == nil || f.value.Kind != yaml.ScalarNode || f.value.Tag == "!!null" {
		return "", false
	}
	return strings.TrimSpace(f.value.Value), true
}

// null reports a key without a value.
func (f field) null() bool {
	return f.value == nil || f.value.Kind == yaml.ScalarNode && f.value.Tag == "!!null"
}

// item is one entry of a list.
type item struct {
	value string
	line  int
}

// items reads a list of scalars, or one scalar that split cuts up. It reports
// false when the value, or an entry of it, is something else.
func (f field) items(split func(string) []string) ([]item, bool) {
	if s, ok := f.scalar(); ok {
		var out []item
		for _, part := range split(s) {
			out = append(out, item{part, f.line})
		}
		return out, true
	}
	if f.value == nil || f.value.Kind != yaml.SequenceNode {
		return nil, f.null()
	}
	out := make([]item, 0, len(f.value.Content))
	whole := true
	for _, n := range f.value.Content {
		entry := field{value: deref(n)}
		s, ok := entry.scalar()
		if !ok {
			whole = false
			continue
		}
		if s != "" {
			out = append(out, item{s, n.Line + f.offset})
		}
	}
	return out, whole
}

// rawField finds a `key:` line at the start of a line of text and returns its
// value as a reader would see it. It serves blocks YAML cannot read.
func rawField(text, key string) (value string, line int, ok bool) {
	for at, n := 0, 1; at <= len(text); n++ {
		row, _, more := strings.Cut(text[at:], "\n")
		if after, found := strings.CutPrefix(row, key+":"); found {
			return strings.Clone(unquote(after)), n, true // not a hold on the whole file
		}
		if !more {
			break
		}
		at += len(row) + 1
	}
	return "", 0, false
}

// unquote strips one layer of quotes and a trailing comment.
func unquote(s string) string {
	s = strings.TrimSpace(s)
	if s == "" {
		return s
	}
	if q := s[0]; q == '"' || q == '\'' {
		if end := strings.LastIndexByte(s, q); end > 0 {
			return strings.TrimSpace(s[1:end])
		}
		return strings.TrimSpace(s[1:])
	}
	if s, _, cut := strings.Cut(s, " #"); cut {
		return strings.TrimSpace(s)
	}
	return s
}
