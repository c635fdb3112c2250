package main

import (
	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/task"
)

func newTaskPrioritize(a *app) *cobra.Command {
	var f taskFlags
	var to, reason string
	cmd := taskCommand(a, "prioritize <id>", a.text("Donner sa priorité à une tâche", "Give a task its priority"), "",
		`  grimoire task prioritize GAO-search-001 --to high --reason "customers wait"`,
		cobra.ExactArgs(1), &f, func(cmd *cobra.Command, d *task.Desk, args []string) error {
			before, err := d.Find(args[0])
			if err != nil {
				return err
			}
			out, err := d.Prioritize(cmd.Context(), args[0], to, reason, f.actor)
			return a.answerNote(out, before.Priority()+" → "+to, nil, err)
		})
	cmd.Flags().StringVar(&to, "to", "", "low, medium, high, critical")
	cmd.Flags().StringVar(&reason, "reason", "", a.text("pourquoi", "why"))
	_ = cmd.MarkFlagRequired("to")
	_ = cmd.RegisterFlagCompletionFunc("to", cobra.FixedCompletions(ledger.Priorities, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func newTaskAssign(a *app) *cobra.Command {
	var f taskFlags
	var owner, reason string
	cmd := taskCommand(a, "assign <id>", a.text("Dire à qui revient une tâche", "Say whose task it is"),
		a.text(`Le propriétaire est celui à qui elle revient ; celui qui y travaille est celui qui
l'a prise (« task claim »). Les limites par rôle (wip.limit_per_role) comptent les
tâches d'un propriétaire.`,
			`The owner is whose task it is; who works on it is who claimed it ("task claim").
The limits per role (wip.limit_per_role) count the tasks of one owner.`),
		`  grimoire task assign GAO-search-001 --owner ada`,
		cobra.ExactArgs(1), &f, func(cmd *cobra.Command, d *task.Desk, args []string) error {
			before, err := d.Find(args[0])
			if err != nil {
				return err
			}
			out, err := d.Assign(cmd.Context(), args[0], owner, reason, f.actor)
			if err != nil {
				return err
			}
			return a.answerNote(out, orDash(before.Owner)+" → "+out.Task.Owner, nil, nil)
		})
	cmd.Flags().StringVar(&owner, "owner", "", a.text("à qui elle revient", "whose it is"))
	cmd.Flags().StringVar(&reason, "reason", "", a.text("pourquoi", "why"))
	_ = cmd.MarkFlagRequired("owner")
	return cmd
}

// orDash is s, or a dash where there is nothing.
func orDash(s string) string {
	if s == "" {
		return "–"
	}
	return s
}

// origin is where this command comes from.
func (a *app) origin() task.Origin {
	return task.Origin{Terminal: a.interactive(), Host: a.heldBy(), Getenv: a.environ}
}

func newTaskComment(a *app) *cobra.Command {
	var f taskFlags
	var kind string
	cmd := taskCommand(a, a.text("comment <id> <texte>", "comment <id> <text>"), a.text("Dire quelque chose à la session au travail", "Say something to the session at work"),
		a.text(`Une directive (--kind directive) est montrée à la session à son prochain tour. C'est
le geste d'une personne : il faut un terminal, hors de tout hôte, et
GRIMOIRE_UNATTENDED non posée.`,
			`A directive (--kind directive) is shown to the session at its next turn. It is for
a person to do: it wants a terminal, outside of any host, and GRIMOIRE_UNATTENDED
unset.`),
		`  grimoire task comment GAO-search-001 "Keep the old index until Friday" --kind directive`,
		cobra.ExactArgs(2), &f, func(cmd *cobra.Command, d *task.Desk, args []string) error {
			out, said, err := d.Comment(cmd.Context(), args[0], kind, args[1], f.actor, a.origin())
			return a.answerNote(out, kind+" "+said.ID, &said, err)
		})
	cmd.Flags().StringVar(&kind, "kind", "comment", "comment, directive")
	_ = cmd.RegisterFlagCompletionFunc("kind", cobra.FixedCompletions([]string{"comment", "directive"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func newTaskAck(a *app) *cobra.Command {
	var f taskFlags
	return taskCommand(a, "ack <id> <dir-id>", a.text("Dire qu'une directive est entendue", "Say that a directive has been heard"), "",
		`  grimoire task ack GAO-search-001 dir-3fa91c02d7be`,
		cobra.ExactArgs(2), &f, func(cmd *cobra.Command, d *task.Desk, args []string) error {
			out, err := d.Acknowledge(cmd.Context(), args[0], args[1], f.actor)
			return a.answerNote(out, "ack "+args[1], nil, err)
		})
}

func newTaskLink(a *app) *cobra.Command {
	var f taskFlags
	var on, kind string
	cmd := taskCommand(a, "link <id>", a.text("Dire qu'une tâche dépend d'une autre", "Say that a task depends on another"), "",
		`  grimoire task link GAO-search-001 --depends-on GAO-index-001`,
		cobra.ExactArgs(1), &f, func(cmd *cobra.Command, d *task.Desk, args []string) error {
			out, err := d.Link(cmd.Context(), args[0], on, kind, f.actor)
			if err != nil {
				return err
			}
			a.warnBoard(out)
			if a.json() {
				return a.printJSON(struct {
					Task string `json:"task"`
					On   string `json:"depends_on"`
					Kind string `json:"kind"`
				}{out.Task.ID, on, kind})
			}
			a.printf("%s  %s %s\n", a.bold(out.Task.ID), kind, printable(on))
			return nil
		})
	cmd.Flags().StringVar(&on, "depends-on", "", a.text("l'autre tâche", "the other task"))
	cmd.Flags().StringVar(&kind, "kind", "blocks", "blocks, relates, parent_child, discovered_from, supersedes")
	_ = cmd.MarkFlagRequired("depends-on")
	_ = cmd.RegisterFlagCompletionFunc("kind", cobra.FixedCompletions(task.DependencyKinds, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}
