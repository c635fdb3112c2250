package decide

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/grimoire-kit/grimoire/emitters"
	"github.com/grimoire-kit/grimoire/governance/policy"
	"github.com/grimoire-kit/grimoire/governance/trace"
	"github.com/grimoire-kit/grimoire/pluginsdk/dialect"
	"github.com/grimoire-kit/grimoire/surface"
)

// MaxDeadline is how long a decision may take. Several hosts run the tool when
// their own time-out is reached, so the hook answers well before: the emitted
// time-outs are at least ten seconds, and this is less than half of that.
const MaxDeadline = 4 * time.Second

// grace is what is left, past the deadline, to leave a trace.
const grace = 200 * time.Millisecond

// Request is one call of the hook.
type Request struct {
	Host  string // short name of the host, as the emitted command line gives it
	Event string // the host's word for the event, or the neutral one
	// Root is the project's folder, absolute, where the caller names it; else
	// it is looked for.
	Root string
	// Payload is what the host wrote. No more than dialect.MaxPayload and one
	// byte is read of it.
	Payload io.Reader
	Getenv  func(string) string
	Dir     string // the folder the hook runs in
	Now     func() time.Time
	// Deadline replaces MaxDeadline; 0 does not.
	Deadline time.Duration
	// Ledger is nil where there is none.
	Ledger Ledger
}

// Run decides one call and answers in the host's words. It never fails: what
// goes wrong inside is in the answer's context where the host can show it,
// and in the trace. A host it does not know gets no answer.
func Run(r Request) dialect.Answer {
	d, ok := load(r.Host)
	if !ok {
		return dialect.Answer{}
	}
	if r.Deadline == 0 {
		r.Deadline = MaxDeadline
	}
	started := r.Now()
	known := make(chan *decision, 1) // the call, once it is read
	done := make(chan dialect.Answer, 1)
	go func() { done <- r.answer(d, started, known) }()
	timer := time.NewTimer(r.Deadline)
	defer timer.Stop()
	select {
	case a := <-done:
		return a
	case <-timer.C:
	}
	select {
	case x := <-known:
		return x.late()
	default:
		return r.decision(d, dialect.Call{Event: d.Event(r.Event)}, started).late()
	}
}

// load opens a host's bundled dialect by its short name, or else by any other
// name it goes by, in any case. A test parses them all.
func load(host string) (*dialect.Dialect, bool) {
	if doc, ok := emitters.Dialect(host); ok {
		d, err := dialect.Open(doc)
		return d, err == nil
	}
	for _, name := range emitters.Dialects() {
		doc, _ := emitters.Dialect(name)
		d, err := dialect.Open(doc)
		if err == nil && goesBy(d, strings.ToLower(host)) {
			return d, true
		}
	}
	return nil, false
}

// goesBy reports whether a host is called name: its short name, its identifier
// or a part of that ("host-claude-code-cli", "claude-code").
func goesBy(d *dialect.Dialect, name string) bool {
	id := strings.TrimPrefix(d.HostID, "host-")
	return slices.Contains([]string{d.Host, d.HostID, id, strings.TrimSuffix(id, "-cli")}, name)
}

// Knows reports whether there is a dialect of a host, by any of its names.
func Knows(host string) bool {
	_, ok := load(host)
	return ok
}

func (r Request) answer(d *dialect.Dialect, started time.Time, known chan<- *decision) (a dialect.Answer) {
	var x *decision
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		if x == nil {
			x = r.decision(d, dialect.Call{Event: d.Event(r.Event)}, started)
		}
		a = x.finish(x.failed(p))
	}()
	payload, err := io.ReadAll(io.LimitReader(r.Payload, dialect.MaxPayload+1))
	if err != nil {
		payload = nil // half a payload is none
	}
	call := d.Decode(payload, r.Event)
	if call.BelongsTo != "" {
		owner, ok := load(call.BelongsTo)
		if !ok {
			return dialect.Answer{}
		}
		silentIf, offIn := call.SilentIf, call.OffIn
		d, call = owner, owner.Decode(payload, r.Event)
		x = r.decision(d, call, started)
		if x.ownerCalls(silentIf, offIn) {
			return dialect.Answer{}
		}
	} else {
		x = r.decision(d, call, started)
	}
	known <- x
	return x.finish(x.event())
}

