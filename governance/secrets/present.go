package secrets

import (
	"path"
	"strings"

	"github.com/grimoire-kit/grimoire/governance/command"
)

// Present returns the first secret below a folder of secrets that a pattern of the command reaches because the folder is
// there: "s*s/token" spells too little to be aimed at one, and names it all the same. start is the folder that the line
// starts in and exists answers for paths relative to the project, which may hold patterns.
func Present(facts command.Facts, start string, exists func(string) bool) (Match, bool) {
	for _, t := range facts.Targets {
		text := t.Word.Text
		if t.Access != command.Read || !t.Word.Resolved() || !t.Word.Glob && !strings.ContainsAny(t.Dir, "*?[") {
			continue
		}
		switch {
		case path.IsAbs(text) || strings.HasPrefix(text, "~"):
			continue
		case t.Dir != "":
			text = path.Join(t.Dir, text)
		default:
			text = path.Join(start, text)
		}
		if m, ok := present(text, t.Folder, exists); ok {
			return m, true
		}
	}
	return Match{}, false
}

func present(pattern string, folder bool, exists func(string) bool) (Match, bool) {
	segments := strings.Split(pattern, "/")
	if len(pattern) > maxLength || len(segments) > maxBraces {
		return Match{}, false
	}
	for i, s := range segments {
		if i == len(segments)-1 && !folder || !strings.ContainsAny(s, "*?[") || literals(s) == 0 || len(s) > maxPattern {
			continue // "*" means everything, as in a search of all files
		}
		for _, f := range families {
			for _, name := range f.names {
				if !f.dir || !overlap(strings.ToLower(s), name) {
					continue
				}
				segments[i] = name
				full := path.Join(segments...)
				segments[i] = s
				if !exists(full) {
					continue
				}
				m, ok := MatchPath(full)
				if !ok && folder {
					m, ok = MatchFolder(full)
				}
				if ok {
					m.Fragment = pattern
					return m, true
				}
			}
		}
	}
	return Match{}, false
}
