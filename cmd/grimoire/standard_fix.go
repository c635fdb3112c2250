package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/core/enrol"
)

// fixReport is the JSON of `standard fix`; lists are never null.
type fixReport struct {
	DryRun  bool         `json:"dry_run"`
	Applied bool         `json:"applied"`
	Actions []remedy     `json:"actions"`
	Written []string     `json:"written"` // with dry_run: what would be
	Skipped []string     `json:"skipped"`
	Failed  []pathReason `json:"failed"`
	Audit   *string      `json:"audit_path"` // null when nothing was written
}

func newStandardFix(a *app) *cobra.Command {
	var f standardFlags
	var dryRun, apply bool
	cmd := &cobra.Command{
		Use:   a.text("fix [dossier]", "fix [folder]"),
		Short: a.text("Écrire les fichiers qui manquent", "Write the files that are missing"),
		Long: a.text(`Ne fait que ce qui ne coûte le texte de personne : créer les fichiers absents. Le
reste de ce que dit audit est à faire par une personne. Sans --apply, rien n'est
écrit.`,
			`Does only what costs nobody's text: it creates files that are absent. The rest of
what audit says is for a person to do. Without --apply nothing is written.`),
		Example: `  grimoire standard fix
  grimoire standard fix --apply
  grimoire standard fix --apply --task-id GAO-search-001`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if dryRun && apply {
				return usageError{errors.New(a.text("--dry-run et --apply se contredisent", "--dry-run and --apply contradict each other"))}
			}
			o, err := f.options()
			if err != nil {
				return err
			}
			p, err := a.openStandard(args)
			if err != nil {
				return err
			}
			defer p.Close()
			found := p.Verify(o)
			plan, err := enrol.Prepare(p.Dir(), enrol.Options{Profile: found.Profile, Task: found.Task, Language: a.lang, Now: time.Now(), MissingOnly: true})
			if err != nil {
				return err
			}
			defer plan.Close()
			for _, t := range plan.Warnings {
				a.warn(t)
			}
			r := &fixReport{DryRun: !apply, Applied: apply, Actions: a.remedies(found), Written: plan.Pending(), Skipped: plan.Skipped(), Failed: []pathReason{}}
			if apply && len(r.Written) > 0 {
				if err := a.fix(p.Dir(), plan, r); err != nil {
					return err
				}
			}
			if a.json() {
				err = a.printJSON(r)
			} else {
				a.showFix(r)
			}
			if err == nil && len(r.Failed) > 0 {
				return errReported
			}
			return err
		},
	}
	f.add(a, cmd, a.bootstrapTask())
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, a.text("dire ce qui serait écrit (c'est le défaut)", "say what would be written (the default)"))
	cmd.Flags().BoolVar(&apply, "apply", false, a.text("écrire", "write"))
	return cmd
}

// fix writes what is missing and notes it.
func (a *app) fix(root string, plan *enrol.Plan, r *fixReport) error {
	out, err := plan.Apply()
	if err != nil {
		return err
	}
	r.Written = out.Written
	for _, fault := range out.Failed {
		r.Failed = append(r.Failed, pathReason{fault.Path, fault.Text().In(a.lang)})
	}
	err = enrol.NoteFix(root, plan, out.Written, time.Now())
	a.noteEvent(err)
	if err == nil {
		r.Audit = orNull(enrol.FixesFile)
	}
	return nil
}

func (a *app) showFix(r *fixReport) {
	for _, path := range r.Written {
		a.printf("  %s %s\n", a.green("+"), printable(path))
	}
	for _, f := range r.Failed {
		a.printf("  %s %s: %s\n", a.red("!"), printable(f.Path), printable(f.Reason))
	}
	what := a.text("%d fichier(s) écrit(s)", "%d file(s) written")
	if r.DryRun {
		what = a.text("%d fichier(s) à écrire", "%d file(s) to write")
	}
	a.printf(what+"\n", len(r.Written))
	left := 0
	for _, action := range r.Actions {
		if action.Check != "artifact.missing" {
			left++
		}
	}
	if left > 0 {
		a.printf("%s\n", fmt.Sprintf(a.text("%d point(s) pour une personne : grimoire standard audit", "%d finding(s) for a person: grimoire standard audit"), left))
	}
	if r.DryRun && len(r.Written) > 0 {
		a.printf("%s\n", a.text("`grimoire standard fix --apply` l'écrit.", "`grimoire standard fix --apply` writes it."))
	}
}
