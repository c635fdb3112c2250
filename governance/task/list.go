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

// Listed is a task in a list.
type Listed struct {
	ledger.Row
	Outside *Outside // of a ready task that is not due, else nil
}

// Outside is why a ready task is not in the queue. Whoever names the task may
// claim it all the same.
type Outside struct {
	Reason string   `json:"reason"`          // dependency or readmission
	Tasks  []string `json:"tasks,omitempty"` // that must be closed before
	Until  string   `json:"until,omitempty"` // ISO 8601
}

// Rows lists tasks in the order of their creation, the ready ones in the order
// of the queue; those that are outside of it come last.
func (d *Desk) Rows(f Filter) ([]Listed, error) {
	var rows []Listed
	err := d.Ledger.View(func(s *ledger.State) error {
		rows = d.queued(s, f)
		return nil
	})
	return rows, err
}

// Spelled calls visit with the tasks that Rows lists, each as one JSON object as
// ledger.Task spells it.
func (d *Desk) Spelled(f Filter, visit func(object string, o *Outside) error) error {
	return d.Ledger.View(func(s *ledger.State) error {
		for _, r := range d.queued(s, f) {
			if err := visit(s.Spelled(r.ID), r.Outside); err != nil {
				return err
			}
		}
		return nil
	})
}

// queued are the tasks of a filter; the ready ones as they are due, and last
// those outside of the queue.
func (d *Desk) queued(s *ledger.State, f Filter) []Listed {
	rows := pick(s, f)
	if f.Status != ledger.Ready {
		out := make([]Listed, len(rows))
		for i, r := range rows {
			out[i].Row = r
		}
		return out
	}
	now := d.clock()
	due, held := make([]ledger.Row, 0, len(rows)), []ledger.Row(nil)
	why := map[string]*Outside{}
	for _, r := range rows {
		if o := outside(s, r, now); o != nil {
			why[r.ID] = o
			held = append(held, r)
		} else {
			due = append(due, r)
		}
	}
	aging := d.aging()
	Queue(due, now, aging)
	Queue(held, now, aging)
	out := make([]Listed, 0, len(rows))
	for _, r := range due {
		out = append(out, Listed{r, nil})
	}
	for _, r := range held {
		out = append(out, Listed{r, why[r.ID]})
	}
	return out
}

func outside(s *ledger.State, r ledger.Row, now time.Time) *Outside {
	if on := Blockers(s, &ledger.Task{DependsOn: s.DependsOn(r.ID)}); len(on) > 0 {
		return &Outside{Reason: "dependency", Tasks: on}
	}
	if until, later := r.Later(now); later {
		return &Outside{Reason: "readmission", Until: ledger.FormatTime(until)}
	}
	return nil
}

// Blockers are the tasks that must be closed before this one is due.
func Blockers(s *ledger.State, t *ledger.Task) []string {
	var out []string
	for _, dep := range t.DependsOn {
		if dep.Kind != "blocks" {
			continue
		}
		if status, ok := s.Status(dep.Target); !ok || status != ledger.Closed {
			out = append(out, dep.Target)
		}
	}
	return out
}

func pick(s *ledger.State, f Filter) []ledger.Row {
	rows := make([]ledger.Row, 0, s.Len())
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
	type place struct {
		notch int
		since time.Time
		id    string
		at    int
	}
	order := make([]place, len(rows)) // a row is too long to be moved about
	for i := range rows {
		r := &rows[i]
		n := slices.Index(ledger.Priorities, r.Priority)
		if age := now.Sub(r.Since); !r.Since.IsZero() && age > 0 {
			n += int(min(age/aging, time.Duration(len(ledger.Priorities))))
		}
		order[i] = place{min(n, len(ledger.Priorities)-1), r.ReadySince, r.ID, i}
	}
	slices.SortFunc(order, func(a, b place) int {
		if d := b.notch - a.notch; d != 0 {
			return d
		}
		if d := a.since.Compare(b.since); d != 0 {
			return d
		}
		return strings.Compare(a.id, b.id) // no two tasks have one
	})
	unordered := slices.Clone(rows)
	for i, p := range order {
		rows[i] = unordered[p.at]
	}
}
