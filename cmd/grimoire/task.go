package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/core/host"
	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/task"
	"github.com/grimoire-kit/grimoire/surface"
)

func newTask(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "task",
		Short: a.text("Les tâches : les ajouter, les prendre, les prouver, les clore", "Tasks: add, claim, prove and close them"),
		Long: a.text(`Une tâche vit dans le journal des missions (`+ledger.Dir+`) :
proposed → ready → claimed → running → needs_verification → closed. Un passage peut
demander des preuves (_grimoire/standard/evidence-gates.yaml) ; un refus n'écrit
rien et donne la commande qui fournit ce qui manque.

Codes de sortie : 0 fait · 1 refusé, ou tâche inconnue · 2 ligne de commande invalide.`,
			`A task lives in the mission ledger (`+ledger.Dir+`):
proposed → ready → claimed → running → needs_verification → closed. A move may ask
for evidence (_grimoire/standard/evidence-gates.yaml); a refusal writes nothing and
gives the command that provides what is missing.

Exit codes: 0 done · 1 refused, or the task is unknown · 2 invalid command line.`),
		Example: `  grimoire task add "Search answers in 50 ms" -a "the search tests pass" --owner ada --ready
  grimoire task list --status ready
  grimoire task claim GAO-search-answ-001 --actor ada`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		newTaskAdd(a), newTaskList(a), newTaskShow(a),
		newTaskClaim(a), newTaskMove(a), newTaskBlock(a), newTaskClose(a), newTaskCancel(a),
		newTaskWait(a), newTaskResume(a), newTaskRenew(a), newTaskAttach(a), newTaskReap(a),
		newTaskPrioritize(a), newTaskAssign(a), newTaskComment(a), newTaskAck(a), newTaskLink(a),
		newTaskProve(a), newTaskPack(a),
		newTaskContext(a), newTaskRecall(a), newTaskTrace(a), newTaskHandoff(a),
		newTaskBoard(a), newTaskMigrate(a),
	)
	return cmd
}

// taskFlags are what the commands about tasks share.
type taskFlags struct{ ledger, actor string }

func (f *taskFlags) add(a *app, cmd *cobra.Command) {
	addLedgerRootFlag(a, cmd, &f.ledger)
	cmd.Flags().StringVar(&f.actor, "actor", "cli", a.text("qui agit", "who acts"))
}

func (f *taskFlags) open(a *app) (*task.Desk, error) { return f.openAt(a, nil) }

// openAt is open for the project that an argument names.
func (f *taskFlags) openAt(a *app, args []string) (*task.Desk, error) {
	root, tree, err := a.tasksRoot(args, f.ledger)
	if err != nil {
		return nil, err
	}
	d := task.Open(root, f.ledger)
	d.Tree, d.Language = tree, a.lang
	if d.Dir, err = filepath.Abs(a.startDir()); err != nil {
		return nil, fmt.Errorf("find the current folder: %w", err)
	}
	return d, nil
}

// taskCommand is a command about tasks: its flags, and do with the desk.
func taskCommand(a *app, use, short, long, example string, args cobra.PositionalArgs, f *taskFlags, do func(cmd *cobra.Command, d *task.Desk, args []string) error) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short, Long: long, Example: example, Args: args,
		RunE: func(cmd *cobra.Command, args []string) error {
			d, err := f.open(a)
			if err != nil {
				return err
			}
			if why, lost := d.LostLedger(); lost && cmd.Name() != "migrate-standard" {
				a.warn(why)
			}
			err = do(cmd, d, args)
			a.warnLedger(d.Ledger)
			return a.taskError(err)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return a.taskIDs(f), cobra.ShellCompDirectiveNoFileComp
		},
	}
	f.add(a, cmd)
	return cmd
}

// taskIDs completes the tasks that have not ended.
func (a *app) taskIDs(f *taskFlags) []string {
	d, err := f.open(a)
	if err != nil {
		return nil
	}
	rows, err := d.Rows(task.Filter{})
	if err != nil {
		return nil
	}
	var ids []string
	for _, r := range rows {
		if !r.Status.Ended() {
			ids = append(ids, r.ID+"\t"+printable(r.Title))
		}
	}
	return ids
}

// taskError answers a refusal in its one shape, whoever asked.
func (a *app) taskError(err error) error {
	var r *task.Refusal
	if a.json() && errors.As(err, &r) {
		if err := a.printJSON(r.JSON(a.lang)); err != nil {
			return err
		}
	}
	return err
}

