package surface

import "strings"

// lost are what hosts lose, in French, by the names that degradations and
// capabilities have.
var lost = map[string]string{
	"agent_autostart":       "démarrage de la persona",
	"ask":                   "demandes d'accord",
	"blocking_hooks":        "hooks bloquants",
	"commands":              "commandes",
	"hook matchers":         "filtres des hooks",
	"hook sources":          "sources des hooks",
	"hook timeouts":         "délais des hooks",
	"hook trust":            "confiance accordée aux hooks",
	"hooks":                 "hooks",
	"instructions":          "instructions",
	"mcp":                   "serveurs MCP",
	"model affinity":        "affinité de modèle",
	"permissions":           "permissions",
	"plugin_packaging":      "paquet de plugin",
	"pre_compact context":   "contexte de compaction",
	"skills":                "compétences",
	"stop context":          "contexte de fin de session",
	"sub-folders":           "sous-dossiers",
	"subagent_stop context": "contexte de fin de sous-agent",
	"subagents":             "sous-agents",
	"tool boundary":         "frontière d'outils",
}

// Lost names for people what a host cannot do; keys and JSON have the name as it
// is. known is false for one of a third party's emitter, which stays as it is in
// French too.
func Lost(name string) (t Text, known bool) {
	french, known := lost[name]
	if !known {
		french = name
	}
	return Text{FR: french, EN: strings.ReplaceAll(name, "_", " ")}, known
}
