package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/governance/standard"
)

// newStandardPart is the verification of one file of the standard.
func newStandardPart(a *app, name string) *cobra.Command {
	var f standardFlags
	path := standard.PartPath(name)
	cmd := &cobra.Command{
		Use:   a.text("verify [dossier]", "verify [folder]"),
		Short: a.text("Vérifier "+path, "Check "+path),
		Long: a.text("Comme grimoire standard verify, pour ce fichier seul. N'écrit rien.\n\nCodes de sortie : 0 tout suit · 1 une erreur.",
			"As grimoire standard verify, for this file alone. Writes nothing.\n\nExit codes: 0 all follows · 1 an error."),
		Example: "  grimoire standard " + name + " verify\n  grimoire -o json standard " + name + " verify | jq .checks",
		Args:    cobra.MaximumNArgs(1),
		RunE: a.onStandard(&f, func(p *standard.Folder, o standard.Options) error {
			var err error
			v := a.verification(p.Dir(), p.Verify(o).Part(name))
			switch {
			case a.json():
				err = a.printJSON(v)
			case len(v.Present)+len(v.Missing)+len(v.Checks) == 0:
				a.printf("%s\n", fmt.Sprintf(a.text("%s : le profil %s ne le demande pas, et rien n'y est à redire.", "%s: the profile %s does not ask for it, and nothing is wrong with it."), path, v.Profile))
			default:
				a.showVerification(v)
			}
			if err == nil && !v.OK {
				return errReported
			}
			return err
		}),
	}
	f.add(a, cmd, a.bootstrapTask())
	return cmd
}

func newStandardBoard(a *app) *cobra.Command {
	return standardGroup("board", a.text("Le tableau des tâches", "The board of tasks"), newStandardPart(a, "board"))
}

func newStandardMemory(a *app) *cobra.Command {
	return standardGroup("memory", a.text("La politique de mémoire", "The memory policy"), newStandardPart(a, "memory"))
}

func newStandardRules(a *app) *cobra.Command {
	return standardGroup("rules", a.text("Les règles", "The rules"), newStandardPart(a, "rules"))
}

// knowledgeSource is the JSON of a source of knowledge.
type knowledgeSource struct {
	ID      string `json:"id"`
	Enabled bool   `json:"enabled"`
	Type    string `json:"type"`
	Locator string `json:"locator"`
	Trust   string `json:"trust_level"`
	Truth   bool   `json:"source_of_truth"`
	Refresh string `json:"refresh"`
	Line    int    `json:"line"`
}

func newStandardKnowledge(a *app) *cobra.Command {
	list := &cobra.Command{
		Use:   a.text("list [dossier]", "list [folder]"),
		Short: a.text("Lister les sources de documentation déclarées", "List the sources of documentation that are declared"),
		Example: `  grimoire standard knowledge list
  grimoire -o json standard knowledge list | jq '.sources[] | select(.enabled)'`,
		Args: cobra.MaximumNArgs(1),
		RunE: a.onStandard(nil, func(p *standard.Folder, _ standard.Options) error {
			found, err := p.Knowledge()
			if err != nil {
				return err
			}
			sources := []knowledgeSource{}
			for _, s := range found {
				sources = append(sources, knowledgeSource(s))
			}
			if a.json() {
				return a.printJSON(struct {
					Path    string            `json:"path"`
					Sources []knowledgeSource `json:"sources"`
				}{standard.PartPath("knowledge"), sources})
			}
			for _, s := range sources {
				mark := a.dim("○")
				if s.Enabled {
					mark = a.green("●")
				}
				a.printf("  %s %s  %s\n", mark, a.bold(printable(s.ID)), printable(strings.Join([]string{s.Type, s.Locator, s.Trust}, " · ")))
			}
			a.printf(a.text("%d source(s) dans %s", "%d source(s) in %s")+"\n", len(sources), standard.PartPath("knowledge"))
			return nil
		}),
	}
	return standardGroup("knowledge", a.text("La documentation que lisent les agents", "The documentation that agents read"), list, newStandardPart(a, "knowledge"))
}

