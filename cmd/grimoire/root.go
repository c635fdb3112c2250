package main

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "grimoire",
		Short: a.text("Décrire une équipe d'agents une fois, la faire tourner sous chaque hôte", "Describe a team's agents once, have every host run them"),
		Long: a.text(`grimoire lit les personas, compétences, commandes et règles d'un projet
(_grimoire/ et project-context.yaml) et écrit les fichiers que Claude Code,
GitHub Copilot, opencode, Codex, Cursor et Gemini CLI chargent nativement.
Un fichier écrit à la main n'est jamais remplacé sans --force.`,
			`grimoire reads a project's personas, skills, commands and rules
(_grimoire/ and project-context.yaml) and writes the files that Claude Code,
GitHub Copilot, opencode, Codex, Cursor and Gemini CLI load natively.
A file written by hand is never replaced without --force.`) + "\n\n" +
			a.text("Codes de sortie : 0 tout va bien · 1 un problème est signalé ou la commande refuse · 2 ligne de commande invalide.",
				"Exit codes: 0 all is well · 1 a problem is reported, or the command refuses · 2 invalid command line."),
		Example: `  grimoire init
  grimoire host sync --dry-run --diff
  grimoire host status
  grimoire doctor`,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		PersistentPreRunE: func(*cobra.Command, []string) error {
			if a.output != "text" && a.output != "json" {
				from := "-o"
				if a.output == a.environ("GRIMOIRE_OUTPUT") {
					from = "GRIMOIRE_OUTPUT"
				}
				return usageError{fmt.Errorf(a.text("%s %q : attendu json ou text", "%s %q: expected json or text"), from, a.output)}
			}
			return nil
		},
	}
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.SetVersionTemplate("grimoire {{.Version}}\n")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usageError{fmt.Errorf("%s\n%s", flagError(a, err), fmt.Sprintf(a.text("Voir « %s --help ».", "See `%s --help`."), cmd.CommandPath()))}
	})
	flags := root.PersistentFlags()
	flags.StringVarP(&a.output, "output", "o", a.output, a.text("forme de la réponse : json ou text ; sinon celle de GRIMOIRE_OUTPUT", "form of the answer: json or text; else that of GRIMOIRE_OUTPUT"))
	flags.StringVarP(&a.dir, "project-root", "C", "", a.text("dossier du projet (défaut : le dossier courant et ses parents)", "folder of the project (default: the current folder and its parents)"))
	_ = root.RegisterFlagCompletionFunc("output", cobra.FixedCompletions([]string{"json", "text"}, cobra.ShellCompDirectiveNoFileComp))
	_ = root.MarkPersistentFlagDirname("project-root")

	root.AddCommand(
		newInit(a),
		newUp(a),
		newDoctor(a),
		newHost(a),
		newPlugin(a),
		newLedger(a),
		newPolicies(a),
		newStandard(a),
		newSchema(a),
		newTask(a),
		newTrace(a),
		newRegistry(a),
		newAgentMiss(a),
	)
	localizeHelp(a, root)
	return root
}

// version is what the build knows of itself.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
