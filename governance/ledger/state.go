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
	linked bool   // has dependencies, of a task that is not decoded
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
	Due                       time.Time // see Later
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

// Spelled is the task with that id as its MarshalJSON spells it, "" for none. A
// task that is only shown is not taken apart for that.
func (s *State) Spelled(id string) string {
	if e := s.tasks[id]; e != nil {
		return e.spelled()
	}
	return ""
}

// DependsOn are the dependencies of the task with that id, without the rest of
// it, which takes longer to read.
func (s *State) DependsOn(id string) []Dependency {
	e := s.tasks[id]
	if e == nil {
		return nil
	}
	if e.task == nil && !e.linked {
		return nil
	}
	return e.full().DependsOn
}

// Status is where the task with that id stands; ok is false where there is none.
func (s *State) Status(id string) (status Status, ok bool) {
	switch e := s.tasks[id]; {
	case e == nil:
		return "", false
	case e.task != nil:
		return e.task.Status, true
	default:
		return e.row.Status, true
	}
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
		Status: t.Status, Priority: t.Priority(), Since: t.Since, ReadySince: t.ReadySince, Due: t.due()}
	if t.Claim != nil && !t.Status.Ended() {
		s.held[t.ID] = true
	} else {
		delete(s.held, t.ID)
	}
}
