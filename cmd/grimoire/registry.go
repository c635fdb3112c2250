package main

import (
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/governance/trace"
)

func newRegistry(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "registry",
		Short: a.text("Ce que l'on sait de l'emploi des agents", "What is known of how agents are used"),
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newRegistryDispatches(a))
	return cmd
}

func newRegistryDispatches(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "dispatches",
		Short: a.text("Personas d'entrée retenues, et spécialités qui manquaient", "Entry personas chosen, and specialties that were missing"),
		Example: `  grimoire registry dispatches
  grimoire registry dispatches -o json`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			root, err := a.root(true)
			if err != nil {
				return err
			}
			chosen, missed, err := trace.Dispatches(root)
			if err != nil {
				return err
			}
			if a.json() {
				return a.printJSON(struct {
					Dispatches []trace.Chosen `json:"dispatches"`
					Misses     []trace.Missed `json:"misses"`
				}{chosen, missed})
			}
			if len(chosen) == 0 {
				a.printf("%s\n", a.text("Aucun choix de persona d'entrée observé.", "No choice of an entry persona observed."))
			} else {
				t := newTable(a.text("PERSONA", "PERSONA"), a.text("CHOIX", "CHOICES"), a.text("DERNIER", "LAST"))
				for _, c := range chosen {
					t.row(printable(c.Agent), strconv.Itoa(c.Count), printable(c.LastSeen))
				}
				t.write(a)
			}
			if len(missed) == 0 {
				a.printf("%s\n", a.text("Aucune spécialité manquante signalée.", "No missing specialty reported."))
				return nil
			}
			t := newTable(a.text("SPÉCIALITÉ", "SPECIALTY"), a.text("MANQUES", "MISSES"), a.text("DERNIER", "LAST"), a.text("CATÉGORIE", "CATEGORY"), a.text("REPLI", "FALLBACK"))
			for _, m := range missed {
				t.row(printable(m.Specialty), strconv.Itoa(m.Count), printable(m.LastSeen), printable(m.Category), printable(m.Fallback))
			}
			t.write(a)
			return nil
		},
	}
}

// newAgentMiss records that no agent fitted. An agent calls it in the middle
// of its work, so it never fails; but it never claims a record that was not
// written either.
func newAgentMiss(a *app) *cobra.Command {
	var category, specialty, fallback, reason string
	cmd := &cobra.Command{
		Use:   "agent-miss",
		Short: a.text("Noter qu'aucun agent ne convenait", "Record that no agent fitted"),
		Long: a.text("Note une catégorie et des étiquettes courtes ; rien de ce qui était demandé. N'échoue jamais.",
			"Records a category and short labels; nothing of what was asked. Never fails."),
		Example: `  grimoire agent-miss --category routing --specialty "base de données" --fallback concierge`,
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			r := trace.Miss(category, specialty, fallback, reason)
			r.At = time.Now()
			root, err := a.root(true)
			if err == nil {
				err = trace.Append(root, r)
			}
			if a.json() {
				answer := map[string]any{"recorded": err == nil}
				if err != nil {
					answer["error"] = message(err, a.lang)
				}
				return a.printJSON(answer)
			}
			if err != nil {
				a.printf("%s%s%s\n", a.text("Non enregistré", "Not recorded"), a.colon(), printable(message(err, a.lang)))
				return nil
			}
			a.printf("%s\n", a.text("Enregistré.", "Recorded."))
			return nil
		},
	}
	cmd.Flags().StringVar(&category, "category", "", a.text("nature du manque", "kind of miss"))
	cmd.Flags().StringVar(&specialty, "specialty", "", a.text("spécialité qui manquait", "specialty that was missing"))
	cmd.Flags().StringVar(&fallback, "fallback", "", a.text("agent qui a pris la suite", "agent that took over"))
	cmd.Flags().StringVar(&reason, "reason", "", a.text("pourquoi, en quelques mots", "why, in a few words"))
	_ = cmd.MarkFlagRequired("category")
	return cmd
}
