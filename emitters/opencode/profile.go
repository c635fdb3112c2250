package opencode

import (
	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

const (
	instructionsPath = ".opencode/grimoire.md"
	guardPath        = ".opencode/plugin/grimoire-guard.js"
	configPath       = "opencode.json"
)

var profile = pluginsdk.Profile{
	ID:          "host-opencode",
	Aliases:     []string{"opencode"},
	DisplayName: "opencode",
	Capabilities: []surface.Capability{
		surface.Subagents, surface.Skills, surface.Commands, surface.BlockingHooks, surface.MCP,
	},
	// The guard also reports the start of a session, so that its counters
	// start with it; nothing it answers reaches the model, so session_start
	// is not an event this host calls the hook for.
	HookEvents: []surface.HookEvent{surface.PreToolUse, surface.PostToolUse},
	Entrypoint: instructionsPath,
	// Set by opencode for itself, so for all it starts.
	Env: []string{"OPENCODE"},
	Detect: []pluginsdk.Mark{
		{All: []string{".opencode/"}},
		{All: []string{configPath}},
	},
	Owns: []string{
		".opencode/agent/", ".opencode/skill/", ".opencode/command/",
		guardPath, instructionsPath,
	},
	Merges: []string{configPath, "opencode.jsonc"},
	Notes: surface.Text{
		FR: "Au premier démarrage avec un plugin, opencode installe `@opencode-ai/plugin` depuis npm : sans réseau, il attend environ 70 s. " +
			"`OPENCODE_PURE=1` désactive les plugins du projet, donc le garde. " +
			"Les serveurs MCP de opencode.json démarrent sans question. " +
			"opencode lit aussi `.claude/skills` : une compétence émise pour Claude Code et pour opencode y figure deux fois, au même contenu, et n'est listée qu'une fois.",
		EN: "At its first start with a plugin opencode installs `@opencode-ai/plugin` from npm: without a network it waits about 70 s. " +
			"`OPENCODE_PURE=1` turns the project's plugins off, and the guard with them. " +
			"The MCP servers of opencode.json start without a question. " +
			"opencode reads `.claude/skills` too: a skill emitted for Claude Code and for opencode is there twice with the same content, and listed once.",
	},
}
