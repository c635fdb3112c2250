// Package codex emits a project for Codex: AGENTS.md, the file that Codex and
// several other agents read at start.
//
// Codex CLI 0.171.0 was observed to load more than that from a trusted
// project (sub-agents, skills, hooks, execution rules), each behind a review
// by the user. None of it is emitted here, and every degradation says so.
package codex

import (
	"embed"

	"github.com/grimoire-kit/grimoire/emitters/prose"
	"github.com/grimoire-kit/grimoire/pluginsdk"
)

//go:embed templates
var templates embed.FS

// entryLimit is what Codex reads of AGENTS.md, its default
// `project_doc_max_bytes`. A file of 48 KB was observed to lose its end
// (Codex CLI 0.171.0).
const entryLimit = 32 << 10

// New returns the emitter for Codex.
func New() pluginsdk.Emitter {
	return prose.New(prose.Host{
		Profile:    profile,
		Tools:      tools,
		Templates:  pluginsdk.NewTemplates(templates),
		Reasons:    reasons,
		EntryLimit: entryLimit,
	})
}
