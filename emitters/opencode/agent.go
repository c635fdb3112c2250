package opencode

import (
	"strings"

	"github.com/grimoire-kit/grimoire/emitters/prose"
	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

// agent emits one persona. opencode names an agent after its file. The entry
// persona can also be chosen as the session's own agent; the others are only
// ever called.
func (e emitter) agent(s *surface.Surface, a surface.Agent, names map[string]string) (pluginsdk.File, error) {
	mode := "subagent"
	if a.EntryPoint {
		mode = "all"
	}
	head := pluginsdk.Frontmatter(
		pluginsdk.Field{Key: "description", Value: a.Description},
		pluginsdk.Field{Key: "mode", Value: mode},
		// At the last step opencode tells the model so and runs no more tools
		// (observed 1.17.11, 1.18.33).
		pluginsdk.Field{Key: "steps", Value: a.MaxTurns},
	)
	head = strings.TrimSuffix(head, "---\n") + boundary(a.Tools) + "---\n"
	body, err := e.templates.Render(s.Language, "agent", newPersona(s, a, names))
	if err != nil {
		return pluginsdk.File{}, err
	}
	sources := []string{a.DefinitionRef}
	if a.OverrideRef != nil && *a.OverrideRef != a.DefinitionRef {
		sources = append(sources, *a.OverrideRef)
	}
	return managed(".opencode/agent/"+names[a.Name]+".md", head+string(body), sources...), nil
}

// persona is the data of the agent template; every string is safe Markdown.
type persona struct {
	Name, Definition, Override string
	Verbs, Context, Shared     string
	Skills                     []attached
	Entry                      bool
	Routed                     []routed
}

type attached struct{ Slug, Path string }

type routed struct{ Name, Description, Verbs string }

func newPersona(s *surface.Surface, a surface.Agent, names map[string]string) persona {
	p := persona{
		Name:       prose.CodeCell(a.Name),
		Definition: prose.CodeCell(a.DefinitionRef),
		Verbs:      prose.CodeCells(a.Tools),
		Context:    prose.CodeCells(a.Context),
		Shared:     prose.CodeCell(prose.SharedContext),
		Entry:      a.EntryPoint,
	}
	if a.OverrideRef != nil && *a.OverrideRef != a.DefinitionRef {
		p.Override = prose.CodeCell(*a.OverrideRef)
	}
	for _, slug := range a.Skills {
		p.Skills = append(p.Skills, attached{prose.CodeCell(slug), prose.CodeCell(skillPath(slug))})
	}
	if !a.EntryPoint {
		return p
	}
	for _, other := range s.Agents {
		if !other.EntryPoint {
			p.Routed = append(p.Routed, routed{
				Name:        prose.CodeCell(names[other.Name]),
				Description: prose.Cell(other.Description),
				Verbs:       prose.CodeCells(other.Tools),
			})
		}
	}
	return p
}