// spliced is the object a with the keys of the object b after its own.
func spliced(a, b any) (json.RawMessage, error) {
	first, err := json.Marshal(a)
	if err != nil {
		return nil, err
	}
	second, err := json.Marshal(b)
	if err != nil {
		return nil, err
	}
	if len(second) <= len("{}") {
		return first, nil
	}
	return append(append(first[:len(first)-1], ','), second[1:]...), nil
}

// moved is what a task's object gains in the answer to a move.
type moved struct {
	Transition     string             `json:"transition"`
	Board          string             `json:"board"`
	Verifiability  task.Verifiability `json:"verifiability"`
	Model          *string            `json:"recommended_model"`
	Tier           string             `json:"model_tier"`
	Priority       string             `json:"effective_priority"`
	Pending        int                `json:"directives_pending"`
	Unacknowledged int                `json:"directives_unacknowledged"`
	Advisories     []string           `json:"advisories,omitempty"`
	BoardPath      string             `json:"board_path,omitempty"`
	Branch         string             `json:"resume_branch,omitempty"`
	Head           string             `json:"head,omitempty"`
}

func (a *app) moved(o *task.Outcome) moved {
	t := &o.Task
	m := moved{Transition: string(o.From) + " → " + string(t.Status), Board: task.Column(t),
		Verifiability: task.Verify(t, a.lang), Priority: t.Priority(), BoardPath: o.Board}
	tier, model := m.Verifiability.Tier()
	m.Tier, m.Model = tier, orNull(model)
	m.Pending, m.Unacknowledged = task.Pending(t)
	m.Advisories = a.advisories(o)
	if w := t.Wait; w != nil {
		m.Branch, m.Head = w.Branch, w.Head
	}
	return m
}

// advisories are what a gate misses under a profile that lets it pass.
func (a *app) advisories(o *task.Outcome) []string {
	var out []string
	for _, x := range o.Advisories {
		out = append(out, x.In(a.lang))
	}
	return out
}

// answerMove shows a task after a move, and what its gate would have asked for.
func (a *app) answerMove(o *task.Outcome, err error) error {
	if err != nil {
		return err
	}
	a.warnBoard(o)
	if a.json() {
		answer, err := spliced(o.Task, a.moved(o))
		if err != nil {
			return err
		}
		return a.printJSON(answer)
	}
	a.printf("%s  %s → %s\n", a.bold(o.Task.ID), printable(string(o.From)), a.green(printable(string(o.Task.Status))))
	for _, x := range o.Advisories {
		a.printf("  %s %s\n", a.yellow("!"), printable(x.In(a.lang)))
	}
	if c := o.Task.Claim; c != nil && o.Task.Status.Active() && c.Expires != "" {
		number := "" // a claim of an older kit has none
		if c.Epoch != 0 {
			number = fmt.Sprintf(" %d", c.Epoch)
		}
		a.printf("  %s\n", printable(fmt.Sprintf(a.text("bail%s jusqu'à %s", "lease%s until %s"), number, c.Expires)))
	}
	return nil
}

// noted is what a task's object gains in the answer to a note.
type noted struct {
	Change         string            `json:"change"`
	Board          string            `json:"board"`
	Priority       string            `json:"effective_priority"`
	Pending        int               `json:"directives_pending"`
	Unacknowledged int               `json:"directives_unacknowledged"`
	Directive      *ledger.Directive `json:"directive,omitempty"`
	BoardPath      string            `json:"board_path,omitempty"`
}

func (a *app) answerNote(o *task.Outcome, change string, d *ledger.Directive, err error) error {
	if err != nil {
		return err
	}
	a.warnBoard(o)
	if a.json() {
		n := noted{Change: change, Board: task.Column(&o.Task), Priority: o.Task.Priority(), Directive: d, BoardPath: o.Board}
		n.Pending, n.Unacknowledged = task.Pending(&o.Task)
		answer, err := spliced(o.Task, n)
		if err != nil {
			return err
		}
		return a.printJSON(answer)
	}
	a.printf("%s  %s\n", a.bold(o.Task.ID), printable(change))
	return nil
}

// warnBoard says when the board could not follow.
func (a *app) warnBoard(o *task.Outcome) {
	if o.BoardErr == nil {
		return
	}
	var kept *task.KeptBoardError
	if errors.As(o.BoardErr, &kept) {
		a.warn(kept.Text()) // it stays so, whatever command comes next
		return
	}
	t := host.TextOf(o.BoardErr)
	a.warn(surface.Text{
		FR: "le tableau n'a pas pu être écrit (" + t.FR + ") ; la prochaine commande essaie de nouveau",
		EN: "the board could not be written (" + t.EN + "); the next command tries again"})
}
