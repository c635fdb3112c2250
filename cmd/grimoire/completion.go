package main

import (
	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/surface"
)

// shells are those cobra writes a completion script for, with how a person
// loads it: once, then for good.
var shells = map[string]string{
	"bash": `  source <(grimoire completion bash)
  grimoire completion bash > ~/.local/share/bash-completion/completions/grimoire`,
	"zsh": `  source <(grimoire completion zsh)
  grimoire completion zsh > "${fpath[1]}/_grimoire"`,
	"fish": `  grimoire completion fish | source
  grimoire completion fish > ~/.config/fish/completions/grimoire.fish`,
	"powershell": `  grimoire completion powershell | Out-String | Invoke-Expression`,
}

// describeCompletion gives cobra's completion commands our words.
func describeCompletion(a *app, group *cobra.Command) {
	group.Short = a.text("Écrire le script de complétion d'un shell", "Write the completion script of a shell")
	group.Long = a.text(`Écrit sur la sortie standard le script qui complète les commandes, options et noms
d'hôtes de grimoire dans ton shell.`,
		`Writes on stdout the script that completes grimoire's commands, flags and names
of hosts in your shell.`)
	group.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
	for _, c := range group.Commands() {
		load, ours := shells[c.Name()]
		if !ours {
			continue
		}
		c.Short = a.text("Script de complétion pour "+c.Name(), "Completion script for "+c.Name())
		c.Long = a.text("Écrit le script de complétion pour "+c.Name()+". Les exemples le chargent dans le shell ouvert, puis dans ceux à venir.",
			"Writes the completion script for "+c.Name()+". The examples load it in the open shell, then in those to come.")
		if c.Name() == "powershell" {
			c.Long = a.text("Écrit le script de complétion pour PowerShell ; la ligne de l'exemple a sa place dans le profil.",
				"Writes the completion script for PowerShell; the example's line belongs in the profile.")
		}
		c.Example = load
		if f := c.Flags().Lookup("no-descriptions"); f != nil {
			f.Usage = a.text("compléter sans descriptions", "complete without descriptions")
		}
	}
}

// describeHelp does so for its help command.
func describeHelp(a *app, c *cobra.Command) {
	c.Short = a.text("Aide d'une commande", "Help about a command")
	c.Long = a.text("Dit ce que fait une commande, avec ses options et des exemples.", "Says what a command does, with its flags and examples.")
	c.Example = "  grimoire help host sync"
	c.Run, c.RunE = nil, func(c *cobra.Command, args []string) error {
		about, rest, err := c.Root().Find(args)
		if err != nil || len(rest) > 0 && about.HasSubCommands() {
			return usageError{argumentError(a, about, rest)}
		}
		return about.Help()
	}
	if a.lang == surface.French {
		c.Use = "help [commande]"
	}
}
