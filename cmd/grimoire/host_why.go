package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/core/sync"
	"github.com/grimoire-kit/grimoire/surface"
)

func newHostWhy(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   a.text("why <chemin>", "why <path>"),
		Short: a.text("Quelle source et quel émetteur ont fait ce fichier", "Which source and which emitter made this file"),
		Example: `  grimoire host why .claude/agents/concierge.md
  grimoire host why .claude/settings.json -o json`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, cancel := interruptible(cmd)
			defer cancel()
			w, err := a.openThere(ctx)
			if err != nil {
				return err
			}
			defer w.Close()
			e, err := w.Why(ctx, seenFromHere(args[0]))
			if err != nil {
				return err
			}
			if a.json() {
				return a.printJSON(struct {
					*sync.Explanation
					Reason string `json:"reason"`
				}{e, e.Reason.In(a.lang)})
			}
			a.showWhy(e)
			return nil
		},
	}
}

// seenFromHere makes a path absolute where the shell sees a file there. Any
// other is taken as the reports print it: relative to the project.
func seenFromHere(path string) string {
	if _, err := os.Lstat(path); err == nil {
		if abs, err := filepath.Abs(path); err == nil {
			return abs
		}
	}
	return path
}

// states are the words for what a path is to grimoire.
var states = map[sync.State]surface.Text{
	sync.InSync:   {FR: "à jour", EN: "up to date"},
	sync.Outdated: {FR: "à nous, mais ses sources ont changé : une synchronisation le récrira", EN: "ours, but its sources changed: a sync will write it again"},
	sync.Edited:   {FR: "à nous, et modifié à la main depuis : une synchronisation le récrira", EN: "ours, and changed by hand since: a sync will write it again"},
	sync.Missing:  {FR: "demandé, mais absent : une synchronisation l'écrira", EN: "asked for, but not there: a sync will write it"},
	sync.Theirs:   {FR: "à toi : grimoire ne l'a pas écrit", EN: "yours: grimoire did not write it"},
	sync.Kit:      {FR: "écrit par `grimoire init` ; à toi, tu peux le modifier", EN: "written by `grimoire init`; yours to change"},
	sync.Orphan:   {FR: "à nous, mais plus rien ne le demande", EN: "ours, but nothing asks for it any more"},
	sync.Blocked:  {FR: "ne peut être lu ou fusionné tel quel", EN: "cannot be read or merged as it is"},
}

func (a *app) showWhy(e *sync.Explanation) {
	state := states[e.State].In(a.lang)
	if e.State == sync.Edited && e.Kind == sync.Merged {
		state = a.text("à toi, avec des entrées à nous", "yours, with entries of ours")
	}
	a.printf("%s: %s\n", a.bold(printable(e.Path)), state)
	if r := e.Reason.In(a.lang); r != "" {
		a.printf("  %s\n", printable(r))
	}
	if len(e.Hosts) > 0 {
		a.printf("  %s%s%s\n", a.text("émetteur", "emitter"), a.colon(), strings.Join(e.Hosts, ", "))
	}
	if len(e.Hosts) > 0 && len(e.Sources) == 0 && e.State != sync.Theirs && e.State != sync.Orphan {
		a.printf("  %s%s%s\n", a.text("source", "source"), a.colon(), a.text("grimoire lui-même", "grimoire itself"))
	}
	for _, s := range e.Sources {
		a.printf("  %s%s%s\n", a.text("source", "source"), a.colon(), printable(s))
	}
	for _, path := range e.Entries {
		a.printf("  %s%s%s\n", a.text("entrée à nous", "entry of ours"), a.colon(), printable(path))
	}
}
