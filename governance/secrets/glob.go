package secrets

import "strings"

const (
	maxPattern = 128  // longest segment of a pattern that is compared, in bytes
	maxBraces  = 64   // most alternatives of a pattern that are expanded
	maxLength  = 4096 // longest pattern whose braces are expanded, in bytes
)

// aimed says that pattern could name what name could, and that at least aim of its literal characters belong to the
// name. Both are globs.
func aimed(pattern, name string, aim int) bool {
	if len(pattern) > maxPattern || !overlap(pattern, name) {
		return false
	}
	if asksSample(pattern) {
		return false
	}
	if ext, ok := strings.CutPrefix(name, "*"); ok {
		// Any name overlaps "*.pem": only an extension that is spelled out is aimed at it.
		at := strings.LastIndexByte(pattern, '.')
		return at >= 0 && overlap(pattern[at:], ext) && literals(pattern[at:]) >= aim
	}
	if stem, _, ok := strings.Cut(name, "*"); ok {
		// So many names overlap ".env.*" that the pattern must start like it or hold its first part.
		return commonPrefix(pattern, stem) >= aim || strings.Contains(pattern, strings.TrimRight(stem, "."))
	}
	// An extension says nothing about the name.
	if at := strings.LastIndexByte(pattern, '.'); at > 0 && strings.LastIndexByte(name, '.') > 0 {
		pattern = pattern[:at]
	}
	return literals(pattern) >= aim || name[0] == '.' && commonPrefix(pattern, name) >= 2
}

// asksSample says that a pattern can only name samples of dotenv files (".env.ex*", "*.env.example").
func asksSample(pattern string) bool {
	literal, _, _ := strings.Cut(pattern, "*")
	last := pattern[strings.LastIndexByte(pattern, '.')+1:]
	for _, s := range samples {
		if len(literal) > len(".env.") && strings.HasPrefix(".env."+s, literal) || last == s {
			return true
		}
	}
	return false
}

func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// literals counts the characters of a pattern that stand for themselves; a class counts as one.
func literals(pattern string) int {
	n := 0
	for i := 0; i < len(pattern); i++ {
		switch pattern[i] {
		case '*', '?':
		case '[':
			if end := strings.IndexByte(pattern[i:], ']'); end > 0 {
				i += end
			}
			n++
		default:
			n++
		}
	}
	return n
}

// overlap says that some text matches both globs.
func overlap(p, q string) bool {
	seen := make([]bool, (len(p)+1)*(len(q)+1))
	var walk func(i, j int) bool
	walk = func(i, j int) bool {
		at := i*(len(q)+1) + j
		if seen[at] {
			return false
		}
		seen[at] = true
		switch {
		case i == len(p) && j == len(q):
			return true
		case i < len(p) && p[i] == '*':
			return walk(i+1, j) || j < len(q) && walk(i, j+1)
		case j < len(q) && q[j] == '*':
			return walk(i, j+1) || i < len(p) && walk(next(p, i), j)
		case i == len(p) || j == len(q):
			return false
		}
		return one(p, i, q[j]) && walk(next(p, i), j+1)
	}
	return walk(0, 0)
}

// next returns the index after the element of p at i.
func next(p string, i int) int {
	if p[i] == '[' {
		if end := strings.IndexByte(p[i:], ']'); end > 1 {
			return i + end + 1
		}
	}
	return i + 1
}

// one says that the element of p at i can be c.
func one(p string, i int, c byte) bool {
	switch p[i] {
	case '?':
		return true
	case '[':
		end := strings.IndexByte(p[i:], ']')
		if end <= 1 {
			return c == '['
		}
		class := p[i+1 : i+end]
		negated := class[0] == '!' || class[0] == '^'
		if negated {
			class = class[1:]
		}
		in := false
		for k := 0; k < len(class); k++ {
			if k+2 < len(class) && class[k+1] == '-' {
				in = in || class[k] <= c && c <= class[k+2]
				k += 2
				continue
			}
			in = in || class[k] == c
		}
		return in != negated
	}
	return p[i] == c
}

// braces expands {a,b} in a pattern. The pattern itself is always among the results, so that an alternative beyond
// maxBraces is still seen as a path of its own.
func braces(pattern string) []string {
	if len(pattern) > maxLength || !strings.Contains(pattern, "{") {
		return []string{pattern}
	}
	out := []string{pattern}
	for n := 0; n < len(out) && len(out) < maxBraces; {
		head, rest, ok := strings.Cut(out[n], "{")
		if !ok {
			n++
			continue
		}
		body, tail, ok := cutBrace(rest)
		if !ok {
			n++
			continue
		}
		var next []string
		for _, alt := range alternatives(body) {
			next = append(next, head+alt+tail)
		}
		next = append(next, out[n+1:]...)
		out = append(out[:n:n], next[:min(len(next), maxBraces)]...)
	}
	return append(out, pattern)
}

// cutBrace cuts s at the brace that closes the one before it.
func cutBrace(s string) (body, tail string, ok bool) {
	depth := 1
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return s[:i], s[i+1:], true
			}
		}
	}
	return "", "", false
}

// alternatives splits the body of a brace at its own commas.
func alternatives(body string) []string {
	var out []string
	depth, from := 0, 0
	for i := 0; i < len(body); i++ {
		switch body[i] {
		case '{':
			depth++
		case '}':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, body[from:i])
				from = i + 1
			}
		}
	}
	return append(out, body[from:])
}
