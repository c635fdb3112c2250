package project

import (
	"strconv"
	"strings"

	"github.com/grimoire-kit/grimoire/surface"
)

// persona is what one file says, before it is held against the project.
type persona struct {
	mdFile
	fm       frontmatter
	name     string
	nameLine int // where the name is written, 0 for the file's own name
	warnings []Warning
}

// readPersona reads the text of a persona file. A file that is not a persona
// comes back as the reason why.
func readPersona(file mdFile, text string) (*persona, *Skipped) {
	p := &persona{mdFile: file, fm: splitFrontmatter(text)}
	if !p.fm.present && strings.EqualFold(p.stem, "readme") {
		return nil, &Skipped{Path: p.path, Reason: surface.Text{
			FR: "un README sans frontmatter n'est pas une persona", EN: "a README without frontmatter is no persona"}}
	}
	if f := p.fm.fault; f != nil {
		p.warn(f.line, "frontmatter illisible ("+f.text.FR+") : la persona n'a que la lecture et la recherche",
			"unreadable frontmatter ("+f.text.EN+"): the persona gets read and search only")
	}
	return p, p.findName(text)
}

// findName settles the name: the `name` key, or the file's name without one. A
// template's placeholder is nobody's name.
func (p *persona) findName(text string) *Skipped {
	written, line, declared := p.writtenName(text)
	if strings.Contains(written, "{{") {
		return &Skipped{Path: p.path, Line: line, Reason: surface.Text{
			FR: "le nom est un emplacement à remplir : " + quoted(written),
			EN: "the name is a placeholder: " + quoted(written)}}
	}
	if declared {
		if p.name = slug(written); p.name != "" {
			p.nameLine = line
			if p.name != written {
				p.warn(line, "le nom "+quoted(written)+" devient "+p.name, "the name "+quoted(written)+" becomes "+p.name)
			}
			return nil
		}
	}
	p.name = slug(p.stem)
	switch {
	case p.name == "":
		return &Skipped{Path: p.path, Line: line, Reason: surface.Text{
			FR: "ni le nom ni le nom de fichier ne contient de lettre ou de chiffre ASCII",
			EN: "neither the name nor the file name holds an ASCII letter or digit"}}
	case declared:
		p.warn(line, "le nom est inutilisable, celui du fichier le remplace : "+p.name,
			"the name cannot be used, the file's stands in: "+p.name)
	case p.name != p.stem:
		p.warn(0, "le nom de fichier "+quoted(p.stem)+" devient "+p.name, "the file name "+quoted(p.stem)+" becomes "+p.name)
	}
	return nil
}

// writtenName is the name as it stands in the file. Where YAML gives none, the
// first `name:` line counts: of the block when it cannot be read, of the prose
// when there is no block (examples between code fences aside).
func (p *persona) writtenName(text string) (name string, line int, declared bool) {
	switch {
	case p.fm.present && p.fm.fault == nil:
		f, ok := p.fm.fields["name"]
		if !ok {
			return "", 0, false
		}
		if s, ok := f.scalar(); ok {
			return s, f.line, true
		}
		// Unquoted braces are a YAML mapping; the line shows what was meant.
		name, _, _ = rawField(p.fm.raw, "name")
		if !strings.Contains(name, "{{") {
			name = ""
		}
		return name, f.line, true
	case p.fm.raw != "":
		name, line, declared = rawField(p.fm.raw, "name")
		return name, line + p.fm.line - 1, declared
	}
	return rawField(maskFences(unixLines(text)), "name")
}

// maskFences blanks the lines between ``` or ~~~ fences.
func maskFences(text string) string {
	if !strings.Contains(text, "```") && !strings.Contains(text, "~~~") {
		return text
	}
	lines := strings.Split(text, "\n")
	fence := ""
	for i, l := range lines {
		trimmed := strings.TrimSpace(l)
		switch {
		case fence == "" && strings.HasPrefix(trimmed, "```"):
			fence = "```"
		case fence == "" && strings.HasPrefix(trimmed, "~~~"):
			fence = "~~~"
		case fence == "":
			continue
		case strings.HasPrefix(trimmed, fence):
			fence = ""
		}
		lines[i] = ""
	}
	return strings.Join(lines, "\n")
}

// quoted shows a value out of a file on one line, at most 60 characters.
func quoted(s string) string {
	if r := []rune(s); len(r) > 60 {
		s = string(r[:60]) + "…"
	}
	return strconv.Quote(s)
}

