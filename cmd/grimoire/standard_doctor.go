package main

import (
	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/core/doctor"
)

func newStandardDoctor(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   a.text("doctor [dossier]", "doctor [folder]"),
		Short: a.text("Vérifier ce qui entoure le standard : fichiers, choix, fournisseurs, registre", "Check what surrounds the standard: files, selection, providers, ledger"),
		Long: a.text(`Dit, en une ligne par sujet, si le projet suit son profil, ce qui a été choisi, quels
fichiers une personne a pris à son compte, et si le registre des tâches se lit. Ne
lance rien et n'écrit rien ; « grimoire doctor » prouve que les hooks refusent.

Codes de sortie : 0 rien n'a échoué (des remarques peuvent rester) · 1 une
vérification a échoué.`,
			`Says, a line for each subject, whether the project follows its profile, what was
selected, which files a person made their own, and whether the ledger of tasks can be
read. Runs nothing and writes nothing; "grimoire doctor" proves that hooks refuse.

Exit codes: 0 nothing failed (remarks may be left) · 1 a check failed.`),
		Example: `  grimoire standard doctor
  grimoire standard doctor -o json | jq '.checks[] | select(.passed | not)'`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			root, err := a.standardRoot(args)
			if err != nil {
				return err
			}
			report, err := doctor.RunStandard(root, a.lang)
			if err != nil {
				return err
			}
			return a.answerReport(report)
		},
	}
}
