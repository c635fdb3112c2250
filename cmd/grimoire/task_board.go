package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/governance/task"
)

func newTaskBoard(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "board",
		Short: a.text("Le tableau des tâches, projection du journal", "The board of tasks, a projection of the ledger"),
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newTaskBoardExport(a))
	return cmd
}

func newTaskBoardExport(a *app) *cobra.Command {
	var f taskFlags
	var mission, to string
	var dry bool
	cmd := taskCommand(a, a.text("export [dossier]", "export [folder]"), a.text("Écrire le tableau", "Write the board"),
		a.text(`Chaque commande de « grimoire task » le fait déjà. Sans journal, rien n'est écrit et
rien n'est perdu. Un fichier qui n'est pas un tableau, ou un tableau dont le journal
n'a aucune carte, n'est pas remplacé.`,
			`Every command of "grimoire task" does so already. Without a ledger nothing is
written and nothing is lost. A file that is no board, or a board of which the ledger
has no card, is not replaced.`),
		`  grimoire task board export
  grimoire task board export --mission MIS-search-001 --to out/board.yaml
  grimoire task board export --dry-run`,
		cobra.MaximumNArgs(1), &f, func(_ *cobra.Command, _ *task.Desk, args []string) error {
			d, err := f.openAt(a, args)
			if err != nil {
				return err
			}
			if dry {
				b, err := d.ExportBoard(mission)
				if err != nil {
					return err
				}
				if a.json() {
					return a.printJSON(struct {
						Tasks    int            `json:"tasks"`
						ByStatus map[string]int `json:"by_status"`
						DryRun   bool           `json:"dry_run"`
						Board    string         `json:"board"`
					}{b.Tasks, b.ByStatus, true, string(b.YAML)})
				}
				_, err = a.out.Write(b.YAML)
				return err
			}
			path, b, err := d.WriteExport(mission, to)
			if err != nil {
				return err
			}
			if a.json() {
				return a.printJSON(struct {
					Path     string         `json:"path"`
					Tasks    int            `json:"tasks"`
					ByStatus map[string]int `json:"by_status"`
				}{path, b.Tasks, b.ByStatus})
			}
			a.printf(a.text("%s : %d tâche(s)\n", "%s: %d task(s)\n"), printable(path), b.Tasks)
			return nil
		})
	cmd.ValidArgsFunction = nil
	cmd.Flags().StringVar(&mission, "mission", "", a.text("celui d'une mission", "that of a mission"))
	cmd.Flags().StringVar(&to, "to", "", a.text("fichier écrit, vu du dossier courant (défaut : le tableau du projet)", "file to write, from the current folder (default: the project's board)"))
	cmd.Flags().VarP(&fileOrForm{form: &a.output, file: &to}, "output", "o", a.text("comme --to ; json ou text : forme de la réponse", "as --to; json or text: form of the answer"))
	cmd.Flags().BoolVar(&dry, "dry-run", false, a.text("le montrer sans l'écrire", "show it, write nothing"))
	return cmd
}

// fileOrForm is -o where the existing kit means a file by it: a word that is
// no form of the answer is one.
type fileOrForm struct{ form, file *string }

func (f *fileOrForm) Set(word string) error {
	if word == "json" || word == "text" {
		*f.form = word
	} else {
		*f.file = word
	}
	return nil
}

func (f *fileOrForm) String() string { return "" }
func (f *fileOrForm) Type() string   { return "string" }

func newTaskMigrate(a *app) *cobra.Command {
	var f taskFlags
	var dry bool
	var restore string
	cmd := taskCommand(a, a.text("migrate-standard [dossier]", "migrate-standard [folder]"), a.text("Reprendre dans le journal un tableau tenu à la main", "Take a board kept by hand over into the ledger"),
		a.text(`Chaque carte devient une tâche, par les passages qui mènent à sa colonne. Ce que le
journal a déjà est laissé. Le tableau d'avant est gardé dans
_grimoire-output/.migrations ; --restore le remet, sans toucher au journal.`,
			`Each card becomes a task, by the moves that lead to its column. What the ledger has
already is left alone. The board as it was is kept in _grimoire-output/.migrations;
--restore puts it back and does not touch the ledger.`),
		`  grimoire task migrate-standard --dry-run
  grimoire task migrate-standard`,
		cobra.MaximumNArgs(1), &f, func(cmd *cobra.Command, _ *task.Desk, args []string) error {
			d, err := f.openAt(a, args)
			if err != nil {
				return err
			}
			var m *task.Migration
			if restore != "" {
				m, err = d.Restore(restore, dry)
			} else {
				m, err = d.Migrate(cmd.Context(), dry)
			}
			if err != nil {
				return err
			}
			if a.json() {
				return a.printJSON(m)
			}
			for _, id := range m.Imported {
				a.printf("  %s %s\n", a.green("+"), printable(id))
			}
			for _, id := range m.FromTitle {
				a.printf("  %s %s\n", a.yellow("!"), printable(fmt.Sprintf(a.text("%s n'a pas de critère : son titre en tient lieu", "%s has no criterion: its title stands for one"), id)))
			}
			if restore != "" {
				said := a.text("%s : remis tel qu'il était avant la migration %s\n", "%s: put back as it was before the migration %s\n")
				if dry {
					said = a.text("%s : serait remis tel qu'il était avant la migration %s\n", "%s: would be put back as it was before the migration %s\n")
				}
				for _, path := range m.Restored {
					a.printf(said, printable(path), m.Stamp)
				}
				return nil
			}
			a.printf(a.text("%d tâche(s) reprise(s), %d déjà là\n", "%d task(s) taken over, %d already there\n"), len(m.Imported), len(m.Skipped))
			return nil
		})
	cmd.ValidArgsFunction = nil
	cmd.Flags().BoolVar(&dry, "dry-run", false, a.text("dire ce qui serait fait, sans rien écrire", "say what would be done, write nothing"))
	cmd.Flags().StringVar(&restore, "restore", "", a.text("remettre le tableau d'une migration, par sa date", "put the board of a migration back, by its date"))
	return cmd
}
