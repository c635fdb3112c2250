// Package copilot emits the surface of GitHub Copilot: `.github/agents`,
// skills, prompts and hooks, and `.github/copilot-instructions.md`.
//
// Formats and behaviours are those observed on Copilot CLI 1.0.102; what only
// VS Code loads is from its documentation. The package is a pure function of
// the surface; only the program that serves the bundled plugins imports it.
package copilot

import (
	"context"
	"embed"
	"fmt"

	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

//go:embed templates
var templateFiles embed.FS

var templates = pluginsdk.NewTemplates(templateFiles)

type emitter struct{}

// New returns the emitter of GitHub Copilot.
func New() pluginsdk.Emitter { return emitter{} }

func (emitter) Profile() pluginsdk.Profile { return profile() }

func (emitter) Emit(_ context.Context, s *surface.Surface) (*pluginsdk.Plan, error) {
	ours := *s
	s, ours.Hooks = &ours, heard(s.Hooks)
	plan := &pluginsdk.Plan{Degradations: degradations(s)}
	add := func(f pluginsdk.File) { plan.Files = append(plan.Files, f) }

	catalogue, err := catalogueFile(s)
	if err != nil {
		return nil, err
	}
	add(catalogue)
	for _, a := range s.Agents {
		f, err := agentFile(s, a)
		if err != nil {
			return nil, fmt.Errorf("agent %s: %w", a.Name, err)
		}
		add(f)
	}
	skills := s.SharedSkills()
	for _, skill := range skills {
		add(skillFile(skill))
	}
	for _, c := range s.Commands {
		if !shadowed(c, skills) {
			add(commandSkill(c, s.Language))
		}
		if c.Source == surface.CommandHost {
			add(promptFile(c, s.Language))
		}
	}
	for _, h := range s.Hooks {
		f, err := hookFile(h, s.Language)
		if err != nil {
			return nil, fmt.Errorf("hook %s: %w", h.Decision, err)
		}
		add(f)
	}
	readme, err := readmeOf(s, plan.Degradations)
	if err != nil {
		return nil, err
	}
	add(readme)
	return plan, nil
}

// managed is a Markdown file with its marker.
func managed(path, content string, sources ...string) pluginsdk.File {
	return pluginsdk.File{
		Path: path, Content: pluginsdk.Managed(path, []byte(content)),
		Ownership: pluginsdk.OwnedByMarker, Sources: sources,
	}
}

// catalogueFile is copilot-instructions.md. It imports nothing: Copilot reads
// the other instruction files of the root by itself, and an import would put
// them in its context twice.
func catalogueFile(s *surface.Surface) (pluginsdk.File, error) {
	data := struct {
		Project, Entry, Definition        string
		Agents, Skills, Prompts, HasHooks bool
		Governed, Refuses                 bool
		Profile                           surface.Profile
	}{
		Project: pluginsdk.Inline(s.ProjectName),
		Agents:  len(s.Agents) > 0, Skills: len(s.SharedSkills())+len(s.Commands) > 0, HasHooks: len(s.Hooks) > 0,
		Governed: s.Governed, Refuses: s.Profile.Blocks(), Profile: s.Profile,
	}
	for _, c := range s.Commands {
		data.Prompts = data.Prompts || c.Source == surface.CommandHost
	}
	if a, ok := s.Entry(); ok {
		data.Entry, data.Definition = a.Name, pluginsdk.Code(a.DefinitionRef)
	}
	body, err := templates.Render(s.Language, "copilot-instructions.md", data)
	if err != nil {
		return pluginsdk.File{}, err
	}
	f := managed(entryFile, string(body))
	f.Entry = true
	return f, nil
}

func readmeOf(s *surface.Surface, lost []surface.Degradation) (pluginsdk.File, error) {
	data := struct {
		Project                         string
		Agents, Skills, Commands, Hooks int
		Blocking                        []surface.Hook
		Degradations                    []string
	}{
		Project: pluginsdk.Inline(s.ProjectName),
		Agents:  len(s.Agents), Skills: len(s.SharedSkills()), Commands: len(s.Commands), Hooks: len(s.Hooks),
	}
	for _, h := range s.Hooks {
		if h.Enforcement == surface.Blocking {
			h.Rationale = pluginsdk.Inline(h.Rationale)
			data.Blocking = append(data.Blocking, h)
		}
	}
	colon := s.Language.Text(" : ", ": ")
	for _, d := range lost {
		name, _ := surface.Lost(d.Surface)
		data.Degradations = append(data.Degradations,
			"**"+name.In(s.Language)+"**"+colon+d.Reason.In(s.Language)+" → "+d.Fallback.In(s.Language))
	}
	body, err := templates.Render(s.Language, "README.md", data)
	if err != nil {
		return pluginsdk.File{}, err
	}
	return managed(readmeFile, string(body)), nil
}
