package ledger

import (
	"time"

	"github.com/tidwall/gjson"
)

const taskSchema = "grimoire.mission_task.v1"

// Task is one piece of work as the log has left it.
type Task struct {
	ID          string
	Mission     string
	Title       string
	Description string
	Status      Status
	Type        string // analysis, architecture, implementation, test, …
	Risk        string // light, standard, strict, security_critical, release
	Surface     string
	Owner       string
	Acceptance  []string
	Guardrails  []string
	Evidence    []string // expected_evidence
	DependsOn   []Dependency
	CreatedAt   time.Time
	// Claim is the last one, kept when the task is put back or ended.
	Claim       *Claim
	Wait        *Wait // while waiting
	Readmission *Readmission
	Finition    string
	Declared    string // the declared priority, "" where it follows from the risk
	Roles       []string
	Remediation string // remediation_ref
	Extra       string // a JSON object, or ""
	Directives  []Directive

	// What follows is read off the log and not part of the task's object.

	// Reason is what the last move gave as its reason.
	Reason string
	// Since is when the task came to its status; ReadySince since when it has
	// its place in the queue, which a wait does not cost it.
	Since, ReadySince time.Time
	// Epoch is the highest of any claim so far; the next one's is higher.
	Epoch int64

	created string
	unknown []member
}

// Dependency is another task this one has to do with.
type Dependency struct {
	Kind   string `json:"kind"` // blocks, relates, parent_child, discovered_from, supersedes
	Target string `json:"target"`
}

// Directive is a remark or an order to whoever works on a task.
type Directive struct {
	ID, Author, CreatedAt, Text string
	Kind                        string // comment or directive
	DeliveredAt, AcknowledgedAt string // "" until then

	unknown []member
}

// Wait is what a waiting task waits for.
type Wait struct {
	Reason WaitReason
	// Branch and Head are where the work was left; Question is for the person
	// that the task waits for.
	Branch, Head, Question string

	unknown []member
}

// The scale of priorities, from low to high.
var Priorities = []string{"low", "medium", "high", "critical"}

// Priority is the declared one, else what the risk calls for.
func (t *Task) Priority() string {
	switch {
	case t.Declared != "":
		return t.Declared
	case t.Risk == "light":
		return "low"
	case t.Risk == "strict" || t.Risk == "security_critical" || t.Risk == "release":
		return "high"
	}
	return "medium"
}

// MarshalJSON spells the task in the existing kit's keys and order.
func (t Task) MarshalJSON() ([]byte, error) { return t.encode(), nil }

func (t *Task) encode() []byte {
	o := newObject()
	o.text("id", t.ID)
	o.text("schema_version", taskSchema)
	o.text("mission_id", t.Mission)
	o.text("title", t.Title)
	o.text("description", t.Description)
	o.text("status", string(t.Status))
	o.text("type", t.Type)
	o.text("risk_profile", t.Risk)
	o.text("surface", t.Surface)
	o.text("owner", t.Owner)
	o.texts("acceptance", t.Acceptance)
	o.texts("guardrails", t.Guardrails)
	o.texts("expected_evidence", t.Evidence)
	o.raw("dependencies", list(t.DependsOn, func(d Dependency) *object {
		o := newObject()
		o.text("kind", d.Kind)
		o.text("target", d.Target)
		return o
	}))
	o.text("created_at", spelled(t.created, t.CreatedAt))
	if t.Claim != nil {
		o.raw("claim", t.Claim.object().String())
	}
	if t.Wait != nil {
		o.raw("waiting", t.Wait.object().String())
	}
	if t.Readmission != nil {
		o.raw("readmission", t.Readmission.object().String())
	}
	o.given("finition", t.Finition)
	o.given("priority", t.Declared)
	if len(t.Roles) > 0 {
		o.texts("agent_roles", t.Roles)
	}
	o.given("remediation_ref", t.Remediation)
	if t.Extra != "" {
		o.raw("extra", t.Extra)
	}
	if len(t.Directives) > 0 {
		o.raw("directives", list(t.Directives, Directive.object))
	}
	o.rest(t.unknown)
	return o.bytes()
}

