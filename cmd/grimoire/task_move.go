package main

import (
	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/governance/task"
)

func newTaskClaim(a *app) *cobra.Command {
	var f taskFlags
	var c task.NewClaim
	cmd := taskCommand(a, "claim <id>", a.text("Prendre une tâche prête", "Claim a ready task"),
		a.text(`Donne un bail de 4 heures, que « task renew » prolonge. Refusé quand un autre
la tient, quand un fichier est réservé, quand il n'y a plus de place (wip), et quand
les preuves du passage manquent. Une session reconnue dans l'environnement est
rattachée aussitôt.`,
			`Gives a lease of 4 hours, which "task renew" extends. Refused when another holds
it, when a file is reserved, when there is no place left (wip), and when the
evidence of the move is missing. A session that the environment names is attached
at once.`),
		`  grimoire task claim GAO-search-001 --actor ada
  grimoire task claim GAO-search-001 --file internal/search --file go.mod`,
		cobra.ExactArgs(1), &f, func(cmd *cobra.Command, d *task.Desk, args []string) error {
			c.Actor, c.Session = f.actor, task.EnvSession(a.environ)
			out, err := d.Claim(cmd.Context(), args[0], c)
			return a.answerMove(out, err)
		})
	cmd.Flags().StringVar(&c.Host, "host", "local", a.text("où le travail se fait", "where the work is done"))
	cmd.Flags().StringArrayVar(&c.Files, "file", nil, a.text("fichier ou dossier réservé, vu du dossier courant (option répétable)", "file or folder to reserve, from the current folder (repeatable)"))
	return cmd
}

// fenceHelp says whose a task under way is.
func fenceHelp(a *app) string {
	return a.text(`Tant que le bail de celui qui la tient court, un autre acteur (--actor) ou une autre
session est refusé ; --epoch nomme le bail, et échoue quand un autre l'a remplacé.`,
		`While the lease of its holder runs, another actor (--actor) or another session is
refused; --epoch names the lease, and fails once another has taken its place.`)
}

func newTaskMove(a *app) *cobra.Command {
	var f taskFlags
	var h holderFlags
	var m task.MoveTo
	var to string
	cmd := taskCommand(a, "move <id>", a.text("Faire passer une tâche d'un état à un autre", "Move a task from one state to another"), fenceHelp(a),
		`  grimoire task move GAO-search-001 --to running
  grimoire task move GAO-search-001 --to needs_verification --reason "ready to be read"`,
		cobra.ExactArgs(1), &f, func(cmd *cobra.Command, d *task.Desk, args []string) error {
			var err error
			if m.To, err = a.parseStatus(to); err != nil {
				return err
			}
			out, err := d.Move(cmd.Context(), args[0], m.By(h.holder(a, cmd, &f)))
			return a.answerMove(out, err)
		})
	h.addEpoch(a, cmd)
	cmd.Flags().StringVar(&to, "to", "", a.text("état où elle passe", "state to move it to"))
	cmd.Flags().StringVar(&m.Reason, "reason", "", a.text("pourquoi", "why"))
	_ = cmd.MarkFlagRequired("to")
	completeStatuses(cmd, "to")
	return cmd
}

func newTaskBlock(a *app) *cobra.Command {
	var f taskFlags
	var h holderFlags
	var reason string
	cmd := taskCommand(a, "block <id>", a.text("Dire qu'une tâche ne peut pas avancer", "Say that a task cannot go on"), fenceHelp(a),
		`  grimoire task block GAO-search-001 --reason "the test server is down"`,
		cobra.ExactArgs(1), &f, func(cmd *cobra.Command, d *task.Desk, args []string) error {
			out, err := d.Block(cmd.Context(), args[0], reason, h.holder(a, cmd, &f))
			return a.answerMove(out, err)
		})
	h.addEpoch(a, cmd)
	cmd.Flags().StringVar(&reason, "reason", "", a.text("ce qui l'arrête", "what stops it"))
	_ = cmd.MarkFlagRequired("reason")
	return cmd
}

func newTaskClose(a *app) *cobra.Command {
	var f taskFlags
	var h holderFlags
	cmd := taskCommand(a, "close <id>", a.text("Clore une tâche vérifiée", "Close a verified task"), "",
		`  grimoire task close GAO-search-001`,
		cobra.ExactArgs(1), &f, func(cmd *cobra.Command, d *task.Desk, args []string) error {
			out, err := d.Close(cmd.Context(), args[0], h.holder(a, cmd, &f))
			return a.answerMove(out, err)
		})
	h.addEpoch(a, cmd)
	return cmd
}

func newTaskCancel(a *app) *cobra.Command {
	var f taskFlags
	var h holderFlags
	var reason string
	var force bool
	cmd := taskCommand(a, "cancel <id>", a.text("Abandonner une tâche", "Give a task up"), "",
		`  grimoire task cancel GAO-search-001 --reason "no longer wanted"`,
		cobra.ExactArgs(1), &f, func(cmd *cobra.Command, d *task.Desk, args []string) error {
			out, err := d.Cancel(cmd.Context(), args[0], reason, h.holder(a, cmd, &f), force)
			return a.answerMove(out, err)
		})
	h.addEpoch(a, cmd)
	cmd.Flags().StringVar(&reason, "reason", "", a.text("pourquoi", "why"))
	cmd.Flags().BoolVar(&force, "force", false, a.text("même si un autre la tient", "even if another holds it"))
	_ = cmd.MarkFlagRequired("reason")
	return cmd
}
