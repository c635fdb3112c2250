package task

import (
	"context"
	"strings"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/surface"
)

// MoveTo is a change of a task's status.
type MoveTo struct {
	To     ledger.Status
	Reason string
	Actor  string
	// Unnamed, Session and Epoch are those of a Holder.
	Unnamed bool
	Session string
	Epoch   int64
}

func (m MoveTo) holder() Holder {
	return Holder{Actor: m.Actor, Unnamed: m.Unnamed, Session: m.Session, Epoch: m.Epoch}
}

// By is the move as that holder makes it.
func (m MoveTo) By(h Holder) MoveTo {
	m.Actor, m.Unnamed, m.Session, m.Epoch = h.Actor, h.Unnamed, h.Session, h.Epoch
	return m
}

// Move moves a task through the gate of that move. A claim and a wait say more
// than a status: they are moves of their own, see Claim and Wait.
func (d *Desk) Move(ctx context.Context, id string, m MoveTo) (*Outcome, error) {
	t, err := d.Find(id)
	if err != nil {
		return nil, err
	}
	switch {
	case m.To == ledger.Claimed:
		return d.Claim(ctx, id, NewClaim{Actor: m.Actor})
	case m.To == ledger.Waiting:
		holder := ""
		if t.Claim != nil && t.Status.Active() {
			holder = as(t.Claim)
		}
		return nil, say("Une attente dit pourquoi : `grimoire task wait %s --reason human%s` (ou ci, quota, paused).",
			"A wait says why: `grimoire task wait %s --reason human%s` (or ci, quota, paused).", t.ID, holder)
	case t.Status == ledger.Waiting && m.To == ledger.Running:
		holder := ""
		if t.Claim != nil {
			holder = as(t.Claim)
		}
		return nil, say("Une reprise repasse par la place disponible : `grimoire task resume %s%s`.",
			"A resume asks for a free place: `grimoire task resume %s%s`.", t.ID, holder)
	}
	options := " --to " + string(m.To)
	if m.Reason != "" {
		options += " --reason " + argument(m.Reason)
	}
	return d.move(ctx, t, m, m.holder().fenced("move", options))
}

// move judges on the task as it was seen: the ledger refuses if it has moved
// since. further runs under the lock, before the move.
func (d *Desk) move(ctx context.Context, t ledger.Task, m MoveTo, further func(tx *ledger.Tx, t ledger.Task, move *ledger.Move) error) (*Outcome, error) {
	advisories, err := d.pass(&t, m.To)
	if err != nil {
		return nil, err
	}
	out, err := d.changeFound(ctx, t, func(tx *ledger.Tx, now ledger.Task) error {
		move := ledger.Move{To: m.To, From: t.Status, Reason: m.Reason, Actor: m.Actor}
		if further != nil {
			if err := further(tx, now, &move); err != nil {
				return err
			}
		}
		if err := tx.Move(t.ID, move); err != nil {
			return err
		}
		return remember(tx, &now, m)
	})
	if err != nil {
		return nil, err
	}
	out.Advisories = advisories
	return out, nil
}

// Block stops work on a task for a reason.
func (d *Desk) Block(ctx context.Context, id, reason string, h Holder) (*Outcome, error) {
	t, err := d.Find(id)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(reason) == "" {
		return nil, needsReason(t.ID, "block")
	}
	return d.move(ctx, t, MoveTo{To: ledger.Blocked, Reason: reason}.By(h), h.fenced("block", " --reason "+argument(reason)))
}

// Close ends a task whose evidence has been verified.
func (d *Desk) Close(ctx context.Context, id string, h Holder) (*Outcome, error) {
	t, err := d.Find(id)
	if err != nil {
		return nil, err
	}
	return d.move(ctx, t, MoveTo{To: ledger.Closed}.By(h), h.fenced("close", ""))
}

// Cancel gives a task up. One that another holds is only cancelled by force, or
// by whoever knows the number of its lease.
func (d *Desk) Cancel(ctx context.Context, id, reason string, h Holder, force bool) (*Outcome, error) {
	t, err := d.Find(id)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(reason) == "" {
		return nil, needsReason(t.ID, "cancel")
	}
	h.Actor = oneActor(h.Actor)
	return d.move(ctx, t, MoveTo{To: ledger.Cancelled, Reason: reason}.By(h), func(tx *ledger.Tx, t ledger.Task, m *ledger.Move) error {
		switch {
		case h.Epoch != 0:
			if err := h.checkEpoch(tx, &t); err != nil {
				return err
			}
		case live(tx, &t) && !force && (h.another(t.Claim) || h.Actor != t.Claim.Actor && !h.inSession(t.Claim)):
			holder := surface.Shown(t.Claim.Actor)
			again := "`grimoire task cancel " + t.ID + " --reason " + argument(reason) + " --force`"
			return refuse(t.ID, "cancel", "claim", heldBy(t.Claim),
				surface.Text{FR: "demande à " + holder + ", ou " + again, EN: "ask " + holder + ", or " + again})
		}
		m.Extra = map[string]string{"forced": "false", "cancelled_by": quoted(h.Actor)}
		if force {
			m.Extra["forced"] = "true"
		}
		return nil
	})
}

func needsReason(task, command string) *Refusal {
	return refuse(task, command, "reason",
		surface.Text{FR: "il manque la raison", EN: "the reason is missing"},
		both("`grimoire task "+command+" "+task+" --reason \"…\"`"))
}