// decision is one call on its way through the layers.
type decision struct {
	Request
	dialect *dialect.Dialect
	call    dialect.Call
	project *project
	started time.Time
	dry     bool // nothing is recorded
}

func (r Request) decision(d *dialect.Dialect, call dialect.Call, started time.Time) *decision {
	root, found := r.Root, r.Root != ""
	if !found {
		root, found = findRoot(d.Roots(&call, r.Getenv, r.Dir))
	}
	return &decision{Request: r, dialect: d, call: call, started: started,
		project: &project{root: root, found: found, env: r.Getenv}}
}

// verdict is what a call comes to.
type verdict struct {
	outcome dialect.Outcome
	reason  surface.Text
	context []surface.Text
	// rest says where the rest of a context stands that is too long for the
	// host; grimoire policies status where it is empty.
	rest   surface.Text
	record *trace.Record // nil where nothing is worth a trace
}

var silence = verdict{outcome: dialect.NoOpinion}

// event decides for the event of the call.
func (x *decision) event() verdict {
	if x.call.NotEvaluated != "" || x.call.Event == "" {
		return x.unjudged()
	}
	switch x.call.Event {
	case surface.PreToolUse:
		return x.preToolUse()
	case surface.PostToolUse, surface.PostToolUseFailure:
		return x.postToolUse()
	case surface.SessionStart:
		return x.sessionStart()
	case surface.UserPromptSubmit:
		return x.userPromptSubmit()
	case surface.PreCompact:
		return x.preCompact()
	case surface.SubagentStop:
		return x.subagentStop()
	case surface.Stop:
		return x.stop()
	case surface.PermissionRequest:
		return verdict{outcome: dialect.NoOpinion, record: x.notEvaluated("no_decider")}
	}
	return silence
}

// unjudged is a payload with nothing in it to judge: no opinion, and a trace,
// except of events at which nothing is decided.
func (x *decision) unjudged() verdict {
	switch x.call.NotEvaluated {
	case dialect.IgnoredEvent:
		return silence
	case "":
		return verdict{outcome: dialect.NoOpinion, record: x.notEvaluated(string(dialect.UnknownEvent))}
	}
	v := verdict{outcome: dialect.NoOpinion, record: x.notEvaluated(string(x.call.NotEvaluated))}
	if why, ok := unreadCauses[x.call.NotEvaluated]; ok && x.call.Event == surface.PreToolUse {
		v.context = []surface.Text{{
			FR: "[Grimoire] cet appel n'a pas été jugé : " + why.FR + ". La trace le note ; si cela revient, la personne lance grimoire doctor.",
			EN: "[Grimoire] this call was not judged: " + why.EN + ". The trace records it; if it returns, the person runs grimoire doctor.",
		}}
	}
	return v
}

// unreadCauses are the ways in which a payload cannot be read though something
// stands in it.
var unreadCauses = map[dialect.Cause]surface.Text{
	dialect.TooLarge: {FR: "ce que l'hôte en a dit dépasse 16 Mio", EN: "what the host said of it is larger than 16 MiB"},
	dialect.TooDeep:  {FR: "ce que l'hôte en a dit est imbriqué trop profond", EN: "what the host said of it is nested too deep"},
	dialect.NotUTF8:  {FR: "ce que l'hôte en a dit n'est pas en UTF-8", EN: "what the host said of it is not UTF-8"},
	dialect.NotJSON:  {FR: "ce que l'hôte en a dit n'est pas du JSON entier", EN: "what the host said of it is not whole JSON"},
}

