package persona

import (
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/frontmatter"
)

// The folders personas live in, relative to the project.
const (
	Overrides = "_grimoire/overrides/agents"
	Kit       = "_grimoire/kit/agents"
)

// Folders are all of them, strongest first: a file hides those of the same
// name in the folders after it.
var Folders = []string{
	Overrides,
	Kit,
	"_grimoire/_config/custom/agents", // layouts of older kits
	"_grimoire/_config/agents",
	"_grimoire/agents",
}

// partialKeys are the fields an override with `extends: kit` may redefine.
var partialKeys = []string{
	"model_affinity", "context", "skills", "tools", "use_when", "dont_use_when",
	"max_turns", "description", "tool_boundary",
}

// ExtendsKit reports a partial override, and names the keys it may not set.
func (p *Persona) ExtendsKit() bool {
	if p.Block.Fault != nil {
		base, _, _ := frontmatter.Raw(p.Block.Raw, "extends")
		return base == "kit"
	}
	f, ok := p.Block.Fields["extends"]
	if !ok || f.Null() {
		return false
	}
	if s, _ := f.Scalar(); s != "kit" {
		p.Note(f.Line, "extends : seule la valeur kit existe ; la persona est lue comme complète",
			"extends: kit is the only value there is; the persona is read as a whole one")
		return false
	}
	for key, f := range p.Block.Fields {
		if key != "extends" && key != "kit_source_hash" && key != "name" && !slices.Contains(partialKeys, key) {
			p.Note(f.Line, surface.Shown(key)+" : une surcharge partielle ne peut pas le redéfinir", surface.Shown(key)+": a partial override cannot redefine it")
		}
	}
	return true
}

// NoteUnused names what the partial override p says that nobody reads: another
// name than base's, and a body.
func (p *Persona) NoteUnused(base *Persona) {
	if p.NameLine > 0 && p.Name != base.Name {
		p.Note(p.NameLine, "name : une surcharge partielle garde le nom du kit, "+base.Name, "name: a partial override keeps the kit's name, "+base.Name)
	}
	if p.Block.Fault == nil && strings.TrimSpace(p.Block.Body) != "" {
		p.Note(0, "le texte d'une surcharge partielle n'est pas lu : celui de "+base.Path+" vaut ; sans extends, la persona serait complète",
			"the text of a partial override is not read: that of "+base.Path+" holds; without extends the persona would be a whole one")
	}
}

// Holder is the file that has the say about key: the override p where it sets
// it, else base, which is p itself except for a partial override.
func Holder(p, base *Persona, key string) *Persona {
	if p.Declares(key) {
		return p
	}
	return base
}

// Agent is the agent p describes on top of base, less what has to be held
// against the project: skills and context.
func Agent(p, base *Persona) surface.Agent {
	a := surface.Agent{
		Name:          base.Name,
		Description:   Holder(p, base, "description").Description(),
		DefinitionRef: base.Path,
		ToolsOrigin:   surface.ToolsDeclared,
		Affinity:      Holder(p, base, "model_affinity").Affinity(),
		MaxTurns:      Holder(p, base, "max_turns").MaxTurns(),
	}
	holder := Holder(p, base, "tools")
	if p.Block.Fault != nil {
		holder = p // a narrower boundary may be what we cannot read
	}
	a.Tools = holder.Tools()
	if a.Tools == nil && base.Block.Fault != nil {
		a.Tools = Watching()
	}
	if a.Tools == nil {
		a.Tools = infer(a.Description, base.Block.Body)
		a.ToolsOrigin = surface.ToolsInferred
	}
	if holder.Block.Fault != nil {
		a.ToolsOrigin = surface.ToolsInferred
	}
	if a.Description == "" {
		a.Description = "Grimoire agent " + a.Name
	}
	return a
}
