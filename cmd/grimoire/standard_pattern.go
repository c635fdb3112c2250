package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/core/enrol"
	"github.com/grimoire-kit/grimoire/core/schema"
	"github.com/grimoire-kit/grimoire/governance/standard"
)

// patternEntry is one pattern in the JSON of `standard pattern list`.
type patternEntry struct {
	ID       string   `json:"id"`
	Artifact string   `json:"artifact"` // the existing kit's word for its file
	About    string   `json:"about"`
	Path     string   `json:"path"`
	Needs    []string `json:"needs"` // that lead to it
	Prefix   string   `json:"check_prefix"`
	Selected bool     `json:"selected"`
}

// patternPage is the JSON of `standard pattern show`.
type patternPage struct {
	patternEntry
	Schema   string   `json:"schema"` // its address
	Checks   []string `json:"checks"`
	Template string   `json:"template"` // the file as init writes it
}

func (a *app) patternEntry(c standard.Control, s standing) patternEntry {
	e := patternEntry{ID: c.Name(), Artifact: c.Type, About: c.About.In(a.lang), Path: c.Path(), Needs: []string{}, Prefix: c.Family}
	for _, n := range standard.Needs() {
		if slices.Contains(n.Patterns, c.Type) {
			e.Needs = append(e.Needs, n.ID)
		}
	}
	e.Selected = slices.ContainsFunc(s.selection.Controls(), func(o standard.Control) bool { return o.Type == c.Type })
	return e
}

func newStandardPattern(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "pattern",
		Short: a.text("Les motifs : des règles d'un seul sujet, à choisir", "Patterns: rules of one subject, to choose from"),
		Long: a.text(`Un motif est un fichier de règles sur un seul sujet : ce qu'un agent peut atteindre,
par où passe une fusion, ce que coûte un modèle. Un projet n'a que ceux qu'il choisit
(standard init --pattern, --needs). grimoire en vérifie la forme ; ce qu'ils disent
est pour les personnes et les agents, et ce que le hook applique est dans
policies.yaml.`,
			`A pattern is a file of rules on one subject: what an agent may reach, what a merge
goes through, what a model costs. A project has those alone that it chooses (standard
init --pattern, --needs). grimoire checks their form; what they say is for people and
agents, and what the hook enforces is in policies.yaml.`),
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newStandardPatternList(a), newStandardPatternShow(a))
	return cmd
}

func newStandardPatternList(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   a.text("list [dossier]", "list [folder]"),
		Short: a.text("Tous les motifs, et ceux du projet", "Every pattern, and those of the project"),
		Example: `  grimoire standard pattern list
  grimoire standard pattern list -o json | jq '.patterns[] | select(.selected).id'`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			s, err := a.standing(args)
			if err != nil {
				return err
			}
			var list []patternEntry
			for _, c := range standard.Patterns() {
				list = append(list, a.patternEntry(c, s))
			}
			if a.json() {
				return a.printJSON(map[string]any{"patterns": list})
			}
			for _, e := range list {
				mark := " "
				if e.Selected {
					mark = a.green("✓")
				}
				a.printf("%s %s%s%s\n", mark, a.bold(e.ID), a.colon(), e.About)
			}
			return nil
		},
	}
}

func newStandardPatternShow(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   a.text("show <motif>", "show <pattern>"),
		Short: a.text("Un motif : son fichier, ses vérifications", "One pattern: its file, its checks"),
		Long: a.text(`Dit à quoi il sert, et montre le fichier qu'init écrirait.

Codes de sortie : 0 · 2 aucun motif de ce nom.`,
			`Says what it is for, and shows the file that init would write.

Exit codes: 0 · 2 no pattern of that name.`),
		Example: `  grimoire standard pattern show merge-lane
  grimoire standard pattern show cost-registry -o json | jq -r .template`,
		Args:      cobra.ExactArgs(1),
		ValidArgs: patternNames(standard.Patterns()),
		RunE: func(_ *cobra.Command, args []string) error {
			c, ok := standard.FindPattern(strings.ToLower(args[0]))
			if !ok {
				return usageError{standard.UnknownPattern(args[0])}
			}
			s, err := a.standing(nil)
			if err != nil {
				return err
			}
			text, err := enrol.Sample(c, a.lang)
			if err != nil {
				return err
			}
			page := patternPage{a.patternEntry(c, s), schema.URL(c.Name()), c.Checks(), string(text)}
			if a.json() {
				return a.printJSON(page)
			}
			a.printf("%s%s%s\n", a.bold(page.ID), a.colon(), page.About)
			say := func(what, value string) { a.printf("  %s%s%s\n", what, a.colon(), value) }
			say(a.text("fichier", "file"), page.Path)
			say(a.text("besoins", "needs"), strings.Join(page.Needs, ", "))
			say(a.text("vérifications", "checks"), page.Prefix+"*")
			say(a.text("choisi", "selected"), a.mark(page.Selected))
			a.printf("\n%s", page.Template)
			return nil
		},
	}
}
