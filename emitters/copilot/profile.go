package copilot

import (
	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

const (
	alias      = "copilot"
	entryFile  = ".github/copilot-instructions.md"
	agentsDir  = ".github/agents/"
	skillsDir  = ".github/skills/"
	promptsDir = ".github/prompts/"
	hooksDir   = ".github/hooks/"
	readmeFile = hooksDir + "README.md"
)

func profile() pluginsdk.Profile {
	return pluginsdk.Profile{
		ID:          "host-github-copilot",
		Aliases:     []string{alias, "github-copilot"},
		DisplayName: "GitHub Copilot (VS Code)",
		Capabilities: []surface.Capability{
			surface.Subagents, surface.Skills, surface.Commands, surface.BlockingHooks, surface.MCP,
		},
		HookEvents: surface.HookEvents,
		Entrypoint: entryFile,
		// Seen by the hooks and the shell of Copilot CLI, observed 1.0.102; the last
		// is that of the cloud agent.
		Env: []string{"COPILOT_CLI", "COPILOT_AGENT_SESSION_ID", "COPILOT_AGENT"},
		Detect: []pluginsdk.Mark{
			{All: []string{entryFile}},
			{All: []string{agentsDir}},
		},
		Owns: []string{entryFile, agentsDir, skillsDir, promptsDir, hooksDir},
		Notes: surface.Text{
			FR: "Observé sur Copilot CLI 1.0.102 ; VS Code et l'agent cloud n'ont pas été lancés. Copilot charge ces fichiers depuis la racine du dépôt git : un projet placé dans un sous-dossier n'y est pas vu.",
			EN: "Observed on Copilot CLI 1.0.102; VS Code and the cloud agent were not run. Copilot loads these files from the root of the git repository: a project in a sub-folder is not seen there.",
		},
	}
}

// wireNames are the PascalCase words for the events, which the CLI, VS Code
// and the cloud agent share (observed on Copilot CLI 1.0.102).
var wireNames = map[surface.HookEvent]string{
	surface.SessionStart:       "SessionStart",
	surface.UserPromptSubmit:   "UserPromptSubmit",
	surface.PreToolUse:         "PreToolUse",
	surface.PostToolUse:        "PostToolUse",
	surface.PostToolUseFailure: "PostToolUseFailure",
	surface.SubagentStart:      "SubagentStart",
	surface.SubagentStop:       "SubagentStop",
	surface.PreCompact:         "PreCompact",
	surface.Stop:               "Stop",
}
