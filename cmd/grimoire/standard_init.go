package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/core/enrol"
	"github.com/grimoire-kit/grimoire/core/scaffold"
	"github.com/grimoire-kit/grimoire/surface"
)

// enrolment is the JSON of `standard init`; lists are never null.
type enrolment struct {
	OK             bool         `json:"ok"`
	Profile        string       `json:"profile"`
	Root           string       `json:"project_root"`
	DryRun         bool         `json:"dry_run"`
	Providers      []string     `json:"providers"`
	ProviderPolicy string       `json:"provider_policy"`
	Written        []string     `json:"written"`
	Skipped        []string     `json:"skipped"`
	Kept           []pathReason `json:"kept"` // those of skipped that differ from what would be written
	Failed         []pathReason `json:"failed"`
	Sync           *syncOutcome `json:"sync"` // null when none was run
}

func newStandardInit(a *app) *cobra.Command {
	var f standardFlags
	var name string
	var providers []string
	var dryRun, force bool
	cmd := &cobra.Command{
		Use:   a.text("init [dossier]", "init [folder]"),
		Short: a.text("Suivre le standard, ou monter de profil", "Follow the standard, or raise the profile"),
		Long: a.text(`Écrit dans _grimoire/standard/ les fichiers que demande le profil, puis lance la
synchronisation, dont l'échec est dit et ne fait pas échouer init. Un fichier que
quelqu'un a écrit ou modifié est gardé ; --force le remplace, sauf le tableau des
tâches. Un fichier que personne n'a modifié suit le profil. Un profil plus faible
que celui du projet est refusé : c'est à une personne de l'écrire.`,
			`Writes into _grimoire/standard/ the files that the profile asks for, then runs
the sync, whose failure is told and does not fail init. A file that somebody wrote
or changed is kept; --force replaces it, except the board of tasks. A file that
nobody changed follows the profile. A profile weaker than the project's is refused:
a person has to write that.`),
		Example: `  grimoire standard init
  grimoire standard init --profile governed --provider claude
  grimoire standard init --profile production --dry-run -o json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o, err := f.options()
			if err != nil {
				return err
			}
			chosen, err := enrol.ParseProviders(providers)
			if err != nil {
				return usageError{err}
			}
			root, err := a.standardRoot(args)
			if err != nil {
				return err
			}
			plan, err := enrol.Prepare(root, enrol.Options{Profile: o.Profile, Project: name, Task: o.Task,
				Providers: chosen, Language: a.lang, Now: time.Now(), Force: force})
			if err != nil {
				return err
			}
			defer plan.Close()
			for _, t := range plan.Warnings {
				a.warn(t)
			}
			e := a.enrolment(root, plan, dryRun)
			if !dryRun {
				ctx, cancel := interruptible(cmd)
				defer cancel()
				out, err := plan.Apply()
				if err != nil {
					return err
				}
				e.Written = out.Written
				for _, fault := range out.Failed {
					e.Failed = append(e.Failed, pathReason{fault.Path, fault.Text().In(a.lang)})
				}
				e.OK = len(e.Failed) == 0
				if err := plan.OpenLedger(ctx, out.Written); err != nil {
					return err
				}
				// The project's kit has texts that only make sense from now on.
				kit, err := a.prepare(root, scaffold.Options{})
				if err != nil {
					return err
				}
				defer kit.Close()
				s := a.newSetup(kit)
				if err := a.write(ctx, kit, s, false); err != nil {
					return err
				}
				e.Written, e.Sync = append(e.Written, s.Written...), s.Sync
			}
			if a.json() {
				err = a.printJSON(e)
			} else {
				a.showEnrolment(e)
			}
			if err == nil && !e.OK {
				return errReported
			}
			return err
		},
	}
	f.add(a, cmd, a.text("tâche dont les fichiers sont écrits (défaut : bootstrap)", "task whose files are written (default: bootstrap)"))
	flags := cmd.Flags()
	flags.StringVar(&name, "project-name", "", a.text("nom du projet dans les fichiers (défaut : celui du projet)", "the project's name in the files (default: the project's)"))
	flags.StringSliceVar(&providers, "provider", nil, a.text("fournisseurs activés, par ordre de préférence (liste, ou option répétée)",
		"providers to enable, in order of preference (a list, or repeat the flag)"))
	flags.BoolVar(&dryRun, "dry-run", false, a.text("dire ce qui serait écrit, sans rien écrire", "say what would be written, write nothing"))
	flags.BoolVarP(&force, "force", "f", false, a.text("remplacer aussi les fichiers modifiés à la main", "replace files that were changed by hand too"))
	_ = cmd.RegisterFlagCompletionFunc("provider", cobra.FixedCompletions(enrol.ProviderNames(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func (a *app) enrolment(root string, p *enrol.Plan, dryRun bool) *enrolment {
	e := &enrolment{OK: true, Profile: string(p.Profile), Root: root, DryRun: dryRun,
		Providers: append([]string{}, p.Providers...), ProviderPolicy: "hosted-safe",
		Written: p.Pending(), Skipped: p.Skipped(), Kept: []pathReason{}, Failed: []pathReason{}}
	for _, f := range p.Kept() {
		e.Kept = append(e.Kept, pathReason{f.Path, f.Why.In(a.lang)})
	}
	return e
}

func (a *app) showEnrolment(e *enrolment) {
	a.printf("%s\n", fmt.Sprintf(a.text("Profil %s", "Profile %s"), a.bold(e.Profile)))
	for _, path := range e.Written {
		a.printf("  %s %s\n", a.green("+"), printable(path))
	}
	for _, k := range e.Kept {
		a.printf("  %s %s: %s\n", a.dim("·"), printable(k.Path), printable(k.Reason))
	}
	for _, f := range e.Failed {
		a.printf("  %s %s: %s\n", a.red("!"), printable(f.Path), printable(f.Reason))
	}
	what := a.text("%d fichier(s) écrit(s), %d laissé(s)", "%d file(s) written, %d left alone")
	if e.DryRun {
		what = a.text("%d fichier(s) à écrire, %d laissé(s)", "%d file(s) to write, %d left alone")
	}
	a.printf(what+"\n", len(e.Written), len(e.Skipped))
	if e.Sync != nil {
		for _, h := range e.Sync.hosts {
			a.printf("%s: %s\n", a.bold(printable(h.name)), fmt.Sprintf(a.text("%d fichier(s) écrit(s), %d en tout", "%d file(s) written, %d in all"), h.written, h.files))
		}
		a.showDecisions(e.Sync, false)
	}
	if surface.Profile(e.Profile).Rank() >= surface.ProfileControlled.Rank() && len(e.Providers) == 0 {
		a.printf("%s %s\n", a.yellow("[!]"), a.text(
			"aucun fournisseur de modèles n'est activé : grimoire standard init --provider "+strings.Join(enrol.ProviderNames(), "|"),
			"no provider of models is enabled: grimoire standard init --provider "+strings.Join(enrol.ProviderNames(), "|")))
	}
	if !e.DryRun {
		a.printf("%s\n", a.text("Ensuite : grimoire standard verify", "Next: grimoire standard verify"))
	}
}
