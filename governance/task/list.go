package task

import (
	"slices"
	"strings"
	"time"

	"github.com/grimoire-kit/grimoire/governance/ledger"
)

// Filter chooses tasks; "" is any.
type Filter struct {
	Mission string
	Status  ledger.Status
}

// Rows lists tasks in the order of their creation, the ready ones in the order
// of the queue: those that wait for another task come last.
func (d *Desk) Rows(f Filter) ([]ledger.Row, error) {
	var rows []ledger.Row
	err := d.Ledger.View(func(s *ledger.State) error {
		rows = d.queued(s, f)
		return nil
	})
	return rows, err
}

// Tasks is Rows with all that is known of each.
func (d *Desk) Tasks(f Filter) ([]ledger.Task, error) {
	var tasks []ledger.Task
	err := d.Ledger.View(func(s *ledger.State) error {
		for _, r := range d.queued(s, f) {
			t, _ := s.Task(r.ID)
			tasks = append(tasks, t)
		}
		return nil
	})
	return tasks, err
}

// queued are the tasks of a filter; the ready ones as they are due, and last
// those that wait for another.
func (d *Desk) queued(s *ledger.State, f Filter) []ledger.Row {
	rows := pick(s, f)
	if f.Status != ledger.Ready {
		return rows
	}
	var due, held []ledger.Row
	for _, r := range rows {
		if t, _ := s.Task(r.ID); len(Blockers(s, &t)) > 0 {
			held = append(held, r)
		} else {
			due = append(due, r)
		}
	}
	Queue(due, d.clock(), d.aging())
	Queue(held, d.clock(), d.aging())
	return append(due, held...)
}

// Blockers are the tasks that must be closed before this one is due.
func Blockers(s *ledger.State, t *ledger.Task) []string {
	var out []string
	for _, dep := range t.DependsOn {
		if dep.Kind != "blocks" {
			continue
		}
		if other, ok := s.Task(dep.Target); !ok || other.Status != ledger.Closed {
			out = append(out, dep.Target)
		}
	}
	return out
}

func pick(s *ledger.State, f Filter) []ledger.Row {
	var rows []ledger.Row
	for r := range s.Rows() {
		if (f.Mission == "" || r.Mission == f.Mission) && (f.Status == "" || r.Status == f.Status) {
			rows = append(rows, r)
		}
	}
	return rows
}

// Queue orders ready tasks as they are due: by priority, one notch higher for
// each period of aging that a task has been ready, up to critical; then by
// seniority, which a wait does not cost.
func Queue(rows []ledger.Row, now time.Time, aging time.Duration) {
	notch := make(map[string]int, len(rows))
	for _, r := range rows {
		n := slices.Index(ledger.Priorities, r.Priority)
		if age := now.Sub(r.Since); !r.Since.IsZero() && age > 0 {
			n += int(min(age/aging, time.Duration(len(ledger.Priorities))))
		}
		notch[r.ID] = min(n, len(ledger.Priorities)-1)
	}
	slices.SortStableFunc(rows, func(a, b ledger.Row) int {
		if d := notch[b.ID] - notch[a.ID]; d != 0 {
			return d
		}
		if d := a.ReadySince.Compare(b.ReadySince); d != 0 {
			return d
		}
		return strings.Compare(a.ID, b.ID)
	})
}
