package command

import "strings"

// names is a list of names with a blank between them. It is searched as a text: the hook lives for a few milliseconds,
// and tables that are built at its start would cost every call more than the few look-ups that it makes.
type names string

func (n names) has(name string) bool {
	if name == "" {
		return false
	}
	for from := 0; ; {
		i := strings.Index(string(n[from:]), name)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(name)
		if (i == 0 || n[i-1] == ' ') && (end == len(n) || n[end] == ' ') {
			return true
		}
		from = i + 1
	}
}
