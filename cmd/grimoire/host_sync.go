package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/core/host"
	"github.com/grimoire-kit/grimoire/core/plugin"
	"github.com/grimoire-kit/grimoire/core/sync"
	"github.com/grimoire-kit/grimoire/surface"
)

func newHostSync(a *app) *cobra.Command {
	var o host.SyncOptions
	var check, diff bool
	cmd := &cobra.Command{
		Use:   "sync",
		Short: a.text("Écrire les fichiers que chaque hôte activé charge", "Write the files that each enabled host loads"),
		Long: a.text(`Écrit les fichiers de chaque hôte activé. Un fichier écrit à la main à un chemin
géré est préservé et signalé comme conflit ; dans les fichiers JSON de l'équipe,
seules nos entrées changent. Une seconde synchronisation n'écrit rien.

Codes de sortie : 0 tout est à jour · 1 conflit, refus, émetteur en échec, ou
écart avec --check · 2 ligne de commande invalide.`,
			`Writes the files of each enabled host. A file written by hand at a managed path
is kept and reported as a conflict; in the team's JSON files only our own entries
change. A second sync writes nothing.

Exit codes: 0 all is up to date · 1 conflict, refusal, failed emitter, or drift
with --check · 2 invalid command line.`),
		Example: `  grimoire host sync
  grimoire host sync --host claude --dry-run --diff
  grimoire host sync --check            # CI
  grimoire host sync --prune-stale --prune-disabled`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.DryRun = o.DryRun || check
			if diff && !o.DryRun {
				return usageError{errors.New(a.text("--diff accompagne --dry-run ou --check", "--diff goes with --dry-run or --check"))}
			}
			if diff && a.json() {
				return usageError{errors.New(a.text("--diff ne s'écrit pas en JSON", "--diff has no JSON form"))}
			}
			if diff {
				o.Diff = a.out
			}
			return a.sync(cmd, o, check)
		},
	}
	f := cmd.Flags()
	addHostFlag(a, cmd, &o.Host)
	f.BoolVar(&o.DryRun, "dry-run", false, a.text("dire ce qui changerait, sans rien écrire", "say what would change, write nothing"))
	f.BoolVar(&diff, "diff", false, a.text("montrer les changements ligne à ligne", "show the changes line by line"))
	f.BoolVar(&check, "check", false, a.text("ne rien écrire ; code 1 et un chemin par ligne s'il y a un écart (pour la CI)", "write nothing; exit 1 and one path per line if there is drift (for CI)"))
	f.BoolVar(&o.Force, "force", false, a.text("remplacer aussi les fichiers écrits à la main", "replace hand-written files too"))
	f.BoolVar(&o.ForceHost, "force-host", false, a.text("synchroniser un hôte que le projet n'active pas", "sync a host that the project does not enable"))
	f.BoolVar(&o.PruneDisabled, "prune-disabled", false, a.text("retirer nos fichiers des hôtes qui ne sont plus activés", "remove our files of hosts that are no longer enabled"))
	f.BoolVar(&o.PruneStale, "prune-stale", false, a.text("retirer nos fichiers que plus rien ne demande (persona disparue)", "remove our files that nothing asks for any more (a persona that is gone)"))
	return cmd
}

func (a *app) sync(cmd *cobra.Command, o host.SyncOptions, check bool) error {
	ctx, cancel := interruptible(cmd)
	defer cancel()
	p := a.progress(a.text("Lecture du projet", "Reading the project"))
	defer p.stop()
	o.Progress = func(t surface.Text) { p.step(t.In(a.lang)) }

	w, err := a.open(ctx, !o.DryRun)
	if err != nil {
		return err
	}
	defer w.Close()
	result, err := w.Sync(ctx, o)
	p.stop()
	if result == nil {
		return err
	}
	switch {
	case a.json():
		if err := a.printJSON(result.JSON(a.lang)); err != nil {
			return err
		}
	case check && o.Diff == nil:
		a.showDrift(result)
	case o.Diff != nil:
		a.showUndone(result)
	default:
		a.showSync(result)
	}
	switch {
	case err != nil:
		return err
	case check && result.Drift(), !result.OK():
		return errReported
	}
	return nil
}

// showDrift is the answer for CI: what is out of step, one path a line, with the
// reason where a sync would not put it right.
func (a *app) showDrift(r *host.SyncResult) {
	for _, t := range r.Warnings {
		a.warn(t)
	}
	for _, d := range r.Drifted() {
		if reason := d.Reason.In(a.lang); reason != "" {
			a.printf("%s: %s\n", printable(d.Path), printable(reason))
			continue
		}
		a.printf("%s\n", printable(d.Path))
	}
}

func (a *app) showSync(r *host.SyncResult) {
	for _, t := range r.Warnings {
		a.warn(t)
	}
	for _, h := range r.Hosts {
		a.showHostResult(r, h)
	}
	if len(r.Hosts) == 0 {
		a.printf("%s\n", a.text("Aucun hôte activé : rien à écrire (hosts.enabled est vide).", "No host is enabled: nothing to write (hosts.enabled is empty)."))
	}
	for _, path := range r.Pruned {
		a.printf("%s %s\n", a.yellow("-"), printable(path))
	}
	for _, f := range r.Freed {
		a.printf("%s %s: %s\n", a.yellow("~"), printable(f.Path), printable(f.Reason.In(a.lang)))
	}
	a.showProblems(r.Kept)
	a.showStale(r.Stale)
}