// simulated is the JSON of `standard hooks simulate`.
type simulated struct {
	OK      bool           `json:"ok"`
	Phase   *string        `json:"phase"` // null for all of them
	Outcome string         `json:"outcome"`
	Hooks   []simulatedAct `json:"hooks"`
}

type simulatedAct struct {
	ID        string `json:"id"`
	Phase     string `json:"phase"`
	Action    string `json:"action"`
	Rule      string `json:"rule_ref"`
	Known     bool   `json:"rule_known"`
	Severity  string `json:"severity"`
	Condition string `json:"condition"`
	Reason    string `json:"reason"`
}

func newStandardHooks(a *app) *cobra.Command {
	var phase string
	simulate := &cobra.Command{
		Use:   a.text("simulate [dossier]", "simulate [folder]"),
		Short: a.text("Dire ce que feraient les hooks déclarés", "Say what the declared hooks would do"),
		Long: a.text(`Lit hook-registry.yaml et rule-packs.yaml, et dit ce que chaque hook d'une phase
ferait et pourquoi. Ne lance et n'écrit rien ; ce que ferait l'hôte d'un appel précis
est dit par grimoire policies explain.

Codes de sortie : 0 · 1 un registre manque, est faux, ou nomme une règle inconnue.`,
			`Reads hook-registry.yaml and rule-packs.yaml, and says what each hook of a phase
would do and why. Runs and writes nothing; what becomes of one call is said by
grimoire policies explain.

Exit codes: 0 · 1 a registry is missing or wrong, or names an unknown rule.`),
		Example: `  grimoire standard hooks simulate --phase pre_tool_call
  grimoire -o json standard hooks simulate | jq .outcome`,
		Args: cobra.MaximumNArgs(1),
		RunE: a.onStandard(nil, func(p *standard.Folder, _ standard.Options) error {
			acts, outcome, err := p.Simulate(phase)
			if _, wrong := err.(*standard.PhaseError); wrong {
				return usageError{err}
			}
			if err != nil {
				return err
			}
			r := simulated{true, orNull(phase), outcome, []simulatedAct{}}
			for _, act := range acts {
				r.OK = r.OK && act.Known
				r.Hooks = append(r.Hooks, simulatedAct(act))
			}
			if a.json() {
				err = a.printJSON(r)
			} else {
				a.showSimulated(r)
			}
			if err == nil && !r.OK {
				return errReported
			}
			return err
		}),
	}
	simulate.Flags().StringVar(&phase, "phase", "", a.text("cette phase seulement", "this phase only"))
	_ = simulate.RegisterFlagCompletionFunc("phase", cobra.FixedCompletions(standard.Phases, cobra.ShellCompDirectiveNoFileComp))
	return standardGroup("hooks", a.text("Les hooks déclarés", "The declared hooks"), simulate, newStandardPart(a, "hooks"))
}

func (a *app) showSimulated(r simulated) {
	for _, h := range r.Hooks {
		a.printf("  %s  %s → %s  %s\n", printable(h.Phase), a.bold(printable(h.ID)), printable(h.Action), a.dim("("+printable(h.Rule)+")"))
		switch {
		case !h.Known:
			a.printf("      %s %s\n", a.red("✗"), a.text("aucune règle de rule-packs.yaml ne s'appelle ainsi", "no rule of rule-packs.yaml has that name"))
		case h.Condition != "":
			a.printf("      %s\n", printable(h.Condition))
		}
		if h.Reason != "" {
			a.printf("      %s\n", printable(h.Reason))
		}
	}
	a.printf("%s\n", fmt.Sprintf(a.text("%d hook(s) ; le plus fort : %s", "%d hook(s); the strongest: %s"), len(r.Hooks), a.bold(printable(r.Outcome))))
}
