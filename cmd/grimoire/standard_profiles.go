package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/surface"
)

// profileEntry is one profile in the JSON of `standard profiles`.
type profileEntry struct {
	Profile      surface.Profile `json:"profile"`
	Name         string          `json:"name"`
	About        string          `json:"about"`
	Required     []string        `json:"required_artifacts"`
	Optional     []string        `json:"optional_artifacts"`
	Capabilities []string        `json:"mapped_capabilities"`
	Evidence     []string        `json:"minimum_evidence"`
	Threshold    int             `json:"threshold"` // the least score that passes, in percent
	Blocks       bool            `json:"blocks"`    // a red gate refuses
	Current      bool            `json:"current"`   // the project follows it
}

// needEntry is one need in the JSON of `standard needs`.
type needEntry struct {
	ID       string          `json:"id"`
	About    string          `json:"about"`
	Profile  surface.Profile `json:"profile"` // the weakest at which it makes sense
	Patterns []string        `json:"patterns"`
	Selected bool            `json:"selected"`
}

// standing is what a command that only explains knows of the project around
// it, if there is one.
type standing struct {
	enrolled  bool
	profile   surface.Profile
	selection standard.Selection
}

// standing reads the project around, where there is one. A file that cannot be
// read is said, and hides nothing else.
func (a *app) standing(args []string) (standing, error) {
	if len(args) > 0 {
		if _, err := a.standardRoot(args); err != nil {
			return standing{}, err
		}
	}
	root, err := a.root(false)
	if err != nil || root == "" {
		return standing{}, err
	}
	f, err := standard.Open(root)
	if err != nil {
		return standing{}, err
	}
	defer f.Close()
	var s standing
	follows := f.Followed()
	s.profile, s.enrolled = follows.Profile, follows.Declared
	if err := follows.Problem(); err != nil {
		a.say("grimoire: %s\n", printable(message(err, a.lang)))
	}
	if s.selection, err = f.Selection(); err != nil {
		a.say("grimoire: %s\n", printable(message(err, a.lang)))
	}
	return s, nil
}

func newStandardProfiles(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   a.text("profiles [dossier]", "profiles [folder]"),
		Short: a.text("Les cinq profils, de faible à fort", "The five profiles, from weak to strong"),
		Long: a.text("Dit à quoi sert chaque profil et ce qu'il demande. Dans un projet, celui qu'il suit est marqué.",
			"Says what each profile is for and what it asks for. In a project, the one it follows is marked."),
		Example: `  grimoire standard profiles
  grimoire standard profiles -o json | jq '.profiles[] | {profile, required_artifacts}'`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			s, err := a.standing(args)
			if err != nil {
				return err
			}
			var list []profileEntry
			for _, p := range surface.Profiles {
				about := standard.Describe(p)
				e := profileEntry{Profile: p, Name: about.Name, About: about.For.In(a.lang), Required: standard.Required(p), Optional: []string{},
					Capabilities: about.Capabilities, Threshold: standard.Threshold(p), Blocks: p.Blocks(), Current: s.enrolled && s.profile == p}
				for _, artifact := range standard.Artifacts(p) {
					if artifact.Optional {
						e.Optional = append(e.Optional, artifact.Type)
					}
				}
				for _, t := range about.Evidence {
					e.Evidence = append(e.Evidence, t.In(a.lang))
				}
				list = append(list, e)
			}
			if a.json() {
				return a.printJSON(map[string]any{"profiles": list})
			}
			for _, e := range list {
				a.showProfile(e)
			}
			return nil
		},
	}
}

func (a *app) showProfile(e profileEntry) {
	mark := ""
	if e.Current {
		mark = a.text(" (celui du projet)", " (the project's)")
	}
	a.printf("%s%s%s%s\n", a.bold(string(e.Profile)), mark, a.colon(), e.About)
	a.printf("  "+a.text("%d fichiers demandés, %d facultatifs ; le score passe à %d %%", "%d files asked for, %d optional; the score passes at %d%%")+"\n",
		len(e.Required), len(e.Optional), e.Threshold)
	for _, line := range e.Evidence {
		a.printf("  - %s\n", line)
	}
}

func newStandardNeeds(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   a.text("needs [dossier]", "needs [folder]"),
		Short: a.text("Les besoins que connaît le standard, et ce qui y répond", "The needs that the standard knows, and what answers them"),
		Long: a.text("Un besoin mène à des motifs, et dit à partir de quel profil ils ont leur sens.",
			"A need leads to patterns, and says from which profile on they make sense."),
		Example: `  grimoire standard needs
  grimoire standard needs -o json | jq '.needs[].id'
  grimoire standard init --needs multi-agent`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			s, err := a.standing(args)
			if err != nil {
				return err
			}
			var list []needEntry
			for _, n := range standard.Needs() {
				list = append(list, needEntry{n.ID, n.About.In(a.lang), n.Profile,
					patternNames(standard.Selection{Needs: []string{n.ID}}.Controls()), len(s.selection.Lacks(standard.Selection{Needs: []string{n.ID}}).Needs) == 0})
			}
			if a.json() {
				return a.printJSON(map[string]any{"needs": list})
			}
			for _, n := range list {
				mark := ""
				if n.Selected {
					mark = a.text(" (choisi)", " (selected)")
				}
				a.printf("%s%s%s%s\n  %s\n", a.bold(n.ID), mark, a.colon(), n.About,
					a.dim(strings.Join(n.Patterns, ", ")+a.text(" ; à partir de ", "; from ")+string(n.Profile)+a.text("", " on")))
			}
			return nil
		},
	}
}
