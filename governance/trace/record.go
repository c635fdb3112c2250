package trace

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"github.com/grimoire-kit/grimoire/governance/canonical"
)

// File is the trace ledger, relative to the project root.
const File = "_grimoire-output/traces/traces.jsonl"

// schemaVersion is that of the existing kit, which reads the same file.
const schemaVersion = "grimoire.trace.v1"

// Outcome is how the traced step ended, in the existing kit's words.
type Outcome string

const (
	Success Outcome = "success"
	Failure Outcome = "failure"
	Aborted Outcome = "aborted" // the call was not evaluated
	Partial Outcome = "partial"
)

// The words for a verdict in a traced tool call.
const (
	VerdictAllow = "allow"
	VerdictAsk   = "ask"
	VerdictBlock = "block"
	// VerdictNone says that nothing judged the call; the tag cause:… says why.
	VerdictNone = "not_evaluated"
)

// The decisions whose facts have fixed names.
const (
	recipeEntry    = "grimoire.entry-persona"
	recipeMiss     = "grimoire.entry-persona.miss"
	recipeApproval = "grimoire.policies.approve"
	tagDispatch    = "agent.dispatch"
	tagMiss        = "agent.miss"
	tagApproval    = "policy.approval"

	tagRule      = "rule:"
	tagAction    = "action:"
	tagCause     = "cause:"
	tagCategory  = "category:"
	tagSpecialty = "specialty:"
	tagReason    = "reason:"
)

// Record is one line.
type Record struct {
	Run     string // session id; "" is session-unknown
	Task    string
	Recipe  string // id of the decision
	Agent   string
	Host    string // host id, e.g. host-claude-code-cli
	Outcome Outcome
	// Call is the tool call the decision was about, nil where there is none.
	Call *Call
	// Verdicts are those of a decision that was not about a tool call.
	Verdicts []PolicyVerdict
	Tags     []string
	// Evidence lists files that back the decision, relative to the project.
	Evidence []string
	// Took is how long the decision took.
	Took time.Duration
	At   time.Time // start of the decision
}

// PolicyVerdict is what one rule or gate said of an action.
type PolicyVerdict struct {
	ID      string // of the rule, or the evidence that is missing
	Action  string // task.transition:<from>-><to>
	Verdict string
}

// Call is a tool call in a record.
type Call struct {
	Tool    string
	Verdict string
	Args    string // see HashArgs
	ID      string // the host's id of the call
}

// HashArgs identifies a tool's input without telling it: the first 16 hex
// digits of the SHA-256 of its canonical JSON.
func HashArgs(input []byte) string {
	if v, ok := canonical.Parse(input); ok {
		input = v.Append(nil)
	}
	sum := sha256.Sum256(input)
	return hex.EncodeToString(sum[:8])
}

// Decision is the record of a judged event. Rules are the ids of the rules
// that had something to say.
func Decision(run, recipe, event, verdict string, call *Call, rules []string) Record {
	r := Record{Run: run, Recipe: recipe, Call: call, Outcome: Success, Tags: []string{event, verdict}}
	if verdict == VerdictBlock {
		r.Outcome = Failure
	}
	if call != nil {
		call.Verdict = verdict
	}
	for _, id := range rules {
		r.Tags = append(r.Tags, tagRule+id)
	}
	return r
}

// NotEvaluated is the record of a call that nothing judged, with a short
// cause of a fixed vocabulary ("payload", "deadline", "panic", …).
func NotEvaluated(run, recipe, event, cause string, call *Call) Record {
	if call != nil {
		call.Verdict = VerdictNone
	}
	return Record{Run: run, Recipe: recipe, Call: call, Outcome: Aborted,
		Tags: []string{event, VerdictNone, tagCause + cause}}
}

// Dispatch is the fact that an entry persona was chosen for a session.
func Dispatch(persona, task string) Record {
	return Record{Run: "entry-persona-" + token(6), Recipe: recipeEntry, Agent: persona, Task: task,
		Outcome: Success, Tags: []string{tagDispatch}}
}

// Miss is the fact that no fitting agent was found. Everything in it is a
// label; nothing of what was asked belongs there.
func Miss(category, specialty, fallback, reason string) Record {
	r := Record{Run: "concierge-miss-" + token(6), Recipe: recipeMiss, Agent: label(fallback),
		Outcome: Failure, Tags: []string{tagMiss, tagCategory + label(category)}}
	if s := label(specialty); s != "" {
		r.Tags = append(r.Tags, tagSpecialty+s)
	}
	if s := label(reason); s != "" {
		r.Tags = append(r.Tags, tagReason+s)
	}
	return r
}

// Approval is the fact that a person approved, at a terminal, the action that
// policy calls by id.
func Approval(run, id string, rules []string) Record {
	r := Record{Run: run, Recipe: recipeApproval, Outcome: Success, Tags: []string{tagApproval, tagAction + id}}
	for _, rule := range rules {
		r.Tags = append(r.Tags, tagRule+rule)
	}
	return r
}

// encode spells the record with the id given, every key of the schema
// present, in the existing kit's order.
func (r *Record) encode(id string) []byte {
	run := r.Run
	if run == "" {
		run = "session-unknown"
	}
	ms := canonical.Float(float64(r.Took.Microseconds()) / 1000)
	start, end := stamp(r.At), stamp(r.At.Add(r.Took))

	w := writer{buf: make([]byte, 0, 1024)}
	w.open()
	w.text("id", id)
	w.text("schema_version", schemaVersion)
	w.text("run_id", run)
	w.text("workflow_instance_id", "")
	w.text("mission_id", "")
	w.text("task_id", r.Task)
	w.text("recipe_id", r.Recipe)
	w.key("agent")
	w.open()
	w.text("agent_id", r.Agent)
	w.text("host_id", r.Host)
	w.text("model", "")
	w.close()
	w.text("outcome", string(r.Outcome))
	w.key("tool_calls")
	w.raw("[")
	if c := r.Call; c != nil {
		w.open()
		w.text("tool", c.Tool)
		w.text("verdict", c.Verdict)
		w.text("args_hash", c.Args)
		w.text("policy_verdict_id", "")
		w.number("latency_ms", ms)
		w.text("timestamp", start)
		w.text("call_id", c.ID)
		w.close()
	}
	w.raw("]")
	w.key("policy_verdicts")
	w.raw("[")
	for _, v := range r.Verdicts[:min(len(r.Verdicts), maxList)] {
		w.open()
		w.text("verdict_id", v.ID)
		w.text("action_kind", v.Action)
		w.text("verdict", v.Verdict)
		w.close()
	}
	w.raw("]")
	w.texts("evidence_refs", r.Evidence)
	w.key("stats")
	w.open()
	w.number("error_count", "0")
	w.number("retry_count", "0")
	w.number("quality_score", "0.0")
	w.number("latency_ms", ms)
	w.close()
	w.key("token_usage")
	w.open()
	w.number("prompt_tokens", "0")
	w.number("completion_tokens", "0")
	w.number("total_tokens", "0")
	w.number("estimated_cost_usd", "0.0")
	w.close()
	w.texts("tags", r.Tags)
	w.text("started_at", start)
	w.text("completed_at", end)
	w.close()
	return append(w.buf, '\n')
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000+00:00") }
