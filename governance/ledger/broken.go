package ledger

import (
	"strings"
	"unicode/utf8"

	"github.com/grimoire-kit/grimoire/governance/canonical"
)

// starts are how an event begins: as both kits spell it, and as a writer does
// that sets no spaces.
var starts = [...]string{`{"id": "evt-`, `{"id":"evt-`}

// broken says how a line came to be no JSON, or else what it is not.
func broken(line string, kind FaultKind) FaultKind {
	if kept := strings.TrimRight(line, "\x00"); kept != line { // what a file system may leave of a write after a power cut
		if line = kept; line == "" {
			return FaultCut
		}
		if _, fault := parse(line); fault == "" {
			return FaultCut // all but its end
		}
	}
	for _, start := range starts {
		if i := strings.LastIndex(line, start); i > 0 {
			if _, fault := parse(line[i:]); fault == "" {
				return FaultGlued
			}
		}
	}
	for _, start := range starts {
		if (strings.HasPrefix(line, start) || strings.HasPrefix(start, line)) && unfinished(line) {
			return FaultCut
		}
	}
	return kind
}

// unfinished reports whether a line is the beginning of a JSON object. One
// that was damaged in its middle still has its end.
func unfinished(line string) bool {
	for n := 1; n < min(utf8.UTFMax, len(line)); n++ {
		if end := line[len(line)-n:]; utf8.RuneStart(end[0]) {
			if !utf8.FullRuneInString(end) {
				line = line[:len(line)-n] // a character cut in two
			}
			break
		}
	}
	if !utf8.ValidString(line) || strings.ContainsFunc(line, func(r rune) bool { return r < ' ' && r != '\t' }) {
		return false
	}
	depth, quoted := nesting(line, func(int) bool { return true })
	return depth > 0 || quoted
}

// tooDeep finds nesting that a recursive reader should not follow.
func tooDeep(line string) bool {
	if strings.Count(line, "{")+strings.Count(line, "[") <= canonical.MaxDepth {
		return false // as every real line
	}
	deepest := 0
	nesting(line, func(depth int) bool {
		deepest = depth
		return depth <= canonical.MaxDepth
	})
	return deepest > canonical.MaxDepth
}

// nesting follows brackets and quotes through a line: enter is called with
// each depth reached, and stops it. It returns where the line ends.
func nesting(line string, enter func(depth int) bool) (depth int, quoted bool) {
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; !enter(depth) {
				return depth, quoted
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return depth, quoted
}
