package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/core/host"
	"github.com/grimoire-kit/grimoire/surface"
)

func newHostRemove(a *app) *cobra.Command {
	var o host.SyncOptions
	var diff bool
	cmd := &cobra.Command{
		Use:   a.text("remove <hôte>", "remove <host>"),
		Short: a.text("Retirer un hôte du projet, sans laisser de trace", "Take one host out of the project, leaving no trace"),
		Long: a.text(`Le contraire explicite de sync : nos fichiers partent, nos entrées quittent les
fichiers JSON de l'équipe, qui redeviennent ce qu'ils étaient. Ce que d'autres
hôtes activés gardent reste, et ce qu'une personne a modifié. hosts.enabled n'est
pas modifié : retire l'hôte de la liste, sinon la prochaine synchronisation le
remettra.`,
			`The explicit opposite of sync: our files go, our entries leave the team's JSON
files, which become what they were. What other enabled hosts hold stays, and what
a person changed. hosts.enabled is not changed: take the host off the list, or
the next sync will bring it back.`),
		Example: `  grimoire host remove gemini --dry-run
  grimoire host remove claude --dry-run --diff`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: completeHosts(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if diff && !o.DryRun {
				return usageError{errors.New(a.text("--diff accompagne --dry-run", "--diff goes with --dry-run"))}
			}
			if diff && a.json() {
				return usageError{errors.New(a.text("--diff ne s'écrit pas en JSON", "--diff has no JSON form"))}
			}
			if diff {
				o.Diff = a.out
			}
			ctx, cancel := interruptible(cmd)
			defer cancel()
			p := a.progress(a.text("Lecture du projet", "Reading the project"))
			defer p.stop()
			o.Progress = func(t surface.Text) { p.step(t.In(a.lang)) }
			w, err := a.openHosts(ctx, true, !o.DryRun)
			if err != nil {
				return err
			}
			defer w.Close()
			result, err := w.Remove(ctx, args[0], o)
			p.stop()
			if result == nil {
				return err
			}
			switch {
			case a.json():
				if err := a.printJSON(result.JSON(a.lang)); err != nil {
					return err
				}
			case diff:
				a.showUndone(result)
			default:
				a.showSync(result)
			}
			if err == nil && !result.OK() {
				return errReported
			}
			return err
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.DryRun, "dry-run", false, a.text("dire ce qui partirait, sans rien écrire", "say what would go, write nothing"))
	f.BoolVar(&diff, "diff", false, a.text("montrer les changements ligne à ligne", "show the changes line by line"))
	f.BoolVar(&o.Force, "force", false, a.text("retirer aussi nos fichiers modifiés à la main, et ce que le registre est seul à dire d'un hôte sans émetteur", "remove our files changed by hand too, and what the record alone says of a host without an emitter"))
	return cmd
}
