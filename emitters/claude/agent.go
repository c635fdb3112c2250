package claude

import (
	"strings"

	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

// turnsByDefault bounds a persona that declares no `max_turns`.
const turnsByDefault = 30

// sharedContext is what a persona reads when it declares no context of its own.
const sharedContext = "_grimoire/_memory/shared-context.md"

// attachedSkill is a skill folded into the file of its persona.
type attachedSkill struct{ Slug, Tools, Body string }

func agentFile(s *surface.Surface, a surface.Agent) (pluginsdk.File, error) {
	turns := turnsByDefault
	if a.MaxTurns != nil {
		turns = *a.MaxTurns
	}
	fields := []pluginsdk.Field{
		{Key: "name", Value: a.Name},
		{Key: "description", Value: described(a.Description, a.Name)},
		{Key: "tools", Value: agentTools(a.Tools)},
		{Key: "model", Value: model(a.Affinity)},
		{Key: "effort", Value: effort(a.Affinity)},
		{Key: "maxTurns", Value: turns},
	}
	if !a.EntryPoint {
		fields = append(fields, pluginsdk.Field{Key: "background", Value: true})
	}
	data := struct {
		Name, Project, Definition, Boundary, SharedContext string
		Context                                            []string
		Entry                                              bool
		Skills                                             []attachedSkill
	}{
		Name: a.Name, Project: pluginsdk.Inline(s.ProjectName),
		Definition: pluginsdk.Code(a.DefinitionRef), Boundary: joinVerbs(a.Tools),
		SharedContext: pluginsdk.Code(sharedContext), Entry: a.EntryPoint,
	}
	for _, path := range a.Context {
		data.Context = append(data.Context, pluginsdk.Code(path))
	}
	sources := []string{a.DefinitionRef}
	if a.OverrideRef != nil && *a.OverrideRef != a.DefinitionRef {
		sources = append(sources, *a.OverrideRef)
	}
	for _, skill := range s.SkillsOf(a) {
		data.Skills = append(data.Skills, attachedSkill{skill.Slug, toolList(skill.Tools), skill.Body})
		sources = append(sources, skill.Ref)
	}
	body, err := templates.Render(s.Language, "agent.md", data)
	if err != nil {
		return pluginsdk.File{}, err
	}
	return managed(agentsDir+a.Name+".md", pluginsdk.Frontmatter(fields...)+string(body), sources...), nil
}

// described never lets a description be empty: without one Claude Code does
// not load an agent, and says nothing.
func described(description, name string) string {
	if strings.TrimSpace(description) == "" {
		return name
	}
	return description
}

func joinVerbs(verbs []surface.ToolVerb) string {
	if len(verbs) == 0 {
		verbs = []surface.ToolVerb{surface.Read, surface.Search}
	}
	words := make([]string, len(verbs))
	for i, v := range verbs {
		words[i] = string(v)
	}
	return strings.Join(words, ", ")
}
