package main

import (
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/core/doctor"
	"github.com/grimoire-kit/grimoire/surface"
)

func newDoctor(a *app) *cobra.Command {
	var fix, noProof bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: a.text("Vérifier un projet et ce que ses hôtes en chargent vraiment", "Check a project and what its hosts really load of it"),
		Long: a.text(`Vérifie le projet, l'état de chaque hôte activé, le programme grimoire-hook et les
règles ; lit chaque fichier d'hôte en entier comme l'hôte le lit, et nomme
l'entrée qui lui ferait ignorer le fichier. Lance le hook de chaque hôte comme il le
fait, avec un appel à arrêter et un appel à laisser passer, dans une copie jetable
des règles ; --no-proof s'en passe. N'écrit rien dans le projet.

Avec --fix, fait d'abord ce que fait « grimoire up --fix », et rien qu'une personne
devrait décider.

Codes de sortie : 0 rien n'a échoué (des remarques peuvent rester) · 1 une
vérification a échoué · 2 ligne de commande invalide.`,
			`Checks the project, the state of each enabled host, the program grimoire-hook and
the rules; reads each host's whole file the way that host reads it, and names the
entry that would make the host ignore the file. Runs each host's hook as that host
does, with a call to stop and one to let through, in a throwaway copy of the rules;
--no-proof leaves that out. Writes nothing in the project.

With --fix, first does what "grimoire up --fix" does, and nothing that a person
should decide.

Exit codes: 0 nothing failed (remarks may be left) · 1 a check failed · 2 invalid
command line.`),
		Example: `  grimoire doctor
  grimoire doctor --fix
  grimoire doctor --no-proof
  grimoire doctor -o json | jq '.checks[] | select(.passed | not)'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.doctor(cmd, fix, noProof) },
	}
	cmd.Flags().BoolVar(&fix, "fix", false, a.text("mettre d'abord le projet à jour (grimoire up --fix)", "bring the project up to date first (grimoire up --fix)"))
	cmd.Flags().BoolVar(&noProof, "no-proof", false, a.text("ne pas lancer le hook des hôtes", "do not run the hosts' hook"))
	return cmd
}

func (a *app) doctor(cmd *cobra.Command, fix, noProof bool) error {
	ctx, cancel := interruptible(cmd)
	defer cancel()
	root, err := a.root(true)
	if err != nil {
		return err
	}
	p := a.progress(a.text("Examen du projet", "Examining the project"))
	defer p.stop()
	if fix {
		// What could not be fixed is among the checks that follow.
		s, err := a.up(ctx, root, true, false)
		p.stop()
		if err != nil {
			a.say("grimoire: %s\n", message(err, a.lang))
		} else if !a.json() {
			a.showFixed(s)
		}
	}
	report, err := doctor.Run(ctx, root, doctor.Options{
		Getenv: a.environ, Language: a.lang, Environ: os.Environ(), NoProof: noProof,
		Step: func(t surface.Text) { p.step(t.In(a.lang)) },
	})
	p.stop()
	if err != nil {
		return err
	}
	return a.answerReport(report)
}

// answerReport shows what was checked; a check that failed is the command's.
func (a *app) answerReport(report *doctor.Report) (err error) {
	if a.json() {
		err = a.printJSON(report.JSON(a.lang))
	} else {
		a.showReport(report)
	}
	if err == nil && report.Failed() {
		return errReported
	}
	return err
}

func (a *app) showFixed(s *setup) {
	for _, path := range s.Written {
		a.printf("  %s %s\n", a.green("+"), printable(path))
	}
	if s.Sync != nil {
		for _, path := range s.Sync.Written {
			a.printf("  %s %s\n", a.green("+"), printable(path))
		}
	}
	for _, f := range s.Failed {
		a.printf("  %s %s: %s\n", a.red("!"), printable(f.Path), printable(f.Reason))
	}
}

// showReport gives each check its line, with its findings below where there is
// more than one.
func (a *app) showReport(r *doctor.Report) {
	failed, warned := 0, 0
	for _, c := range r.Checks {
		mark := a.green("[ok]")
		switch {
		case !c.Passed:
			failed++
			mark = a.red("[" + a.text("échec", "fail") + "]")
		case c.Level == doctor.Warn:
			warned++
			mark = a.yellow("[!]")
		case c.Level == doctor.Info:
			mark = a.dim("[i]")
		}
		lines := strings.Split(c.Detail.In(a.lang), "\n")
		if c.Passed && c.Level == "" {
			a.printf("%s %s%s%s\n", mark, c.Name, a.colon(), printable(lines[0]))
			continue
		}
		a.printf("%s %s\n", mark, a.bold(c.Name))
		for _, line := range lines {
			a.printf("      %s\n", printable(line))
		}
	}
	switch {
	case failed > 0:
		a.printf("\n%s\n", a.red(a.number(failed, "vérification en échec", "vérifications en échec", "check(s) failed")))
	case warned > 0:
		a.printf("\n%s\n", a.yellow(a.number(warned, "remarque, aucun échec", "remarques, aucun échec", "remark(s), nothing failed")))
	default:
		a.printf("\n%s\n", a.green(a.text("tout va bien", "all is well")))
	}
}
