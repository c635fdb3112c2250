package persona

import (
	"slices"
	"strings"
	"sync"

	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/frontmatter"
)

// The words that show a persona edits files or runs commands. They are matched
// anywhere in its lower-cased description and body, as the existing kit does:
// another list would change the boundary of every persona without `tools:`.
var (
	editSignals = []string{
		"écrit", "écrire", "modifie", "modifier", "édite", "éditer", "implémente", "implémenter",
		"rédige", "rédiger", "génère", "générer", "refactor", "write", "edit", "implement", "generate",
	}
	executeSignals = []string{
		"exécute", "exécuter", "lance", "lancer", "commande", "terminal", "pytest", "build",
		"déploie", "déployer", "run ", "execute", "deploy", "test suite",
	}
)

// Watching is the boundary of a persona that only looks.
func Watching() []surface.ToolVerb {
	return []surface.ToolVerb{surface.Read, surface.Search}
}

// infer reads a tool boundary out of a persona's text. Web access is never
// inferred.
func infer(description, body string) []surface.ToolVerb {
	edits, runs := signals(strings.ToLower(description + "\n" + body))
	tools := Watching()
	if edits {
		tools = append(tools, surface.Edit)
	}
	if runs {
		tools = append(tools, surface.Execute)
	}
	return tools
}

// signals goes through the text once: a project may have a thousand personas,
// and most of their text holds no signal at all.
func signals(text string) (edits, runs bool) {
	byByte := signalsByByte()
	for i := 0; i < len(text) && !(edits && runs); i++ {
		for _, s := range byByte[text[i]] {
			if strings.HasPrefix(text[i:], s.word) {
				edits, runs = edits || !s.runs, runs || s.runs
			}
		}
	}
	return edits, runs
}

type signal struct {
	word string
	runs bool // shows that the persona runs commands, not that it edits
}

// signalsByByte is made when it is first needed: most processes read no persona.
var signalsByByte = sync.OnceValue(func() *[256][]signal {
	var by [256][]signal
	for _, w := range editSignals {
		by[w[0]] = append(by[w[0]], signal{word: w})
	}
	for _, w := range executeSignals {
		by[w[0]] = append(by[w[0]], signal{word: w, runs: true})
	}
	return &by
})

// verbs reads a `tools:` value: a list, or words between commas or blanks. It
// keeps the known verbs once each, in order, and returns the words it does not
// know; ok is false when part of the value is no word at all.
func verbs(f frontmatter.Field) (known []surface.ToolVerb, unknown []string, ok bool) {
	list, ok := f.Items(frontmatter.Words)
	for _, it := range list {
		verb := surface.ToolVerb(strings.ToLower(it.Value))
		switch {
		case !slices.Contains(surface.ToolVerbs, verb):
			unknown = append(unknown, it.Value)
		case !slices.Contains(known, verb):
			known = append(known, verb)
		}
	}
	return known, unknown, ok
}

// Verbs reads the tools key of any file that has one: the known verbs, nil
// without any.
func Verbs(b frontmatter.Block, warn func(line int, fr, en string)) []surface.ToolVerb {
	f, ok := b.Fields["tools"]
	if !ok || f.Null() {
		return nil
	}
	known, unknown, whole := verbs(f)
	switch {
	case !whole:
		warn(f.Line, "tools : une liste de verbes était attendue", "tools: a list of verbs was expected")
	case len(unknown) > 0:
		names := surface.Quoted(strings.Join(unknown, ", "))
		warn(f.Line, "tools : verbes inconnus ignorés : "+names+" (verbes : read, search, edit, execute, web)",
			"tools: unknown verbs left out: "+names+" (verbs: read, search, edit, execute, web)")
	}
	return known
}
