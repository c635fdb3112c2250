// Package cursor emits a project for Cursor: one rule that is always applied.
//
// Cursor documents sub-agents, skills, commands and hooks. No Cursor was run
// to see them work, so none of it is emitted, and every degradation says so.
package cursor

import (
	"embed"

	"github.com/grimoire-kit/grimoire/emitters/prose"
	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

//go:embed templates
var templates embed.FS

// New returns the emitter for Cursor.
func New() pluginsdk.Emitter {
	return prose.New(prose.Host{
		Profile:    profile,
		Head:       head,
		Tools:      tools,
		Templates:  pluginsdk.NewTemplates(templates),
		Reasons:    reasons,
		NamedEntry: true,
	})
}

// head makes the rule one that Cursor always applies.
func head(l surface.Language) string {
	return pluginsdk.Frontmatter(
		pluginsdk.Field{Key: "description", Value: l.Text(
			"Grimoire : personas, compétences, commandes et règles du projet",
			"Grimoire: the project's personas, skills, commands and rules",
		)},
		pluginsdk.Field{Key: "alwaysApply", Value: true},
	)
}
