package claude

import (
	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

const (
	alias        = "claude"
	entryFile    = "CLAUDE.md"
	agentsDir    = ".claude/agents/"
	skillsDir    = ".claude/skills/"
	commandsDir  = ".claude/commands/"
	readmeFile   = ".claude/README.md"
	settingsFile = ".claude/settings.json"
)

func profile() pluginsdk.Profile {
	return pluginsdk.Profile{
		ID:          "host-claude-code-cli",
		Aliases:     []string{alias, "claude-code"},
		DisplayName: "Claude Code",
		Capabilities: []surface.Capability{
			surface.Subagents, surface.Skills, surface.Commands, surface.BlockingHooks,
			surface.PermissionTable, surface.MCP, surface.PluginPackaging,
		},
		HookEvents: surface.HookEvents,
		Entrypoint: entryFile,
		// Seen by every process that Claude Code starts, observed 2.1.332.
		Env:    []string{"CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT"},
		Detect: []pluginsdk.Mark{{All: []string{".claude/"}}},
		Owns:   []string{entryFile, agentsDir, skillsDir, commandsDir, readmeFile},
		Merges: []string{settingsFile},
		Notes: surface.Text{
			FR: "Dans un dossier non approuvé, Claude Code ignore les règles allow du projet ; les refus, les hooks, les agents et les compétences restent actifs. Une seule entrée mal formée de settings.json fait ignorer tout le fichier : `grimoire doctor` la nomme.",
			EN: "In a folder that is not trusted, Claude Code ignores the project's allow rules; refusals, hooks, agents and skills stay active. One badly shaped entry of settings.json makes it ignore the whole file: `grimoire doctor` names it.",
		},
	}
}

// wireNames are Claude Code's words for the events (observed 2.1.332).
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