func (p *persona) warn(line int, fr, en string) {
	p.warnings = append(p.warnings, Warning{Path: p.path, Line: line, Text: surface.Text{FR: fr, EN: en}})
}

// declares reports whether the persona's own file sets key.
func (p *persona) declares(key string) bool {
	f, ok := p.fm.fields[key]
	return ok && !f.null()
}

// description is what hosts show, "" where the file has none.
func (p *persona) description() string {
	return p.fm.text("description", p.warn)
}

// text reads a key that holds one string. A block YAML cannot read still gives
// the value of a plain line.
func (fm frontmatter) text(key string, warn func(line int, fr, en string)) string {
	if fm.fault != nil {
		value, _, _ := rawField(fm.raw, key)
		if value == ">" || value == "|" || strings.HasPrefix(value, ">-") || strings.HasPrefix(value, "|-") {
			return "" // its text is on the next lines
		}
		return value
	}
	f, ok := fm.fields[key]
	if !ok || f.null() {
		return ""
	}
	s, ok := f.scalar()
	if !ok {
		warn(f.line, key+" : un texte était attendu", key+": a text was expected")
	}
	return s
}

// tools is the declared boundary, nil where the text has to be read for it.
func (p *persona) tools() []surface.ToolVerb {
	if p.fm.fault != nil {
		return watching()
	}
	return p.fm.verbs(p.warn)
}

// verbs reads the tools key.
func (fm frontmatter) verbs(warn func(line int, fr, en string)) []surface.ToolVerb {
	f, ok := fm.fields["tools"]
	if !ok || f.null() {
		return nil
	}
	known, unknown, whole := verbs(f)
	switch {
	case !whole:
		warn(f.line, "tools : une liste de verbes était attendue", "tools: a list of verbs was expected")
	case len(unknown) > 0:
		names := quoted(strings.Join(unknown, ", "))
		warn(f.line, "tools : verbes inconnus ignorés : "+names+" (verbes : read, search, edit, execute, web)",
			"tools: unknown verbs left out: "+names+" (verbs: read, search, edit, execute, web)")
	}
	return known
}

// affinity is the kind of model wanted; what is not said is medium.
func (p *persona) affinity() surface.Affinity {
	const unsaid = "medium"
	a := surface.Affinity{Reasoning: unsaid, ContextWindow: unsaid, Speed: unsaid, Cost: unsaid}
	f, ok := p.fm.fields["model_affinity"]
	if !ok || f.null() {
		return a
	}
	keys, wrong := newMapping(f.value, f.offset)
	if wrong != nil {
		p.warn(wrong.line, "model_affinity : "+wrong.text.FR, "model_affinity: "+wrong.text.EN)
		return a
	}
	for _, part := range []struct {
		key string
		to  *string
	}{
		{"reasoning", &a.Reasoning}, {"context_window", &a.ContextWindow}, {"speed", &a.Speed}, {"cost", &a.Cost},
	} {
		v, ok := keys[part.key]
		if !ok || v.null() {
			continue
		}
		s, isText := v.scalar()
		if !isText {
			p.warn(v.line, "model_affinity."+part.key+" : un texte était attendu", "model_affinity."+part.key+": a text was expected")
		} else if s != "" {
			*part.to = s
		}
	}
	return a
}

// maxTurns is a positive number of turns, nil where none is set.
func (p *persona) maxTurns() *int {
	f, ok := p.fm.fields["max_turns"]
	if !ok || f.null() {
		return nil
	}
	s, isText := f.scalar()
	n, err := strconv.ParseUint(s, 10, 31)
	if !isText || err != nil || n == 0 {
		p.warn(f.line, "max_turns : un entier positif était attendu", "max_turns: a positive whole number was expected")
		return nil
	}
	turns := int(n)
	return &turns
}

// list reads a key that holds one string or a list of them, each once.
func (p *persona) list(key string, split func(string) []string) []item {
	f, ok := p.fm.fields[key]
	if !ok {
		return nil
	}
	list, whole := f.items(split)
	if !whole {
		p.warn(f.line, key+" : une liste de textes était attendue", key+": a list of texts was expected")
	}
	seen := make(map[string]bool, len(list))
	out := list[:0]
	for _, it := range list {
		if !seen[it.value] {
			seen[it.value] = true
			out = append(out, it)
		}
	}
	return out
}
