package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/core/enrol"
	"github.com/grimoire-kit/grimoire/governance/standard"
)

// gateReport is the JSON of `standard gate check`.
type gateReport struct {
	OK      bool            `json:"ok"`
	Task    string          `json:"task_id"`
	Profile string          `json:"profile"`
	State   *string         `json:"state"`
	Missing []string        `json:"missing"`
	Checks  []standardCheck `json:"checks"`
	Strict  bool            `json:"strict"`
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
	var strict bool
	cmd := &cobra.Command{
		Use:   a.text("check [dossier]", "check [folder]"),
		Short: a.text("Dire ce qu'une tâche doit dans sa colonne", "Say what a task owes in its column"),
		Long: a.text(`Sans --task-id, la tâche est celle de GRIMOIRE_TASK_ID, sinon la seule en cours.
Une tâche « proposed » ne doit rien encore : un gate vert n'y protège rien.

Codes de sortie : 0 rien n'est dû · 1 il manque une preuve · 2 il en manque, avec
--strict, sous governed ou production (ou ligne de commande invalide).`,
			`Without --task-id the task is that of GRIMOIRE_TASK_ID, else the only one under
way. A task that is "proposed" owes nothing yet: a green gate there protects
nothing.

Exit codes: 0 nothing is owed · 1 evidence is missing · 2 it is, with --strict,
under governed or production (or an invalid command line).`),
		Example: `  grimoire standard gate check
  grimoire standard gate check --task-id GAO-search-001 --strict
  grimoire -o json standard gate check --target-state review | jq '.missing'`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if f.task == "" {
				f.task = strings.TrimSpace(a.environ("GRIMOIRE_TASK_ID"))
			}
			o, err := f.options()
			if err != nil {
				return err
			}
			p, err := a.openStandard(args)
			if err != nil {
				return err
			}
			defer p.Close()
			tasks, err := p.Tasks()
			if err != nil {
				return err
			}
			g, err := p.CheckGate(tasks, standard.GateOptions{Options: o, Target: target})
			var unknown *standard.StateError
			if errors.As(err, &unknown) {
				return usageError{err}
			}
			if err != nil {
				return err
			}
			r := gateReport{g.OK(), g.Task, string(g.Profile), orNull(g.State), append([]string{}, g.Missing...), a.standardChecks(g.Checks), strict}
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
	f.add(a, cmd, a.text("tâche (défaut : GRIMOIRE_TASK_ID, sinon la seule en cours)", "task (default: GRIMOIRE_TASK_ID, else the only one under way)"))
	cmd.Flags().StringVar(&target, "target-state", "", a.text("juger pour cette colonne plutôt que celle de la tâche", "judge for this column instead of the task's"))
	cmd.Flags().BoolVar(&strict, "strict", false, a.text("code 2 quand le profil refuse", "exit 2 where the profile refuses"))
	_ = cmd.RegisterFlagCompletionFunc("target-state", cobra.FixedCompletions(standard.States, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func (a *app) showGate(r gateReport) {
	for _, c := range r.Checks {
		text := c.Message
		if c.Path != nil && !strings.HasPrefix(text, *c.Path) {
			text = place(c) + ": " + text
		}
		a.printf("  %s %s %s\n", a.sign(c.Severity), printable(text), a.dim("("+c.ID+")"))
	}
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
