// Package gemini emits a project for Gemini CLI: GEMINI.md, the file it reads
// at start.
//
// Gemini CLI 0.61.0 was observed to load more than that from a trusted folder
// (sub-agents, skills, commands, hooks, policies). None of it is emitted here,
// and every degradation says so.
package gemini

import (
	"embed"

	"github.com/grimoire-kit/grimoire/emitters/prose"
	"github.com/grimoire-kit/grimoire/pluginsdk"
)

//go:embed templates
var templates embed.FS

// New returns the emitter for Gemini CLI.
func New() pluginsdk.Emitter {
	return prose.New(prose.Host{
		Profile:   profile,
		Tools:     tools,
		Templates: pluginsdk.NewTemplates(templates),
		Reasons:   reasons,
	})
}
