package ledger

import (
	"fmt"
	"maps"
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
	t.Claim, t.Wait, t.Directives = nil, nil, nil
	tx.record(TaskCreated, KindTask, t.ID, t.Owner, &object{buf: unclosed(t.encode())})
	return t.ID, nil
}

// Move is a task's change of status.
type Move struct {
	To Status
	// From is the status the move was judged on, "" for whatever it is.
	From   Status
	Reason string
	Actor  string
	Claim  *Claim // the new claim; nil keeps the old one
	Wait   *Wait  // what a task that comes to wait waits for
	// Extra are further keys of the payload with their JSON.
	Extra map[string]string
}

// reserved are the keys of a move's payload that Extra cannot have.
var reserved = []string{"task_id", "from_state", "to_state", "reason", "actor_id", "claim", "waiting"}

// Move moves a task, if the table of states allows it and the task still
// stands where it was judged.
func (tx *Tx) Move(id string, m Move) error {
	t, err := tx.task(id)
	if err != nil {
		return err
	}
	if m.Actor == "" {
		m.Actor = DefaultActor
	}
	switch {
	case m.From != "" && m.From != t.Status:
		return refuse(ErrChanged, "La tâche %s a changé d'état entre-temps : %s, plus %s.", "Task %s changed state meanwhile: %s, no longer %s.", t.ID, t.Status, m.From)
	case !m.To.Known():
		return refuse(ErrIllegal, "État inconnu : %s (états : %s)", "Unknown state: %s (states: %s)", surface.Shown(string(m.To)), words(Statuses))
	case m.To == Claimed && m.Claim == nil:
		return refuse(ErrIncomplete, "Une tâche est prise par quelqu'un : il manque le claim.", "A task is claimed by someone: the claim is missing.")
	case m.To == Claimed && t.Status.Active() && t.Claim != nil:
		return taken(t)
	case !t.Status.MayBecome(m.To):
		return refuse(ErrIllegal, "La tâche %s ne passe pas de %s à %s (possible : %s).", "Task %s does not go from %s to %s (possible: %s).",
			t.ID, t.Status, m.To, words(t.Status.Next()))
	case m.To == Waiting && (m.Wait == nil || !slices.Contains(WaitReasons, m.Wait.Reason)):
		return refuse(ErrIncomplete, "Une tâche en attente dit pourquoi : %s.", "A waiting task says why: %s.", words(WaitReasons))
	}
	o := newObject()
	o.text("task_id", t.ID)
	o.text("from_state", string(t.Status))
	o.text("to_state", string(m.To))
	o.text("reason", m.Reason)
	o.text("actor_id", m.Actor)
	if m.Claim != nil {
		o.raw("claim", m.Claim.object().String())
	}
	if m.To == Waiting {
		o.raw("waiting", m.Wait.object().String())
	}
	for _, key := range slices.Sorted(maps.Keys(m.Extra)) {
		if slices.Contains(reserved, key) {
			return fmt.Errorf("move %s: the key %q of the payload cannot be given another meaning", t.ID, key)
		}
		if !gjson.Valid(m.Extra[key]) {
			return fmt.Errorf("move %s: the value of %q is not JSON", t.ID, key)
		}
		o.raw(key, m.Extra[key])
	}
	tx.record(TaskTransitioned, KindTask, t.ID, m.Actor, o)
	return nil
}

func words[S ~string](list []S) string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = string(s)
	}
	return strings.Join(out, ", ")
}

func taken(t *Task) error {
	until, since := t.Claim.Expires, t.Claim.Session
	if until == "" {
		until = "–"
	}
	if since == "" {
		since = "–"
	}
	return refuse(ErrHeld, "La tâche %s est tenue par %s (session %s, bail jusqu'à %s).", "Task %s is held by %s (session %s, lease until %s).",
		t.ID, surface.Shown(t.Claim.Actor), surface.Shown(since), surface.Shown(until))
}

// task is the one with that id, to be looked at.
func (tx *Tx) task(id string) (*Task, error) {
	e := tx.state.tasks[strings.TrimSpace(id)]
	if e == nil {
		return nil, refuse(ErrUnknownTask, "Tâche inconnue : %s", "Unknown task: %s", surface.Shown(id))
	}
	return e.full(), nil
}

// Lease is the claim with a lease that starts now: the task's next epoch, for
// LeaseTTL. Claiming takes one, and so does resuming a wait.
func (tx *Tx) Lease(id string, c Claim) Claim {
	if t, err := tx.task(id); err == nil {
		c.Epoch = t.Epoch + 1
	}
	c.Beat, c.Expires = FormatTime(tx.now), FormatTime(tx.now.Add(LeaseTTL))
	return c
}

// Renew records a sign of life of a claim: its lease runs anew from now. epoch
// must be the claim's; 0 is whichever it is. A task that waits keeps its lease
// as it is.
func (tx *Tx) Renew(id string, epoch int64, actor string) error {
	t, err := tx.task(id)
	switch {
	case err != nil:
		return err
	case t.Claim == nil || !t.Status.Active():
		return refuse(ErrIllegal, "La tâche %s n'est pas en cours (%s) : il n'y a pas de bail à renouveler.", "Task %s is not under way (%s): there is no lease to renew.", t.ID, t.Status)
	}
	if err := tx.CheckEpoch(id, epoch); err != nil {
		return err
	}
	o := newObject()
	o.text("task_id", t.ID)
	o.number("epoch", t.Claim.Epoch)
	o.text("heartbeat_at", FormatTime(tx.now))
	o.text("expires_at", FormatTime(tx.now.Add(LeaseTTL)))
	tx.record(TaskLeaseRenewed, KindTask, t.ID, actor, o)
	return nil
}

