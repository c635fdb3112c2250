// Package persona reads what a persona file says: its name, its description and
// the tools it may use, also where the file declares none.
//
// It is pure: its callers read the files and hold what a persona names against
// the project. Core and the hook use it, so that the persona a session adopts
// is the one that was emitted.
package persona

import (
	"strconv"
	"strings"

	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/frontmatter"
	"github.com/grimoire-kit/grimoire/surface/slug"
)

// File is where a persona is written.
type File struct {
	Path string // project-relative, slash-separated
	Stem string // its name without .md
}

// Note is something about a persona that its team should look at.
type Note struct {
	Line int // 0 where the whole file is meant
	Text surface.Text
}

// Persona is what one file says, before it is held against the project.
type Persona struct {
	File
	Name     string
	NameLine int  // where the name is written, 0 for the file's own name
	Exact    bool // Name is what is written, not a slug made of it
	Notes    []Note
	Block    frontmatter.Block
}

// Read reads the text of a persona file. A file that is not a persona comes
// back as the reason why.
func Read(file File, text string) (*Persona, *Note) {
	p := &Persona{File: file, Block: frontmatter.Split(text)}
	if !p.Block.Present && strings.EqualFold(p.Stem, "readme") {
		return nil, &Note{Text: surface.Text{
			FR: "un README sans frontmatter n'est pas une persona", EN: "a README without frontmatter is no persona"}}
	}
	if f := p.Block.Fault; f != nil {
		p.Note(f.Line, "frontmatter illisible ("+f.Text.FR+") : la persona n'a que la lecture et la recherche",
			"unreadable frontmatter ("+f.Text.EN+"): the persona gets read and search only")
	}
	if p.Block.Stray > 0 && p.Block.Fault == nil {
		p.Note(p.Block.Stray, "des octets ne sont pas de l'UTF-8 : U+FFFD les remplace", "bytes are not UTF-8: U+FFFD stands in for them")
	}
	if not := p.findName(); not != nil {
		return nil, not
	}
	return p, nil
}

// findName settles the name: the `name` key, or the file's name without one. A
// template's placeholder is nobody's name.
func (p *Persona) findName() *Note {
	written, line, declared := p.writtenName()
	if strings.Contains(written, "{{") {
		return &Note{Line: line, Text: surface.Text{
			FR: "le nom est un emplacement à remplir : " + surface.Quoted(written),
			EN: "the name is a placeholder: " + surface.Quoted(written)}}
	}
	if declared {
		if p.Name = slug.Of(written); p.Name != "" {
			p.NameLine, p.Exact = line, p.Name == written
			if !p.Exact {
				p.Note(line, "le nom "+surface.Quoted(written)+" devient "+p.Name, "the name "+surface.Quoted(written)+" becomes "+p.Name)
			}
			return nil
		}
	}
	p.Name = slug.Of(p.Stem)
	p.Exact = !declared && p.Name == p.Stem
	switch {
	case p.Name == "":
		return &Note{Line: line, Text: surface.Text{
			FR: "ni le nom ni le nom de fichier ne contient de lettre ou de chiffre ASCII",
			EN: "neither the name nor the file name holds an ASCII letter or digit"}}
	case declared:
		p.Note(line, "le nom est inutilisable, celui du fichier le remplace : "+p.Name,
			"the name cannot be used, the file's stands in: "+p.Name)
	case !p.Exact:
		p.Note(0, "le nom de fichier "+surface.Quoted(p.Stem)+" devient "+p.Name, "the file name "+surface.Quoted(p.Stem)+" becomes "+p.Name)
	}
	return nil
}

// writtenName is the name as it stands in the file. Where YAML gives none, the
// first `name:` line counts: of the block when it cannot be read, of the prose
// when there is no block (examples between code fences aside).
func (p *Persona) writtenName() (name string, line int, declared bool) {
	switch {
	case p.Block.Present && p.Block.Fault == nil:
		f, ok := p.Block.Fields["name"]
		if !ok {
			return "", 0, false
		}
		if s, ok := f.Scalar(); ok {
			return s, f.Line, true
		}
		// Unquoted braces are a YAML mapping; the line shows what was meant.
		name, _, _ = frontmatter.Raw(p.Block.Raw, "name")
		if !strings.Contains(name, "{{") {
			name = ""
		}
		return name, f.Line, true
	case p.Block.Raw != "":
		name, line, declared = frontmatter.Raw(p.Block.Raw, "name")
		return name, line + p.Block.Line - 1, declared
	}
	return frontmatter.Raw(maskFences(p.Block.Body), "name")
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

// Note adds something the persona's team should look at, on a line of its file
// (0 for the whole of it).
func (p *Persona) Note(line int, fr, en string) {
	p.Notes = append(p.Notes, Note{Line: line, Text: surface.Text{FR: fr, EN: en}})
}

// Declares reports whether the persona's own file sets key.
func (p *Persona) Declares(key string) bool {
	f, ok := p.Block.Fields[key]
	return ok && !f.Null()
}

// Description is what hosts show, "" where the file has none.
func (p *Persona) Description() string {
	return p.Block.Text("description", p.Note)
}

// Tools is the declared boundary, nil where the text has to be read for it.
func (p *Persona) Tools() []surface.ToolVerb {
	if p.Block.Fault != nil {
		return Watching()
	}
	return Verbs(p.Block, p.Note)
}

// Affinity is the kind of model wanted; what is not said is medium.
func (p *Persona) Affinity() surface.Affinity {
	const unsaid = "medium"
	a := surface.Affinity{Reasoning: unsaid, ContextWindow: unsaid, Speed: unsaid, Cost: unsaid}
	f, ok := p.Block.Fields["model_affinity"]
	if !ok || f.Null() {
		return a
	}
	keys, wrong := f.Keys()
	if wrong != nil {
		p.Note(wrong.Line, "model_affinity : "+wrong.Text.FR, "model_affinity: "+wrong.Text.EN)
		return a
	}
	for _, part := range []struct {
		key string
		to  *string
	}{
		{"reasoning", &a.Reasoning}, {"context_window", &a.ContextWindow}, {"speed", &a.Speed}, {"cost", &a.Cost},
	} {
		v, ok := keys[part.key]
		if !ok || v.Null() {
			continue
		}
		s, isText := v.Scalar()
		if !isText {
			p.Note(v.Line, "model_affinity."+part.key+" : un texte était attendu", "model_affinity."+part.key+": a text was expected")
		} else if s != "" {
			*part.to = s
		}
	}
	return a
}

// MaxTurns is a positive number of turns, nil where none is set.
func (p *Persona) MaxTurns() *int {
	f, ok := p.Block.Fields["max_turns"]
	if !ok || f.Null() {
		return nil
	}
	s, isText := f.Scalar()
	n, err := strconv.ParseUint(s, 10, 31)
	if !isText || err != nil || n == 0 {
		p.Note(f.Line, "max_turns : un entier positif était attendu", "max_turns: a positive whole number was expected")
		return nil
	}
	turns := int(n)
	return &turns
}

// List reads a key that holds one string or a list of them, each once.
func (p *Persona) List(key string, split func(string) []string) []frontmatter.Item {
	f, ok := p.Block.Fields[key]
	if !ok {
		return nil
	}
	list, whole := f.Items(split)
	if !whole {
		p.Note(f.Line, key+" : une liste de textes était attendue", key+": a list of texts was expected")
	}
	seen := make(map[string]bool, len(list))
	out := list[:0]
	for _, it := range list {
		if !seen[it.Value] {
			seen[it.Value] = true
			out = append(out, it)
		}
	}
	return out
}
