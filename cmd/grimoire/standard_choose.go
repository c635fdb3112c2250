package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/core/enrol"
	"github.com/grimoire-kit/grimoire/core/host"
	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/surface"
)

// choices are the options by which `standard init` and `standard plan` are
// told what a project wants of the standard.
type choices struct {
	standardFlags
	name, policy            string
	needs, patterns, memory []string
	provider, providers     []string
	force                   bool
}

func (c *choices) add(a *app, cmd *cobra.Command) {
	c.standardFlags.add(a, cmd, a.text("tâche dont les fichiers sont écrits (défaut : bootstrap)", "task whose files are written (default: bootstrap)"))
	f := cmd.Flags()
	f.StringVar(&c.name, "project-name", "", a.text("nom du projet dans les fichiers (défaut : celui du projet)", "the project's name in the files (default: the project's)"))
	f.StringSliceVarP(&c.needs, "needs", "n", nil, a.text("besoins de l'équipe : grimoire standard needs (liste, ou option répétée)", "needs of the team: grimoire standard needs (a list, or repeat the flag)"))
	f.StringSliceVar(&c.patterns, "pattern", nil, a.text("motifs à ajouter : grimoire standard pattern list (liste, ou option répétée)", "patterns to add: grimoire standard pattern list (a list, or repeat the flag)"))
	f.StringSliceVar(&c.memory, "memory", nil, a.text("mémoires dont le projet se sert (liste, ou option répétée)", "stores of memory the project uses (a list, or repeat the flag)"))
	f.StringSliceVar(&c.provider, "provider", nil, a.text("fournisseurs activés, par ordre de préférence (liste, ou option répétée)", "providers to enable, in order of preference (a list, or repeat the flag)"))
	f.StringSliceVar(&c.providers, "providers", nil, a.text("comme --provider", "the same as --provider"))
	f.StringVar(&c.policy, "provider-policy", "", a.text("données admises et ordre : hosted-safe, local-first ou mixed (défaut : celle du projet, sinon hosted-safe)", "data admitted and order: hosted-safe, local-first or mixed (default: the project's, else hosted-safe)"))
	f.BoolVarP(&c.force, "force", "f", false, a.text("remplacer aussi les fichiers modifiés à la main", "replace files that were changed by hand too"))
	fixed := func(flag string, words []string) {
		_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	}
	fixed("provider", enrol.ProviderNames())
	fixed("providers", enrol.ProviderNames())
	fixed("needs", needNames())
	fixed("pattern", patternNames(standard.Patterns()))
	fixed("memory", storeNames())
	fixed("provider-policy", policyNames())
}

func needNames() (ids []string) {
	for _, n := range standard.Needs() {
		ids = append(ids, n.ID)
	}
	return ids
}

func storeNames() (ids []string) {
	for _, s := range standard.Stores() {
		ids = append(ids, s.ID)
	}
	return ids
}

func policyNames() (words []string) {
	for _, p := range enrol.ProviderPolicies {
		words = append(words, string(p))
	}
	return words
}

func patternNames(controls []standard.Control) []string {
	names := []string{}
	for _, c := range controls {
		names = append(names, c.Name())
	}
	return names
}

// options reads the flags. What they say wrongly is a usageError.
func (c *choices) options(a *app) (o enrol.Options, err error) {
	base, err := c.standardFlags.options()
	if err != nil {
		return o, err
	}
	o = enrol.Options{Profile: base.Profile, Task: base.Task, Project: c.name, Language: a.lang, Now: time.Now(), Force: c.force}
	if o.Providers, err = enrol.ParseProviders(slices.Concat(c.provider, c.providers)); err != nil {
		return o, usageError{err}
	}
	if o.Policy, err = enrol.ParseProviderPolicy(c.policy); err != nil {
		return o, usageError{err}
	}
	if o.Selection, err = standard.Select(c.needs, c.patterns, c.memory); err != nil {
		return o, usageError{err}
	}
	return o, nil
}

// prepareStandard decides what the standard of the project at root lacks.
func (a *app) prepareStandard(root string, o enrol.Options) (*enrol.Plan, error) {
	plan, err := enrol.Prepare(root, o)
	var policy *enrol.PolicyError
	if errors.As(err, &policy) {
		return nil, usageError{policy} // of a flag: a recorded policy is never one
	}
	if err != nil {
		return nil, err
	}
	if len(o.Providers) > 0 && plan.Profile.Rank() < surface.ProfileControlled.Rank() {
		plan.Warnings = append(plan.Warnings, surface.Text{
			FR: "le profil " + string(plan.Profile) + " n'a pas de registre de fournisseurs : --provider n'y change rien avant controlled",
			EN: "the profile " + string(plan.Profile) + " has no registry of providers: --provider makes no difference before controlled"})
	}
	return plan, nil
}

// inquire asks for what the flags do not say. There must be a terminal.
func (a *app) inquire(cmd *cobra.Command, c *choices, current surface.Profile, enabled []string) error {
	if !a.interactive() {
		return usageError{errors.New(a.text(
			"--interactive pose des questions, et il n'y a pas de terminal ; donne les réponses par --profile, --needs, --pattern, --memory, --provider",
			"--interactive asks questions, and there is no terminal; give the answers with --profile, --needs, --pattern, --memory, --provider"))}
	}
	set := cmd.Flags().Changed
	if !set("profile") {
		for _, p := range surface.Profiles {
			a.say("  %-13s %s\n", p, standard.Describe(p).For.In(a.lang))
		}
		err := a.question(a.text("Profil", "Profile"), string(current), func(answer string) error {
			p, err := standard.ParseProfile(strings.ToLower(answer))
			if err == nil && p.Rank() < current.Rank() {
				return &enrol.LowerError{From: current, To: p}
			}
			c.profile = string(p)
			return err
		})
		if err != nil {
			return err
		}
	}
	if !set("needs") {
		for _, n := range standard.Needs() {
			a.say("  %-24s %s\n", n.ID, n.About.In(a.lang))
		}
		err := a.question(a.text("Besoins, séparés par des virgules", "Needs, separated by commas"), "", func(answer string) error {
			c.needs = strings.Split(answer, ",")
			_, err := standard.Select(c.needs, nil, nil)
			return err
		})
		if err != nil {
			return err
		}
	}
	if set("provider") || set("providers") {
		return nil
	}
	for _, d := range enrol.Detect(a.environ) {
		a.say("  %-16s %s\n", d.ID, strings.Join(d.Signals, ", "))
	}
	return a.question(a.text("Fournisseurs, par ordre de préférence", "Providers, in order of preference"), strings.Join(enabled, ","), func(answer string) error {
		c.provider = strings.Split(answer, ",")
		_, err := enrol.ParseProviders(c.provider)
		return err
	})
}

// maxAsked bounds how often a question is put again.
const maxAsked = 3

// question asks until take accepts the answer, an empty one being byDefault.
func (a *app) question(what, byDefault string, take func(string) error) error {
	for range maxAsked {
		a.say("%s [%s]%s", what, byDefault, a.colon())
		line, err := a.line()
		if err != nil {
			return host.Refusal{FR: "Pas de réponse : rien n'a été écrit.", EN: "No answer: nothing was written."}
		}
		if line == "" {
			line = byDefault
		}
		wrong := take(line)
		if wrong == nil {
			return nil
		}
		a.say("  %s\n", printable(message(wrong, a.lang)))
	}
	return host.Refusal{
		FR: fmt.Sprintf("%d réponses invalides : rien n'a été écrit.", maxAsked),
		EN: fmt.Sprintf("%d invalid answers: nothing was written.", maxAsked),
	}
}
