package copilot

import (
	"strings"

	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

// sharedContext is what a persona reads when it declares no context of its own.
const sharedContext = "_grimoire/_memory/shared-context.md"

// attachedSkill is a skill folded into the file of its persona.
type attachedSkill struct{ Slug, Body string }

// agentFile writes one persona. It has no `name`, which the file's stem gives,
// and never a `model`: which models a team may use is decided in Copilot.
func agentFile(s *surface.Surface, a surface.Agent) (pluginsdk.File, error) {
	tools := agentTools(a.Tools)
	var routed []string
	if a.EntryPoint {
		others := s.Routed()
		for _, o := range others {
			routed = append(routed, o.Name)
		}
		if len(others) > 0 {
			tools = append(agentTools(entryVerbs(a, others)), delegate)
		}
	}
	front := pluginsdk.Frontmatter(
		pluginsdk.Field{Key: "description", Value: described(a.Description, a.Name)},
		pluginsdk.Field{Key: "tools", Value: tools},
		pluginsdk.Field{Key: "user-invocable", Value: a.EntryPoint},
		pluginsdk.Field{Key: "agents", Value: routed},
	)
	data := struct {
		Name, Project, Definition, Boundary, SharedContext string
		Context, Routed                                    []string
		Entry                                              bool
		Skills                                             []attachedSkill
	}{
		Name: a.Name, Project: pluginsdk.Inline(s.ProjectName),
		Definition: pluginsdk.Code(a.DefinitionRef), Boundary: strings.Join(agentTools(a.Tools), ", "),
		SharedContext: pluginsdk.Code(sharedContext), Routed: routed, Entry: a.EntryPoint,
	}
	for _, path := range a.Context {
		data.Context = append(data.Context, pluginsdk.Code(path))
	}
	sources := []string{a.DefinitionRef}
	if a.OverrideRef != nil && *a.OverrideRef != a.DefinitionRef {
		sources = append(sources, *a.OverrideRef)
	}
	for _, skill := range s.SkillsOf(a) {
		data.Skills = append(data.Skills, attachedSkill{skill.Slug, skill.Body})
		sources = append(sources, skill.Ref)
	}
	body, err := templates.Render(s.Language, "agent.md", data)
	if err != nil {
		return pluginsdk.File{}, err
	}
	return managed(agentsDir+a.Name+".agent.md", front+string(body), sources...), nil
}

// described never lets a description be empty: without one Copilot does not
// load an agent, and only its log says so.
func described(description, name string) string {
	if strings.TrimSpace(description) == "" {
		return name
	}
	return description
}
