package main

import (
	"cmp"
	"strings"
)

// lostWords are what hosts lose, in French, by the names that degradations and
// gaps have. An emitter of a third party may have others: they stay as they are.
var lostWords = map[string]string{
	"agent_autostart":     "démarrage de la persona",
	"ask":                 "demandes d'accord",
	"blocking_hooks":      "hooks bloquants",
	"commands":            "commandes",
	"hook matchers":       "filtres des hooks",
	"hook sources":        "sources des hooks",
	"hook timeouts":       "délais des hooks",
	"hook trust":          "confiance accordée aux hooks",
	"model affinity":      "affinité de modèle",
	"plugin_packaging":    "paquet de plugin",
	"pre_compact context": "contexte de compaction",
	"skills":              "compétences",
	"sub-folders":         "sous-dossiers",
	"subagents":           "sous-agents",
}

// lost names for people what a host cannot do. JSON keeps the name.
func (a *app) lost(name string) string {
	return printable(a.text(cmp.Or(lostWords[name], name), strings.ReplaceAll(name, "_", " ")))
}

// colon joins a label to what follows. A place in a file, `path:line: text`, is
// written as compilers do in both languages.
func (a *app) colon() string { return a.text(" : ", ": ") }

// number counts things; French has one word for up to one, another from two on.
func (a *app) number(n int, one, more, english string) string {
	if n > 1 {
		one = more
	}
	return counted(n, a.text(one, english))
}
