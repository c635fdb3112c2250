package session

import (
	"slices"
	"time"
)

// MaxPending and MaxApproved bound what a session remembers; the oldest goes.
const (
	MaxPending  = 64
	MaxApproved = 64
	// maxID is the longest session id that is kept as it is, in bytes.
	maxID = 256
)

// State is one session. The zero value is not one; see New.
type State struct {
	ID        string
	StartedAt time.Time // zero where the file's could not be read
	UpdatedAt time.Time
	// Task is the id of the ledger's task the session works on, or "".
	Task string
	// Mutations counts the calls observed that changed something.
	Mutations int
	Rules     map[string]*Counters
	// Pending are the actions put to the person, oldest first.
	Pending []Pending

	extra []extraKey // keys of other versions, kept as they are
}

// Counters is what one temporal rule has counted.
type Counters struct {
	Calls   int
	Writes  int
	CostUSD float64
	// Approved are the fingerprints of approved actions, oldest first.
	Approved []string
	// ByPerson are those of Approved that a person approved at a terminal.
	ByPerson []string
	// Hits are the times of the latest calls, oldest first.
	Hits []time.Time

	legacyApproval bool // `approved: true` of a kit that knew no fingerprints
}

// Pending is an action that waits for an approval.
type Pending struct {
	// Key is the host's id of the tool call, or one made from the
	// fingerprint where the host gives none.
	Key         string
	Fingerprint string // 64 hex digits
	Rules       []string
	// Tool is the host's name of the tool; "" in files of the existing kit.
	Tool  string
	Asked time.Time // zero in files of the existing kit
}

// New is a session that starts now.
func New(id string, now time.Time) *State {
	if len(id) > maxID {
		id = fileKey(id) // names the same file
	}
	return &State{ID: id, StartedAt: now, UpdatedAt: now, Rules: map[string]*Counters{}}
}

// Rule returns the counters of a rule, which it adds if need be.
func (s *State) Rule(id string) *Counters {
	c := s.Rules[id]
	if c == nil {
		c = &Counters{}
		s.Rules[id] = c
	}
	return c
}

// Approve records an approved action; person says that one gave it at a
// terminal rather than by letting the tool run.
func (c *Counters) Approve(fingerprint string, person bool) {
	c.Approved = remember(c.Approved, fingerprint)
	if person {
		c.ByPerson = remember(c.ByPerson, fingerprint)
	}
}

// IsApproved reports whether that very action was approved; nil counters
// have approved nothing.
func (c *Counters) IsApproved(fingerprint string) bool {
	return c != nil && slices.Contains(c.Approved, fingerprint)
}

// remember appends to a list of distinct fingerprints, the oldest going out.
func remember(list []string, fingerprint string) []string {
	if slices.Contains(list, fingerprint) {
		return list
	}
	list = append(list, fingerprint)
	return list[max(0, len(list)-MaxApproved):]
}

// Ask remembers an action put to the person. Asking again moves it to the end.
func (s *State) Ask(p Pending) {
	s.Pending = slices.DeleteFunc(s.Pending, func(q Pending) bool { return q.Key == p.Key })
	s.Pending = append(s.Pending, p)
	s.Pending = s.Pending[max(0, len(s.Pending)-MaxPending):]
}

// Answer takes the pending action with that key out of the session.
func (s *State) Answer(key string) (Pending, bool) {
	i := slices.IndexFunc(s.Pending, func(p Pending) bool { return p.Key == key })
	if i < 0 {
		return Pending{}, false
	}
	p := s.Pending[i]
	s.Pending = slices.Delete(s.Pending, i, i+1)
	return p, true
}
