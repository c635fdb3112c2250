package ledger

import (
	"slices"
	"time"

	"github.com/tidwall/gjson"
)

// apply makes the state what it is after an event. It judges nothing: what
// happened happened, and Verify says what should not have. An event that is
// unknown, or about nothing that exists, changes nothing.
func (s *State) apply(e Event) {
	s.Log.Events++
	p := gjson.Parse(e.Payload)
	switch e.Type {
	case MissionCreated:
		m := decodeMission(p)
		if m.ID == "" {
			m.ID = e.Entity
		}
		if old := s.mission(m.ID); old != nil {
			*old = m
		} else {
			s.missions = append(s.missions, m)
		}
		return
	case MissionTransitioned:
		if m := s.mission(e.Entity); m != nil {
			m.Status = MissionStatus(text(get(p, "to_state")))
		}
		return
	case TaskCreated:
		t := decodeTask(p)
		if t.ID == "" {
			t.ID = e.Entity
		}
		t.Since = e.At
		if t.Status == Ready {
			t.ReadySince = e.At
		}
		t.Epoch = nextEpoch(0, t.Claim)
		s.add(t)
		return
	case TaskTransitioned, TaskPrioritized, TaskDirectiveAdded, TaskDirectiveDelivered, TaskDirectiveAcknowledged,
		TaskSessionAttached, TaskLinked, TaskLeaseRenewed, TaskAssigned:
	default:
		return
	}
	entry := s.subject(e)
	if entry == nil {
		return
	}
	if entry.full().apply(e, p) {
		s.changed(entry)
	}
}

// apply changes the task by one of its events, and reports whether it did.
func (t *Task) apply(e Event, p gjson.Result) bool {
	switch e.Type {
	case TaskTransitioned:
		t.move(e.At, p)
	case TaskPrioritized:
		t.Declared = text(get(p, "to_priority"))
	case TaskAssigned:
		t.Owner = text(get(p, "to_owner"))
	case TaskDirectiveAdded:
		d := get(p, "directive")
		if !d.IsObject() {
			return false
		}
		t.Directives = append(slices.Clip(t.Directives), decodeDirective(d))
	case TaskDirectiveDelivered:
		ids, at := texts(get(p, "directive_ids")), text(get(p, "delivered_at"))
		return t.stamp(at, func(d *Directive) *string { return &d.DeliveredAt }, ids...)
	case TaskDirectiveAcknowledged:
		at := text(get(p, "acknowledged_at"))
		return t.stamp(at, func(d *Directive) *string { return &d.AcknowledgedAt }, text(get(p, "directive_id")))
	case TaskSessionAttached:
		if t.Claim == nil {
			return false
		}
		c := *t.Claim
		c.Session, c.SessionHost = text(get(p, "session_id")), text(get(p, "session_host"))
		if get(p, "explicit").Type == gjson.True {
			c.AttachedAt = spelled("", e.At)
		}
		t.Claim = &c
	case TaskLinked:
		d := Dependency{Kind: text(get(p, "kind")), Target: text(get(p, "depends_on"))}
		if d.Target == "" || slices.Contains(t.DependsOn, d) {
			return false
		}
		t.DependsOn = append(slices.Clip(t.DependsOn), d)
	case TaskLeaseRenewed:
		if t.Claim == nil || epoch(get(p, "epoch")) != t.Claim.Epoch {
			return false // a sign of life from a lease that is no more
		}
		c := *t.Claim
		c.Beat, c.Expires = text(get(p, "heartbeat_at")), text(get(p, "expires_at"))
		t.Claim = &c
	}
	return true
}

func (t *Task) move(at time.Time, p gjson.Result) {
	var to Status
	var claim *Claim
	var wait *Wait
	var readmission *Readmission
	p.ForEach(func(key, v gjson.Result) bool {
		switch key.Str {
		case "to_state":
			to = Status(text(v))
		case "reason":
			t.Reason = text(v)
		case "claim":
			claim = decodeClaim(v)
		case "waiting":
			wait = decodeWait(v)
		case "readmission":
			readmission = decodeReadmission(v)
		}
		return true
	})
	if to == Ready && t.Status != Waiting {
		t.ReadySince = at
	}
	if claim != nil {
		t.Claim = claim
		t.Epoch = nextEpoch(t.Epoch, claim)
	}
	t.Status, t.Since, t.Wait, t.Readmission = to, at, nil, t.Readmission.after(to, readmission)
	if to == Waiting {
		t.Wait = wait
	}
}

// nextEpoch is the highest epoch once a claim has been made: one without an
// epoch, of an older kit, uses one up all the same.
func nextEpoch(highest int64, c *Claim) int64 {
	switch {
	case c == nil:
		return highest
	case c.Epoch == 0:
		return highest + 1
	}
	return max(highest, c.Epoch)
}

// stamp dates directives that have no such date yet.
func (t *Task) stamp(at string, field func(*Directive) *string, ids ...string) bool {
	list := slices.Clone(t.Directives)
	done := false
	for i := range list {
		if f := field(&list[i]); *f == "" && slices.Contains(ids, list[i].ID) {
			*f, done = at, true
		}
	}
	t.Directives = list
	return done
}
