package merge

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/tidwall/sjson"
)

// style is how a document is written, as far as inserted text has to follow it.
type style struct {
	newline string
	unit    string // one level of indentation
	colon   string // between a key and its value
	comma   string // between two items on one line
	lines   bool   // one item a line; otherwise the document is a single line
}

// detect reads the style off the root's first member. A document with no member
// tells nothing and gets two spaces.
func (d *doc) detect() style {
	s := style{newline: "\n", unit: "  ", colon: ": ", comma: ", ", lines: true}
	if i := bytes.IndexByte(d.src, '\n'); i > 0 && d.src[i-1] == '\r' {
		s.newline = "\r\n"
	} else if i < 0 && bytes.IndexByte(d.src, '\r') >= 0 {
		s.newline = "\r"
	}
	if d.kind(d.root) != Object {
		return s
	}
	c := d.container(d.root)
	if len(c.items) == 0 {
		return s
	}
	first := c.items[0]
	if string(d.clean[first.keyEnd:first.val]) == ":" {
		s.colon, s.comma = ":", ","
	}
	s.lines = hasNewline(d.clean[c.open:c.close])
	if hasNewline(d.clean[c.open:first.start]) {
		s.unit = strings.TrimPrefix(d.indentAt(first.start), d.indentAt(c.open))
	}
	return s
}

// indentAt is the whitespace that the line of offset i starts with.
func (d *doc) indentAt(i int) string {
	for i > 0 && !isNewline(d.clean[i-1]) {
		i--
	}
	end := i
	for end < len(d.clean) && (d.clean[end] == ' ' || d.clean[end] == '\t') {
		end++
	}
	return string(d.clean[i:end])
}

// layout is how the items of one container are set.
type layout struct {
	style
	lines  bool   // each item on a line of its own
	indent string // of an item's line
	sep    string // before an item: newline and indentation, or what stands on one line
}

// layoutOf follows the container's last item, or the document's style where the
// container is empty.
func (d *doc) layoutOf(c container) layout {
	l := layout{style: d.style, lines: d.style.lines, indent: d.indentAt(c.open) + d.unit}
	if n := len(c.items); n > 0 {
		last, gap := c.items[n-1], c.open+1
		if n > 1 {
			gap = c.items[n-2].comma + 1
		}
		l.lines = hasNewline(d.clean[gap:last.start])
		switch {
		case l.lines:
			l.indent = d.indentAt(last.start)
		case d.clean[d.insertAfter(last)-1] == lineComment:
			l.lines = true // what follows such a comment must be on a new line
		case n > 1:
			l.sep = string(d.clean[d.spaceBefore(last.start):last.start])
			return l
		}
	}
	l.sep = l.comma[1:]
	if l.lines {
		l.sep = l.newline + l.indent
	}
	return l
}

// render writes a value of ours in the layout. The value's own spelling of
// strings and numbers and its order of keys are kept.
func (l layout) render(b *strings.Builder, value json.RawMessage) {
	var compact bytes.Buffer
	// Ops are checked to be valid JSON before any edit.
	_ = json.Compact(&compact, value)
	v := compact.Bytes()
	depth := 0
	breakLine := func() {
		b.WriteString(l.newline + l.indent + strings.Repeat(l.unit, depth))
	}
	for i := 0; i < len(v); i++ {
		switch c := v[i]; c {
		case '"':
			end := stringEnd(v, i)
			b.Write(v[i:end])
			i = end - 1
		case '{', '[':
			b.WriteByte(c)
			if v[i+1] == '}' || v[i+1] == ']' {
				i++
				b.WriteByte(v[i])
				continue
			}
			depth++
			if l.lines {
				breakLine()
			}
		case '}', ']':
			depth--
			if l.lines {
				breakLine()
			}
			b.WriteByte(c)
		case ',':
			if l.lines {
				b.WriteByte(c)
				breakLine()
			} else {
				b.WriteString(l.comma)
			}
		case ':':
			b.WriteString(l.colon)
		default:
			b.WriteByte(c)
		}
	}
}

// set puts a value into a document of ours. Such documents hold nothing that a
// user wrote, so sjson may render them as it likes; the paths are ours too, and
// always fit.
func set(doc []byte, path string, value json.RawMessage) json.RawMessage {
	out, err := sjson.SetRawBytes(doc, path, value)
	if err != nil {
		panic("merge: " + err.Error())
	}
	return out
}

// quote spells a string as JSON, leaving < > & as they are.
func quote(s string) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	// A string always encodes.
	_ = e.Encode(s)
	return bytes.TrimSpace(b.Bytes())
}
