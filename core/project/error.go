package project

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/grimoire-kit/grimoire/surface"
)

// Codes of the errors Load returns; the numbers are those of the existing kit's
// registry.
const (
	CodeUnreadable  = "GR001" // a file that must be read cannot be
	CodeYAML        = "GR002" // not YAML, or not the mapping it has to be
	CodeSkill       = "GR101" // a persona lists a skill that does not exist
	CodeContext     = "GR102" // a persona lists a path that is not in the project
	CodeKitPersona  = "GR103" // `extends: kit` without a kit persona
	CodeWrongValue  = "GR501" // a key holds something else than it must
	CodeRepeatedKey = "GR502" // a key is written twice
)

// Error is a mistake in a file of the project that stops every host command.
// Load may join several: errors.As finds the first.
type Error struct {
	Code string
	Path string // project-relative, slash-separated
	Line int    // 1-based; 0 where the whole file is meant
	Key  string // dotted path of the key, "" where none is at fault
	Text surface.Text
}

func (e *Error) Error() string { return e.In(surface.English) }

// In renders the error in language l: `path:line: key: what is wrong (code)`.
func (e *Error) In(l surface.Language) string {
	var b strings.Builder
	b.WriteString(place(e.Path, e.Line))
	if e.Key != "" {
		b.WriteString(": " + e.Key)
	}
	b.WriteString(": " + e.Text.In(l) + " (" + e.Code + ")")
	return b.String()
}

// Skipped is a file that did not become a persona, a skill or a command.
type Skipped struct {
	Path   string // a folder ends in "/"
	Line   int    // 0 where the whole file is meant
	Reason surface.Text
}

// Warning is something the team should look at; nothing was left out for it
// but what the text says.
type Warning struct {
	Path string
	Line int // 0 where the whole file is meant
	Text surface.Text
}

// In renders the file with its reason: `path:line: reason`.
func (s Skipped) In(l surface.Language) string { return place(s.Path, s.Line) + ": " + s.Reason.In(l) }

// In renders the warning: `path:line: text`.
func (w Warning) In(l surface.Language) string { return place(w.Path, w.Line) + ": " + w.Text.In(l) }

func place(path string, line int) string {
	path = surface.Shown(path)
	if line == 0 {
		return path
	}
	return path + ":" + strconv.Itoa(line)
}

// oneLine puts a name on one line and drops what is not printable.
func oneLine(s string) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "")), " ")
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, s)
}
