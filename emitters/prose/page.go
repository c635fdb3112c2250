package prose

import (
	"github.com/grimoire-kit/grimoire/surface"
)

// SharedContext is what a persona reads when it declares no context.
const SharedContext = "_grimoire/_memory/shared-context.md"

// page is the data of the templates. Every string in it is Markdown that is
// already safe in a table cell.
type page struct {
	Host        string
	Opening     string
	Enforcement string

	Entry    *persona
	Personas []persona
	Verbs    []verb
	Skills   []skill
	Commands []command
	Servers  string

	Hooks  []hook
	Deny   string
	Ask    string
	Gates  bool // a blocking closing hook exists: its commands are worth naming
	Shared string
}

type persona struct {
	Name, Description, Definition, Override, Verbs, Context, Skills string
	Entry                                                           bool
}

type verb struct{ Name, Covers string }

type skill struct{ Slug, Description, Copy, Personas string }

type command struct{ Run, Hint, Description string }

type hook struct {
	Event, Decision, Rationale string
	Blocking                   bool
}

func newPage(h Host, s *surface.Surface) page {
	p := page{
		Host:   h.Profile.DisplayName,
		Deny:   CodeList(s.Permissions.Deny),
		Ask:    CodeList(s.Permissions.Ask),
		Gates:  s.Governed && closes(s),
		Shared: Code(SharedContext),
	}
	owners := map[string][]string{}
	for _, a := range s.Agents {
		p.Personas = append(p.Personas, newPersona(a))
		for _, slug := range a.Skills {
			owners[slug] = append(owners[slug], a.Name)
		}
	}
	for i := range p.Personas {
		if p.Personas[i].Entry {
			p.Entry = &p.Personas[i]
			break
		}
	}
	for _, v := range surface.ToolVerbs {
		p.Verbs = append(p.Verbs, verb{Name: Code(string(v)), Covers: h.Tools[v].In(s.Language)})
	}
	for _, k := range s.Skills {
		p.Skills = append(p.Skills, skill{
			Slug:        Code(k.Slug),
			Description: Inline(k.Description),
			Copy:        Code(SkillsDir + k.Slug + ".md"),
			Personas:    CodeList(owners[k.Slug]),
		})
	}
	for _, c := range s.Commands {
		p.Commands = append(p.Commands, command{
			Run:         Code("grimoire host run " + c.Slug),
			Hint:        Code(c.ArgumentHint),
			Description: Inline(c.Description),
		})
	}
	var servers []string
	for _, m := range s.MCPServers {
		servers = append(servers, m.Name)
	}
	p.Servers = CodeList(servers)
	for _, k := range s.Hooks {
		p.Hooks = append(p.Hooks, hook{
			Event:     Code(string(k.Event)),
			Decision:  Code(k.Decision),
			Rationale: Inline(k.Rationale),
			Blocking:  k.Enforcement == surface.Blocking,
		})
	}
	return p
}

func newPersona(a surface.Agent) persona {
	p := persona{
		Name:        Code(a.Name),
		Description: Inline(a.Description),
		Definition:  Code(a.DefinitionRef),
		Verbs:       CodeList(a.Tools),
		Context:     CodeList(a.Context),
		Skills:      CodeList(a.Skills),
		Entry:       a.EntryPoint,
	}
	// A partial override completes the kit's file, which stays the definition.
	if a.OverrideRef != nil && *a.OverrideRef != a.DefinitionRef {
		p.Override = Code(*a.OverrideRef)
	}
	return p
}

// closes reports whether a hook can refuse the end of a session.
func closes(s *surface.Surface) bool {
	h, ok := s.Hook(surface.Stop)
	return ok && h.Enforcement == surface.Blocking
}
