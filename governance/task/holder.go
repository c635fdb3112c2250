package task

import (
	"fmt"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/surface"
)

// Holder is who speaks for a claim: its actor, its session, or whoever knows
// the number of its lease.
type Holder struct {
	Actor   string
	Unnamed bool // Actor is a default: nobody was named
	Session string
	Epoch   int64 // 0 where it was not given
}

// as are the options by which the holder of a claim speaks.
func as(c *ledger.Claim) string { return " --actor " + argument(c.Actor) }

// lease are the options that name a claim's lease, or its actor where the lease
// has no number.
func lease(c *ledger.Claim) string {
	if c.Epoch == 0 {
		return as(c)
	}
	return fmt.Sprintf(" --epoch %d", c.Epoch)
}

// heldBy says whose a claim is.
func heldBy(c *ledger.Claim) surface.Text {
	fr, en := surface.Shown(c.Actor), surface.Shown(c.Actor)
	if c.Session != "" {
		fr += ", session " + surface.Shown(c.Session)
		en += ", session " + surface.Shown(c.Session)
	}
	if c.Expires != "" {
		fr += ", bail jusqu'à " + surface.Shown(c.Expires)
		en += ", lease until " + surface.Shown(c.Expires)
	}
	return surface.Text{FR: "tenue par " + fr, EN: "held by " + en}
}

// inSession reports whether h speaks in the session of a claim.
func (h Holder) inSession(c *ledger.Claim) bool { return h.Session != "" && h.Session == c.Session }

// inAnother reports whether h speaks in a session that is not that of a claim.
func (h Holder) inAnother(c *ledger.Claim) bool {
	return h.Session != "" && c.Session != "" && h.Session != c.Session
}

// another reports whether h is surely not the holder of a claim: it was named
// otherwise, or is another session. One that says neither may be anybody, also
// a person. A lease without a number, of an older kit, is its actor's in any
// session: nothing else could name it.
func (h Holder) another(c *ledger.Claim) bool {
	named := !h.Unnamed && h.Actor != ""
	if named && h.Actor != c.Actor {
		return true
	}
	return h.inAnother(c) && !(named && c.Epoch == 0)
}

// live reports whether a task is under way, under a lease that has not run out.
func live(tx *ledger.Tx, t *ledger.Task) bool {
	if t.Claim == nil || !t.Status.Active() {
		return false
	}
	expired, _ := t.Claim.Expired(tx.Now())
	return !expired
}

// checkEpoch refuses a lease that is not the task's, or that it gave back.
func (h Holder) checkEpoch(tx *ledger.Tx, t *ledger.Task) error {
	if h.Epoch != 0 && t.Status == ledger.Ready {
		return say("La tâche %s est prête : le bail %d a été rendu ou repris (`grimoire task claim %s` en donne un nouveau).",
			"Task %s is ready: lease %d was given back or taken back (`grimoire task claim %s` gives a new one).", t.ID, h.Epoch, t.ID)
	}
	return tx.CheckEpoch(t.ID, h.Epoch)
}

// fenced keeps a move from the claim of another. command and options are what
// was asked for, for the way out.
func (h Holder) fenced(command, options string) func(tx *ledger.Tx, t ledger.Task, m *ledger.Move) error {
	return func(tx *ledger.Tx, t ledger.Task, _ *ledger.Move) error {
		if h.Epoch != 0 {
			return h.checkEpoch(tx, &t)
		}
		if !live(tx, &t) || !h.another(t.Claim) {
			return nil
		}
		holder := surface.Shown(t.Claim.Actor)
		again := "`grimoire task " + command + " " + t.ID + options + lease(t.Claim) + "`"
		return refuse(t.ID, command, "claim", heldBy(t.Claim), surface.Text{
			FR: "si c'est la tienne, " + again + " ; sinon demande à " + holder + ", ou attends la fin du bail, que `grimoire task reap` reprend alors",
			EN: "if it is yours, " + again + "; else ask " + holder + ", or wait for the end of the lease, which `grimoire task reap` then takes back"})
	}
}

// check refuses anyone else. options are those of the command, for its remedy.
func (h Holder) check(tx *ledger.Tx, t *ledger.Task, command, options string) error {
	c := t.Claim
	switch {
	case c == nil:
		return say("La tâche %s n'est prise par personne : `grimoire task claim %s`.", "Task %s is claimed by nobody: `grimoire task claim %s`.", t.ID, t.ID)
	case h.Epoch != 0:
		return tx.CheckEpoch(t.ID, h.Epoch)
	case h.inSession(c):
		return nil
	case h.Actor != "" && h.Actor == c.Actor && !(h.Unnamed && h.inAnother(c)):
		return nil
	}
	return refuse(t.ID, command, "claim", heldBy(c), both("`grimoire task "+command+" "+t.ID+options+as(c)+"`"))
}
