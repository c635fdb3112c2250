package prose

import (
	"strings"
	"unicode"
)

// Inline makes any text safe inside one line or one table cell of a Markdown
// file that agents load: it cannot end the cell, the line or a comment, open
// HTML, a code span, a link or an image, nor import a file (Gemini CLI and
// Claude Code expand `@path` in their instruction files).
func Inline(s string) string {
	var b strings.Builder
	for _, r := range oneLine(s) {
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

// Code makes any text a code span that holds in a table cell: the fence is
// longer than every run of backticks inside, and pipes are escaped, which
// tables require even there.
func Code(s string) string {
	s = oneLine(s)
	if s == "" {
		return ""
	}
	longest, run := 0, 0
	for _, r := range s {
		if r != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	pad := ""
	if s[0] == '`' || s[len(s)-1] == '`' {
		pad = " "
	}
	return fence + pad + strings.ReplaceAll(s, "|", `\|`) + pad + fence
}

// CodeList is Code for each item, separated by commas.
func CodeList[S ~string](items []S) string {
	spans := make([]string, len(items))
	for i, item := range items {
		spans[i] = Code(string(item))
	}
	return strings.Join(spans, ", ")
}

// oneLine turns every run of white space and of invisible characters
// (controls, bidirectional overrides) into one space.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, "\uFFFD"), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
	}), " ")
}
