package project

import (
	"path"
	"slices"
	"sort"

	"github.com/grimoire-kit/grimoire/surface"
)

// The folders personas live in, strongest first. A file hides those of the same
// name in the folders after it.
const (
	overrideAgents = Folder + "/overrides/agents"
	kitAgents      = Folder + "/kit/agents"
)

var agentFolders = []string{
	overrideAgents,
	kitAgents,
	Folder + "/_config/custom/agents", // layouts of older kits
	Folder + "/_config/agents",
	Folder + "/agents",
}

// partialKeys are the fields an override with `extends: kit` may redefine.
var partialKeys = []string{
	"model_affinity", "context", "skills", "tools", "use_when", "dont_use_when",
	"max_turns", "description", "tool_boundary",
}

// personas reads every persona of the project, sorted by name.
func (l *loader) personas(skills []surface.Skill) []surface.Agent {
	c := &cast{loader: l, skills: make(map[string]string, len(skills)), kit: map[string]mdFile{}, names: map[string]string{}, agents: []surface.Agent{}}
	for _, s := range skills {
		c.skills[fold(s.Slug)] = s.Slug
	}
	for _, file := range c.files() {
		c.add(file)
	}
	sort.Slice(c.agents, func(i, j int) bool { return c.agents[i].Name < c.agents[j].Name })
	return c.agents
}

// cast is the personas gathered so far.
type cast struct {
	*loader
	skills map[string]string // folded slug → slug
	kit    map[string]mdFile // stem → file of the kit
	names  map[string]string // folded name → the file that has it
	agents []surface.Agent
}

// files lists the persona files no other one hides, strongest folder first.
func (c *cast) files() []mdFile {
	var out []mdFile
	first := map[string]string{} // stem → path
	for _, folder := range agentFolders {
		files, skipped := c.tree.markdown(folder)
		c.skip(skipped...)
		for _, f := range files {
			if folder == kitAgents {
				c.kit[f.stem] = f
			}
			by, hidden := first[f.stem]
			switch {
			case !hidden:
				first[f.stem] = f.path
				out = append(out, f)
			case folder != kitAgents: // the agent itself names what overrides the kit
				c.skip(Skipped{Path: f.path, Reason: surface.Text{
					FR: "masqué par " + by, EN: "hidden by " + by}})
			}
		}
	}
	return out
}

// read returns what a persona file says, or nil once it is listed as skipped.
func (c *cast) read(file mdFile) *persona {
	text, err := c.tree.read(file.path)
	if err != nil {
		c.skip(Skipped{Path: file.path, Reason: reason(err)})
		return nil
	}
	p, skipped := readPersona(file, text)
	if skipped != nil {
		c.skip(*skipped)
		return nil
	}
	return p
}

// add turns a file into an agent, unless another agent has its name.
func (c *cast) add(file mdFile) {
	p := c.read(file)
	if p == nil {
		return
	}
	override := path.Dir(p.path) == overrideAgents
	if f, ok := p.fm.fields["extends"]; ok && !override {
		p.warn(f.line, "extends n'a de sens que dans "+overrideAgents, "extends has a meaning in "+overrideAgents+" only")
	}
	base := p
	if override && p.extendsKit() {
		if base = c.kitPersona(p); base == nil {
			return
		}
	}
	if by, dup := c.names[fold(base.name)]; dup {
		c.skip(Skipped{Path: p.path, Line: base.nameLine, Reason: surface.Text{
			FR: "le nom " + base.name + " est déjà celui de " + by + " (la casse ne compte pas)",
			EN: "the name " + base.name + " is already that of " + by + " (case does not count)"}})
		return
	}
	c.names[fold(base.name)] = p.path
	c.agents = append(c.agents, c.agent(p, base, override))
}

// kitPersona is the kit's persona a partial override builds on.
func (c *cast) kitPersona(p *persona) *persona {
	line := p.fm.fields["extends"].line // 0 in a block that cannot be read
	file, ok := c.kit[p.stem]
	if !ok {
		c.fail(&Error{Code: CodeKitPersona, Path: p.path, Line: line, Key: "extends", Text: surface.Text{
			FR: "le kit n'a pas de persona " + kitAgents + "/" + p.stem + ".md",
			EN: "the kit has no persona " + kitAgents + "/" + p.stem + ".md"}})
		return nil
	}
	base := c.read(file)
	if base == nil {
		c.fail(&Error{Code: CodeKitPersona, Path: p.path, Line: line, Key: "extends", Text: surface.Text{
			FR: file.path + " n'est pas une persona", EN: file.path + " is not a persona"}})
	}
	return base
}

