package gemini

import (
	"github.com/grimoire-kit/grimoire/emitters/prose"
	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

var profile = pluginsdk.Profile{
	ID:           "host-gemini-cli",
	Aliases:      []string{"gemini", "gemini-cli"},
	DisplayName:  "Gemini CLI",
	Capabilities: []surface.Capability{surface.MCP},
	Entrypoint:   "GEMINI.md",
	// Set in the commands that Gemini CLI runs, documented.
	Env:    []string{"GEMINI_CLI"},
	Detect: []pluginsdk.Mark{{All: []string{"GEMINI.md"}}},
	Owns:   []string{"GEMINI.md", prose.SkillsDir},
	Notes: surface.Text{
		FR: "Gemini CLI lit le `.env` du projet dans son environnement, et refuse de démarrer sans interface dans un dossier non approuvé.",
		EN: "Gemini CLI reads the project's `.env` into its environment, and refuses to start headless in an untrusted folder.",
	},
}

var reasons = prose.Reasons{
	Subagents: surface.Text{
		FR: "Gemini CLI charge `.gemini/agents/*.md` après l'accord de l'utilisateur sur chaque fichier (observé, 0.61.0) ; cette forme n'est pas émise",
		EN: "Gemini CLI loads `.gemini/agents/*.md` once the user acknowledged each file (observed, 0.61.0); that form is not emitted",
	},
	Skills: surface.Text{
		FR: "Gemini CLI charge `.gemini/skills/*/SKILL.md` (observé, 0.61.0) ; cette forme n'est pas émise",
		EN: "Gemini CLI loads `.gemini/skills/*/SKILL.md` (observed, 0.61.0); that form is not emitted",
	},
	Commands: surface.Text{
		FR: "Gemini CLI charge `.gemini/commands/**/*.toml` (observé, 0.61.0) ; cette forme n'est pas émise",
		EN: "Gemini CLI loads `.gemini/commands/**/*.toml` (observed, 0.61.0); that form is not emitted",
	},
	Hooks: surface.Text{
		FR: "Gemini CLI exécute les hooks de `.gemini/settings.json` dans un dossier approuvé (observé, 0.61.0) ; aucun hook n'est émis",
		EN: "Gemini CLI runs the hooks of `.gemini/settings.json` in a trusted folder (observed, 0.61.0); no hook is emitted",
	},
}
