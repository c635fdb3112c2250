package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/governance/task"
)

func newTaskProve(a *app) *cobra.Command {
	var f taskFlags
	var items, covers []string
	cmd := taskCommand(a, "prove <id>", a.text("Joindre des preuves à une tâche, et les juger", "Give a task its evidence, and judge it"),
		a.text(`Enregistre des fichiers du projet, avec leur empreinte, et le verdict qui en résulte.
Les genres dus dépendent du risque de la tâche (test et log d'ordinaire). --covers
nomme un critère d'acceptation, dans ses mots ; « all » les nomme tous. Les fichiers
que la tâche doit à sa revue (evidence-pack.md et les autres de son profil) sont
écrits s'ils manquent, à compléter.

C'est une déclaration : elle ne prouve pas que le contrôle a été lancé.`,
			`Records files of the project, with their digests, and the verdict on them. Which
kinds are owed depends on the task's risk (test and log as a rule). --covers names
a criterion of acceptance, in its own words; "all" names every one. The files that
the task owes at its review (evidence-pack.md and the others of its profile) are
written if they are missing, to be completed.

It is a declaration: it does not prove that the check was run.`),
		`  grimoire task prove GAO-search-001 --item test=out/test.txt --item log=out/build.log --covers all`,
		cobra.ExactArgs(1), &f, func(cmd *cobra.Command, d *task.Desk, args []string) error {
			var list []task.NewItem
			for _, x := range items {
				kind, path, ok := strings.Cut(x, "=")
				if !ok || path == "" {
					return usageError{fmt.Errorf(a.text("--item %q : attendu genre=fichier", "--item %q: expected kind=file"), x)}
				}
				list = append(list, task.NewItem{Kind: kind, Path: path})
			}
			p, err := d.Prove(cmd.Context(), args[0], list, covers)
			if err != nil {
				return err
			}
			id, column, err := d.Known(args[0])
			if err != nil {
				return err
			}
			written, err := a.writeTaskFiles(d.Root, id, column, task.ReviewPaths(id)...)
			if err != nil {
				return err
			}
			if a.json() {
				err = a.printJSON(struct {
					*task.Proof
					Written []string `json:"written,omitempty"`
				}{p, written})
			} else {
				for _, path := range written {
					a.printf("  %s %s\n", a.green("+"), printable(path))
				}
				a.printf("%s  %s\n", a.bold(p.Pack.ID), p.Verdict.Verdict)
				for _, c := range p.Verdict.Checks {
					mark := a.green("✓")
					if c.Result != "passed" {
						mark = a.red("✗")
					}
					a.printf("  %s %s %s\n", mark, c.ID, printable(c.Reason))
				}
			}
			if err == nil && p.Verdict.Verdict != "passed" {
				if !a.json() {
					a.printf("%s\n", printable(a.text("Remède : `", "Remedy: `")+p.Remedy+"`"))
				}
				return errReported
			}
			return err
		})
	cmd.Flags().StringArrayVar(&items, "item", nil, a.text("preuve, genre=fichier vu du dossier courant (option répétable) : ", "evidence, kind=file from the current folder (repeatable): ")+strings.Join(task.ItemKinds, ", "))
	cmd.Flags().StringArrayVar(&covers, "covers", nil, a.text("critère que ces preuves couvrent (option répétable)", "criterion that the evidence is for (repeatable)"))
	return cmd
}

func newTaskPack(a *app) *cobra.Command {
	var f taskFlags
	var dir string
	cmd := taskCommand(a, "pack <id> <pack-id>", a.text("Montrer un dossier de preuves", "Show an evidence pack"), "",
		`  grimoire task pack GAO-search-001 EVD-GAO-search-001-001`,
		cobra.ExactArgs(2), &f, func(_ *cobra.Command, d *task.Desk, args []string) error {
			if dir == "" {
				return usageError{errors.New(a.text("--evidence-root est vide", "--evidence-root is empty"))}
			}
			d.EvidenceDir = dir
			p, err := d.FindPack(args[0], args[1])
			if err != nil {
				return err
			}
			if a.json() {
				return a.printJSON(p)
			}
			a.printf("%s  %s\n", a.bold(p.ID), printable(p.Created))
			for _, i := range p.Items {
				a.printf("  %s %s %s\n", i.Kind, printable(i.URI), a.dim(printable(i.Digest)))
			}
			return nil
		})
	cmd.Flags().StringVar(&dir, "evidence-root", task.EvidenceDir, a.text("dossier des preuves, relatif au projet", "folder of the evidence, relative to the project"))
	return cmd
}
