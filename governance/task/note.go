package task

import (
	"context"
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/surface"
)

// Prioritize declares a task's priority.
func (d *Desk) Prioritize(ctx context.Context, id, to, reason, actor string) (*Outcome, error) {
	return d.change(ctx, id, func(tx *ledger.Tx, t ledger.Task) error {
		return tx.Prioritize(t.ID, to, reason, actor)
	})
}

// Assign says whose task it is. An owner is a name and no right: anyone may
// give one, as with Add.
func (d *Desk) Assign(ctx context.Context, id, owner, reason, actor string) (*Outcome, error) {
	return d.change(ctx, id, func(tx *ledger.Tx, t ledger.Task) error {
		return tx.Assign(t.ID, owner, reason, actor)
	})
}

// Comment adds a remark to a task, or an order (kind "directive") that the
// session at work is shown. It wants a person, see Origin.
func (d *Desk) Comment(ctx context.Context, id, kind, said, author string, from Origin) (*Outcome, ledger.Directive, error) {
	var added ledger.Directive
	t, err := d.Find(id)
	if err != nil {
		return nil, added, err
	}
	command := "grimoire task comment " + t.ID + " " + argument(said)
	if kind == "directive" {
		command += " --kind directive"
	}
	if r := from.refuse(t.ID, "comment", command); r != nil {
		return nil, added, r
	}
	out, err := d.changeFound(ctx, t, func(tx *ledger.Tx, t ledger.Task) (err error) {
		added, err = tx.Direct(t.ID, kind, said, author)
		return err
	})
	return out, added, err
}

// Acknowledge says that a directive has been heard.
func (d *Desk) Acknowledge(ctx context.Context, id, directive, actor string) (*Outcome, error) {
	return d.change(ctx, id, func(tx *ledger.Tx, t ledger.Task) error {
		return tx.Acknowledge(t.ID, directive, actor)
	})
}

// DependencyKinds are how a task has to do with another.
var DependencyKinds = []string{"blocks", "relates", "parent_child", "discovered_from", "supersedes"}

// Link says that a task has to do with another: with kind "blocks", that it
// waits for it.
func (d *Desk) Link(ctx context.Context, id, on, kind, actor string) (*Outcome, error) {
	if !slices.Contains(DependencyKinds, kind) {
		list, shown := strings.Join(DependencyKinds, ", "), surface.Quoted(kind)
		return nil, say("Genre de lien inconnu : %s (attendu : %s)", "Unknown kind of link: %s (expected %s)", shown, list)
	}
	return d.change(ctx, id, func(tx *ledger.Tx, t ledger.Task) error {
		target, err := find(tx.State(), on)
		if err != nil {
			return err
		}
		if target.ID == t.ID {
			return say("La tâche %s ne dépend pas d'elle-même.", "Task %s does not depend on itself.", t.ID)
		}
		d := ledger.Dependency{Kind: kind, Target: target.ID}
		if slices.Contains(t.DependsOn, d) {
			return nil
		}
		return tx.Link(t.ID, d, actor)
	})
}

// Pending counts the directives of a task that have not been shown to a
// session, and those nobody has acknowledged.
func Pending(t *ledger.Task) (undelivered, unacknowledged int) {
	for _, x := range t.Directives {
		if x.DeliveredAt == "" {
			undelivered++
		}
		if x.AcknowledgedAt == "" {
			unacknowledged++
		}
	}
	return undelivered, unacknowledged
}
