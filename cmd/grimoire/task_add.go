package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/governance/task"
)

func newTaskAdd(a *app) *cobra.Command {
	var f taskFlags
	n := task.New{Origin: "cli"}
	cmd := taskCommand(a, a.text("add <titre>", "add <title>"),
		a.text("Ajouter une tâche", "Add a task"),
		a.text(`Une tâche dit à quoi on verra qu'elle est finie : au moins un critère (-a). Sans
--mission elle va à la première mission du journal. Avec --ready elle passe par le
gate proposed_to_ready ; s'il refuse, elle est ajoutée quand même, comme proposed.`,
			`A task says what will show that it is done: at least one criterion (-a). Without
--mission it goes to the ledger's first mission. With --ready it goes through the
gate proposed_to_ready; if that refuses, it is added all the same, as proposed.`),
		`  grimoire task add "Search answers in 50 ms" -a "the search tests pass" -a "code review" --owner ada --ready
  grimoire -o json task add "Fix the login" -a "tests green" | jq -r .id`,
		cobra.ExactArgs(1), &f, func(cmd *cobra.Command, d *task.Desk, args []string) error {
			if len(n.Acceptance) == 0 {
				return usageError{errors.New(a.text("il manque un critère d'acceptation : -a \"…\"", "a criterion of acceptance is missing: -a \"…\""))}
			}
			n.Title, n.Actor = args[0], f.actor
			out, err := d.Add(cmd.Context(), n)
			if err != nil {
				return err
			}
			a.warnBoard(&out.Outcome)
			switch {
			case out.Refusal != nil:
				a.say("%s\n", fmt.Sprintf(a.text("Tâche %s ajoutée, à l'état proposed.", "Task %s added, as proposed."), out.Task.ID))
				return out.Refusal
			case a.json():
				answer, err := spliced(out.Task, struct {
					Board          string   `json:"board"`
					MissionCreated *string  `json:"mission_created"`
					BoardPath      *string  `json:"board_path"`
					Advisories     []string `json:"advisories,omitempty"`
				}{task.Column(&out.Task), orNull(out.MissionCreated), orNull(out.Board), a.advisories(&out.Outcome)})
				if err != nil {
					return err
				}
				return a.printJSON(answer)
			}
			a.printf("%s  %s  %s\n", a.bold(out.Task.ID), a.green(string(out.Task.Status)), printable(out.Task.Title))
			for _, x := range out.Advisories {
				a.printf("  %s %s\n", a.yellow("!"), printable(x.In(a.lang)))
			}
			return nil
		})
	cmd.ValidArgsFunction = cobra.NoFileCompletions
	flags := cmd.Flags()
	flags.StringArrayVarP(&n.Acceptance, "acceptance", "a", nil, a.text("critère d'acceptation (option répétable)", "criterion of acceptance (repeatable)"))
	flags.StringArrayVar(&n.Evidence, "expect-evidence", nil, a.text("preuve attendue (option répétable)", "expected evidence (repeatable)"))
	flags.StringVar(&n.Mission, "mission", "", a.text("mission (défaut : la première)", "mission (default: the first)"))
	flags.StringVar(&n.Owner, "owner", "", a.text("à qui elle revient", "whose it is"))
	flags.BoolVar(&n.Ready, "ready", false, a.text("la rendre prenable aussitôt", "make it claimable at once"))
	return cmd
}
