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
		Deny:   CodeCells(s.Permissions.Deny),
		Ask:    CodeCells(s.Permissions.Ask),
		Gates:  Gates(s),
		Shared: CodeCell(SharedContext),
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
		p.Verbs = append(p.Verbs, verb{Name: CodeCell(string(v)), Covers: h.Tools[v].In(s.Language)})
	}
	for _, k := range s.Skills {
		p.Skills = append(p.Skills, skill{
			Slug:        CodeCell(k.Slug),
			Description: Cell(k.Description),
			Copy:        CodeCell(SkillsDir + k.Slug + ".md"),
			Personas:    CodeCells(owners[k.Slug]),
		})
	}
	for _, c := range s.Commands {
		p.Commands = append(p.Commands, command{
			Run:         CodeCell("grimoire host run " + c.Slug),
			Hint:        CodeCell(c.ArgumentHint),
			Description: Cell(c.Description),
		})
	}
	var servers []string
	for _, m := range s.MCPServers {
		if m.Declared { // one that is not would be looked for in vain
			servers = append(servers, m.Name)
		}
	}
	p.Servers = CodeCells(servers)
	for _, k := range s.Hooks {
		p.Hooks = append(p.Hooks, hook{
			Event:     CodeCell(string(k.Event)),
			Decision:  CodeCell(k.Decision),
			Rationale: Cell(k.Rationale),
			Blocking:  k.Enforcement == surface.Blocking,
		})
	}
	return p
}

func newPersona(a surface.Agent) persona {
	p := persona{
		Name:        CodeCell(a.Name),
		Description: Cell(a.Description),
		Definition:  CodeCell(a.DefinitionRef),
		Verbs:       CodeCells(a.Tools),
		Context:     CodeCells(a.Context),
		Skills:      CodeCells(a.Skills),
		Entry:       a.EntryPoint,
	}
	// A partial override completes the kit's file, which stays the definition.
	if a.OverrideRef != nil && *a.OverrideRef != a.DefinitionRef {
		p.Override = CodeCell(*a.OverrideRef)
	}
	return p
}

// Gates reports whether the commands that check the closing gates are worth
// naming: the project is enrolled, and the end of a session is refused where
// a host can refuse it.
func Gates(s *surface.Surface) bool {
	h, ok := s.Hook(surface.Stop)
	return ok && s.Governed && h.Enforcement == surface.Blocking
}
