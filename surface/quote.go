package surface

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable reports valid UTF-8 without control characters: what may stand in
// a name that ends up in emitted files, messages and terminals.
func Printable(s string) bool {
	return utf8.ValidString(s) && strings.IndexFunc(s, unicode.IsControl) < 0
}

// Shown is a word out of a project as a terminal may print it.
func Shown(s string) string {
	if Printable(s) {
		return s
	}
	return strconv.Quote(s)
}

// Quoted shows a value out of a file on one line, at most 60 characters.
func Quoted(s string) string {
	if r := []rune(s); len(r) > 60 {
		s = string(r[:60]) + "…"
	}
	return strconv.Quote(s)
}
