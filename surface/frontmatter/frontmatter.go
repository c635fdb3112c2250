// Package frontmatter reads the YAML block at the head of a Markdown file, and
// other YAML files of a project, as people write them: every value keeps its
// line, aliases are never expanded, and what is wrong is said in words.
//
// It is pure and opens no file. It knows no key: what a persona, a skill or a
// configuration may say is its callers' matter. Core and the hook use it.
package frontmatter

import (
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/grimoire-kit/grimoire/surface"
)

// maxBlock bounds the YAML block of a Markdown file, in bytes.
const maxBlock = 64 << 10

// Block is a Markdown file split into its YAML block and its body.
type Block struct {
	Fields  Mapping // empty where there is no block, or none that can be read
	Present bool
	Raw     string // the block's text, without its fences
	Line    int    // line of the file on which Raw starts
	Body    string // with "\n" line ends
	Fault   *Fault // why a block that is present cannot be read
	// Stray is the line of the first byte of the file that is not UTF-8, 0
	// without any. Raw and Body have U+FFFD where there were such bytes; a
	// block with one is not believed.
	Stray int
}

// Fault is what is wrong on a line of a file.
type Fault struct {
	Line int // 1-based
	Text surface.Text
}

// UnixLines makes a checkout with other line ends the same text.
func UnixLines(text string) string {
	if !strings.Contains(text, "\r") {
		return text
	}
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}

// Split reads the head of text: blank lines and HTML comments, then a
// block between two `---` lines. A file without a block is all body.
func Split(text string) Block {
	text = UnixLines(text)
	b := split(text)
	if utf8.ValidString(text) {
		if b.Fault == nil {
			b.Fields, b.Fault = Parse(b.Raw, b.Line)
		}
		return b
	}
	b.Stray = strayLine(text, 1)
	switch line := strayLine(b.Raw, b.Line); {
	case b.Fault != nil:
	case line > 0:
		b.Fault = &Fault{Line: line, Text: surface.Text{
			FR: "des octets qui ne sont pas de l'UTF-8", EN: "bytes that are not UTF-8"}}
	default:
		b.Fields, b.Fault = Parse(b.Raw, b.Line)
	}
	b.Raw, b.Body = strings.ToValidUTF8(b.Raw, "\uFFFD"), strings.ToValidUTF8(b.Body, "\uFFFD")
	return b
}

// strayLine is the line of the first byte of text that is not UTF-8, 0 without
// any; text starts on line first.
func strayLine(text string, first int) int {
	for i, r := range text {
		if r != utf8.RuneError {
			continue
		}
		if _, size := utf8.DecodeRuneInString(text[i:]); size == 1 {
			return first + strings.Count(text[:i], "\n")
		}
	}
	return 0
}

// split finds the block and the body, and reads neither.
func split(text string) Block {
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
			return Block{Body: text, Present: true, Line: 1, Fault: &Fault{
				Line: lineOf(text, rest),
				Text: surface.Text{FR: "le commentaire n'est jamais fermé", EN: "the comment is never closed"},
			}}
		}
		rest = after
	}
	first, block, _ := strings.Cut(rest, "\n")
	if strings.TrimRight(first, " \t\r") != "---" {
		return Block{Body: text}
	}
	b := Block{Present: true, Line: lineOf(text, rest) + 1}
	for at := 0; ; {
		line, _, more := strings.Cut(block[at:], "\n")
		if strings.TrimRight(line, " \t\r") == "---" {
			b.Raw = block[:at]
			if more {
				b.Body = block[at+len(line)+1:]
			}
			break
		}
		if !more {
			b.Raw, b.Body = block, text
			b.Fault = &Fault{Line: b.Line - 1, Text: surface.Text{
				FR: "le bloc n'est jamais fermé par une ligne ---", EN: "the block is never closed by a --- line"}}
			return b
		}
		at += len(line) + 1
	}
	if len(b.Raw) > maxBlock {
		b.Fault = &Fault{Line: b.Line, Text: surface.Text{
			FR: "le bloc YAML dépasse 64 Kio", EN: "the YAML block is larger than 64 KiB"}}
	}
	return b
}

