package ledger

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// Schema is the version of the envelope, that of the existing kit.
const Schema = "grimoire.ledger_event.v1"

// MaxLine is the longest line, in bytes, that is written or read as an event.
const MaxLine = 1 << 20

// Type says what happened. Types not listed here are kept and change nothing.
type Type string

const (
	MissionCreated      Type = "mission.created"
	MissionTransitioned Type = "mission.transitioned"

	TaskCreated               Type = "task.created"
	TaskTransitioned          Type = "task.transitioned"
	TaskPrioritized           Type = "task.prioritized"
	TaskDirectiveAdded        Type = "task.directive_added"
	TaskDirectiveDelivered    Type = "task.directive_delivered"
	TaskDirectiveAcknowledged Type = "task.directive_acknowledged"
	TaskSessionAttached       Type = "task.session_attached"
	TaskLinked                Type = "task.linked"
	// TaskAssigned gives a task its owner; the existing kit ignores it.
	TaskAssigned Type = "task.assigned"
	// TaskLeaseRenewed moves a claim's heartbeat; the existing kit ignores it.
	TaskLeaseRenewed Type = "task.lease_renewed"

	// What follows is history: no state depends on it.

	TaskDispatched Type = "task.dispatched"
	TaskRouted     Type = "task.routed"
	Handoff        Type = "handoff"
)

// Kind is what an event's entity is.
type Kind string

const (
	KindMission Kind = "mission"
	KindTask    Kind = "task"
)

// DefaultActor acts where nobody is named.
const DefaultActor = "system"

// Event is one line of the log.
type Event struct {
	ID     string // "evt-" and 12 hex digits
	Type   Type
	Entity string // id of a mission or a task
	Kind   Kind
	Actor  string
	// At is when it was written, by the writer's clock; zero where a line's
	// date cannot be read.
	At time.Time
	// Payload is a JSON object, its unknown keys included.
	Payload string
}

// NewEventID is a fresh id.
func NewEventID() string { return "evt-" + token() }

// NewDirectiveID is a fresh id.
func NewDirectiveID() string { return "dir-" + token() }

// token is 12 random hex digits.
func token() string {
	var b [6]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// encode spells the event as its line, without the line's end. It is strict:
// what readers would skip is not written.
func (e *Event) encode() ([]byte, error) {
	payload := oneLine(e.Payload)
	switch {
	case e.ID == "" || e.Type == "" || e.Actor == "" || e.At.IsZero():
		return nil, fmt.Errorf("ledger event %s %s: id, type, actor and date are all needed", e.ID, e.Type)
	case e.Kind != KindMission && e.Kind != KindTask:
		return nil, fmt.Errorf("ledger event %s: entity kind %q: expected mission or task", e.Type, e.Kind)
	case !utf8.ValidString(payload) || !gjson.Valid(payload) || !gjson.Parse(payload).IsObject():
		return nil, fmt.Errorf("ledger event %s: the payload is not a JSON object", e.Type)
	}
	if err := CheckID(e.Entity); err != nil {
		return nil, fmt.Errorf("ledger event %s: %w", e.Type, err)
	}
	o := newObject()
	o.text("id", e.ID)
	o.text("schema_version", Schema)
	o.text("event_type", string(e.Type))
	o.text("entity_id", e.Entity)
	o.text("entity_kind", string(e.Kind))
	o.text("actor_id", e.Actor)
	o.text("created_at", FormatTime(e.At))
	o.raw("payload", payload)
	line := o.bytes()
	if len(line) > MaxLine {
		return nil, refuse(ErrTooLong, "Trop long pour le ledger : %d octets, au plus %d par événement.", "Too long for the ledger: %d bytes, at most %d per event.", len(line), MaxLine)
	}
	if _, fault := decode(string(line)); fault != "" {
		return nil, fmt.Errorf("ledger event %s: %s", e.Type, fault)
	}
	return line, nil
}

// decode reads one line, in any order of keys and with any others beside them.
func decode(line string) (Event, FaultKind) {
	e, fault := parse(line)
	if fault == FaultNotText || fault == FaultNotJSON {
		fault = broken(line, fault)
	}
	return e, fault
}

func parse(line string) (Event, FaultKind) {
	switch {
	case len(line) > MaxLine:
		return Event{}, FaultTooLong
	case !utf8.ValidString(line):
		return Event{}, FaultNotText
	case tooDeep(line):
		return Event{}, FaultTooDeep
	case !gjson.Valid(line):
		return Event{}, FaultNotJSON
	}
	o := gjson.Parse(line)
	if !o.IsObject() {
		return Event{}, FaultNotObject
	}
	var e Event
	var schema, name, kind, created gjson.Result
	var id, entity, actor, payload gjson.Result
	o.ForEach(func(key, v gjson.Result) bool { // of equal keys the last counts, as in Python
		switch key.Str {
		case "id":
			id = v
		case "schema_version":
			schema = v
		case "event_type":
			name = v
		case "entity_id":
			entity = v
		case "entity_kind":
			kind = v
		case "actor_id":
			actor = v
		case "created_at":
			created = v
		case "payload":
			payload = v
		}
		return true
	})
	for _, v := range [...]gjson.Result{id, schema, name, entity, kind, actor, created} {
		if v.Type != gjson.String {
			return Event{}, FaultNotEvent
		}
	}
	switch {
	case !payload.IsObject() || id.Str == "" || entity.Str == "":
		return Event{}, FaultNotEvent
	case schema.Str != Schema:
		return Event{}, FaultSchema
	}
	e.ID, e.Entity, e.Actor, e.Payload = id.Str, entity.Str, actor.Str, payload.Raw
	e.Type, e.Kind = Type(name.Str), Kind(kind.Str)
	e.At, _ = ParseTime(created.Str)
	return e, ""
}
