package ledger

import "strings"

// Lease is the claim with a lease that starts now: the task's next epoch, for
// LeaseTTL. Claiming takes one, and so does resuming a wait.
func (tx *Tx) Lease(id string, c Claim) Claim {
	if t, err := tx.task(id); err == nil {
		c.Epoch = t.Epoch + 1
	}
	c.Beat, c.Expires = FormatTime(tx.now), FormatTime(tx.now.Add(LeaseTTL))
	return c
}

// Renew records a sign of life of a claim: its lease runs anew from now. epoch
// must be the claim's; 0 is whichever it is. A task that waits keeps its lease
// as it is.
func (tx *Tx) Renew(id string, epoch int64, actor string) error {
	t, err := tx.task(id)
	switch {
	case err != nil:
		return err
	case t.Claim == nil || !t.Status.Active():
		return refuse(ErrIllegal, "La tâche %s n'est pas en cours (%s) : il n'y a pas de bail à renouveler.", "Task %s is not under way (%s): there is no lease to renew.", t.ID, t.Status)
	}
	if err := tx.CheckEpoch(id, epoch); err != nil {
		return err
	}
	o := newObject()
	o.text("task_id", t.ID)
	o.number("epoch", t.Claim.Epoch)
	o.text("heartbeat_at", FormatTime(tx.now))
	o.text("expires_at", FormatTime(tx.now.Add(LeaseTTL)))
	tx.record(TaskLeaseRenewed, KindTask, t.ID, actor, o)
	return nil
}

// CheckEpoch refuses an act on a lease that has been given anew since. 0 acts on
// whichever it is.
func (tx *Tx) CheckEpoch(id string, epoch int64) error {
	t, err := tx.task(id)
	if err != nil || epoch == 0 || t.Claim != nil && t.Claim.Epoch == epoch {
		return err
	}
	return refuse(ErrEpoch, "Le bail %d de la tâche %s n'est plus le sien (bail actuel : %d) ; `grimoire task show %s` dit qui la tient.", "Lease %d of task %s is no longer its own (current lease: %d); `grimoire task show %s` says who holds it.", epoch, t.ID, t.Epoch, t.ID)
}

// Attach records which session works on a claimed task. It never takes the
// task from another session, and records nothing the second time unless a
// person says so (explicit).
func (tx *Tx) Attach(id, session, host string, explicit bool) error {
	t, err := tx.task(id)
	switch {
	case err != nil:
		return err
	case t.Claim == nil:
		return refuse(ErrIllegal, "La tâche %[1]s n'est prise par personne : `grimoire task claim %[1]s`.", "Task %[1]s is claimed by nobody: `grimoire task claim %[1]s`.", t.ID)
	case strings.TrimSpace(session) == "":
		return refuse(ErrIncomplete, "Il manque l'identifiant de la session.", "The session's id is missing.")
	case t.Claim.Session != "" && t.Claim.Session != session:
		return tx.taken(t)
	case t.Claim.Session == session && !explicit:
		return nil
	}
	o := newObject()
	o.text("task_id", t.ID)
	o.text("session_id", session)
	o.text("session_host", host)
	if explicit {
		o.raw("explicit", "true")
	}
	tx.record(TaskSessionAttached, KindTask, t.ID, t.Claim.Actor, o)
	return nil
}
