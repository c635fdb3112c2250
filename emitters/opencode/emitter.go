// Package opencode emits a project for opencode: agents, skills, commands, the
// guard plugin, an instructions file, and the entries of opencode.json that
// make opencode load it.
//
// What it writes follows what opencode 1.17.11 and 1.18.33 were observed to
// load and to obey.
package opencode

import (
	"context"
	"embed"
	"fmt"

	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

//go:embed templates
var templates embed.FS

type emitter struct {
	templates *pluginsdk.Templates
}

// New returns the emitter for opencode.
func New() pluginsdk.Emitter {
	return emitter{pluginsdk.NewTemplates(templates)}
}

func (emitter) Profile() pluginsdk.Profile { return profile }

func (e emitter) Emit(ctx context.Context, s *surface.Surface) (*pluginsdk.Plan, error) {
	plan := &pluginsdk.Plan{}
	names := agentNames(s.Agents)
	for _, a := range s.Agents {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f, err := e.agent(s, a, names)
		if err != nil {
			return nil, fmt.Errorf("emit agent %s: %w", a.Name, err)
		}
		plan.Files = append(plan.Files, f)
	}
	for _, k := range s.Skills {
		plan.Files = append(plan.Files, skill(k))
	}
	for _, c := range s.Commands {
		plan.Files = append(plan.Files, command(s.Language, c))
	}
	instructions, err := e.instructions(s, names)
	if err != nil {
		return nil, fmt.Errorf("emit %s: %w", instructionsPath, err)
	}
	guard, err := e.guard(s.Language)
	if err != nil {
		return nil, fmt.Errorf("emit %s: %w", guardPath, err)
	}
	config, err := config(s)
	if err != nil {
		return nil, fmt.Errorf("emit %s: %w", configPath, err)
	}
	plan.Files = append(plan.Files, instructions, guard)
	plan.Merges = append(plan.Merges, config)
	plan.Degradations = degradations(s, names)
	return plan, nil
}

// managed is a whole file that carries the marker.
func managed(path, content string, sources ...string) pluginsdk.File {
	return pluginsdk.File{
		Path:      path,
		Content:   pluginsdk.Managed(path, []byte(content)),
		Ownership: pluginsdk.OwnedByMarker,
		Sources:   sources,
	}
}