func list[T any](items []T, spell func(T) *object) string {
	buf := []byte{'['}
	for i, item := range items {
		if i > 0 {
			buf = append(buf, ',', ' ')
		}
		buf = append(buf, spell(item).bytes()...)
	}
	return string(append(buf, ']'))
}

func decodeTask(o gjson.Result) *Task {
	t := &Task{Status: Proposed, Type: "implementation", Risk: "standard"}
	o.ForEach(func(key, v gjson.Result) bool {
		switch key.Str {
		case "id":
			t.ID = text(v)
		case "schema_version":
		case "mission_id":
			t.Mission = text(v)
		case "title":
			t.Title = text(v)
		case "description":
			t.Description = text(v)
		case "status":
			t.Status = Status(text(v))
		case "type":
			t.Type = text(v)
		case "risk_profile":
			t.Risk = text(v)
		case "surface":
			t.Surface = text(v)
		case "owner":
			t.Owner = text(v)
		case "acceptance":
			t.Acceptance = texts(v)
		case "guardrails":
			t.Guardrails = texts(v)
		case "expected_evidence":
			t.Evidence = texts(v)
		case "dependencies":
			t.DependsOn = nil
			v.ForEach(func(_, d gjson.Result) bool {
				t.DependsOn = append(t.DependsOn, Dependency{text(get(d, "kind")), text(get(d, "target"))})
				return true
			})
		case "created_at":
			t.created = text(v)
			t.CreatedAt, _ = ParseTime(t.created)
		case "claim":
			t.Claim = decodeClaim(v)
		case "waiting":
			t.Wait = decodeWait(v)
		case "readmission":
			t.Readmission = decodeReadmission(v)
		case "finition":
			t.Finition = text(v)
		case "priority":
			t.Declared = text(v)
		case "agent_roles":
			t.Roles = texts(v)
		case "remediation_ref":
			t.Remediation = text(v)
		case "extra":
			t.Extra = ""
			if v.IsObject() {
				t.Extra = v.Raw
			}
		case "directives":
			t.Directives = nil
			v.ForEach(func(_, d gjson.Result) bool {
				t.Directives = append(t.Directives, decodeDirective(d))
				return true
			})
		default:
			t.unknown = append(t.unknown, member{key.Str, v.Raw})
		}
		return true
	})
	return t
}

// MarshalJSON spells the directive in the existing kit's keys and order.
func (d Directive) MarshalJSON() ([]byte, error) { return d.object().bytes(), nil }

func (d Directive) object() *object {
	o := newObject()
	o.text("id", d.ID)
	o.text("author", d.Author)
	o.text("created_at", d.CreatedAt)
	o.text("text", d.Text)
	o.text("kind", d.Kind)
	o.text("delivered_at", d.DeliveredAt)
	o.text("acknowledged_at", d.AcknowledgedAt)
	o.rest(d.unknown)
	return o
}

func decodeDirective(o gjson.Result) Directive {
	var d Directive
	o.ForEach(func(key, v gjson.Result) bool {
		switch key.Str {
		case "id":
			d.ID = text(v)
		case "author":
			d.Author = text(v)
		case "created_at":
			d.CreatedAt = text(v)
		case "text":
			d.Text = text(v)
		case "kind":
			d.Kind = text(v)
		case "delivered_at":
			d.DeliveredAt = text(v)
		case "acknowledged_at":
			d.AcknowledgedAt = text(v)
		default:
			d.unknown = append(d.unknown, member{key.Str, v.Raw})
		}
		return true
	})
	return d
}

func (w *Wait) object() *object {
	o := newObject()
	o.text("reason", string(w.Reason))
	o.given("resume_branch", w.Branch)
	o.given("head", w.Head)
	o.given("question", w.Question)
	o.rest(w.unknown)
	return o
}

func decodeWait(o gjson.Result) *Wait {
	if !o.IsObject() {
		return nil
	}
	w := &Wait{}
	o.ForEach(func(key, v gjson.Result) bool {
		switch key.Str {
		case "reason":
			w.Reason = WaitReason(text(v))
		case "resume_branch":
			w.Branch = text(v)
		case "head":
			w.Head = text(v)
		case "question":
			w.Question = text(v)
		default:
			w.unknown = append(w.unknown, member{key.Str, v.Raw})
		}
		return true
	})
	return w
}
