package ledger

import (
	"iter"
	"slices"
	"time"

	"github.com/tidwall/gjson"
)

// State is what the log says up to a point: every mission and task.
type State struct {
	missions []Mission
	tasks    map[string]*entry
	order    []string        // of creation
	held     map[string]bool // tasks that Held lists
	// partial is a state of the held tasks alone; incomplete, one that an event
	// about another task has made useless.
	partial, incomplete bool

	// Log is the part of the log that was read.
	Log Tally
}

// Tally counts what was read of a log, and names what could not be.
type Tally struct {
	Events int // events, of any type
	Lines  int // lines, blank ones too
	// Faults are the lines that are no events: the first MaxFaults of Skipped.
	Faults  []Fault
	Skipped int
	// Torn is the length in bytes of a last line that was cut short; the next
	// append closes it off. 0 where there is none.
	Torn int64
}

// MaxFaults bounds how many unreadable lines are named.
const MaxFaults = 20

// count takes a whole line into the tally.
func (t *Tally) count(l Line, fault FaultKind) {
	t.Lines++
	if fault == "" {
		return
	}
	t.Skipped++
	if len(t.Faults) < MaxFaults {
		t.Faults = append(t.Faults, Fault{Line: t.Lines, Offset: l.Offset, Kind: fault})
	}
}

// entry is a task with its line in the index. A task out of a snapshot is
// decoded when it is first asked for.
type entry struct {
	place int // in the order of creation
	row   Row
	// reason and epoch are the task's, for a task that is not decoded.
	reason string
	epoch  int64
	line   string // its line of the snapshot, "" once it has changed
	task   *Task
}

// Row is what lists, queues and limits need of a task.
type Row struct {
	ID, Mission, Title, Owner string
	Type, Risk                string
	Status                    Status
	Priority                  string // effective
	Since, ReadySince         time.Time
}

func newState() *State {
	return &State{tasks: map[string]*entry{}, held: map[string]bool{}}
}

// Missions are all missions in the order of their creation.
func (s *State) Missions() []Mission { return slices.Clone(s.missions) }

// Mission is the one with that id.
func (s *State) Mission(id string) (Mission, bool) {
	if m := s.mission(id); m != nil {
		return *m, true
	}
	return Mission{}, false
}

func (s *State) mission(id string) *Mission {
	i := slices.IndexFunc(s.missions, func(m Mission) bool { return m.ID == id })
	if i < 0 {
		return nil
	}
	return &s.missions[i]
}

// Len is the number of tasks.
func (s *State) Len() int { return len(s.order) }

// Rows are all tasks in the order of their creation.
func (s *State) Rows() iter.Seq[Row] {
	return func(yield func(Row) bool) {
		for _, id := range s.order {
			if !yield(s.tasks[id].row) {
				return
			}
		}
	}
}

// Task is the one with that id. It is a copy whose lists are shared: read
// them, do not change them.
func (s *State) Task(id string) (Task, bool) {
	if e := s.tasks[id]; e != nil {
		return *e.full(), true
	}
	return Task{}, false
}

// Held are the tasks that have a claim and have not ended, in the order of
// their creation. Those whose status is Active count for limits; the claim of
// one that waits or is verified comes back with it.
func (s *State) Held() []Task {
	var out []Task
	for _, e := range s.heldEntries() {
		out = append(out, *e.full())
	}
	return out
}

func (s *State) heldEntries() []*entry {
	list := make([]*entry, 0, len(s.held))
	for id := range s.held {
		list = append(list, s.tasks[id])
	}
	slices.SortFunc(list, func(a, b *entry) int { return a.place - b.place })
	return list
}

// subject is the task that an event is about: its entity, else the one its
// payload names.
func (s *State) subject(e Event) *entry {
	if t := s.tasks[e.Entity]; t != nil {
		return t
	}
	if t := s.tasks[text(get(gjson.Parse(e.Payload), "task_id"))]; t != nil {
		return t
	}
	s.incomplete = s.partial // it may be held now
	return nil
}

func (s *State) add(t *Task) *entry {
	e := s.tasks[t.ID]
	if e == nil {
		e = &entry{place: len(s.order)}
		s.tasks[t.ID] = e
		s.order = append(s.order, t.ID)
	}
	e.task = t
	s.changed(e)
	return e
}

// changed brings the index up to date with a task.
func (s *State) changed(e *entry) {
	t := e.task
	e.line = ""
	e.row = Row{ID: t.ID, Mission: t.Mission, Title: t.Title, Owner: t.Owner, Type: t.Type, Risk: t.Risk,
		Status: t.Status, Priority: t.Priority(), Since: t.Since, ReadySince: t.ReadySince}
	if t.Claim != nil && !t.Status.Ended() {
		s.held[t.ID] = true
	} else {
		delete(s.held, t.ID)
	}
}

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
		TaskSessionAttached, TaskLinked, TaskLeaseRenewed:
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
	t.Status, t.Since, t.Wait = to, at, nil
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
