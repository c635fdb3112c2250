package secrets

import (
	"net/url"
	"strings"

	"github.com/grimoire-kit/grimoire/governance/command"
)

// Match is one secret that was named.
type Match struct {
	Family Family
	// Fragment is the part that named it, for messages: never the whole command.
	Fragment string
}

// MatchPath says whether p names a secret file. Both separators count, case does not, and what stands before a path
// inside an argument ("HEAD:.env", "file=@.env") is set aside.
func MatchPath(p string) (Match, bool) {
	return match(p, p, func(segment, name string, _ family) bool { return !sample(segment) && matches(name, segment) })
}

// MatchGlob says whether a pattern of a search, a filter or a shell is aimed at a secret: it could expand to one, and it
// shares enough with its name. "!pattern" leaves files out and never matches.
func MatchGlob(pattern string) (Match, bool) {
	if strings.HasPrefix(pattern, "!") {
		return Match{}, false
	}
	for _, alternative := range braces(pattern) {
		m, ok := match(alternative, pattern, func(segment, name string, f family) bool {
			if strings.ContainsAny(segment, "*?[") {
				return aimed(segment, name, f.aim)
			}
			return !sample(segment) && matches(name, segment)
		})
		if ok {
			return m, true
		}
	}
	return Match{}, false
}

// match tries each path inside p against the table.
func match(p, fragment string, is func(segment, name string, f family) bool) (Match, bool) {
	for _, path := range paths(p) {
		segments := strings.Split(path, "/")
		for i, s := range segments {
			for _, f := range families {
				if f.dir && i == len(segments)-1 {
					continue // a file that is called "secret" is no folder of secrets
				}
				for _, name := range f.names {
					if s != "" && is(s, name, f) {
						return Match{f.id, strings.TrimSpace(fragment)}, true
					}
				}
			}
		}
	}
	return Match{}, false
}

// InCommand returns the first secret whose content a command would read, copy, send or search. Writing one, or asking
// for its name only (ls, test, chmod, rm), shows nothing and is no match.
func InCommand(facts command.Facts) (Match, bool) {
	for _, t := range facts.Targets {
		if t.Access != command.Read {
			continue
		}
		text := strings.ReplaceAll(t.Word.Text, command.Unknown, "*")
		if m, ok := word(text, t.Word); ok {
			return m, true
		}
		if t.Folder {
			if m, ok := MatchPath(strings.TrimRight(text, `/\`) + "/*"); ok {
				return Match{m.Family, text}, true
			}
		}
	}
	return Match{}, false
}

func word(text string, w command.Word) (Match, bool) {
	if m, ok := MatchPath(text); ok {
		return m, true
	}
	// A shell that takes backslashes for separators sees the word as it was written.
	if strings.Contains(w.Source, `\`) && !w.Glob {
		if m, ok := MatchPath(w.Source); ok {
			return m, true
		}
	}
	if w.Glob || strings.ContainsAny(text, "*?[{") {
		return MatchGlob(text)
	}
	return Match{}, false
}

// paths returns the paths that an argument may hold, in lower case with forward slashes.
func paths(p string) []string {
	p = strings.TrimSpace(p)
	if len(p) >= 5 && strings.EqualFold(p[:5], "file:") {
		if decoded, err := url.PathUnescape(p); err == nil {
			p = decoded
		}
	}
	p = strings.ReplaceAll(strings.ToLower(p), `\`, "/")
	return strings.FieldsFunc(p, func(r rune) bool {
		switch r {
		case '=', ':', '@', ',', '"', '\'', '{', '}':
			return true
		}
		return false
	})
}

// sample says that a segment names a file made to be read.
func sample(segment string) bool {
	for _, s := range samples {
		if segment == s {
			return true
		}
	}
	return false
}

// matches compares a literal segment with a name of the table. A dotenv variant is one further segment of letters,
// digits, "_" and "-": ".env.d.ts" is source code.
func matches(name, segment string) bool {
	if name == ".env.*" {
		rest, ok := strings.CutPrefix(segment, ".env.")
		return ok && rest != "" && strings.Trim(rest, "abcdefghijklmnopqrstuvwxyz0123456789_-") == ""
	}
	before, after, wild := strings.Cut(name, "*")
	if !wild {
		return segment == name
	}
	return len(segment) > len(name)-1 && strings.HasPrefix(segment, before) && strings.HasSuffix(segment, after) ||
		before != "" && segment == before+after
}
