package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/task"
	"github.com/grimoire-kit/grimoire/surface"
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
arrêt brutal n'a rien coûté), et dans un projet où rien ne fut encore noté ; 1 si un
problème est signalé. Un journal que --ledger-root nomme, ou dont le tableau des
tâches est tiré, et qui n'est pas là en est un.`,
			`Reads every line of _grimoire-runtime-output/ledger/events.jsonl again and replays
the events. Reports lines that are no events, duplicate ids, moves of a state that
were not legal, a last line that was cut short, and a snapshot that contradicts the
log. Writes nothing.

Exit 0 when the log is sound, with or without warnings (a line cut short by a crash
cost nothing), and in a project where nothing was recorded yet; 1 when a problem is
reported. A log that --ledger-root names, or that the board of tasks was drawn from,
and that is not there is one.`),
		Example: `  grimoire ledger verify
  grimoire ledger verify -o json | jq -r .digest
  grimoire ledger verify --ledger-root /srv/ledgers/demo`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			root, _, err := a.tasksRoot(nil, dir)
			if err != nil {
				return err
			}
			r, err := ledger.Verify(root, dir)
			if err != nil {
				return err
			}
			if why, missing := missingLedger(root, dir); !r.Exists && missing {
				r.Problems = append(r.Problems, ledger.Problem{Kind: ledger.ProblemAbsent, Reason: why})
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

// missingLedger says why there should be a ledger in a project that has none.
func missingLedger(root, dir string) (surface.Text, bool) {
	if dir != "" {
		return surface.Text{
			FR: "aucun journal dans le dossier que --ledger-root nomme : vérifie le chemin",
			EN: "no log in the folder that --ledger-root names: check the path"}, true
	}
	return task.Open(root, dir).LostLedger()
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
		for _, p := range r.Problems {
			a.printf("%s %s\n", a.red("[x]"), printable(p.Reason.In(a.lang)))
		}
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

// maxWarned bounds how many lines of the log a command warns of.
const maxWarned = 3

// warnLedger says which lines of the log a command passed over, and what a
// crash left at its end. A line that was cut short and closed off before is
// left to `ledger verify`: nothing can be done about it and nothing is lost.
func (a *app) warnLedger(l *ledger.Ledger) {
	var t ledger.Tally
	for tries := 0; tries == 0 || tries == 1 && t.Torn > 0; tries++ { // one that is being written is whole the second time
		if l.View(func(s *ledger.State) error { t = s.Log; return nil }) != nil {
			return // the command has said so
		}
	}
	shown, hidden := 0, t.Skipped-len(t.Faults)
	for _, f := range t.Faults {
		switch {
		case f.Kind == ledger.FaultCut:
		case shown == maxWarned:
			hidden++
		default:
			shown++
			why, where := f.Kind.Text(), at(ledger.LogName, f.Line)
			a.warn(surface.Text{
				FR: where + " : ligne sautée (" + why.FR + ") ; `grimoire ledger verify` dit tout",
				EN: where + ": the line is skipped (" + why.EN + "); `grimoire ledger verify` tells all"})
		}
	}
	if hidden > 0 {
		a.warn(surface.Text{
			FR: fmt.Sprintf("%s : et %d autres lignes sautées", ledger.LogName, hidden),
			EN: fmt.Sprintf("%s: and %d more lines are skipped", ledger.LogName, hidden)})
	}
	switch line := l.ClosedOff(); {
	case line > 0:
		where := at(ledger.LogName, line)
		a.warn(surface.Text{
			FR: where + " : ligne coupée par un arrêt brutal, refermée ; rien de ce qui avait été confirmé n'est perdu",
			EN: where + ": a line cut short by a crash was closed off; nothing that was reported as done is lost"})
	case t.Torn > 0:
		where := at(ledger.LogName, t.Lines+1)
		a.warn(surface.Text{
			FR: fmt.Sprintf("%s : dernière ligne coupée par un arrêt brutal (%d octets), ignorée ; le prochain changement la referme", where, t.Torn),
			EN: fmt.Sprintf("%s: the last line was cut short by a crash (%d bytes) and is ignored; the next change closes it off", where, t.Torn)})
	}
}
