package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/core/host"
	"github.com/grimoire-kit/grimoire/core/scaffold"
)

func newUp(a *app) *cobra.Command {
	var fix, force bool
	cmd := &cobra.Command{
		Use:   "up",
		Short: a.text("Mettre un projet à jour", "Bring a project up to date"),
		Long: a.text(`Dit ce qui manque au projet ou a vieilli ; avec --fix, l'écrit, puis lance la
synchronisation. Un projet plus ancien que hosts.enabled reçoit la section, sans
qu'un octet du reste change. Un texte du kit que personne n'a touché est remplacé
par celui de ce grimoire ; un texte modifié ou retiré à la main le reste. Un projet
fait sans « grimoire init » n'a pas besoin de ces textes ; --fix --force les écrit.

Codes de sortie : 0 tout est à jour, ou l'est devenu · 1 quelque chose manque ou a
vieilli (sans --fix), ou n'a pas pu être écrit · 2 ligne de commande invalide.
Ce qu'une personne doit décider (conflits) est dit et ne compte pas.`,
			`Says what the project lacks or what has aged; with --fix, writes it, then runs
the sync. A project older than hosts.enabled gets that section, and no other byte
changes. A text of the kit that nobody touched is replaced by this grimoire's; one
changed or removed by hand stays so. A project made without "grimoire init" needs
none of these texts; --fix --force writes them.

Exit codes: 0 all is up to date, or has become so · 1 something is missing or aged
(without --fix), or could not be written · 2 invalid command line.
What a person has to decide (conflicts) is said and does not count.`),
		Example: `  grimoire up
  grimoire up --fix
  grimoire up -o json | jq '.pending[].path, .sync.written[]'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if force && !fix {
				return usageError{errors.New(a.text("--force accompagne --fix", "--force goes with --fix"))}
			}
			ctx, cancel := interruptible(cmd)
			defer cancel()
			root, err := a.root(true)
			if err != nil {
				return err
			}
			p := a.progress(a.text("Comparaison avec le disque", "Comparing with the disk"))
			defer p.stop()
			s, err := a.up(ctx, root, fix, force)
			p.stop()
			if err != nil {
				return err
			}
			if a.json() {
				err = a.printJSON(s)
			} else {
				a.showUp(s)
			}
			if err == nil && (!fix && !s.UpToDate || len(s.Failed) > 0) {
				return errReported
			}
			return err
		},
	}
	f := cmd.Flags()
	f.BoolVar(&fix, "fix", false, a.text("écrire ce qui manque ou a vieilli", "write what is missing or has aged"))
	f.BoolVar(&force, "force", false, a.text("avec --fix : remplacer aussi les fichiers écrits à la main", "with --fix: replace hand-written files too"))
	return cmd
}

// up compares the project with what it should hold and, with fix, brings it
// there.
func (a *app) up(ctx context.Context, root string, fix, force bool) (*setup, error) {
	plan, err := a.prepare(root, scaffold.Options{Force: force})
	if err != nil {
		return nil, err
	}
	defer plan.Close()
	s := a.newSetup(plan)
	if fix {
		err := a.write(ctx, plan, s, force)
		s.UpToDate = s.UpToDate && s.Sync != nil && s.Sync.OK && len(s.Sync.Written) == 0
		return s, err
	}
	s.DryRun = true
	s.Sync = a.syncAfter(ctx, plan.Root, host.SyncOptions{Host: host.AllHosts, DryRun: true})
	s.UpToDate = s.UpToDate && s.Sync.OK && len(s.Sync.Written)+len(s.Sync.Refused) == 0
	return s, nil
}

func (a *app) showUp(s *setup) {
	a.showProject(s)
	switch {
	case s.UpToDate:
		a.printf("%s\n", a.green(a.text("à jour", "up to date")))
	case s.DryRun:
		for _, f := range s.Pending {
			a.printf("  %s %s (%s)\n", a.yellow("+"), printable(f.Path), f.Reason)
		}
		for _, path := range s.Sync.Written {
			a.printf("  %s %s (%s)\n", a.yellow("+"), printable(path), a.text("fichier d'hôte", "host file"))
		}
		if !s.Sync.OK {
			a.printf("  %s %s\n", a.red("!"), printable(s.Sync.Error))
		}
	default:
		a.showOutcome(s, false)
		return
	}
	a.showRest(s)
	if s.DryRun && !s.UpToDate {
		a.printf("%s\n", a.text("`grimoire up --fix` l'écrit.", "`grimoire up --fix` writes it."))
	}
}
