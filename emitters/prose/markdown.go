package prose

import (
	"strings"
	"unicode"

	"github.com/grimoire-kit/grimoire/pluginsdk"
)

// Cell makes any text safe in one table cell of a Markdown file that agents
// load: it cannot end the cell, the line or a comment, open HTML, a code
// span, a link or an image, nor import a file (Gemini CLI and Claude Code
// expand `@path` in their instruction files).
func Cell(s string) string {
	var b strings.Builder
	for _, r := range visible(s) {
		switch r {
		case '\\', '`', '|', '[', ']':
			b.WriteByte('\\')
			b.WriteRune(r)
		case '<':
			b.WriteString("&lt;")
		case '>':
			b.WriteString("&gt;")
		case '@':
			b.WriteString("&#64;")
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// CodeCell makes any text a code span that holds in a table cell, where pipes
// must be escaped even in code. An empty text gives an empty cell.
func CodeCell(s string) string {
	s = visible(s)
	if s == "" {
		return ""
	}
	return strings.ReplaceAll(pluginsdk.Code(s), "|", `\|`)
}

// CodeCells is CodeCell for each item, separated by commas.
func CodeCells[S ~string](items []S) string {
	spans := make([]string, len(items))
	for i, item := range items {
		spans[i] = CodeCell(string(item))
	}
	return strings.Join(spans, ", ")
}

// visible puts s on one line and turns every run of white space and of
// characters that nobody sees (controls, bidirectional overrides, zero width)
// into one space.
func visible(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, "\uFFFD"), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
	}), " ")
}
