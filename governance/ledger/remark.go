package ledger

import (
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/surface"
)

// Prioritize declares a task's priority.
func (tx *Tx) Prioritize(id, to, reason, actor string) error {
	t, err := tx.task(id)
	if err != nil {
		return err
	}
	if !slices.Contains(Priorities, to) {
		return unknownPriority(to)
	}
	if actor == "" {
		actor = DefaultActor
	}
	o := newObject()
	o.text("task_id", t.ID)
	o.text("from_priority", t.Priority())
	o.text("to_priority", to)
	o.text("reason", reason)
	o.text("actor_id", actor)
	tx.record(TaskPrioritized, KindTask, t.ID, actor, o)
	return nil
}

// Assign records whose task it is. It records nothing where that is so.
func (tx *Tx) Assign(id, owner, reason, actor string) error {
	t, err := tx.task(id)
	owner = strings.TrimSpace(owner)
	switch {
	case err != nil:
		return err
	case owner == "":
		return refuse(ErrIncomplete, "À qui est la tâche ? Le nom est vide.", "Whose is the task? The name is empty.")
	case t.Status.Ended():
		return refuse(ErrIllegal, "La tâche %s a pris fin (%s).", "Task %s has ended (%s).", t.ID, t.Status)
	case t.Owner == owner:
		return nil
	}
	if actor == "" {
		actor = DefaultActor
	}
	o := newObject()
	o.text("task_id", t.ID)
	o.text("from_owner", t.Owner)
	o.text("to_owner", owner)
	o.text("reason", reason)
	o.text("actor_id", actor)
	tx.record(TaskAssigned, KindTask, t.ID, actor, o)
	return nil
}

func unknownPriority(p string) error {
	return refuse(ErrIncomplete, "Priorité inconnue : %s (attendu : %s)", "Unknown priority: %s (expected %s)", surface.Shown(p), strings.Join(Priorities, ", "))
}

// Link records that a task has to do with another.
func (tx *Tx) Link(id string, to Dependency, actor string) error {
	t, err := tx.task(id)
	if err != nil {
		return err
	}
	if _, err := tx.task(to.Target); err != nil {
		return err
	}
	o := newObject()
	o.text("task_id", t.ID)
	o.text("depends_on", to.Target)
	o.text("kind", to.Kind)
	tx.record(TaskLinked, KindTask, t.ID, actor, o)
	return nil
}

// Direct adds a remark or an order to a task, and returns it.
func (tx *Tx) Direct(id, kind, said, author string) (Directive, error) {
	t, err := tx.task(id)
	switch {
	case err != nil:
		return Directive{}, err
	case strings.TrimSpace(said) == "":
		return Directive{}, refuse(ErrIncomplete, "Le texte est vide.", "The text is empty.")
	case kind != "comment" && kind != "directive":
		return Directive{}, refuse(ErrIncomplete, "Genre inconnu : %s (attendu : comment ou directive)", "Unknown kind: %s (expected comment or directive)", surface.Shown(kind))
	}
	d := Directive{ID: NewDirectiveID(), Author: author, CreatedAt: FormatTime(tx.now), Text: said, Kind: kind}
	o := newObject()
	o.text("task_id", t.ID)
	o.raw("directive", d.object().String())
	tx.record(TaskDirectiveAdded, KindTask, t.ID, author, o)
	return d, nil
}

// Deliver records that the session at work has been shown directives.
func (tx *Tx) Deliver(id string, directives []string, actor string) error {
	t, err := tx.task(id)
	if err != nil {
		return err
	}
	o := newObject()
	o.text("task_id", t.ID)
	o.texts("directive_ids", directives)
	o.text("delivered_at", FormatTime(tx.now))
	tx.record(TaskDirectiveDelivered, KindTask, t.ID, actor, o)
	return nil
}

// Acknowledge records that a directive has been heard.
func (tx *Tx) Acknowledge(id, directive, actor string) error {
	t, err := tx.task(id)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(t.Directives, func(d Directive) bool { return d.ID == directive }) {
		return refuse(ErrIncomplete, "La tâche %[1]s n'a pas de consigne %[2]s ; `grimoire task show %[1]s` montre celles qu'elle a.", "Task %[1]s has no directive %[2]s; `grimoire task show %[1]s` shows those it has.", t.ID, surface.Shown(directive))
	}
	if actor == "" {
		actor = DefaultActor
	}
	o := newObject()
	o.text("task_id", t.ID)
	o.text("directive_id", directive)
	o.text("acknowledged_at", FormatTime(tx.now))
	o.text("actor_id", actor)
	tx.record(TaskDirectiveAcknowledged, KindTask, t.ID, actor, o)
	return nil
}
