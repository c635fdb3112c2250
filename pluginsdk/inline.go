package pluginsdk

import "strings"

// Inline puts a text of the project on one line, for a sentence, a list item
// or a heading: a name or a path may hold line breaks that would otherwise
// open a block of their own.
func Inline(s string) string {
	return strings.Join(strings.Fields(s), " ")
}

// Code writes s as a Markdown code span, whatever backticks it holds.
func Code(s string) string {
	s = Inline(s)
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if fence != "`" {
		s = " " + s + " "
	}
	return fence + s + fence
}
