package main

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/core/host"
	"github.com/grimoire-kit/grimoire/core/project"
	"github.com/grimoire-kit/grimoire/core/scaffold"
	"github.com/grimoire-kit/grimoire/surface"
)

type initOptions struct {
	hosts              []string
	dryRun, yes, force bool
}

func newInit(a *app) *cobra.Command {
	var o initOptions
	cmd := &cobra.Command{
		Use:   "init",
		Short: a.text("Préparer un projet, vide ou ancien", "Prepare a project, empty or years old"),
		Long: a.text(`Détecte les hôtes et la technique du projet, écrit project-context.yaml,
des personas, compétences et commandes de départ dans _grimoire/, puis lance la
synchronisation. Ce qui existe déjà n'est jamais remplacé : un fichier d'hôte
écrit à la main est laissé tel quel et signalé, et ce n'est pas un échec.

Avec --force, un fichier écrit à la main est remplacé là où grimoire écrirait le
sien (textes du kit et fichiers des hôtes) ; project-context.yaml, la page
_grimoire/_memory/shared-context.md et les réglages JSON de l'équipe ne le sont
jamais. Dans un projet déjà initialisé, rien n'est écrit : « grimoire up » s'en charge.

Sur un terminal, ce qui va être écrit est montré et une confirmation demandée ;
hors d'un terminal, avec --yes ou en JSON, aucune.`,
			`Detects the project's hosts and stack, writes project-context.yaml and
starter personas, skills and commands in _grimoire/, then runs the sync. What is
there is never replaced: a host file written by hand is left as it is and
reported, and that is no failure.

With --force, a file written by hand is replaced where grimoire would write its
own (texts of the kit, files of hosts); project-context.yaml, the page
_grimoire/_memory/shared-context.md and the team's JSON settings never are. In a
project that is initialised already nothing is written: "grimoire up" sees to it.

On a terminal, what will be written is shown and a confirmation asked for; off a
terminal, with --yes or in JSON, none is.`),
		Example: `  grimoire init
  grimoire init --dry-run
  grimoire init --host claude,copilot --yes
  grimoire init -C services/api -o json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.init(cmd, o) },
	}
	addHostsFlag(a, cmd, &o.hosts)
	f := cmd.Flags()
	f.BoolVar(&o.dryRun, "dry-run", false, a.text("dire ce qui serait écrit, sans rien écrire", "say what would be written, write nothing"))
	f.BoolVarP(&o.yes, "yes", "y", false, a.text("ne pas demander de confirmation", "do not ask for confirmation"))
	f.BoolVar(&o.force, "force", false, a.text("remplacer aussi les fichiers écrits à la main (voir plus haut)", "replace hand-written files too (see above)"))
	return cmd
}

func (a *app) init(cmd *cobra.Command, o initOptions) error {
	enable, err := aliases(o.hosts)
	if err != nil {
		return err
	}
	root, inside, err := a.newRootDir()
	if err != nil {
		return err
	}
	plan, err := a.prepare(root, scaffold.Options{Init: true, Enable: enable, Force: o.force})
	if err != nil {
		return err
	}
	defer plan.Close()
	s := a.newSetup(plan)
	s.DryRun = o.dryRun
	if s.Initialized {
		return a.reportInitialized(s, o)
	}
	if inside != (surface.Text{}) {
		a.warn(inside)
		if a.json() {
			s.Notes = append(s.Notes, inside.In(a.lang))
		}
	}
	if s.DryRun {
		return a.previewInit(s, plan.HandWritten, o.force)
	}
	ask := a.interactive() && !o.yes && !a.json()
	if ask {
		a.showPlan(s)
		a.showAreas(s, plan.HandWritten, o.force)
		if !a.confirm(a.text("Écrire ?", "Write?")) {
			return host.Refusal{FR: "Rien n'a été écrit.", EN: "Nothing was written."}
		}
	}
	ctx, cancel := interruptible(cmd)
	defer cancel()
	p := a.progress(a.text("Écriture du projet", "Writing the project"))
	err = a.write(ctx, plan, s, o.force)
	p.stop()
	if err != nil {
		return err
	}
	if a.json() {
		err = a.printJSON(s)
	} else {
		a.showInit(s, ask)
	}
	if err == nil && len(s.Failed) > 0 {
		return errReported
	}
	return err
}

// newRootDir is the folder that is to become a project: the one named, else the
// current one. Inside another project, a person has to say which is meant; for
// the folder they name, inside is what they should know first.
func (a *app) newRootDir() (root string, inside surface.Text, err error) {
	here, err := filepath.Abs(a.startDir())
	if err != nil {
		return "", inside, err
	}
	if physical, err := filepath.EvalSymlinks(here); err == nil { // else reading it says what is wrong
		here = physical
	}
	around, found := project.FindRoot(here)
	switch {
	case !found || around == here:
	case a.dir != "":
		inside = surface.Text{
			FR: "ce dossier est dans le projet " + around + " : il devient un projet à part, que grimoire prend à la place de l'autre à partir d'ici",
			EN: "this folder is inside the project " + around + ": it becomes a project of its own, which grimoire takes instead of the other from here down",
		}
	default:
		return "", inside, host.Refusal{
			FR: "Ce dossier fait partie du projet " + around + " : `grimoire up` le met à jour. Pour un projet à part ici : grimoire init -C .",
			EN: "This folder is part of the project " + around + ": `grimoire up` brings it up to date. For a project of its own here: grimoire init -C .",
		}
	}
	return here, inside, nil
}

// reportInitialized is the answer for a project that is one already: init
// changes nothing in it, whatever was asked for.
func (a *app) reportInitialized(s *setup, o initOptions) error {
	said := []string{a.text(
		"Ce projet est déjà initialisé (project-context.yaml) : rien n'a été écrit. `grimoire up` dit ce qui lui manque, `grimoire up --fix` l'écrit.",
		"This project is initialised already (project-context.yaml): nothing was written. `grimoire up` says what it lacks, `grimoire up --fix` writes it.")}
	if o.force {
		said = append(said, a.text(
			"--force n'y change rien : `grimoire up --fix --force` remplace aussi les fichiers écrits à la main.",
			"--force makes no difference: `grimoire up --fix --force` replaces hand-written files too."))
	}
	if len(o.hosts) > 0 {
		said = append(said, a.text(
			"--host n'y change rien : hosts.enabled dans project-context.yaml dit quels hôtes sont activés.",
			"--host makes no difference: hosts.enabled in project-context.yaml says which hosts are enabled."))
	}
	if a.json() {
		s.Notes = append(s.Notes, said...)
		return a.printJSON(s)
	}
	for _, line := range said {
		a.printf("%s\n", line)
	}
	return nil
}

// previewInit is the answer where nothing is to be written.
func (a *app) previewInit(s *setup, handWritten []string, force bool) error {
	if a.json() {
		return a.printJSON(s)
	}
	a.showPlan(s)
	a.showAreas(s, handWritten, force)
	a.showRest(s)
	return nil
}

// showInit says what was done; shown is true where the plan was.
func (a *app) showInit(s *setup, shown bool) {
	if !shown {
		a.showProject(s)
	}
	a.showOutcome(s, shown)
	if len(s.Failed) == 0 && s.Sync != nil && s.Sync.reached() {
		a.printf("\n%s\n", a.text(
			"Ensuite : ouvre ton hôte dans ce dossier ; `grimoire doctor` vérifie que tout est en place.",
			"Next: open your host in this folder; `grimoire doctor` checks that everything is in place."))
	}
}
