package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/core/enrol"
	"github.com/grimoire-kit/grimoire/core/host"
	"github.com/grimoire-kit/grimoire/governance/current"
	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/governance/task"
	"github.com/grimoire-kit/grimoire/surface"
)

// gateReport is the JSON of `standard gate check`.
type gateReport struct {
	OK      bool     `json:"ok"`
	Task    string   `json:"task_id"`
	Profile string   `json:"profile"`
	State   *string  `json:"state"`
	Missing []string `json:"missing"`
	// Candidates are the tasks under way among which none was chosen, so that no
	// task was judged.
	Candidates []string        `json:"candidates"`
	Checks     []standardCheck `json:"checks"`
	Strict     bool            `json:"strict"`
	Tests      *task.TestRun   `json:"test_run"`
	Log        *projectedLog   `json:"evidence_log"` // null when it could not be read or written
}

// projectedLog is what the hook saw, as it stands in the evidence pack.
type projectedLog struct {
	Path    string `json:"path"`
	Entries int    `json:"entries"`
	Written bool   `json:"written"`
}

func newStandardGate(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "gate",
		Short: a.text("Les preuves que doit une tâche", "The evidence that a task owes"),
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newStandardGateCheck(a))
	return cmd
}

func newStandardGateCheck(a *app) *cobra.Command {
	var f standardFlags
	var target string
	var strict, noRun, rerun bool
	cmd := &cobra.Command{
		Use:   a.text("check [dossier]", "check [folder]"),
		Short: a.text("Dire ce qu'une tâche doit dans sa colonne", "Say what a task owes in its column"),
		Long: a.text(`Sans --task-id, la tâche est celle de GRIMOIRE_TASK_ID, sinon celle de la session,
sinon la seule en cours.
Une tâche « proposed » ne doit rien encore : un gate vert n'y protège rien.

Avec --strict, le dernier contrôle que le hook a vu doit avoir réussi. grimoire ne
lance aucun test : test_run dit ce que le hook a vu. Ce qu'il a vu est recopié dans
une section marquée de evidence-pack.md ; le reste du fichier n'est pas touché.

Codes de sortie : 0 rien n'est dû · 1 il manque une preuve · 2 il en manque, avec
--strict, sous governed ou production (ou ligne de commande invalide).`,
			`Without --task-id the task is that of GRIMOIRE_TASK_ID, else the session's, else the
only one under way. A task that is "proposed" owes nothing yet: a green gate there protects
nothing.

With --strict the last check that the hook saw must have passed. grimoire runs no
test: test_run says what the hook saw. What it saw is copied into a marked section
of evidence-pack.md; the rest of that file is left alone.

Exit codes: 0 nothing is owed · 1 evidence is missing · 2 it is, with --strict,
under governed or production (or an invalid command line).`),
		Example: `  grimoire standard gate check
  grimoire standard gate check --task-id GAO-search-001 --strict
  grimoire -o json standard gate check --target-state review | jq '.missing'`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if noRun && rerun {
				return usageError{errors.New(a.text("--no-run et --rerun se contredisent", "--no-run and --rerun contradict each other"))}
			}
			if !f.named() {
				f.task = strings.TrimSpace(a.environ("GRIMOIRE_TASK_ID"))
			}
			o, err := f.options()
			if err != nil {
				return err
			}
			p, err := a.openTasks(args)
			if err != nil {
				return err
			}
			defer p.Close()
			tasks, err := p.Tasks()
			if err != nil {
				return err
			}
			asked := standard.GateOptions{Options: o, Target: target}
			if o.Task == "" {
				found, err := a.currentTask(p)
				if err != nil {
					return err
				}
				asked.Task, asked.Candidates = found.ID, found.Candidates
			}
			g, err := p.CheckGate(tasks, asked)
			var unknown *standard.StateError
			if errors.As(err, &unknown) {
				return usageError{err}
			}
			if err != nil {
				return err
			}
			desk := task.Open(p.Dir(), "")
			tests, err := desk.TestRun(cmd.Context(), g.Task, g.State)
			if err != nil {
				return err
			}
			if strict && tests.Path != nil {
				p.CheckRun(g, standard.Run{Path: *tests.Path, Command: *tests.Command, Passed: tests.OK, Exit: tests.Exit})
			}
			if rerun {
				a.sayNotRun(desk.HowToCheck(g.Task))
			}
			r := gateReport{OK: g.OK(), Task: g.Task, Profile: string(g.Profile), State: orNull(g.State), Missing: append([]string{}, g.Missing...),
				Candidates: append([]string{}, asked.Candidates...), Checks: a.standardChecks(g.Checks), Strict: strict, Tests: tests}
			if len(asked.Candidates) == 0 {
				r.Log = a.projectLog(p.Dir(), g.Task)
			}
			a.noteEvent(enrol.Note(p.Dir(), enrol.Event{Type: "gate.checked", Task: g.Task, Profile: r.Profile, At: time.Now(),
				Details: map[string]any{"ok": r.OK, "target_state": g.State, "missing": r.Missing}}))
			if a.json() {
				err = a.printJSON(r)
			} else {
				a.showGate(r)
			}
			switch {
			case err != nil || r.OK:
				return err
			case strict && g.Profile.Blocks():
				return errStrict
			}
			return errReported
		},
	}
	f.add(a, cmd, a.text("tâche (défaut : GRIMOIRE_TASK_ID, sinon celle de la session, sinon la seule en cours)", "task (default: GRIMOIRE_TASK_ID, else the session's, else the only one under way)"))
	cmd.Flags().StringVar(&target, "target-state", "", a.text("juger pour cette colonne plutôt que celle de la tâche", "judge for this column instead of the task's"))
	cmd.Flags().BoolVar(&strict, "strict", false, a.text("code 2 quand le profil refuse", "exit 2 where the profile refuses"))
	cmd.Flags().BoolVar(&noRun, "no-run", false, a.text("sans lancer les tests : c'est toujours le cas", "without running the tests: they never are"))
	cmd.Flags().BoolVar(&rerun, "rerun", false, a.text("dire comment relancer les tests : grimoire ne le fait pas", "say how to run the tests again: grimoire does not"))
	_ = cmd.RegisterFlagCompletionFunc("target-state", cobra.FixedCompletions(standard.States, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// currentTask is the task of this session, as for the hook.
func (a *app) currentTask(p *standard.Folder) (current.Found, error) {
	return current.Find(current.Asking{Root: p.Dir(), Ledger: ledger.Open(p.Dir(), ""), Session: task.EnvSession(a.environ).ID, Getenv: a.environ})
}

// sayNotRun answers who asked for the tests to be run.
func (a *app) sayNotRun(how surface.Text) {
	a.warn(surface.Text{FR: "--rerun : grimoire ne lance aucun test ; " + how.FR, EN: "--rerun: grimoire runs no test; " + how.EN})
}

// projectLog copies what the hook saw into the task's evidence pack. No answer
// depends on it.
func (a *app) projectLog(root, id string) *projectedLog {
	log, err := enrol.ProjectLog(root, id)
	if err != nil {
		t := host.TextOf(err)
		a.warn(surface.Text{FR: "ce que le hook a vu n'est pas recopié (" + t.FR + ")", EN: "what the hook saw is not copied (" + t.EN + ")"})
		return nil
	}
	return &projectedLog{log.Path, log.Entries, log.Written}
}

// showRun says what the hook saw of the tests.
func (a *app) showRun(t *task.TestRun) {
	if t.Path == nil {
		return
	}
	how, fresh := a.text("issue inconnue", "ended unknown"), a.text("rien n'a changé depuis", "nothing has changed since")
	if t.OK != nil && *t.OK {
		how = a.text("réussi", "passed")
	} else if t.OK != nil {
		how = a.text("échoué", "failed")
	}
	if t.Reason == task.RunStale {
		fresh = a.text("des fichiers ont changé depuis", "files have changed since")
	}
	a.printf("  %s\n", a.dim(printable(fmt.Sprintf(a.text("le hook a vu `%s` : %s, %s", "the hook saw `%s`: %s, %s"), *t.Command, how, fresh))))
}

func (a *app) showGate(r gateReport) {
	for _, c := range r.Checks {
		text := c.Message
		if c.Path != nil && !strings.HasPrefix(text, *c.Path) {
			text = place(c) + ": " + text
		}
		a.printf("  %s %s %s\n", a.sign(c.Severity), printable(text), a.dim("("+c.ID+")"))
	}
	a.showRun(r.Tests)
	state := a.text("sans colonne", "in no column")
	if r.State != nil {
		state = *r.State
	}
	word := a.green(a.text("rien n'est dû", "nothing is owed"))
	if !r.OK {
		word = a.red(a.text("gates rouges", "red gates"))
	}
	a.printf("%s\n", fmt.Sprintf(a.text("Tâche %s (%s), profil %s : %s", "Task %s (%s), profile %s: %s"), a.bold(r.Task), printable(state), r.Profile, word))
	if r.OK && (r.State == nil || *r.State == "proposed") {
		a.printf("%s\n", a.text("Rien n'est encore exigé dans cette colonne : ce gate vert ne protège rien.",
			"Nothing is asked for yet in this column: this green gate protects nothing."))
	}
}
