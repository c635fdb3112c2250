package main

import (
	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/core/enrol"
)

// upstreamReport is the JSON of `standard upstream`.
type upstreamReport struct {
	Status     string  `json:"status"`
	Repository *string `json:"repository"`
	Pinned     *string `json:"pinned"`
	Head       *string `json:"head"`
	Message    string  `json:"message"`
}

// Exit codes of `standard upstream`, the existing kit's.
const (
	exitMoved       ownExit = 2
	exitUnreachable ownExit = 3
)

func newStandardUpstream(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   a.text("upstream [dossier]", "upstream [folder]"),
		Short: a.text("Dire si le standard suivi a avancé", "Say whether the standard that is followed has moved"),
		Long: a.text(`Compare upstream_standard.commit du profil au dernier commit de
upstream_standard.repository, une adresse https : seule commande du standard qui parle
au réseau, sans identifiants et sans rien écrire.

Codes de sortie : 0 le commit épinglé est le dernier · 1 rien n'est épinglé, ou une
valeur est fausse · 2 le standard a avancé (ou ligne de commande invalide) · 3 le
dépôt n'est pas joignable.`,
			`Compares upstream_standard.commit of the profile with the latest commit of
upstream_standard.repository, an https address: the only command of the standard that
talks to the network, without credentials and without writing anything.

Exit codes: 0 the pinned commit is the latest · 1 nothing is pinned, or a value is
wrong · 2 the standard has moved (or an invalid command line) · 3 the repository
cannot be reached.`),
		Example: `  grimoire standard upstream
  grimoire -o json standard upstream | jq -r .head`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := a.openStandard(args)
			if err != nil {
				return err
			}
			defer p.Close()
			u, err := enrol.CheckUpstream(cmd.Context(), p)
			if err != nil {
				return err
			}
			if a.json() {
				err = a.printJSON(upstreamReport{string(u.Status), orNull(u.Repository), orNull(u.Pinned), orNull(u.Head), u.Why.In(a.lang)})
			} else {
				a.printf("%s\n", printable(u.Why.In(a.lang)))
				if u.Status == enrol.Moved {
					a.printf("  %s → %s\n", u.Pinned, a.bold(u.Head))
				}
			}
			switch {
			case err != nil || u.Status == enrol.Pinned:
				return err
			case u.Status == enrol.Moved:
				return exitMoved
			case u.Status == enrol.Unreachable:
				return exitUnreachable
			}
			return errReported
		},
	}
}
