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
		Use:   a.text("trust <programme>", "trust <program>"),
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
				return a.printJSON(grantOf(grant))
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
				list := []grantJSON{}
				for _, g := range grants {
					list = append(list, grantOf(g))
				}
				return a.printJSON(list)
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

// grantJSON is a grant for scripts.
type grantJSON struct {
	ID          string          `json:"id"`
	Aliases     []string        `json:"aliases"`
	DisplayName string          `json:"display_name"`
	SHA256      string          `json:"sha256"`
	Origin      string          `json:"origin"` // where the program was
	WritesUnder []string        `json:"writes_under"`
	Merges      []string        `json:"adds_entries_in"`
	Everywhere  bool            `json:"everywhere"`
	Project     *plugin.Project `json:"project,omitempty"` // absent where everywhere
}

func grantOf(g plugin.Grant) grantJSON {
	return grantJSON{
		ID:          g.ID,
		Aliases:     append([]string{}, g.Profile.Aliases...),
		DisplayName: g.Profile.DisplayName,
		SHA256:      g.SHA256,
		Origin:      g.Origin,
		WritesUnder: append([]string{}, g.Profile.Owns...),
		Merges:      append([]string{}, g.Profile.Merges...),
		Everywhere:  g.Project == nil,
		Project:     g.Project,
	}
}

func newPluginUntrust(a *app) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   a.text("untrust <hôte>", "untrust <host>"),
		Short: a.text("Retirer sa confiance à un émetteur", "Withdraw trust from an emitter"),
		Long: a.text(`Ce que l'émetteur a écrit reste : retire-le d'abord avec
« grimoire host remove <hôte> », qui a besoin de cette confiance. Tant qu'il reste
de ses fichiers, la question est posée ; sans terminal, la réponse est non.`,
			`What the emitter wrote stays: take it out first with
"grimoire host remove <host>", which needs this trust. As long as files of its are
left, you are asked; without a terminal the answer is no.`),
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
			if a.warnOfFiles(grants, yes) && !yes && !a.confirm(a.text("Retirer la confiance quand même ?", "Withdraw trust all the same?")) {
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
	cmd.Flags().BoolVar(&yes, "yes", false, a.text("ne pas demander de confirmation", "do not ask for confirmation"))
	return cmd
}

// warnOfFiles says which files the emitters of grants have in their projects, and
// reports whether there are any: without trust nothing can take them out. A grant
// for every project is only looked at in this one.
func (a *app) warnOfFiles(grants []plugin.Grant, goesOn bool) bool {
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
		remedy := surface.Text{FR: "`grimoire host remove %s` d'abord : sans ta confiance, plus rien ne les retire", EN: "`grimoire host remove %s` first: without your trust nothing takes them out any more"}
		if goesOn {
			remedy = surface.Text{FR: "pour les retirer, refais-lui confiance, puis `grimoire host remove %s`", EN: "to take them out, trust it again, then `grimoire host remove %s`"}
		}
		name, alias, list := g.Profile.DisplayName, g.Profile.Alias(), strings.Join(files, ", ")
		a.warn(surface.Text{
			FR: fmt.Sprintf("%s garde des fichiers de %s (%s) ; "+remedy.FR, root, name, list, alias),
			EN: fmt.Sprintf("%s still holds files of %s (%s); "+remedy.EN, root, name, list, alias),
		})
	}
	return found
}