// late is the verdict past the deadline. A tool call that was not yet judged
// safe is refused: the host would run it.
func (x *decision) late() dialect.Answer {
	v := verdict{outcome: dialect.NoOpinion, record: x.notEvaluated("deadline")}
	if x.call.Event == surface.PreToolUse {
		v.outcome = dialect.Refuse
		v.reason = policy.Say(x.call.Tool,
			surface.Text{FR: fmt.Sprintf("aucune décision en %s", x.Deadline), EN: fmt.Sprintf("no decision within %s", x.Deadline)},
			surface.Text{FR: "un appel qui n'est pas jugé ne peut être laissé passer", EN: "a call that is not judged cannot be let through"},
			surface.Text{FR: "rejouer l'appel ; si cela revient, la personne lance grimoire doctor", EN: "repeat the call; if it returns, the person runs grimoire doctor"})
	}
	// Whatever holds up the decision may hold up files too.
	late := *x
	late.project = &project{root: x.project.root, found: x.project.found, env: x.Getenv}
	done := make(chan dialect.Answer, 1)
	go func() { done <- late.finish(v) }()
	select {
	case a := <-done:
		return a
	case <-time.After(grace):
	}
	return x.dialect.Encode(&x.call, v.outcome, dialect.Reply{Reason: v.reason.EN})
}

// failed is a decision that panicked: allowed, said where the host can show
// it, traced and counted.
func (x *decision) failed(p any) verdict {
	what := policy.OneLine(fmt.Sprint(p), 120)
	return verdict{
		outcome: dialect.Context,
		context: []surface.Text{{
			FR: "[Grimoire] une décision a échoué (" + what + ") : cet appel n'a pas été jugé. Sortie : `grimoire trace report` compte ces échecs, `grimoire doctor` en cherche la cause.",
			EN: "[Grimoire] a decision failed (" + what + "): this call was not judged. Way out: `grimoire trace report` counts these failures, `grimoire doctor` looks for the cause.",
		}},
		record: x.notEvaluated("panic"),
	}
}

// notEvaluated asks nobody for the task: what failed may be the ledger.
func (x *decision) notEvaluated(cause string) *trace.Record {
	r := trace.NotEvaluated(x.call.Session, recipe(x.call.Event), string(x.call.Event), cause, x.traced())
	r.Task = bootstrap
	return &r
}

func (x *decision) decided(word string, rules []string) *trace.Record {
	r := trace.Decision(x.call.Session, recipe(x.call.Event), string(x.call.Event), word, x.traced(), rules)
	r.Task = x.task()
	return &r
}

// traced is the call as a trace may show it: its input only as a hash.
func (x *decision) traced() *trace.Call {
	if x.call.Tool == "" {
		return nil
	}
	return &trace.Call{Tool: x.call.Tool, Args: trace.HashArgs(x.call.ToolInput), ID: x.call.ToolUseID}
}

// recipe is the id of the decision wired to an event.
func recipe(e surface.HookEvent) string {
	switch e {
	case surface.SessionStart:
		return "grimoire.activation"
	case surface.UserPromptSubmit:
		return "grimoire.task-context"
	case surface.PreToolUse:
		return "grimoire.tool-policy"
	case surface.PostToolUse, surface.PostToolUseFailure:
		return "grimoire.evidence-trace"
	case surface.SubagentStop:
		return "grimoire.subagent-gate"
	case surface.PreCompact:
		return "grimoire.context-capsule"
	case surface.Stop:
		return "grimoire.evidence-gate"
	case surface.PermissionRequest:
		return "grimoire.permission"
	}
	return "grimoire.hook"
}

// finish leaves the trace of a verdict and puts it into the host's words.
func (x *decision) finish(v verdict) dialect.Answer {
	if v.record != nil && x.project.found {
		v.record.Host, v.record.Agent = x.dialect.HostID, x.call.AgentType
		v.record.At, v.record.Took = x.started, x.Now().Sub(x.started)
		_ = trace.Append(x.project.root, *v.record) // a trace never costs a session
	}
	if v.outcome == dialect.NoOpinion && len(v.context) > 0 {
		v.outcome = dialect.Context
	}
	if v.outcome == dialect.NoOpinion {
		return x.dialect.Encode(&x.call, dialect.NoOpinion, dialect.Reply{})
	}
	if v.rest.EN == "" {
		v.rest = surface.Text{FR: "`grimoire policies status`", EN: "`grimoire policies status`"}
	}
	l := x.project.language()
	parts := make([]string, len(v.context))
	for i, t := range v.context {
		parts[i] = t.In(l)
	}
	return x.dialect.Encode(&x.call, v.outcome, dialect.Reply{
		Reason:  v.reason.In(l),
		Context: strings.Join(parts, "\n"),
		More:    l.Text("[Grimoire] suite : ", "[Grimoire] the rest: ") + v.rest.In(l),
	})
}
