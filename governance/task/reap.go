package task

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/tidwall/gjson"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/locate"
	"github.com/grimoire-kit/grimoire/governance/observe"
	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

// Reaped are the tasks whose lost leases were taken back.
type Reaped struct {
	Ready []string // given back to the queue
	// Waiting are parked for a person: work stands in their worktree that
	// nobody else has.
	Waiting []Parked
	Board   string
}

// Parked is a task that waits for a person.
type Parked struct {
	Task     string       `json:"task_id"`
	Branch   string       `json:"resume_branch"`
	Head     string       `json:"head"`
	Question surface.Text `json:"-"`
}

// lost is a lease that has run out, with what git says of its work.
type lost struct {
	id     string
	status ledger.Status
	claim  ledger.Claim
	tree   worktree
	here   bool // the work was done in the project's own tree, which is modified
	err    error
}

// lostReason is that of a move which takes a lost lease back.
const lostReason = "lease_lost"

// Reap takes back the claims whose lease has run out. The task is ready again,
// unless its worktree holds commits that no remote has, a modified tree, or a
// state that git cannot tell: then it waits for a person, with the branch. A
// task whose branch is checked out nowhere was worked on in the project's own
// tree or in a worktree of another name, where the hook saw writes for it: that
// one must not hold local work either. A
// task that is ready again comes back to the queue after a while, see
// ledger.Readmit. Git is asked before the lock, and what has moved since is left
// alone.
func (d *Desk) Reap(ctx context.Context, actor string) (*Reaped, error) {
	var list []lost
	now := d.clock()
	err := d.Ledger.View(func(s *ledger.State) error {
		for _, t := range s.Held() {
			if expired, _ := t.Claim.Expired(now); expired && t.Status.Active() && ledger.CheckID(t.ID) == nil {
				list = append(list, lost{id: t.ID, status: t.Status, claim: *t.Claim})
			}
		}
		return nil
	})
	out := &Reaped{Ready: []string{}, Waiting: []Parked{}}
	if err != nil || len(list) == 0 {
		return out, err
	}
	for i := range list {
		l := &list[i]
		if l.tree, l.err = d.worktree(ctx, l.id); l.err == nil && !l.tree.local() && l.tree.dir == "" {
			l.err = d.lookAround(ctx, l)
		}
	}
	err = d.Ledger.Update(ctx, func(tx *ledger.Tx) error {
		*out = Reaped{Ready: []string{}, Waiting: []Parked{}}
		for _, l := range list {
			t, ok := tx.State().Task(l.id)
			if !ok || t.Status != l.status || t.Claim == nil || t.Claim.Epoch != l.claim.Epoch || t.Claim.Expires != l.claim.Expires {
				continue // someone was quicker
			}
			if expired, _ := t.Claim.Expired(tx.Now()); !expired {
				continue // the clock went back
			}
			m := ledger.Move{To: ledger.Ready, From: t.Status, Reason: lostReason, Actor: oneActor(actor),
				Extra: map[string]string{"lease_epoch": strconv.FormatInt(t.Claim.Epoch, 10)}}
			if l.err != nil || l.tree.local() {
				p := l.park()
				m.To, m.Wait = ledger.Waiting, &ledger.Wait{Reason: ledger.WaitHuman, Branch: p.Branch, Head: p.Head, Question: p.Question.In(d.Language)}
				out.Waiting = append(out.Waiting, p)
			} else {
				m.Readmission = tx.Readmit(t.ID)
				out.Ready = append(out.Ready, t.ID)
			}
			if err := tx.Move(t.ID, m); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var board Outcome
	d.project(&board)
	out.Board = board.Board
	return out, nil
}

// park says what a person has to decide about the work of a lost lease.
func (l *lost) park() Parked {
	p := Parked{Task: l.id, Branch: l.tree.branch, Head: l.tree.head}
	if p.Branch == "" {
		p.Branch = "task/" + l.id
	}
	what := surface.Text{FR: "son arbre de travail est modifié", EN: "its working tree is modified"}
	switch {
	case l.err != nil:
		why := fault.Text(l.err)
		what = surface.Text{FR: "git ne dit pas où en est son travail (" + why.FR + ")", EN: "git cannot tell where its work stands (" + why.EN + ")"}
	case l.here:
		what = surface.Text{FR: "le hook a vu son travail se faire dans l'arbre du projet, qui est modifié", EN: "the hook saw its work done in the project's own tree, which is modified"}
	case l.tree.unpushed:
		what = surface.Text{FR: "sa branche porte des commits qu'aucune branche distante n'a", EN: "its branch has commits that no remote branch has"}
	}
	resume := "`grimoire task resume " + l.id + as(&l.claim) + "`"
	p.Question = surface.Text{
		FR: "Le bail de " + l.id + " est perdu et " + what.FR + ". Reprendre sur " + p.Branch + " (" + resume + "), ou l'abandonner (`grimoire task move " + l.id + " --to ready`) ?",
		EN: "The lease of " + l.id + " is lost and " + what.EN + ". Resume on " + p.Branch + " (" + resume + "), or give the work up (`grimoire task move " + l.id + " --to ready`)?",
	}
	return p
}

// lookAround tells whether a task without a worktree of its name left work
// elsewhere: where the hook saw writes since it was claimed, which is the
// project's own tree or another linked worktree, files are modified or, in a
// linked one, commits are on no remote. Whose they are git does not tell: a
// person does. A worktree that is gone holds nothing any more.
func (d *Desk) lookAround(ctx context.Context, l *lost) error {
	if locate.GitRoot(d.Root) == "" {
		return nil
	}
	since, err := d.claimedAt(l.id)
	if err != nil {
		return err
	}
	var trees []string
	err = observe.Each(d.Root, l.id, func(e observe.Entry) {
		at, ok := ledger.ParseTime(e.At)
		if (e.Type == observe.Write || e.Type == observe.Bash) && (!ok || !at.Before(since)) && !slices.Contains(trees, e.Tree) {
			trees = append(trees, e.Tree)
		}
	})
	if err != nil {
		return err
	}
	for _, tree := range trees[:min(len(trees), maxTrees)] {
		dir, gone := d.place(tree)
		if gone != nil {
			continue
		}
		w := worktree{dir: dir}
		if w.modified, err = d.modified(ctx, dir); err != nil {
			return err
		}
		if tree != "" && !w.modified {
			if w.unpushed, err = d.unpushed(ctx, dir, "HEAD"); err != nil {
				return err
			}
		}
		if w.local() {
			w.branch, w.head = d.checkedOut(ctx, dir)
			l.tree, l.here = w, tree == ""
			return nil
		}
	}
	return nil
}

// maxTrees bounds how many worktrees are looked at for one task.
const maxTrees = 16

// claimedAt is when a task was claimed last.
func (d *Desk) claimedAt(id string) (at time.Time, err error) {
	err = d.Ledger.History(id, func(e ledger.Event) {
		if e.Type == ledger.TaskTransitioned && gjson.Get(e.Payload, "to_state").String() == string(ledger.Claimed) {
			at = e.At
		}
	})
	return at, err
}
