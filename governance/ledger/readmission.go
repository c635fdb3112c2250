package ledger

import (
	"time"

	"github.com/tidwall/gjson"
)

// How long a task stays out of the queue after its lease was lost: Backoff for
// the first, twice as long for each further one in a row, MaxBackoff at most.
const (
	Backoff    = 5 * time.Minute
	MaxBackoff = LeaseTTL
)

// Readmission is what lost leases have cost a task. It lasts while the task
// goes from ready to work and back; whatever else becomes of it ends it.
type Readmission struct {
	Losses int64 // leases lost in a row
	// After is when a ready task is due again, ISO 8601; "" while someone has it.
	After string

	unknown []member
}

// Readmit is a task's return to ready after a lost lease. Its time counts from
// this transaction's, the one that the event carries.
func (tx *Tx) Readmit(id string) *Readmission {
	r := &Readmission{Losses: 1}
	if t, err := tx.task(id); err == nil && t.Readmission != nil {
		r.Losses = t.Readmission.Losses + 1
	}
	wait := MaxBackoff
	if n := r.Losses - 1; n < 16 {
		wait = min(wait, Backoff<<n)
	}
	r.After = FormatTime(tx.now.Add(wait))
	return r
}

// Later reports whether a ready task is out of the queue for now, and until
// when. A return that lies in the future was dated by another clock and holds
// nothing back.
func (r Row) Later(now time.Time) (until time.Time, later bool) {
	return r.Due, now.Before(r.Due) && !now.Before(r.Since)
}

// due is when a ready task may be taken from the queue; zero is at once. No
// line of the log makes that later than MaxBackoff.
func (t *Task) due() time.Time {
	if t.Status != Ready || t.Readmission == nil {
		return time.Time{}
	}
	after, ok := ParseTime(t.Readmission.After)
	if latest := t.Since.Add(MaxBackoff); ok && after.After(latest) {
		return latest
	}
	return after
}

func (r *Readmission) object() *object {
	o := newObject()
	o.number("lost_leases", r.Losses)
	o.given("after", r.After)
	o.rest(r.unknown)
	return o
}

func decodeReadmission(o gjson.Result) *Readmission {
	if !o.IsObject() {
		return nil
	}
	r := &Readmission{}
	o.ForEach(func(key, v gjson.Result) bool {
		switch key.Str {
		case "lost_leases":
			r.Losses = epoch(v)
		case "after":
			r.After = text(v)
		default:
			r.unknown = append(r.unknown, member{key.Str, v.Raw})
		}
		return true
	})
	return r
}

// after is what a move leaves of a readmission; given is the move's own.
func (r *Readmission) after(to Status, given *Readmission) *Readmission {
	switch {
	case to == Ready:
		return given
	case r != nil && (to.Active() || to == Waiting):
		return &Readmission{Losses: r.Losses}
	}
	return nil
}
