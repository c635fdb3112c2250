package project

import (
	"path"
	"slices"
	"sort"

	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/fault"
	"github.com/grimoire-kit/grimoire/surface/frontmatter"
	"github.com/grimoire-kit/grimoire/surface/persona"
	"github.com/grimoire-kit/grimoire/surface/slug"
)

// personas reads every persona of the project, sorted by name.
func (l *loader) personas(skills []surface.Skill) []surface.Agent {
	c := &cast{loader: l, skills: make(map[string]string, len(skills)), kit: map[string]mdFile{}}
	for _, s := range skills {
		c.skills[slug.Fold(s.Slug)] = s.Slug
	}
	for _, file := range c.files() {
		c.add(file)
	}
	c.settleNames()
	agents := make([]surface.Agent, len(c.roles))
	for i, r := range c.roles {
		agents[i] = c.agent(r)
	}
	sort.Slice(agents, func(i, j int) bool { return agents[i].Name < agents[j].Name })
	return agents
}

// cast is the personas gathered so far.
type cast struct {
	*loader
	skills map[string]string // folded slug → slug
	kit    map[string]mdFile // stem → file of the kit
	roles  []role
}

// role is one agent to be: what its file says, on top of base, which is the
// kit's persona under a partial override and the file itself otherwise.
type role struct {
	*persona.Persona
	base     *persona.Persona
	override bool
}

// files lists the persona files no other one hides, strongest folder first.
func (c *cast) files() []mdFile {
	var out []mdFile
	first := map[string]string{} // stem → path
	for _, folder := range persona.Folders {
		files, skipped := c.tree.markdown(folder)
		c.skip(skipped...)
		for _, f := range files {
			if folder == persona.Kit {
				c.kit[f.stem] = f
			}
			by, hidden := first[f.stem]
			switch {
			case !hidden:
				first[f.stem] = f.path
				out = append(out, f)
			case folder != persona.Kit: // the agent itself names what overrides the kit
				c.skip(Skipped{Path: f.path, Reason: surface.Text{
					FR: "masqué par " + by, EN: "hidden by " + by}})
			}
		}
	}
	return out
}

// read returns what a persona file says, or nil once it is listed as skipped.
func (c *cast) read(file mdFile) *persona.Persona {
	text, err := c.tree.prose(file.path)
	if err != nil {
		c.skip(Skipped{Path: file.path, Reason: fault.Text(err)})
		return nil
	}
	p, not := persona.Read(persona.File{Path: file.path, Stem: file.stem}, text)
	if not != nil {
		c.skip(Skipped{Path: file.path, Line: not.Line, Reason: not.Text})
		return nil
	}
	return p
}

// add makes a role of a persona file.
func (c *cast) add(file mdFile) {
	p := c.read(file)
	if p == nil {
		return
	}
	override := path.Dir(p.Path) == persona.Overrides
	if f, ok := p.Block.Fields["extends"]; ok && !override {
		p.Note(f.Line, "extends n'a de sens que dans "+persona.Overrides, "extends has a meaning in "+persona.Overrides+" only")
	}
	base := p
	if override && p.ExtendsKit() {
		if base = c.kitPersona(p); base == nil {
			return
		}
		p.NoteUnused(base)
	}
	c.roles = append(c.roles, role{p, base, override})
}

// settleNames gives each role a name of its own, also on a system that does not
// tell cases apart.
func (c *cast) settleNames() {
	claims := make([]slug.Claim, len(c.roles))
	for i, r := range c.roles {
		claims[i] = slug.Claim{Name: r.base.Name, Exact: r.base.Exact, Other: slug.Of(r.Stem)}
	}
	names := slug.Settle(claims)
	holder := make(map[string]string, len(names)) // folded name → the file that has it
	for i, r := range c.roles {
		holder[slug.Fold(names[i])] = r.Path
	}
	for i, r := range c.roles {
		if wanted := r.base.Name; names[i] != wanted {
			by := surface.Shown(holder[slug.Fold(wanted)])
			r.base.Note(r.base.NameLine, "le nom "+wanted+" est déjà celui de "+by+" (la casse ne compte pas) ; la persona devient "+names[i],
				"the name "+wanted+" is already that of "+by+" (case does not count); the persona becomes "+names[i])
			r.base.Name = names[i]
		}
	}
}

// kitPersona is the kit's persona a partial override builds on.
func (c *cast) kitPersona(p *persona.Persona) *persona.Persona {
	line := p.Block.Fields["extends"].Line // 0 in a block that cannot be read
	file, ok := c.kit[p.Stem]
	if !ok {
		c.fail(&Error{Code: CodeKitPersona, Path: p.Path, Line: line, Key: "extends", Text: surface.Text{
			FR: "le kit n'a pas de persona " + persona.Kit + "/" + p.Stem + ".md",
			EN: "the kit has no persona " + persona.Kit + "/" + p.Stem + ".md"}})
		return nil
	}
	base := c.read(file)
	if base == nil {
		c.fail(&Error{Code: CodeKitPersona, Path: p.Path, Line: line, Key: "extends", Text: surface.Text{
			FR: file.path + " n'est pas une persona", EN: file.path + " is not a persona"}})
	}
	return base
}

// agent is what a role says, held against the project.
func (c *cast) agent(r role) surface.Agent {
	p, base := r.Persona, r.base
	a := persona.Agent(p, base)
	a.Skills = c.skillSlugs(persona.Holder(p, base, "skills"))
	a.Context = c.contextPaths(persona.Holder(p, base, "context"))
	if r.override {
		kind := surface.OverrideFull
		if p != base {
			kind = surface.OverridePartial
			c.note(base)
		}
		a.OverrideRef, a.OverrideKind = &p.Path, &kind
	}
	c.note(p)
	return a
}

// note passes on what a persona's team should look at.
func (c *cast) note(p *persona.Persona) {
	for _, n := range p.Notes {
		c.warn(Warning{Path: p.Path, Line: n.Line, Text: n.Text})
	}
}

// skillSlugs are the skills a persona owns. One that does not exist is an
// error: the persona would start without what it relies on.
func (c *cast) skillSlugs(p *persona.Persona) []string {
	out := []string{}
	for _, it := range p.List("skills", frontmatter.Words) {
		s, ok := c.skills[slug.Fold(slug.Of(it.Value))]
		if !ok {
			c.fail(&Error{Code: CodeSkill, Path: p.Path, Line: it.Line, Key: "skills", Text: surface.Text{
				FR: "la compétence " + surface.Quoted(it.Value) + " n'existe pas", EN: "there is no skill " + surface.Quoted(it.Value)}})
			continue
		}
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// contextPaths are the files a persona starts from.
func (c *cast) contextPaths(p *persona.Persona) []string {
	out := []string{}
	for _, it := range p.List("context", frontmatter.OneWord) {
		rel := path.Clean(it.Value)
		err, seen := c.context[rel]
		if !seen {
			if err = c.tree.exists(rel); !surface.Printable(rel) {
				err = refuse("le chemin contient des caractères de contrôle", "the path holds control characters")
			}
			c.context[rel] = err
		}
		if err != nil {
			why := fault.Text(err)
			c.fail(&Error{Code: CodeContext, Path: p.Path, Line: it.Line, Key: "context", Text: surface.Text{
				FR: surface.Quoted(it.Value) + " : " + why.FR, EN: surface.Quoted(it.Value) + ": " + why.EN}})
			continue
		}
		out = append(out, rel)
	}
	return out
}
