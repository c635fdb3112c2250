package task

import (
	"context"

	"github.com/grimoire-kit/grimoire/governance/ledger"
)

// NewClaim is who takes a task.
type NewClaim struct {
	Actor, Host string
	Files       []string // reserved for it alone, relative to Desk.Dir or absolute
	Session     Session  // the one that claims, attached at once
}

// Claim gives a ready task to someone, with a lease that starts now. Of two
// that ask, one gets it.
func (d *Desk) Claim(ctx context.Context, id string, c NewClaim) (*Outcome, error) {
	t, err := d.Find(id)
	if err != nil {
		return nil, err
	}
	files, err := d.reserve(c.Files)
	if err != nil {
		return nil, err
	}
	limits, err := d.limits()
	if err != nil {
		return nil, limitsRefusal(t.ID, err)
	}
	return d.move(ctx, t, MoveTo{To: ledger.Claimed, Actor: oneActor(c.Actor)}, func(tx *ledger.Tx, t ledger.Task, m *ledger.Move) error {
		if t.Status != ledger.Ready {
			m.Claim = &ledger.Claim{} // the ledger names the holder, or the move that is not legal
			return nil
		}
		if r := d.conflict(tx, &t, files); r != nil {
			return r
		}
		if r := limits.refuse(tx.State(), &t, false); r != nil {
			return r
		}
		lease := tx.Lease(t.ID, ledger.Claim{Actor: oneActor(c.Actor), Host: c.Host, Files: files, Session: c.Session.ID, SessionHost: c.Session.Host})
		m.Claim = &lease
		return nil
	})
}

// Attach says by name which session works on a claimed task.
func (d *Desk) Attach(ctx context.Context, id string, s Session) (*Outcome, error) {
	return d.change(ctx, id, func(tx *ledger.Tx, t ledger.Task) error {
		return tx.Attach(t.ID, s.ID, s.Host, true)
	})
}

// Renew is a sign of life: the lease runs anew from now.
func (d *Desk) Renew(ctx context.Context, id string, h Holder) (*Outcome, error) {
	return d.change(ctx, id, func(tx *ledger.Tx, t ledger.Task) error {
		if t.Status == ledger.Waiting && t.Claim != nil {
			return say("La tâche %s attend : son bail ne se renouvelle pas, `grimoire task resume %s` la reprend.", "Task %s waits: its lease is not renewed, `grimoire task resume %s` takes it up again.",
				t.ID, t.ID+as(t.Claim))
		}
		if err := h.check(tx, &t, "renew", ""); err != nil {
			return err
		}
		return tx.Renew(t.ID, h.Epoch, h.Actor)
	})
}

// Resume takes a waiting task up again, with a new lease, if there is a place
// for it. For a task that is under way it is a sign of life.
func (d *Desk) Resume(ctx context.Context, id string, h Holder) (*Outcome, error) {
	t, err := d.Find(id)
	if err != nil {
		return nil, err
	}
	if t.Status != ledger.Waiting {
		return d.Renew(ctx, id, h)
	}
	limits, err := d.limits()
	if err != nil {
		return nil, limitsRefusal(t.ID, err)
	}
	return d.move(ctx, t, MoveTo{To: ledger.Running, Actor: h.Actor}, func(tx *ledger.Tx, t ledger.Task, m *ledger.Move) error {
		if err := h.check(tx, &t, "resume", ""); err != nil {
			return err
		}
		if r := d.conflict(tx, &t, t.Claim.Files); r != nil {
			return r
		}
		if r := limits.refuse(tx.State(), &t, true); r != nil {
			return r
		}
		lease := tx.Lease(t.ID, *t.Claim)
		if h.Session != "" {
			lease.Session = h.Session
		}
		m.Claim = &lease
		return nil
	})
}

// NewWait is what a task is left for.
type NewWait struct {
	Reason   ledger.WaitReason
	Question string // for the person, where it waits for one
	Holder
}

// Wait leaves a task that is under way, and notes where its work stands. It
// keeps its lease for the return, gives its place away, and its lease is not
// renewed.
func (d *Desk) Wait(ctx context.Context, id string, w NewWait) (*Outcome, error) {
	t, err := d.Find(id)
	if err != nil {
		return nil, err
	}
	branch, head, err := d.parked(ctx, t.ID)
	if err != nil {
		return nil, err
	}
	return d.move(ctx, t, MoveTo{To: ledger.Waiting, Reason: string(w.Reason), Actor: w.Actor}, func(tx *ledger.Tx, t ledger.Task, m *ledger.Move) error {
		if t.Status.Active() {
			options := " --reason " + string(w.Reason)
			if w.Question != "" {
				options += " --question " + argument(w.Question)
			}
			if err := w.check(tx, &t, "wait", options); err != nil {
				return err
			}
		}
		m.Wait = &ledger.Wait{Reason: w.Reason, Branch: branch, Head: head, Question: w.Question}
		return nil
	})
}
