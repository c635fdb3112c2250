package main

import (
	"github.com/spf13/cobra"
)

func newHostSurface(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "surface",
		Short: a.text("Description du projet, indépendante de tout hôte", "Description of the project, independent of any host"),
		Example: `  grimoire host surface
  grimoire host surface -o json | jq '.agents[].name'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			w, err := a.openThere(cmd.Context())
			if err != nil {
				return err
			}
			defer w.Close()
			s := w.Project.Surface
			if a.json() {
				return a.printJSON(s)
			}
			enrolled := a.text("non enrôlé", "not enrolled")
			if s.Governed {
				enrolled = a.text("enrôlé, profil ", "enrolled, profile ") + string(s.Profile)
			}
			a.printf("%s (%s)\n", a.bold(printable(s.ProjectName)), enrolled)
			a.printf(a.text("personas : %d · compétences : %d · commandes : %d · serveurs MCP : %d\n",
				"personas: %d · skills: %d · commands: %d · MCP servers: %d\n"),
				len(s.Agents), len(s.Skills), len(s.Commands), len(s.MCPServers))
			for _, h := range s.Hooks {
				a.printf("  %s: %s (%s)\n", h.Event, h.Decision, h.Enforcement)
			}
			return nil
		},
	}
}
