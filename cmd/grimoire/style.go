package main

import "strings"

// style paints text for a terminal; off a terminal, or under NO_COLOR, it
// leaves it as it is.
func (a *app) paint(code, s string) string {
	if !a.colour || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

func (a *app) bold(s string) string   { return a.paint("1", s) }
func (a *app) dim(s string) string    { return a.paint("2", s) }
func (a *app) red(s string) string    { return a.paint("31", s) }
func (a *app) green(s string) string  { return a.paint("32", s) }
func (a *app) yellow(s string) string { return a.paint("33", s) }

// printableLines is printable for a text of several lines.
func printableLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = printable(lines[i])
	}
	return strings.Join(lines, "\n")
}

// printable makes text that comes from a project safe to show: a file name or
// a description must not be able to move the cursor or forge a line.
func printable(s string) string {
	if plain(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if r < 0x20 || r == 0x7f || r >= 0x80 && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			return '\ufffd'
		}
		return r
	}, s)
}

// plain reports whether s is printable ASCII, as most of what is shown.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] >= 0x7f {
			return false
		}
	}
	return true
}