// CheckEpoch refuses an act on a lease that has been given anew since. 0 acts on
// whichever it is.
func (tx *Tx) CheckEpoch(id string, epoch int64) error {
	t, err := tx.task(id)
	if err != nil || epoch == 0 || t.Claim != nil && t.Claim.Epoch == epoch {
		return err
	}
	return refuse(ErrEpoch, "Le bail %d de la tâche %s n'est plus le sien (bail actuel : %d).", "Lease %d of task %s is no longer its own (current lease: %d).", epoch, t.ID, t.Epoch)
}

// Attach records which session works on a claimed task. It never takes the
// task from another session, and records nothing the second time unless a
// person says so (explicit).
func (tx *Tx) Attach(id, session, host string, explicit bool) error {
	t, err := tx.task(id)
	switch {
	case err != nil:
		return err
	case t.Claim == nil:
		return refuse(ErrIllegal, "La tâche %s n'est prise par personne.", "Task %s is claimed by nobody.", t.ID)
	case strings.TrimSpace(session) == "":
		return refuse(ErrIncomplete, "Il manque l'identifiant de la session.", "The session's id is missing.")
	case t.Claim.Session != "" && t.Claim.Session != session:
		return taken(t)
	case t.Claim.Session == session && !explicit:
		return nil
	}
	o := newObject()
	o.text("task_id", t.ID)
	o.text("session_id", session)
	o.text("session_host", host)
	if explicit {
		o.raw("explicit", "true")
	}
	tx.record(TaskSessionAttached, KindTask, t.ID, t.Claim.Actor, o)
	return nil
}

// Prioritize declares a task's priority.
func (tx *Tx) Prioritize(id, to, reason, actor string) error {
	t, err := tx.task(id)
	if err != nil {
		return err
	}
	if !slices.Contains(Priorities, to) {
		return unknownPriority(to)
	}
	if actor == "" {
		actor = DefaultActor
	}
	o := newObject()
	o.text("task_id", t.ID)
	o.text("from_priority", t.Priority())
	o.text("to_priority", to)
	o.text("reason", reason)
	o.text("actor_id", actor)
	tx.record(TaskPrioritized, KindTask, t.ID, actor, o)
	return nil
}

func unknownPriority(p string) error {
	return refuse(ErrIncomplete, "Priorité inconnue : %s (attendu : %s)", "Unknown priority: %s (expected %s)", surface.Shown(p), strings.Join(Priorities, ", "))
}

// Link records that a task has to do with another.
func (tx *Tx) Link(id string, to Dependency, actor string) error {
	t, err := tx.task(id)
	if err != nil {
		return err
	}
	if _, err := tx.task(to.Target); err != nil {
		return err
	}
	o := newObject()
	o.text("task_id", t.ID)
	o.text("depends_on", to.Target)
	o.text("kind", to.Kind)
	tx.record(TaskLinked, KindTask, t.ID, actor, o)
	return nil
}

// Direct adds a remark or an order to a task, and returns it.
func (tx *Tx) Direct(id, kind, said, author string) (Directive, error) {
	t, err := tx.task(id)
	switch {
	case err != nil:
		return Directive{}, err
	case strings.TrimSpace(said) == "":
		return Directive{}, refuse(ErrIncomplete, "Le texte est vide.", "The text is empty.")
	case kind != "comment" && kind != "directive":
		return Directive{}, refuse(ErrIncomplete, "Genre inconnu : %s (attendu : comment ou directive)", "Unknown kind: %s (expected comment or directive)", surface.Shown(kind))
	}
	d := Directive{ID: NewDirectiveID(), Author: author, CreatedAt: FormatTime(tx.now), Text: said, Kind: kind}
	o := newObject()
	o.text("task_id", t.ID)
	o.raw("directive", d.object().String())
	tx.record(TaskDirectiveAdded, KindTask, t.ID, author, o)
	return d, nil
}

// Deliver records that the session at work has been shown directives.
func (tx *Tx) Deliver(id string, directives []string, actor string) error {
	t, err := tx.task(id)
	if err != nil {
		return err
	}
	o := newObject()
	o.text("task_id", t.ID)
	o.texts("directive_ids", directives)
	o.text("delivered_at", FormatTime(tx.now))
	tx.record(TaskDirectiveDelivered, KindTask, t.ID, actor, o)
	return nil
}

// Acknowledge records that a directive has been heard.
func (tx *Tx) Acknowledge(id, directive, actor string) error {
	t, err := tx.task(id)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(t.Directives, func(d Directive) bool { return d.ID == directive }) {
		return refuse(ErrIncomplete, "La tâche %s n'a pas de consigne %s.", "Task %s has no directive %s.", t.ID, surface.Shown(directive))
	}
	if actor == "" {
		actor = DefaultActor
	}
	o := newObject()
	o.text("task_id", t.ID)
	o.text("directive_id", directive)
	o.text("acknowledged_at", FormatTime(tx.now))
	o.text("actor_id", actor)
	tx.record(TaskDirectiveAcknowledged, KindTask, t.ID, actor, o)
	return nil
}
