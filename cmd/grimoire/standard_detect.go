package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/core/enrol"
	"github.com/grimoire-kit/grimoire/governance/standard"
)

// detection is the JSON of `standard detect-providers`; lists are never null.
type detection struct {
	Providers []detectedProvider `json:"providers"`
	Detected  []string           `json:"detected"` // ids
}

type detectedProvider struct {
	ID       string   `json:"id"`
	Detected bool     `json:"detected"`
	Signals  []string `json:"signals"` // "env:NAME=set", "exe:name"; never a value
	Enabled  bool     `json:"enabled"` // in the project's registry
}

func newStandardDetect(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   a.text("detect-providers [dossier]", "detect-providers [folder]"),
		Short: a.text("Les fournisseurs de modèles que cette machine connaît", "The providers of models that this machine knows"),
		Long: a.text(`Regarde si des variables sont définies et si des programmes sont installés, sans en
lancer aucun. La valeur d'une variable n'est jamais montrée : env:NOM=set, exe:nom.
N'active rien : c'est « standard init --provider ».`,
			`Looks whether variables are set and programs installed, and runs none. The value of a
variable is never shown: env:NAME=set, exe:name. Enables nothing: that is "standard
init --provider".`),
		Example: `  grimoire standard detect-providers
  grimoire standard detect-providers -o json | jq -r '.detected | join(",")'`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			enabled, err := a.enabledProviders(args)
			if err != nil {
				return err
			}
			d := detection{Providers: []detectedProvider{}, Detected: []string{}}
			for _, found := range enrol.Detect(a.environ) {
				p := detectedProvider{found.ID, len(found.Signals) > 0, found.Signals, slices.Contains(enabled, found.ID)}
				d.Providers = append(d.Providers, p)
				if p.Detected {
					d.Detected = append(d.Detected, p.ID)
				}
			}
			if a.json() {
				return a.printJSON(d)
			}
			a.showDetection(d)
			return nil
		},
	}
}

// enabledProviders are those of the project around, none where there is none.
func (a *app) enabledProviders(args []string) ([]string, error) {
	if len(args) > 0 {
		if _, err := a.standardRoot(args); err != nil {
			return nil, err
		}
	}
	root, err := a.root(false)
	if err != nil || root == "" {
		return nil, err
	}
	f, err := standard.Open(root)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.EnabledProviders(), nil
}

func (a *app) showDetection(d detection) {
	t := newTable(a.text("FOURNISSEUR", "PROVIDER"), a.text("ACTIVÉ", "ENABLED"), a.text("INDICES", "SIGNALS"))
	for _, p := range d.Providers {
		t.row(p.ID, a.mark(p.Enabled), strings.Join(p.Signals, ", "))
	}
	t.write(a)
	if len(d.Detected) > 0 {
		a.printf("\ngrimoire standard init --provider %s\n", strings.Join(d.Detected, ","))
	}
}
