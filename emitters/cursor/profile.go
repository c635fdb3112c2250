package cursor

import (
	"github.com/grimoire-kit/grimoire/emitters/prose"
	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

var profile = pluginsdk.Profile{
	ID:           "host-cursor",
	Aliases:      []string{"cursor"},
	DisplayName:  "Cursor",
	Capabilities: []surface.Capability{surface.MCP},
	Entrypoint:   ".cursor/rules/grimoire.mdc",
	// Set in the commands that Cursor's agent runs, documented.
	Env:    []string{"CURSOR_AGENT"},
	Detect: []pluginsdk.Mark{{All: []string{".cursor/"}}},
	Owns:   []string{".cursor/rules/grimoire.mdc", prose.SkillsDir},
	Notes: surface.Text{
		FR: "Jamais lancé : ce qui est dit de Cursor vient de sa documentation. " +
			"Cursor peut aussi charger les hooks de `.claude/settings.json` si l'utilisateur active les configurations tierces.",
		EN: "Never run: what is said of Cursor comes from its documentation. " +
			"Cursor can also load the hooks of `.claude/settings.json` where the user turns third-party configurations on.",
	},
}

var reasons = prose.Reasons{
	Subagents: surface.Text{
		FR: "`.cursor/agents/*.md` est documenté mais non observé ; cette forme n'est pas émise",
		EN: "`.cursor/agents/*.md` is documented but not observed; that form is not emitted",
	},
	Skills: surface.Text{
		FR: "`.cursor/skills/*/SKILL.md` est documenté mais non observé ; cette forme n'est pas émise",
		EN: "`.cursor/skills/*/SKILL.md` is documented but not observed; that form is not emitted",
	},
	Commands: surface.Text{
		FR: "`.cursor/commands/*.md` est documenté mais non observé ; cette forme n'est pas émise",
		EN: "`.cursor/commands/*.md` is documented but not observed; that form is not emitted",
	},
	Hooks: surface.Text{
		FR: "`.cursor/hooks.json` est documenté mais non observé : aucun hook n'est émis",
		EN: "`.cursor/hooks.json` is documented but not observed: no hook is emitted",
	},
}
