package main

import (
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/governance/standard"
)

// eventsReport is the JSON of `standard events audit`.
type eventsReport struct {
	OK      bool           `json:"ok"`
	Path    string         `json:"path"`
	Count   int            `json:"event_count"`
	Types   map[string]int `json:"event_types"`
	Invalid []int          `json:"invalid_lines"` // the first thousand
	Wrong   int            `json:"invalid_count"`
}

func newStandardEvents(a *app) *cobra.Command {
	audit := &cobra.Command{
		Use:   a.text("audit [dossier]", "audit [folder]"),
		Short: a.text("Compter ce que dit le journal du standard", "Count what the standard's journal says"),
		Long: a.text("Lit "+standard.JournalFile+" et nomme les lignes qui n'en sont\npas. N'écrit rien.\n\nCodes de sortie : 0 chaque ligne est un événement · 1 sinon.",
			"Reads "+standard.JournalFile+" and names the lines that are none.\nWrites nothing.\n\nExit codes: 0 every line is an event · 1 otherwise."),
		Example: `  grimoire standard events audit
  grimoire -o json standard events audit | jq '.event_types["gate.checked"]'`,
		Args: cobra.MaximumNArgs(1),
		RunE: a.onStandard(nil, func(p *standard.Folder, _ standard.Options) error {
			e, err := p.Events()
			if err != nil {
				return err
			}
			r := eventsReport{e.OK(), standard.JournalFile, e.Count, e.Types, append([]int{}, e.Invalid...), e.InvalidCount}
			if a.json() {
				err = a.printJSON(r)
			} else {
				for _, kind := range slices.Sorted(maps.Keys(r.Types)) {
					a.printf("  %6d %s\n", r.Types[kind], printable(kind))
				}
				for _, line := range r.Invalid[:min(len(r.Invalid), 20)] {
					a.printf("  %s %s:%d %s\n", a.red("✗"), r.Path, line, a.text("n'est pas un événement", "is not an event"))
				}
				a.printf(a.text("%d événement(s), %d ligne(s) invalide(s)", "%d event(s), %d invalid line(s)")+"\n", r.Count, r.Wrong)
			}
			if err == nil && !r.OK {
				return errReported
			}
			return err
		}),
	}
	return standardGroup("events", a.text("Le journal du standard", "The standard's journal"), audit)
}

// traceRow is the JSON of a row of `standard traceability`.
type traceRow struct {
	Type      string  `json:"artifact"`
	Path      string  `json:"path"`
	Required  bool    `json:"required"`
	Present   bool    `json:"present"`
	Checks    *string `json:"checks"` // the prefix of their ids
	Dimension string  `json:"score_dimension"`
	OwedFrom  *string `json:"gate_from"` // the first column in which a task owes it
	Errors    int     `json:"errors"`
	Warnings  int     `json:"warnings"`
}

func newStandardTraceability(a *app) *cobra.Command {
	var f standardFlags
	cmd := &cobra.Command{
		Use:   a.text("traceability [dossier]", "traceability [folder]"),
		Short: a.text("Dire, par fichier, ce qui le demande et ce qui le lit", "Say for each file what asks for it and what reads it"),
		Long: a.text(`Par fichier du profil : s'il est requis et présent, les contrôles qui le lisent, la
dimension du score où ils comptent, la colonne à partir de laquelle une tâche le doit.
N'écrit rien, et sort toujours avec 0.`,
			`For each file of the profile: whether it is required and there, the checks that read
it, the dimension of the score they count in, the column from which a task owes it.
Writes nothing, and always exits 0.`),
		Example: `  grimoire standard traceability --profile governed
  grimoire -o json standard traceability | jq '.artifacts[] | select(.present | not)'`,
		Args: cobra.MaximumNArgs(1),
		RunE: a.onStandard(&f, func(p *standard.Folder, o standard.Options) error {
			v, found := p.Traceability(o)
			rows := []traceRow{}
			for _, t := range found {
				rows = append(rows, traceRow{t.Type, t.Path, t.Required, t.Present, orNull(t.Family), t.Dimension, orNull(t.OwedFrom), t.Errors, t.Warnings})
			}
			if a.json() {
				return a.printJSON(struct {
					Profile string     `json:"profile"`
					Task    string     `json:"task_id"`
					Rows    []traceRow `json:"artifacts"`
				}{string(v.Profile), v.Task, rows})
			}
			for _, r := range rows {
				mark := a.green("✓")
				switch {
				case r.Present:
				case r.Required:
					mark = a.red("✗")
				default:
					mark = a.dim("○")
				}
				line := fmt.Sprintf("%-26s", r.Type)
				if r.Checks != nil {
					line += " " + *r.Checks + "*"
				}
				line += " → " + r.Dimension
				if r.OwedFrom != nil {
					line += ", " + fmt.Sprintf(a.text("dû à partir de %s", "owed from %s"), *r.OwedFrom)
				}
				if r.Errors+r.Warnings > 0 {
					line += ", " + fmt.Sprintf(a.text("%d erreur(s), %d avertissement(s)", "%d error(s), %d warning(s)"), r.Errors, r.Warnings)
				}
				a.printf("  %s %s\n", mark, line)
			}
			return nil
		}),
	}
	f.add(a, cmd, a.bootstrapTask())
	return cmd
}
