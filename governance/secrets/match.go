package secrets

import (
	"net/url"
	"path"
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
	return match(p, p, func(_, segment, name string, _ family) bool { return matches(name, segment) })
}

// MatchFolder says whether p names a folder that holds secrets, for a call that takes all of it: a copy, an archive, a
// search. Code in a folder of that name (src/secrets) is left alone.
func MatchFolder(p string) (Match, bool) {
	p = strings.TrimRight(p, `/\`)
	for _, path := range paths(p) {
		for segment := range strings.SplitSeq(path, "/") {
			if segment != "" && strings.Contains(codeRoots, " "+segment+" ") {
				return Match{}, false
			}
		}
	}
	m, ok := MatchGlob(p + "/*")
	m.Fragment = strings.TrimSpace(p)
	return m, ok
}

// MatchGlob says whether a pattern of a search, a filter or a shell is aimed at a secret: it could expand to one, and it
// shares enough with its name. "!pattern" leaves files out and never matches.
func MatchGlob(pattern string) (Match, bool) {
	if strings.HasPrefix(pattern, "!") {
		return Match{}, false
	}
	for _, alternative := range braces(pattern) {
		m, ok := match(alternative, pattern, func(folder, segment, name string, f family) bool {
			switch {
			case !strings.ContainsAny(segment, "*?["):
				return matches(name, segment)
			case f.home != "" && folder == f.home:
				return len(segment) <= maxPattern && overlap(segment, name)
			case strings.TrimRight(segment, "*?") == "." && folder != "**":
				return name == ".env" // the hidden files of one folder, and that one above all
			}
			return aimed(segment, name, f.aim)
		})
		if ok {
			return m, true
		}
	}
	return Match{}, false
}

// match tries each path inside p against the table.
func match(p, fragment string, is func(folder, segment, name string, f family) bool) (Match, bool) {
	for _, path := range paths(p) {
		segments := strings.Split(path, "/")
		code := source(segments[len(segments)-1])
		folder := ""
		for i, s := range segments {
			if i > 0 {
				folder = segments[i-1]
			}
			if code && i < len(segments)-1 {
				continue // a program or a document in a folder that is called like a secret
			}
			for _, f := range families {
				if f.dir && i == len(segments)-1 {
					continue // a file that is called "secret" is no folder of secrets
				}
				for _, name := range f.names {
					if s != "" && is(folder, s, name, f) {
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
			if m, ok := MatchFolder(text); ok {
				return m, true
			}
		}
		if t.Dir != "" && t.Program != "" && !path.IsAbs(text) {
			inside := path.Join(t.Dir, text)
			if m, ok := word(inside, t.Word); ok {
				return m, true
			}
			if t.Folder {
				if m, ok := MatchFolder(inside); ok {
					return m, true
				}
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

// source says that a segment has the extension of a program or a document, or is Go's pattern for what is below.
func source(segment string) bool {
	if segment == "..." {
		return true
	}
	at := strings.LastIndexByte(segment, '.')
	return at >= 0 && strings.Contains(sources, " "+segment[at+1:]+" ")
}

// sample says that what follows ".env." in a name names a file made to be read.
func sample(variant string) bool {
	for part := range strings.SplitSeq(variant, ".") {
		for _, s := range samples {
			if part == s {
				return true
			}
		}
	}
	return false
}

// matches compares a literal segment with a name of the table. A dotenv variant is made of parts of letters, digits, "_"
// and "-" (".env.production.local"); ".env.d.ts" is source code.
func matches(name, segment string) bool {
	if name == ".env.*" {
		rest, ok := strings.CutPrefix(segment, ".env.")
		return ok && rest != "" && rest != "d.ts" && !sample(rest) && strings.Trim(rest, "abcdefghijklmnopqrstuvwxyz0123456789_-.") == ""
	}
	before, after, wild := strings.Cut(name, "*")
	if !wild {
		return segment == name
	}
	return len(segment) > len(name)-1 && strings.HasPrefix(segment, before) && strings.HasSuffix(segment, after) ||
		before != "" && segment == before+after
}
