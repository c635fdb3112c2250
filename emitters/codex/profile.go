package codex

import (
	"github.com/grimoire-kit/grimoire/emitters/prose"
	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

var profile = pluginsdk.Profile{
	ID:           "host-codex",
	Aliases:      []string{"codex"},
	DisplayName:  "Codex",
	Capabilities: []surface.Capability{surface.MCP},
	Entrypoint:   "AGENTS.md",
	// Set in the commands that Codex runs: the thread, the sandbox where there is
	// one; the last is set by hand.
	Env: []string{"CODEX_THREAD_ID", "CODEX_SANDBOX", "CODEX_ENV"},
	// AGENTS.md alone says nothing: four hosts read it.
	Detect: []pluginsdk.Mark{{All: []string{"AGENTS.md", ".codex"}}},
	Owns:   []string{"AGENTS.md", prose.SkillsDir},
	Notes: surface.Text{
		FR: "AGENTS.md est aussi lu par GitHub Copilot, par opencode et, sans CLAUDE.md, par Claude Code. " +
			"Un AGENTS.override.md le remplace dans son dossier.",
		EN: "AGENTS.md is also read by GitHub Copilot, by opencode and, where there is no CLAUDE.md, by Claude Code. " +
			"An AGENTS.override.md replaces it in its folder.",
	},
}

var reasons = prose.Reasons{
	Subagents: surface.Text{
		FR: "Codex charge `.codex/agents/*.toml` d'un projet approuvé (observé, 0.171.0) ; cette forme n'est pas émise",
		EN: "Codex loads `.codex/agents/*.toml` of a trusted project (observed, 0.171.0); that form is not emitted",
	},
	Skills: surface.Text{
		FR: "Codex charge `.agents/skills/*/SKILL.md` (observé, 0.171.0) ; cette forme n'est pas émise",
		EN: "Codex loads `.agents/skills/*/SKILL.md` (observed, 0.171.0); that form is not emitted",
	},
	Commands: surface.Text{
		FR: "Codex ne charge aucune commande d'un projet (observé, 0.171.0)",
		EN: "Codex loads no commands from a project (observed, 0.171.0)",
	},
	Hooks: surface.Text{
		FR: "Codex n'exécute `.codex/hooks.json` qu'après une revue de chaque hook par l'utilisateur, et se tait sinon (observé, 0.171.0) ; aucun hook n'est émis",
		EN: "Codex runs `.codex/hooks.json` only once the user reviewed each hook, and is silent otherwise (observed, 0.171.0); no hook is emitted",
	},
}
