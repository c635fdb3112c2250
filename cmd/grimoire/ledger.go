package main

import (
	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/governance/ledger"
)

func newLedger(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "ledger",
		Short: a.text("Journal des missions : le vérifier", "Mission ledger: verify it"),
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newLedgerVerify(a))
	return cmd
}

func newLedgerVerify(a *app) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "verify",
		Short: a.text("Relire tout le journal : structure, passages permis, doublons, empreinte", "Read the whole log again: structure, legal moves, duplicates, digest"),
		Long: a.text(`Relit chaque ligne de _grimoire-runtime-output/ledger/events.jsonl et rejoue les
événements. Signale les lignes qui ne sont pas des événements, les identifiants en
double, les passages d'état qui n'étaient pas permis, une dernière ligne coupée, et
un instantané qui contredit le journal. N'écrit rien.

Code 0 si le journal est sain, avec ou sans avertissement (une ligne coupée par un
arrêt brutal n'a rien coûté) ; 1 si un problème est signalé.`,
			`Reads every line of _grimoire-runtime-output/ledger/events.jsonl again and replays
the events. Reports lines that are no events, duplicate ids, moves of a state that
were not legal, a last line that was cut short, and a snapshot that contradicts the
log. Writes nothing.

Exit 0 when the log is sound, with or without warnings (a line cut short by a crash
cost nothing); 1 when a problem is reported.`),
		Example: `  grimoire ledger verify
  grimoire ledger verify -o json | jq -r .digest
  grimoire ledger verify --ledger-root /srv/ledgers/demo`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			root, err := a.root(true)
			if err != nil {
				return err
			}
			r, err := ledger.Verify(root, dir)
			if err != nil {
				return err
			}
			if a.json() {
				err = a.printJSON(a.ledgerReport(r))
			} else {
				a.showLedgerReport(r)
			}
			if err == nil && !r.Sound() {
				return errReported
			}
			return err
		},
	}
	addLedgerRootFlag(a, cmd, &dir)
	return cmd
}

// addLedgerRootFlag declares --ledger-root with its completion.
func addLedgerRootFlag(a *app, cmd *cobra.Command, dir *string) {
	cmd.Flags().StringVar(dir, "ledger-root", "",
		a.text("dossier du journal, relatif au projet ou absolu (défaut : "+ledger.Dir+")", "folder of the log, relative to the project or absolute (default: "+ledger.Dir+")"))
	_ = cmd.MarkFlagDirname("ledger-root")
}

// ledgerProblem is a problem with its reason in the person's language.
type ledgerProblem struct {
	ledger.Problem
	Reason string `json:"reason"`
}

func (a *app) ledgerReport(r *ledger.Report) any {
	problems := []ledgerProblem{}
	for _, p := range r.Problems {
		problems = append(problems, ledgerProblem{p, p.Reason.In(a.lang)})
	}
	return struct {
		OK bool `json:"ok"`
		*ledger.Report
		Problems []ledgerProblem `json:"problems"`
	}{r.Sound(), r, problems}
}

func (a *app) showLedgerReport(r *ledger.Report) {
	if !r.Exists {
		a.printf("%s: %s\n", printable(r.Path), a.text("pas de journal", "no ledger"))
		return
	}
	for _, p := range r.Problems {
		mark := a.red("[x]")
		if p.Warning {
			mark = a.yellow("[!]")
		}
		a.printf("%s %s: %s\n", mark, printable(at(ledger.LogName, p.Line)), printable(p.Reason.In(a.lang)))
	}
	if r.Sound() {
		a.printf("%s: %s\n", printable(r.Path), a.green(a.text("sain", "sound")))
	} else {
		a.printf("%s: %s\n", printable(r.Path), a.red(a.text("des problèmes", "problems")))
	}
	a.printf(a.text("  %d événements, %d missions, %d tâches, %d octets\n", "  %d events, %d missions, %d tasks, %d bytes\n"), r.Events, r.Missions, r.Tasks, r.Bytes)
	a.printf("  %s\n", r.Digest)
}