// Text reads a key that holds one string. A block YAML cannot read still gives
// the value of a plain line.
func (b Block) Text(key string, warn func(line int, fr, en string)) string {
	if b.Fault != nil {
		value, _, _ := Raw(b.Raw, key)
		if value == ">" || value == "|" || strings.HasPrefix(value, ">-") || strings.HasPrefix(value, "|-") {
			return "" // its text is on the next lines
		}
		return value
	}
	f, ok := b.Fields[key]
	if !ok || f.Null() {
		return ""
	}
	s, ok := f.Scalar()
	if !ok {
		warn(f.Line, key+" : un texte était attendu", key+": a text was expected")
	}
	return s
}

// lineOf is the 1-based line of text on which its suffix rest starts.
func lineOf(text, rest string) int {
	return 1 + strings.Count(text[:len(text)-len(rest)], "\n")
}

// Field is one key of a YAML mapping with its value.
type Field struct {
	Line   int // line of the key in its file
	Value  *yaml.Node
	offset int // from the lines of Value's nodes to those of the file
}

// Mapping holds the keys of one YAML mapping. Values are looked at one level
// deep and aliases are never expanded, so a document costs what its bytes cost.
type Mapping map[string]Field

// Parse reads a YAML document that must be a mapping, or nothing at all.
// first is the line of the file the text starts on.
func Parse(text string, first int) (Mapping, *Fault) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		f := yamlFault(text, err)
		f.Line += first - 1
		return nil, f
	}
	if doc.Kind == 0 {
		return nil, nil
	}
	return newMapping(doc.Content[0], first-1)
}

// newMapping indexes a mapping node; offset is added to its line numbers.
func newMapping(n *yaml.Node, offset int) (Mapping, *Fault) {
	if n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
		return nil, nil
	}
	if n.Kind != yaml.MappingNode {
		return nil, &Fault{Line: n.Line + offset, Text: surface.Text{
			FR: "des lignes « clé: valeur » étaient attendues", EN: "`key: value` lines were expected"}}
	}
	m := make(Mapping, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Kind != yaml.ScalarNode {
			continue
		}
		if first, twice := m[key.Value]; twice {
			return nil, Twice{key, first.Line - offset, key.Line}.fault(offset)
		}
		m[key.Value] = Field{Line: key.Line + offset, Value: deref(n.Content[i+1]), offset: offset}
	}
	return m, nil
}

// Keys reads a value that must be a mapping.
func (f Field) Keys() (Mapping, *Fault) { return newMapping(f.Value, f.offset) }

// Elements are the values of a list, each with its own line; nil for anything
// else.
func (f Field) Elements() []Field {
	if f.Value == nil || f.Value.Kind != yaml.SequenceNode {
		return nil
	}
	out := make([]Field, len(f.Value.Content))
	for i, n := range f.Value.Content {
		out[i] = Field{Line: n.Line + f.offset, Value: deref(n), offset: f.offset}
	}
	return out
}

func deref(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// Scalar returns the text of a value that is one, whatever YAML takes it for.
func (f Field) Scalar() (string, bool) {
	if f.Value == nil || f.Value.Kind != yaml.ScalarNode || f.Value.Tag == "!!null" {
		return "", false
	}
	return strings.TrimSpace(f.Value.Value), true
}

// Null reports a key without a value.
func (f Field) Null() bool {
	return f.Value == nil || f.Value.Kind == yaml.ScalarNode && f.Value.Tag == "!!null"
}

// Item is one entry of a list.
type Item struct {
	Value string
	Line  int
}

// Items reads a list of scalars, or one scalar that split cuts up. It reports
// false when the value, or an entry of it, is something else.
func (f Field) Items(split func(string) []string) ([]Item, bool) {
	if s, ok := f.Scalar(); ok {
		var out []Item
		for _, part := range split(s) {
			out = append(out, Item{part, f.Line})
		}
		return out, true
	}
	if f.Value == nil || f.Value.Kind != yaml.SequenceNode {
		return nil, f.Null()
	}
	out := make([]Item, 0, len(f.Value.Content))
	whole := true
	for _, n := range f.Value.Content {
		entry := Field{Value: deref(n)}
		s, ok := entry.Scalar()
		if !ok {
			whole = false
			continue
		}
		if s != "" {
			out = append(out, Item{s, n.Line + f.offset})
		}
	}
	return out, whole
}

// Raw finds a `key:` line at the start of a line of text and returns its
// value as a reader would see it. It serves blocks YAML cannot read.
func Raw(text, key string) (value string, line int, ok bool) {
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

// Words cuts a scalar into words, at commas and blanks.
func Words(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' || r == '\n' })
}

// OneWord takes a scalar as it is, and an empty one as none.
func OneWord(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}
