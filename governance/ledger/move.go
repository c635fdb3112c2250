package ledger

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/grimoire-kit/grimoire/surface"
)

// Move is a task's change of status.
type Move struct {
	To Status
	// From is the status the move was judged on, "" for whatever it is.
	From   Status
	Reason string
	Actor  string
	Claim  *Claim // the new claim; nil keeps the old one
	Wait   *Wait  // what a task that comes to wait waits for
	// Readmission is that of a task that comes back to ready after a lost lease.
	Readmission *Readmission
	// Extra are further keys of the payload with their JSON.
	Extra map[string]string
}

// reserved are the keys of a move's payload that Extra cannot have.
var reserved = []string{"task_id", "from_state", "to_state", "reason", "actor_id", "claim", "waiting", "readmission"}

// Move moves a task, if the table of states allows it and the task still
// stands where it was judged.
func (tx *Tx) Move(id string, m Move) error {
	t, err := tx.task(id)
	if err != nil {
		return err
	}
	if m.Actor == "" {
		m.Actor = DefaultActor
	}
	switch {
	case m.From != "" && m.From != t.Status:
		return refuse(ErrChanged, "La tâche %s a changé d'état entre-temps : %s, plus %s.", "Task %s changed state meanwhile: %s, no longer %s.", t.ID, t.Status, m.From)
	case !m.To.Known():
		return refuse(ErrIllegal, "État inconnu : %s (états : %s)", "Unknown state: %s (states: %s)", surface.Shown(string(m.To)), words(Statuses))
	case m.To == Claimed && m.Claim == nil:
		return refuse(ErrIncomplete, "Une tâche est prise par quelqu'un : il manque le claim.", "A task is claimed by someone: the claim is missing.")
	case m.To == Claimed && t.Status.Active() && t.Claim != nil:
		return tx.taken(t)
	case t.Status.Ended():
		return refuse(ErrIllegal, "La tâche %[1]s a pris fin (%[2]s) : elle ne passe plus à %[3]s.", "Task %[1]s has ended (%[2]s): it does not go to %[3]s any more.", t.ID, t.Status, m.To)
	case !t.Status.Known():
		return refuse(ErrIllegal, "La tâche %s est dans un état que cette version ne connaît pas (%s) : aucun passage n'en part ; `grimoire ledger verify` nomme la ligne qui l'y a mise.",
			"Task %s is in a state that this version does not know (%s): no move leads out of it; `grimoire ledger verify` names the line that put it there.", t.ID, surface.Shown(string(t.Status)))
	case !t.Status.MayBecome(m.To) && m.To == Claimed && t.Status.MayBecome(Ready) && !t.Status.Active() && t.Status != Waiting:
		return refuse(ErrIllegal, "La tâche %[1]s est %[2]s ; elle se prend une fois prête : `grimoire task move %[1]s --to ready`.", "Task %[1]s is %[2]s; it is claimed once it is ready: `grimoire task move %[1]s --to ready`.", t.ID, t.Status)
	case !t.Status.MayBecome(m.To):
		return refuse(ErrIllegal, "La tâche %s ne passe pas de %s à %s (possible : %s).", "Task %s does not go from %s to %s (possible: %s).",
			t.ID, t.Status, m.To, words(t.Status.Next()))
	case m.To == Waiting && (m.Wait == nil || !slices.Contains(WaitReasons, m.Wait.Reason)):
		return refuse(ErrIncomplete, "Une tâche en attente dit pourquoi : %s.", "A waiting task says why: %s.", words(WaitReasons))
	}
	o := newObject()
	o.text("task_id", t.ID)
	o.text("from_state", string(t.Status))
	o.text("to_state", string(m.To))
	o.text("reason", m.Reason)
	o.text("actor_id", m.Actor)
	if m.Claim != nil {
		o.raw("claim", m.Claim.object().String())
	}
	if m.To == Waiting {
		o.raw("waiting", m.Wait.object().String())
	}
	if m.To == Ready && m.Readmission != nil {
		o.raw("readmission", m.Readmission.object().String())
	}
	for _, key := range slices.Sorted(maps.Keys(m.Extra)) {
		if slices.Contains(reserved, key) {
			return fmt.Errorf("move %s: the key %q of the payload cannot be given another meaning", t.ID, key)
		}
		if !gjson.Valid(m.Extra[key]) {
			return fmt.Errorf("move %s: the value of %q is not JSON", t.ID, key)
		}
		o.raw(key, m.Extra[key])
	}
	tx.record(TaskTransitioned, KindTask, t.ID, m.Actor, o)
	return nil
}

func words[S ~string](list []S) string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = string(s)
	}
	return strings.Join(out, ", ")
}

func (tx *Tx) taken(t *Task) error {
	until, since := t.Claim.Expires, t.Claim.Session
	if until == "" {
		until = "–"
	}
	if since == "" {
		since = "–"
	}
	if expired, _ := t.Claim.Expired(tx.now); expired && t.Status.Active() {
		return refuse(ErrHeld, "La tâche %[1]s est tenue par %[2]s (session %[3]s), dont le bail a expiré (%[4]s) : `grimoire task reap` le reprend.", "Task %[1]s is held by %[2]s (session %[3]s), whose lease has run out (%[4]s): `grimoire task reap` takes it back.",
			t.ID, surface.Shown(t.Claim.Actor), surface.Shown(since), surface.Shown(until))
	}
	return refuse(ErrHeld, "La tâche %s est tenue par %s (session %s, bail jusqu'à %s).", "Task %s is held by %s (session %s, lease until %s).",
		t.ID, surface.Shown(t.Claim.Actor), surface.Shown(since), surface.Shown(until))
}
