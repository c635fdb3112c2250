package main

import (
	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/core/host"
)

func newHostList(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: a.text("Hôtes connus, ce que chacun sait exécuter, hôte détecté", "Known hosts, what each can run, the detected host"),
		Example: `  grimoire host list
  grimoire host list -o json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			w, err := a.openHosts(cmd.Context(), false, false)
			if err != nil {
				return err
			}
			defer w.Close()
			listing := w.List(a.lang)
			if a.json() {
				return a.printJSON(listing)
			}
			a.showListing(listing)
			return nil
		},
	}
}

func (a *app) showListing(l host.Listing) {
	t := newTable(
		a.text("HÔTE", "HOST"), a.text("NOM", "NAME"), a.text("ACTIVÉ", "ENABLED"),
		a.text("SOUS-AGENTS", "SUB-AGENTS"), a.text("COMPÉTENCES", "SKILLS"), a.text("COMMANDES", "COMMANDS"),
		a.text("HOOKS BLOQUANTS", "BLOCKING HOOKS"), a.text("PERMISSIONS", "PERMISSIONS"))
	for _, h := range l.Hosts {
		name := printable(h.DisplayName)
		if h.HostID == l.Detected {
			name += a.text(" (détecté)", " (detected)")
		}
		if h.Origin != "bundled" {
			name += a.text(" (tiers)", " (third party)")
		}
		if h.Barred != "" {
			t.row(printable(h.Alias), name, a.mark(h.Enabled), "?", "?", "?", "?", "?")
			continue
		}
		s := h.Surfaces
		t.row(printable(h.Alias), name, a.mark(h.Enabled), a.mark(s.Subagents), a.mark(s.Skills), a.mark(s.Commands), a.mark(s.BlockingHooks), a.mark(s.Permissions))
	}
	t.write(a)
	a.printf("\n%s\n", a.bold(a.text("Ce qu'un hôte ne sait pas faire, et ce qui le remplace", "What a host cannot do, and what stands in for it")))
	for _, h := range l.Hosts {
		if h.Barred != "" {
			a.printf("  %s%s%s\n", printable(h.Alias), a.colon(), a.red(printable(h.Barred)))
			continue
		}
		for _, g := range h.Gaps {
			a.printf("  %s%s%s → %s\n", printable(h.Alias), a.colon(), a.lost(string(g.Surface)), printable(g.Fallback))
		}
	}
}

// mark is yes or no at a glance.
func (a *app) mark(yes bool) string {
	if yes {
		return a.text("oui", "yes")
	}
	return a.text("non", "no")
}