// extendsKit reports a partial override, and names the keys it may not set.
func (p *persona) extendsKit() bool {
	if p.fm.fault != nil {
		base, _, _ := rawField(p.fm.raw, "extends")
		return base == "kit"
	}
	f, ok := p.fm.fields["extends"]
	if !ok || f.null() {
		return false
	}
	if s, _ := f.scalar(); s != "kit" {
		p.warn(f.line, "extends : seule la valeur kit existe ; la persona est lue comme complète",
			"extends: kit is the only value there is; the persona is read as a whole one")
		return false
	}
	for key, f := range p.fm.fields {
		if key != "extends" && key != "kit_source_hash" && key != "name" && !slices.Contains(partialKeys, key) {
			p.warn(f.line, shown(key)+" : une surcharge partielle ne peut pas le redéfinir", shown(key)+": a partial override cannot redefine it")
		}
	}
	return true
}

// agent builds the agent p describes on top of base, which is p itself except
// for a partial override.
func (c *cast) agent(p, base *persona, override bool) surface.Agent {
	from := func(key string) *persona { // the file that has the say about key
		if p.declares(key) {
			return p
		}
		return base
	}
	a := surface.Agent{
		Name:          base.name,
		Description:   from("description").description(),
		DefinitionRef: base.path,
		ToolsOrigin:   surface.ToolsDeclared,
		Affinity:      from("model_affinity").affinity(),
		MaxTurns:      from("max_turns").maxTurns(),
		Skills:        c.skillSlugs(from("skills")),
		Context:       c.contextPaths(from("context")),
	}
	holder := from("tools")
	if p.fm.fault != nil {
		holder = p // a narrower boundary may be what we cannot read
	}
	a.Tools = holder.tools()
	if a.Tools == nil && base.fm.fault != nil {
		a.Tools = watching()
	}
	if a.Tools == nil {
		a.Tools = infer(a.Description, base.fm.body)
		a.ToolsOrigin = surface.ToolsInferred
	}
	if holder.fm.fault != nil {
		a.ToolsOrigin = surface.ToolsInferred
	}
	if a.Description == "" {
		a.Description = "Grimoire agent " + a.Name
	}
	if override {
		kind := surface.OverrideFull
		if p != base {
			kind = surface.OverridePartial
			c.warn(base.warnings...)
		}
		a.OverrideRef, a.OverrideKind = &p.path, &kind
	}
	c.warn(p.warnings...)
	return a
}

// skillSlugs are the skills a persona owns. One that does not exist is an
// error: the persona would start without what it relies on.
func (c *cast) skillSlugs(p *persona) []string {
	out := []string{}
	for _, it := range p.list("skills", splitWords) {
		s, ok := c.skills[fold(slug(it.value))]
		if !ok {
			c.fail(&Error{Code: CodeSkill, Path: p.path, Line: it.line, Key: "skills", Text: surface.Text{
				FR: "la compétence " + quoted(it.value) + " n'existe pas", EN: "there is no skill " + quoted(it.value)}})
			continue
		}
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// contextPaths are the files a persona starts from.
func (c *cast) contextPaths(p *persona) []string {
	out := []string{}
	for _, it := range p.list("context", oneWord) {
		rel := path.Clean(it.value)
		err, seen := c.context[rel]
		if !seen {
			if err = c.tree.exists(rel); !printable(rel) {
				err = refuse("le chemin contient des caractères de contrôle", "the path holds control characters")
			}
			c.context[rel] = err
		}
		if err != nil {
			why := reason(err)
			c.fail(&Error{Code: CodeContext, Path: p.path, Line: it.line, Key: "context", Text: surface.Text{
				FR: quoted(it.value) + " : " + why.FR, EN: quoted(it.value) + ": " + why.EN}})
			continue
		}
		out = append(out, rel)
	}
	return out
}