// showUndone is what a diff cannot say: what stays as it is, and why.
func (a *app) showUndone(r *host.SyncResult) {
	for _, t := range r.Warnings {
		a.warn(t)
	}
	for _, h := range r.Hosts {
		if h.Failure != nil {
			a.showFailure(h.Name, h.Failure)
		}
		a.showProblems(h.Skipped)
		a.showProblems(h.Failed)
	}
	a.showProblems(r.Kept)
	a.showStale(r.Stale)
}

func (a *app) showStale(list []sync.Leftover) {
	if len(list) > 0 {
		a.printf("%s\n", a.text("Plus rien ne demande ces fichiers ; `grimoire host sync --prune-stale` les retire :",
			"Nothing asks for these files any more; `grimoire host sync --prune-stale` removes them:"))
		for _, f := range list {
			a.printf("  %s\n", printable(f.Path))
		}
	}
}

func (a *app) showHostResult(r *host.SyncResult, h host.HostResult) {
	if h.Failure != nil {
		a.showFailure(h.Name, h.Failure)
		return
	}
	written := a.number(len(h.Written), "écrit", "écrits", "written")
	deleted := a.number(len(h.Deleted), "retiré", "retirés", "removed")
	if r.DryRun {
		written = counted(len(h.Written), a.text("à écrire", "to write"))
		deleted = counted(len(h.Deleted), a.text("à retirer", "to remove"))
	}
	a.printf("%s%s%s, %s", a.bold(printable(h.Name)), a.colon(), written, a.number(len(h.Unchanged), "inchangé", "inchangés", "unchanged"))
	if len(h.Deleted) > 0 {
		a.printf(", %s", deleted)
	}
	if n := len(h.Skipped); n > 0 {
		a.printf(", %s", a.yellow(a.number(n, "laissé", "laissés", "left alone")))
	}
	if n := len(h.Failed); n > 0 {
		a.printf(", %s", a.red(counted(n, a.text("en échec", "failed"))))
	}
	a.printf("\n")
	for _, path := range h.Written {
		a.printf("  %s %s\n", a.green("+"), printable(path))
	}
	for _, path := range h.Deleted {
		a.printf("  %s %s\n", a.yellow("-"), printable(path))
	}
	a.showProblems(h.Skipped)
	a.showProblems(h.Failed)
	for _, path := range h.Replaced {
		a.printf("  %s %s: %s\n", a.yellow("~"), printable(path), a.tense(r.DryRun, replaced))
	}
	for _, path := range h.Edited {
		switch entries := h.Entries[path]; {
		case len(entries) > 0:
			a.printf("  %s %s: %s\n", a.yellow("~"), printable(path), fmt.Sprintf(a.tense(r.DryRun, putBack), printable(strings.Join(entries, ", "))))
		case slices.Contains(h.Deleted, path):
			a.printf("  %s %s: %s\n", a.yellow("~"), printable(path), a.tense(r.DryRun, deletedEdit))
		default:
			a.printf("  %s %s: %s\n", a.yellow("~"), printable(path), a.tense(r.DryRun, regenerated))
		}
	}
	a.showNotes(h.Notes)
	for _, d := range h.Degradations {
		a.printf("  %s %s%s%s → %s\n", a.dim("·"), a.lost(d.Surface), a.colon(), printable(d.Reason.In(a.lang)), printable(d.Fallback.In(a.lang)))
	}
}

// What became, or would become, of what a person wrote. The first text is about
// what was done, the second about a dry run.
var (
	replaced = [2]surface.Text{
		{FR: "avait été écrit à la main ; remplacé (--force)", EN: "had been written by hand; replaced (--force)"},
		{FR: "a été écrit à la main ; serait remplacé (--force)", EN: "was written by hand; would be replaced (--force)"},
	}
	regenerated = [2]surface.Text{
		{FR: "avait été modifié à la main ; régénéré (modifie plutôt sa source)", EN: "had been changed by hand; regenerated (edit its source instead)"},
		{FR: "a été modifié à la main ; serait régénéré (modifie plutôt sa source)", EN: "was changed by hand; would be regenerated (edit its source instead)"},
	}
	deletedEdit = [2]surface.Text{
		{FR: "avait été modifié à la main ; retiré", EN: "had been changed by hand; removed"},
		{FR: "a été modifié à la main ; serait retiré", EN: "was changed by hand; would be removed"},
	}
	putBack = [2]surface.Text{
		{FR: "nos entrées avaient été modifiées à la main ; rétablies : %s", EN: "our entries had been changed by hand; put back: %s"},
		{FR: "nos entrées ont été modifiées à la main ; seraient rétablies : %s", EN: "our entries were changed by hand; would be put back: %s"},
	}
)

func (a *app) tense(dryRun bool, done [2]surface.Text) string {
	if dryRun {
		return done[1].In(a.lang)
	}
	return done[0].In(a.lang)
}

func (a *app) showNotes(list []sync.Problem) {
	for _, p := range list {
		a.printf("  %s %s: %s\n", a.dim("·"), printable(p.Path), printable(p.Reason.In(a.lang)))
	}
}

func (a *app) showProblems(list []sync.Problem) {
	for _, p := range list {
		a.printf("  %s %s: %s\n", a.yellow("!"), printable(p.Path), printable(p.Reason.In(a.lang)))
	}
}

func (a *app) showFailure(name string, f *plugin.Failure) {
	a.printf("%s: %s (%s)\n", a.bold(printable(name)), a.red(printable(f.Text.In(a.lang))), f.Phase)
	for _, line := range f.Stderr {
		a.printf("  | %s\n", printable(line))
	}
}
