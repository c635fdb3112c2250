package main

import (
	"io"

	"github.com/spf13/cobra"
)

func newHostRun(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "run <slug>",
		Short: a.text("Corps d'une commande, pour un hôte sans commandes natives", "Body of a command, for a host without native commands"),
		Example: `  grimoire host run grimoire-doctor
  grimoire host run grimoire-recall`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			w, err := a.open(cmd.Context(), false)
			if err != nil {
				return err
			}
			defer w.Close()
			c, err := w.Command(args[0])
			if err != nil {
				return err
			}
			if a.json() {
				return a.printJSON(map[string]string{"slug": c.Slug, "body": c.Body})
			}
			_, err = io.WriteString(a.out, c.Body)
			return err
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			w, err := a.open(cmd.Context(), false)
			if err != nil {
				return nil, cobra.ShellCompDirectiveError
			}
			defer w.Close()
			var slugs []string
			for _, c := range w.Project.Surface.Commands {
				slugs = append(slugs, c.Slug+"\t"+c.Description)
			}
			return slugs, cobra.ShellCompDirectiveNoFileComp
		},
	}
}
