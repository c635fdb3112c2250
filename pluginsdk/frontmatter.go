package pluginsdk

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Field is one line of frontmatter. Value is a string, bool, int, *int or
// []string.
type Field struct {
	Key   string
	Value any
}

// Frontmatter renders a YAML block between `---` lines, one line a field, in
// the order given. Empty strings, empty lists and nil pointers are left out;
// false is written. Strings are quoted on one line, so that every host's
// reader, however simple, gets back the value: single quotes where YAML
// allows the text in them, double quotes with escapes elsewhere.
func Frontmatter(fields ...Field) string {
	var b strings.Builder
	b.WriteString("---\n")
	for _, f := range fields {
		if v, ok := scalar(f.Value); ok {
			fmt.Fprintf(&b, "%s: %s\n", f.Key, v)
		}
	}
	b.WriteString("---\n")
	return b.String()
}

func scalar(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return Quote(v), v != ""
	case bool:
		return strconv.FormatBool(v), true
	case int:
		return strconv.Itoa(v), true
	case *int:
		if v == nil {
			return "", false
		}
		return strconv.Itoa(*v), true
	case []string:
		items := make([]string, len(v))
		for i, s := range v {
			items[i] = Quote(s)
		}
		return "[" + strings.Join(items, ", ") + "]", len(v) > 0
	}
	// A programming error of the emitter's author, never a matter of input.
	panic(fmt.Sprintf("pluginsdk: frontmatter value of type %T", v))
}

// Quote writes s as a YAML scalar on one line. Bytes that are not UTF-8
// become U+FFFD, which is all YAML could carry.
func Quote(s string) string {
	s = strings.ToValidUTF8(s, string(utf8.RuneError))
	if !needsEscapes(s) {
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case !printable(r) && r <= 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		case !printable(r):
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func needsEscapes(s string) bool {
	for _, r := range s {
		if !printable(r) {
			return true
		}
	}
	return false
}

// printable follows YAML 1.2's c-printable, less the characters that break a
// line or vanish in an editor.
func printable(r rune) bool {
	switch {
	case r < 0x20, r == 0x7f, r >= 0x80 && r < 0xa0:
		return false
	case r == 0x2028, r == 0x2029, r == 0xfeff, r == 0xfffe, r == 0xffff:
		return false
	case r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return false
	}
	return true
}
