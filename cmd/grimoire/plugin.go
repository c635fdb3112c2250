package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/core/host"
	"github.com/grimoire-kit/grimoire/core/plugin"
	"github.com/grimoire-kit/grimoire/core/sync"
	"github.com/grimoire-kit/grimoire/surface"
)

func newPlugin(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "plugin",
		Short: a.text("Émetteurs tiers : ceux en qui tu as confiance sur cette machine", "Third-party emitters: those you trust on this machine"),
		Long: a.text(`Un projet peut demander un émetteur tiers (hosts.plugins dans project-context.yaml) ;
seule la personne qui tient cette machine peut l'accorder. La confiance porte sur
l'empreinte SHA-256 du programme, copié dans un dossier à toi : une autre version
redemande.`,
			`A project may ask for a third-party emitter (hosts.plugins in project-context.yaml);
only the person who holds this machine can grant it. Trust is in the program's
SHA-256 digest, and the program is copied into a folder of yours: another version
asks again.`),
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newPluginTrust(a), newPluginList(a), newPluginUntrust(a))
	return cmd
}

func newPluginTrust(a *app) *cobra.Command {
	var yes, everywhere bool
	cmd := &cobra.Command{
		Use:   "trust <program>",
		Short: a.text("Accorder sa confiance à un émetteur", "Trust an emitter"),
		Example: `  grimoire plugin trust tools/grimoire-emitter-zed
  grimoire plugin trust --everywhere ~/bin/grimoire-emitter-zed`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, cancel := interruptible(cmd)
			defer cancel()
			store, err := plugin.OpenStore()
			if err != nil {
				return err
			}
			var project *plugin.Project
			if !everywhere {
				root, err := a.root(true)
				if err != nil {
					return err
				}
				identity, err := plugin.IdentifyProject(ctx, root)
				if err != nil {
					return err
				}
				project = &identity
			}
			var launcher plugin.Launcher
			grant, err := launcher.Trust(ctx, store, args[0], project, func(g plugin.Grant) bool {
				a.showGrant(g)
				return yes || a.confirm(a.text("Lui faire confiance ?", "Trust it?"))
			})
			if err != nil {
				return err
			}
			if a.json() {
				return a.printJSON(grant)
			}
			a.printf("%s\n", a.text("Confiance accordée.", "Trusted."))
			return nil
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, a.text("ne pas demander de confirmation", "do not ask for confirmation"))
	cmd.Flags().BoolVar(&everywhere, "everywhere", false, a.text("dans tous les projets, pas seulement celui-ci", "in every project, not only this one"))
	return cmd
}

// showGrant says on stderr what trusting would allow, before it is asked.
func (a *app) showGrant(g plugin.Grant) {
	say := func(what, value string) { a.say("  %s: %s\n", what, printable(value)) }
	a.say("%s (%s)\n", printable(g.Profile.DisplayName), printable(g.ID))
	say(a.text("programme", "program"), g.Origin)
	say("sha256", g.SHA256)
	say(a.text("écrit sous", "writes under"), strings.Join(g.Profile.Owns, ", "))
	if len(g.Profile.Merges) > 0 {
		say(a.text("ajoute des entrées dans", "adds entries in"), strings.Join(g.Profile.Merges, ", "))
	}
	if g.Project != nil {
		say(a.text("projet", "project"), g.Project.Root)
	}
}

func newPluginList(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   a.text("Émetteurs tiers de confiance", "Trusted third-party emitters"),
		Example: "  grimoire plugin list -o json",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			store, err := plugin.OpenStore()
			if err != nil {
				return err
			}
			grants, err := store.Grants()
			if err != nil {
				return err
			}
			if a.json() {
				return a.printJSON(append([]plugin.Grant{}, grants...))
			}
			if len(grants) == 0 {
				a.printf("%s\n", a.text("Aucun émetteur tiers.", "No third-party emitter."))
				return nil
			}
			t := newTable(a.text("HÔTE", "HOST"), a.text("PROJET", "PROJECT"), "SHA256", a.text("PROGRAMME", "PROGRAM"))
			for _, g := range grants {
				where := a.text("tous", "all")
				if g.Project != nil {
					where = g.Project.Root
				}
				t.row(printable(g.ID), printable(where), g.SHA256[:min(12, len(g.SHA256))], printable(g.Origin))
			}
			t.write(a)
			return nil
		},
	}
}

func newPluginUntrust(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "untrust <host>",
		Short: a.text("Retirer sa confiance à un émetteur", "Withdraw trust from an emitter"),
		Long: a.text(`Ce que l'émetteur a écrit reste : retire-le d'abord avec
« grimoire host remove <hôte> », qui a besoin de cette confiance.`,
			`What the emitter wrote stays: take it out first with
"grimoire host remove <host>", which needs this trust.`),
		Example: `  grimoire host remove zed && grimoire plugin untrust zed
  grimoire plugin untrust host-zed`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			store, err := plugin.OpenStore()
			if err != nil {
				return err
			}
			grants, err := store.GrantsOf(args[0])
			if err != nil {
				return err
			}
			if a.warnOfFiles(grants) && a.interactive() && !a.confirm(a.text("Retirer la confiance quand même ?", "Withdraw trust all the same?")) {
				return host.Refusal{FR: "Rien n'a changé.", EN: "Nothing changed."}
			}
			withdrawn, err := store.Revoke(args[0])
			if err != nil {
				return err
			}
			if len(withdrawn) == 0 {
				return host.Refusal{
					FR: "Aucun émetteur « " + args[0] + " » n'a ta confiance ; `grimoire plugin list` les montre.",
					EN: "No emitter " + args[0] + " is trusted; `grimoire plugin list` shows them.",
				}
			}
			if a.json() {
				return a.printJSON(map[string]any{"id": withdrawn[0].ID, "untrusted": true})
			}
			a.printf("%s\n", a.text("Confiance retirée.", "No longer trusted."))
			return nil
		},
	}
}

// warnOfFiles says which files the emitters of grants have in their projects, and
// reports whether there are any: without trust nothing can take them out. A grant
// for every project is only looked at in this one.
func (a *app) warnOfFiles(grants []plugin.Grant) bool {
	found := false
	for _, g := range grants {
		root, err := a.root(false)
		if g.Project != nil {
			root, err = g.Project.Root, nil
		}
		if err != nil {
			continue
		}
		files, err := sync.FilesOf(root, g.Profile)
		if err != nil || len(files) == 0 {
			continue // a project that is gone holds nothing
		}
		found = true
		a.warn(surface.Text{
			FR: fmt.Sprintf("%s garde des fichiers de %s (%s) ; `grimoire host remove %[2]s` les retire, tant que tu lui fais confiance", root, g.ID, strings.Join(files, ", ")),
			EN: fmt.Sprintf("%s still holds files of %s (%s); `grimoire host remove %[2]s` takes them out, as long as you trust it", root, g.ID, strings.Join(files, ", ")),
		})
	}
	return found
}
