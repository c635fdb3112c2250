package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/core/enrol"
	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/governance/task"
)

func newTaskContext(a *app) *cobra.Command {
	var f taskFlags
	return taskCommand(a, "context <id>", a.text("Assembler le contexte d'une tâche", "Put the context of a task together"),
		a.text(`Écrit _grimoire-output/context/<id>/context-bundle.yaml (quoi lire, quoi utiliser, quoi
montrer), la trace des décisions, et l'enveloppe de la tâche si elle manque : ce que
doit une tâche pour être prise. Mêmes fichiers, même paquet.`,
			`Writes _grimoire-output/context/<id>/context-bundle.yaml (what to read, use and show),
the trace of the decisions, and the task's envelope if it is missing: what a task
owes to be claimed. The same files give the same bundle.`),
		`  grimoire task context GAO-search-001
  grimoire -o json task context GAO-search-001 | jq .provider_constraints.enabled_providers`,
		cobra.ExactArgs(1), &f, func(_ *cobra.Command, d *task.Desk, args []string) error {
			return a.buildContext(d, args[0])
		})
}

// buildContext puts the context of a task together and shows it.
func (a *app) buildContext(d *task.Desk, named string) error {
	id, column, err := d.Known(named)
	if err != nil {
		return err
	}
	written, err := a.writeTaskFiles(d.Root, id, column, task.EnvelopePath(id))
	if err != nil {
		return err
	}
	b, err := d.WriteContext(id, a.lang)
	if err != nil {
		return err
	}
	if a.json() {
		return a.printJSON(b)
	}
	for _, path := range append([]string{task.ContextPath(id), task.DecisionPath(id)}, written...) {
		a.printf("  %s %s\n", a.green("+"), printable(path))
	}
	for _, s := range b.Sources {
		a.printf("  %s %s\n", s.Source, printable(s.Path))
	}
	return nil
}

// writeTaskFiles writes those of a task's own files that it lacks, where the
// project follows the standard, and says which.
func (a *app) writeTaskFiles(root, id, column string, paths ...string) ([]string, error) {
	if !enrolled(root) {
		return nil, nil
	}
	plan, err := enrol.PrepareTask(root, enrol.Options{Task: id, Column: column, Language: a.lang, Now: time.Now()})
	if err != nil {
		return nil, err
	}
	defer plan.Close()
	plan.Files = slices.DeleteFunc(plan.Files, func(f enrol.File) bool {
		return !slices.Contains(paths, f.Path) || f.Action != enrol.Create
	})
	if len(plan.Files) == 0 {
		return nil, nil
	}
	written := plan.Pending()
	out, err := plan.Apply()
	if err != nil {
		return nil, err
	}
	for _, fault := range out.Failed {
		return nil, fault
	}
	return written, nil
}

// enrolled reports whether the project declares a profile, or was meant to.
func enrolled(root string) bool {
	f, err := standard.Open(root)
	if err != nil {
		return false
	}
	defer f.Close()
	follows := f.Followed()
	return follows.Declared || follows.Problem() != nil
}

func newTaskRecall(a *app) *cobra.Command {
	var f taskFlags
	return taskCommand(a, "recall <id>", a.text("Rappeler ce que le travail passé dit d'une tâche", "Recall what earlier work says about a task"),
		a.text(`Ses échecs et blocages, les tâches voisines (lien déclaré, même mission, titre
proche), ce que sait la mémoire du projet (_grimoire/_memory, lue seulement) et les
directives, au plus 400 tokens de texte.`,
			`Its failures and blockages, tasks near it (a declared link, the same mission, a
close title), what the project's memory knows (_grimoire/_memory, only read) and the
directives, 400 tokens of text at most.`),
		`  grimoire task recall GAO-search-001`,
		cobra.ExactArgs(1), &f, func(_ *cobra.Command, d *task.Desk, args []string) error {
			r, err := d.Recall(args[0], a.lang)
			if err != nil {
				return err
			}
			if a.json() {
				return a.printJSON(r)
			}
			if !r.Has {
				a.printf("%s\n", a.text("Rien à rappeler.", "Nothing to recall."))
				return nil
			}
			a.printf("%s\n", printableLines(r.Text))
			return nil
		})
}

// maxCapsule bounds a capsule of a handoff, in bytes: it becomes one line of
// the ledger.
const maxCapsule = 256 << 10

func newTaskHandoff(a *app) *cobra.Command {
	var f taskFlags
	cmd := taskCommand(a, "handoff <id> <capsule.json>", a.text("Passer une tâche à un autre, avec ce qu'il doit savoir", "Hand a task to another, with what they need to know"), "",
		`  grimoire task handoff GAO-search-001 capsule.json
  echo '{"next": "run the benchmark"}' | grimoire task handoff GAO-search-001 -`,
		cobra.ExactArgs(2), &f, func(cmd *cobra.Command, d *task.Desk, args []string) error {
			in, err := a.openPayload(args[1])
			if err != nil {
				return err
			}
			defer in.Close()
			capsule, err := io.ReadAll(io.LimitReader(in, maxCapsule+1))
			if err != nil {
				return fmt.Errorf("read %s: %w", args[1], err)
			}
			if len(capsule) > maxCapsule {
				return errors.New(a.text("la capsule dépasse 256 Kio", "the capsule is larger than 256 KiB"))
			}
			packet, err := d.Handoff(cmd.Context(), args[0], capsule, f.actor)
			if err != nil {
				return err
			}
			if a.json() {
				return a.printJSON(packet)
			}
			a.printf("%s  handoff\n", a.bold(args[0]))
			return nil
		})
	cmd.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return []string{"json"}, cobra.ShellCompDirectiveFilterFileExt
		}
		return a.taskIDs(&f), cobra.ShellCompDirectiveNoFileComp
	}
	return cmd
}
