package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/task"
)

// holderFlags say for which claim a command speaks.
type holderFlags struct {
	session string
	epoch   int64
}

func (h *holderFlags) add(a *app, cmd *cobra.Command) {
	cmd.Flags().StringVar(&h.session, "session-id", "", a.text("session (défaut : celle de l'environnement)", "session (default: that of the environment)"))
	h.addEpoch(a, cmd)
}

// addEpoch is add for a command that speaks in the session it runs in.
func (h *holderFlags) addEpoch(a *app, cmd *cobra.Command) {
	cmd.Flags().Int64Var(&h.epoch, "epoch", 0, a.text("numéro du bail, que « task show » donne", "number of the lease, which \"task show\" gives"))
}

func (h *holderFlags) holder(a *app, cmd *cobra.Command, f *taskFlags) task.Holder {
	session := h.session
	if session == "" {
		session = task.EnvSession(a.environ).ID
	}
	return task.Holder{Actor: f.actor, Unnamed: !cmd.Flags().Changed("actor"), Session: session, Epoch: h.epoch}
}

func newTaskWait(a *app) *cobra.Command {
	var f taskFlags
	var h holderFlags
	var reason, question string
	cmd := taskCommand(a, "wait <id>", a.text("Garer une tâche en cours", "Park a task that is under way"),
		a.text(`Note la branche task/<id> et son HEAD. La tâche garde son bail pour la reprise,
qui n'est pas renouvelé, et rend sa place (wip).`,
			`Notes the branch task/<id> and its HEAD. The task keeps its lease for the return,
which is not renewed, and gives its place (wip) away.`),
		`  grimoire task wait GAO-search-001 --reason ci
  grimoire task wait GAO-search-001 --reason human --question "Which of the two schemas?"`,
		cobra.ExactArgs(1), &f, func(cmd *cobra.Command, d *task.Desk, args []string) error {
			why := ledger.WaitReason(reason)
			if !slices.Contains(ledger.WaitReasons, why) {
				return usageError{errors.New(a.text("--reason : attendu "+waitReasons(), "--reason: expected "+waitReasons()))}
			}
			out, err := d.Wait(cmd.Context(), args[0], task.NewWait{Reason: why, Question: question, Holder: h.holder(a, cmd, &f)})
			return a.answerMove(out, err)
		})
	h.add(a, cmd)
	cmd.Flags().StringVar(&reason, "reason", "", a.text("ce qu'elle attend : ", "what it waits for: ")+waitReasons())
	cmd.Flags().StringVar(&question, "question", "", a.text("question à la personne", "question to the person"))
	_ = cmd.MarkFlagRequired("reason")
	_ = cmd.RegisterFlagCompletionFunc("reason", cobra.FixedCompletions(strings.Split(waitReasons(), ", "), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func waitReasons() string {
	var list []string
	for _, r := range ledger.WaitReasons {
		list = append(list, string(r))
	}
	return strings.Join(list, ", ")
}

func newTaskResume(a *app) *cobra.Command {
	var f taskFlags
	var h holderFlags
	cmd := taskCommand(a, "resume <id>", a.text("Reprendre une tâche garée", "Take a parked task up again"),
		a.text(`Repasse par la place disponible (wip) et donne un nouveau bail. Sur une tâche en
cours, c'est un signe de vie. À celui qui la tient : son acteur, sa session, ou
quiconque connaît le numéro du bail.`,
			`Asks for a free place (wip) and gives a new lease. On a task that is under way it
is a sign of life. For whoever holds it: its actor, its session, or who knows the
number of the lease.`),
		`  grimoire task resume GAO-search-001 --epoch 2`,
		cobra.ExactArgs(1), &f, func(cmd *cobra.Command, d *task.Desk, args []string) error {
			out, err := d.Resume(cmd.Context(), args[0], h.holder(a, cmd, &f))
			return a.answerMove(out, err)
		})
	h.add(a, cmd)
	return cmd
}

func newTaskRenew(a *app) *cobra.Command {
	var f taskFlags
	var h holderFlags
	cmd := taskCommand(a, "renew <id>", a.text("Prolonger le bail d'une tâche en cours", "Extend the lease of a task under way"), "",
		`  grimoire task renew GAO-search-001 --actor ada`,
		cobra.ExactArgs(1), &f, func(cmd *cobra.Command, d *task.Desk, args []string) error {
			out, err := d.Renew(cmd.Context(), args[0], h.holder(a, cmd, &f))
			return a.answerMove(out, err)
		})
	h.add(a, cmd)
	return cmd
}

func newTaskAttach(a *app) *cobra.Command {
	var f taskFlags
	var session string
	cmd := taskCommand(a, "attach <id>", a.text("Dire quelle session travaille sur une tâche prise", "Say which session works on a claimed task"), "",
		`  grimoire task attach GAO-search-001 --session-id 4f1c2a90`,
		cobra.ExactArgs(1), &f, func(cmd *cobra.Command, d *task.Desk, args []string) error {
			s := task.EnvSession(a.environ)
			if session != "" && session != s.ID {
				s = task.Session{ID: session}
			}
			if s.ID == "" {
				return usageError{errors.New(a.text("quelle session ? --session-id, ou GRIMOIRE_SESSION_ID", "which session? --session-id, or GRIMOIRE_SESSION_ID"))}
			}
			out, err := d.Attach(cmd.Context(), args[0], s)
			return a.answerNote(out, "session "+s.ID, nil, err)
		})
	cmd.Flags().StringVar(&session, "session-id", "", a.text("session (défaut : celle de l'environnement)", "session (default: that of the environment)"))
	return cmd
}

// reaped is the JSON of `task reap`.
type reaped struct {
	Reaped  []string    `json:"reaped"`
	Waiting []parkedRow `json:"waiting_human"`
}

type parkedRow struct {
	task.Parked
	Question string `json:"question"`
}

func newTaskReap(a *app) *cobra.Command {
	var f taskFlags
	cmd := taskCommand(a, "reap", a.text("Reprendre les baux perdus", "Take lost leases back"),
		a.text(`Une tâche dont le bail a expiré redevient prête. Si sa branche task/<id> porte des
commits qu'aucune branche distante n'a, si son arbre est modifié ou si git ne répond
pas, elle attend une personne à la place : rien de local n'est donné à un autre. De
même quand aucun arbre n'a cette branche, que le hook a vu son travail se faire dans
celui du projet et que celui-ci est modifié.`,
			`A task whose lease has run out is ready again. If its branch task/<id> has commits
that no remote branch has, if its tree is modified or if git does not answer, it
waits for a person instead: nothing local is given to another. Likewise where no
worktree has that branch, the hook saw its work done in the project's own tree, and
that tree is modified.`),
		`  grimoire task reap
  grimoire -o json task reap | jq '.waiting_human'`,
		cobra.NoArgs, &f, func(cmd *cobra.Command, d *task.Desk, _ []string) error {
			out, err := d.Reap(cmd.Context(), f.actor)
			if err != nil {
				return err
			}
			r := reaped{Reaped: out.Ready, Waiting: []parkedRow{}}
			for _, p := range out.Waiting {
				r.Waiting = append(r.Waiting, parkedRow{p, p.Question.In(a.lang)})
			}
			if a.json() {
				return a.printJSON(r)
			}
			for _, id := range r.Reaped {
				a.printf("%s  %s\n", a.bold(id), a.green("ready"))
			}
			for _, p := range r.Waiting {
				a.printf("%s  %s\n  %s\n", a.bold(p.Task), a.yellow("waiting"), printable(p.Question))
			}
			if len(r.Reaped)+len(r.Waiting) == 0 {
				a.printf("%s\n", a.text("Aucun bail perdu.", "No lost lease."))
			}
			return nil
		})
	cmd.ValidArgsFunction = cobra.NoFileCompletions
	return cmd
}
