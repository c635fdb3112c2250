// Package claude emits the surface of Claude Code: `.claude/agents`, skills,
// commands and settings, and the `CLAUDE.md` bridge.
//
// Formats and behaviours are those observed on Claude Code 2.1.332. The
// package is a pure function of the surface; only the program that serves the
// bundled plugins imports it.
package claude

import (
	"context"
	"embed"
	"fmt"
	"slices"

	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

//go:embed templates
var templateFiles embed.FS

var templates = pluginsdk.NewTemplates(templateFiles)

type emitter struct{}

// New returns the emitter of Claude Code.
func New() pluginsdk.Emitter { return emitter{} }

func (emitter) Profile() pluginsdk.Profile { return profile() }

func (emitter) Emit(_ context.Context, s *surface.Surface) (*pluginsdk.Plan, error) {
	commands, shadowed := splitCommands(s)
	plan := &pluginsdk.Plan{Degradations: degradations(s, shadowed)}

	bridge, err := bridgeFile(s)
	if err != nil {
		return nil, err
	}
	plan.Files = append(plan.Files, bridge)
	for _, a := range s.Agents {
		f, err := agentFile(s, a)
		if err != nil {
			return nil, fmt.Errorf("agent %s: %w", a.Name, err)
		}
		plan.Files = append(plan.Files, f)
	}
	for _, skill := range s.SharedSkills() {
		plan.Files = append(plan.Files, skillFile(skill))
	}
	for _, c := range commands {
		plan.Files = append(plan.Files, commandFile(c, s.Language))
	}
	readme, err := readmeOf(s, len(commands), plan.Degradations)
	if err != nil {
		return nil, err
	}
	plan.Files = append(plan.Files, readme)

	merge, err := settings(s)
	if err != nil {
		return nil, err
	}
	plan.Merges = []pluginsdk.Merge{merge}
	return plan, nil
}

// managed is a Markdown file with its marker.
func managed(path, content string, sources ...string) pluginsdk.File {
	return pluginsdk.File{
		Path: path, Content: pluginsdk.Managed(path, []byte(content)),
		Ownership: pluginsdk.OwnedByMarker, Sources: sources,
	}
}

// imported are the instruction files the bridge imports where a team wrote
// them by hand: Claude Code reads AGENTS.md by itself, but stops once CLAUDE.md
// exists (observed 2.1.332); the existing kit's bridge imports Copilot's.
var imported = []string{"AGENTS.md", ".github/copilot-instructions.md"}

// bridgeFile is CLAUDE.md.
func bridgeFile(s *surface.Surface) (pluginsdk.File, error) {
	data := struct {
		Project           string
		Entry, Definition string
		Imports           []string
	}{Project: pluginsdk.Inline(s.ProjectName)}
	if a, ok := s.Entry(); ok {
		data.Entry, data.Definition = a.Name, pluginsdk.Code(a.DefinitionRef)
	}
	for _, doc := range s.EntryDocs {
		if slices.Contains(imported, doc) {
			data.Imports = append(data.Imports, pluginsdk.Inline(doc))
		}
	}
	body, err := templates.Render(s.Language, "CLAUDE.md", data)
	if err != nil {
		return pluginsdk.File{}, err
	}
	f := managed(entryFile, string(body))
	f.Entry = true
	return f, nil
}

func readmeOf(s *surface.Surface, commands int, lost []surface.Degradation) (pluginsdk.File, error) {
	data := struct {
		Project                                     string
		Agents, Skills, Commands, Hooks, Rules, MCP int
		Blocking                                    []surface.Hook
		Degradations                                []string
	}{
		Project: pluginsdk.Inline(s.ProjectName),
		Agents:  len(s.Agents), Skills: len(s.SharedSkills()), Commands: commands, Hooks: len(s.Hooks),
	}
	for _, list := range permissionRules(s.Permissions) {
		data.Rules += len(list.rules)
	}
	for _, server := range s.MCPServers {
		if server.Declared {
			data.MCP++
		}
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
			"**"+name.In(s.Language)+"**"+colon+pluginsdk.Inline(d.Reason.In(s.Language)+" → "+d.Fallback.In(s.Language)))
	}
	body, err := templates.Render(s.Language, "README.md", data)
	if err != nil {
		return pluginsdk.File{}, err
	}
	return managed(readmeFile, string(body)), nil
}
