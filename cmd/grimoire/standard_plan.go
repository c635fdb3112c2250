package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/core/enrol"
	"github.com/grimoire-kit/grimoire/governance/standard"
)

// standardPlan is what an enrolment would come to. Lists are never null.
type standardPlan struct {
	Profile  string              `json:"profile"`
	From     enrol.ProfileSource `json:"profile_from"` // option, needs, project, default
	Task     string              `json:"task_id"`
	Needs    []string            `json:"needs"`
	Patterns []string            `json:"patterns"` // selected by name or by a need
	Memory   []string            `json:"memory"`
	Files    []standardFile      `json:"files"`
	Extras   []extra             `json:"extras"`
	Warnings []string            `json:"warnings"`
}

type standardFile struct {
	Path   string       `json:"path"`
	Action enrol.Action `json:"action"` // create, refresh, replace, keep, current
	Reason string       `json:"reason"`
}

// extra is what a store of memory wants from this machine. grimoire installs
// none of it.
type extra struct {
	Name    string `json:"name"`
	Program string `json:"program"` // "" where none is needed
	Env     string `json:"env"`     // the variable with its server's address, "" for none
	Found   bool   `json:"found"`   // nothing is needed, the program is here, or the variable is set
}

func (a *app) extras(stores []string) []extra {
	out := []extra{}
	for _, word := range stores {
		s, ok := standard.FindStore(word)
		if !ok {
			continue
		}
		out = append(out, extra{s.ID, s.Program, s.Env,
			s.Program == "" || enrol.Installed(s.Program) || s.Env != "" && a.environ(s.Env) != ""})
	}
	return out
}

func (a *app) standardPlan(p *enrol.Plan) *standardPlan {
	out := &standardPlan{
		Profile: string(p.Profile), From: p.From, Task: p.Task,
		Needs: append([]string{}, p.Selection.Needs...), Patterns: patternNames(p.Selection.Controls()),
		Memory: append([]string{}, p.Selection.Memory...), Files: []standardFile{}, Extras: a.extras(p.Selection.Memory), Warnings: []string{},
	}
	for _, f := range p.Files {
		out.Files = append(out.Files, standardFile{f.Path, f.Action, f.Why.In(a.lang)})
	}
	for _, t := range p.Warnings {
		out.Warnings = append(out.Warnings, t.In(a.lang))
	}
	return out
}

// planReport is the JSON of `standard plan`.
type planReport struct {
	OK   bool   `json:"ok"`
	Root string `json:"project_root"`
	*standardPlan
	Providers      []string `json:"providers"`
	ProviderPolicy string   `json:"provider_policy"`
}

func newStandardPlan(a *app) *cobra.Command {
	var c choices
	cmd := &cobra.Command{
		Use:   a.text("plan [dossier]", "plan [folder]"),
		Short: a.text("Ce que donnerait un choix de besoins et de motifs, sans rien écrire", "What a choice of needs and patterns would come to; writes nothing"),
		Long: a.text(`Dit le profil, les motifs et les fichiers qu'un « standard init » avec les mêmes
options écrirait, garderait ou remplacerait, et pourquoi.

Codes de sortie : 0 · 1 le projet ne le permet pas (profil plus faible, fichier
illisible) · 2 option invalide.`,
			`Says which profile, patterns and files a "standard init" with the same options
would write, keep or replace, and why.

Exit codes: 0 · 1 the project does not allow it (a weaker profile, a file that cannot
be read) · 2 an invalid option.`),
		Example: `  grimoire standard plan
  grimoire standard plan --needs multi-agent,web-ui
  grimoire standard plan --pattern merge-lane -o json | jq '.files[] | select(.action=="create").path'`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if _, err := c.options(a); err != nil {
				return err
			}
			root, err := a.standardRoot(args)
			if err != nil {
				return err
			}
			o, err := c.options(a)
			if err != nil {
				return err
			}
			plan, err := a.prepareStandard(root, o)
			if err != nil {
				return err
			}
			defer plan.Close()
			p := a.standardPlan(plan)
			if a.json() {
				return a.printJSON(planReport{true, root, p, append([]string{}, plan.Providers...), string(plan.Policy)})
			}
			a.showPlanOf(p)
			return nil
		},
	}
	c.add(a, cmd)
	return cmd
}

// planSigns mark what becomes of a file.
var planSigns = map[enrol.Action]string{enrol.Create: "+", enrol.Refresh: "~", enrol.Replace: "!", enrol.Keep: "·", enrol.Current: " "}

func (a *app) showPlanOf(p *standardPlan) {
	a.showChoice(p)
	for _, f := range p.Files {
		a.printf("  %s %s", planSigns[f.Action], printable(f.Path))
		if f.Reason != "" {
			a.printf(" (%s)", printable(f.Reason))
		}
		a.printf("\n")
	}
	for _, w := range p.Warnings {
		a.printf("%s %s\n", a.yellow("[!]"), printable(w))
	}
	a.showExtras(p.Extras)
}

// showChoice says the profile and what was selected beside it.
func (a *app) showChoice(p *standardPlan) {
	a.printf("%s\n", fmt.Sprintf(a.text("Profil %s", "Profile %s"), a.bold(p.Profile)))
	if p.From == enrol.FromNeeds {
		a.printf("  %s\n", a.text("demandé par les besoins ; --profile en choisit un autre", "asked for by the needs; --profile chooses another"))
	}
	say := func(what string, words []string) {
		if len(words) > 0 {
			a.printf("  %s%s%s\n", what, a.colon(), printable(strings.Join(words, ", ")))
		}
	}
	say(a.text("besoins", "needs"), p.Needs)
	say(a.text("motifs", "patterns"), p.Patterns)
	say(a.text("mémoire", "memory"), p.Memory)
}

// showExtras says what is missing on this machine for the stores of memory.
func (a *app) showExtras(extras []extra) {
	for _, e := range extras {
		if e.Found {
			continue
		}
		wants := e.Program
		if e.Env != "" {
			wants = fmt.Sprintf(a.text("%s, ou %s vers un serveur", "%s, or %s for a server"), e.Program, e.Env)
		}
		a.printf("%s %s%s%s\n", a.yellow("[!]"), e.Name, a.colon(), fmt.Sprintf(a.text("il faudra %s ; grimoire n'installe rien", "this takes %s; grimoire installs nothing"), cmp.Or(wants, "?")))
	}
}
