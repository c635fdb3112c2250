package ledger

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/grimoire-kit/grimoire/surface"
)

// Tx is a change in the making, under the lock. What it records is seen by
// State at once, and written when the change is done.
type Tx struct {
	state  *State
	events []Event
	now    time.Time
}

// State is the ledger as it is, with what this transaction has recorded.
func (tx *Tx) State() *State { return tx.state }

// Now is the time that this transaction's events carry.
func (tx *Tx) Now() time.Time { return tx.now }

func (tx *Tx) record(t Type, kind Kind, entity, actor string, payload *object) {
	tx.put(Event{Type: t, Entity: entity, Kind: kind, Actor: actor, Payload: payload.String()})
}

func (tx *Tx) put(e Event) {
	e.ID, e.At, e.Payload = NewEventID(), tx.now, oneLine(e.Payload)
	if e.Actor == "" {
		e.Actor = DefaultActor
	}
	tx.events = append(tx.events, e)
	tx.state.apply(e)
}

// Note records an event of a type that changes no state: history. payload is a
// JSON object.
func (tx *Tx) Note(t Type, kind Kind, entity, actor, payload string) error {
	if !gjson.Valid(payload) || !gjson.Parse(payload).IsObject() {
		return fmt.Errorf("note %s: the payload is not a JSON object", t)
	}
	tx.put(Event{Type: t, Entity: entity, Kind: kind, Actor: actor, Payload: payload})
	return nil
}

// CreateMission records a mission, as a draft. An empty id is made of the
// title, which it returns.
func (tx *Tx) CreateMission(m Mission) (id string, err error) {
	if strings.TrimSpace(m.Title) == "" {
		return "", refuse(ErrIncomplete, "Une mission a un titre.", "A mission has a title.")
	}
	if m.ID == "" {
		m.ID = tx.state.NewMissionID(m.Title)
	}
	if err := CheckID(m.ID); err != nil {
		return "", err
	}
	if _, taken := tx.state.Mission(m.ID); taken {
		return "", refuse(ErrExists, "La mission %s existe déjà.", "Mission %s already exists.", m.ID)
	}
	m.Status, m.CreatedAt, m.created = MissionDraft, tx.now, ""
	if m.Risk == "" {
		m.Risk = "standard"
	}
	if m.CreatedBy == "" {
		m.CreatedBy = DefaultActor
	}
	tx.record(MissionCreated, KindMission, m.ID, m.CreatedBy, &object{buf: unclosed(m.encode())})
	return m.ID, nil
}

// unclosed takes the final brace off, for an object that is closed later.
func unclosed(json []byte) []byte { return json[:len(json)-1] }

// MoveMission moves a mission, if the table of its states allows it.
func (tx *Tx) MoveMission(id string, to MissionStatus, reason, actor string) error {
	m, ok := tx.state.Mission(id)
	if !ok {
		return refuse(ErrUnknownMission, "Mission inconnue : %s", "Unknown mission: %s", surface.Shown(id))
	}
	if !m.Status.MayBecome(to) {
		return refuse(ErrIllegal, "La mission %s ne passe pas de %s à %s.", "Mission %s does not go from %s to %s.", m.ID, m.Status, surface.Shown(string(to)))
	}
	o := newObject()
	o.text("mission_id", m.ID)
	o.text("from_state", string(m.Status))
	o.text("to_state", string(to))
	o.text("reason", reason)
	tx.record(MissionTransitioned, KindMission, m.ID, actor, o)
	return nil
}

// CreateTask records a task, as proposed. An empty id is made of the title. It
// wants a mission that exists and a criterion of acceptance that says
// something.
func (tx *Tx) CreateTask(t Task) (id string, err error) {
	t.Acceptance = slices.DeleteFunc(slices.Clone(t.Acceptance), func(s string) bool { return strings.TrimSpace(s) == "" })
	_, known := tx.state.Mission(t.Mission)
	switch {
	case strings.TrimSpace(t.Title) == "":
		return "", refuse(ErrIncomplete, "Une tâche a un titre.", "A task has a title.")
	case len(t.Acceptance) == 0:
		return "", refuse(ErrIncomplete, "Une tâche a au moins un critère d'acceptation.", "A task has at least one criterion of acceptance.")
	case !known:
		return "", refuse(ErrUnknownMission, "Mission inconnue : %s", "Unknown mission: %s", surface.Shown(t.Mission))
	case t.Finition != "" && t.Finition != "maquette" && t.Finition != "peaufine":
		return "", refuse(ErrIncomplete, "Finition inconnue : %s (attendu : maquette ou peaufine)", "Unknown finition: %s (expected maquette or peaufine)", surface.Shown(t.Finition))
	case t.Declared != "" && !slices.Contains(Priorities, t.Declared):
		return "", unknownPriority(t.Declared)
	}
	if t.ID = strings.TrimSpace(t.ID); t.ID == "" {
		t.ID = tx.state.NewTaskID(t.Title)
	}
	if err := CheckID(t.ID); err != nil {
		return "", err
	}
	if tx.state.tasks[t.ID] != nil {
		return "", refuse(ErrExists, "La tâche %s existe déjà.", "Task %s already exists.", t.ID)
	}
	if t.Type == "" {
		t.Type = "implementation"
	}
	if t.Risk == "" {
		t.Risk = "standard"
	}
	t.Status, t.CreatedAt, t.created = Proposed, tx.now, ""
	t.Claim, t.Wait, t.Readmission, t.Directives = nil, nil, nil, nil
	tx.record(TaskCreated, KindTask, t.ID, t.Owner, &object{buf: unclosed(t.encode())})
	return t.ID, nil
}

// task is the one with that id, to be looked at.
func (tx *Tx) task(id string) (*Task, error) {
	e := tx.state.tasks[strings.TrimSpace(id)]
	if e == nil {
		return nil, refuse(ErrUnknownTask, "Tâche inconnue : %s", "Unknown task: %s", surface.Shown(id))
	}
	return e.full(), nil
}
