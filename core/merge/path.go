package merge

import (
	"strconv"
	"strings"
	"unicode"
)

// Path is a chain of object keys from the root; it never indexes an array.
type Path []string

// String writes the path as people read it: $.permissions.deny.
func (p Path) String() string { return jsonPath(p.steps()) }

// steps is the path as the start of a longer one that may index arrays.
func (p Path) steps() []any {
	s := make([]any, len(p))
	for i, k := range p {
		s[i] = k
	}
	return s
}

// jsonPath writes keys and array indexes as $.hooks.Stop[0]["odd key"].
func jsonPath(steps []any) string {
	var b strings.Builder
	b.WriteByte('$')
	for _, s := range steps {
		switch s := s.(type) {
		case int:
			b.WriteString("[" + strconv.Itoa(s) + "]")
		case string:
			if plainKey(s) {
				b.WriteString("." + s)
			} else {
				b.WriteString("[" + strconv.Quote(s) + "]")
			}
		}
	}
	return b.String()
}

func plainKey(k string) bool {
	return k != "" && strings.IndexFunc(k, func(r rune) bool {
		return r != '_' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) < 0
}

var (
	pointerEscape   = strings.NewReplacer("~", "~0", "/", "~1")
	pointerUnescape = strings.NewReplacer("~1", "/", "~0", "~")
)

// pointer is the path as a JSON pointer (RFC 6901), the form a record keeps.
func (p Path) pointer() string {
	var b strings.Builder
	for _, k := range p {
		b.WriteString("/" + pointerEscape.Replace(k))
	}
	return b.String()
}

func parsePointer(s string) Path {
	if s == "" {
		return Path{}
	}
	parts := strings.Split(strings.TrimPrefix(s, "/"), "/")
	for i, k := range parts {
		parts[i] = pointerUnescape.Replace(k)
	}
	return parts
}
