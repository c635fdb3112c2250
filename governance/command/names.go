package command

import "strings"

// names is a list of names with a blank between them. It is searched as a text: the hook lives for a few milliseconds,
// and tables that are built at its start would cost every call more than the few look-ups that it makes.
type names string

func (n names) has(name string) bool {
	if name == "" {
		return false
	}
	for rest := string(n); ; {
		i := strings.Index(rest, name)
		if i < 0 {
			return false
		}
		end := i + len(name)
		if (i == 0 || rest[i-1] == ' ') && (end == len(rest) || rest[end] == ' ') {
			return true
		}
		rest = rest[i+1:]
	}
}
