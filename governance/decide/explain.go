package decide

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/grimoire-kit/grimoire/governance/command"
	"github.com/grimoire-kit/grimoire/governance/policy"
	"github.com/grimoire-kit/grimoire/governance/session"
	"github.com/grimoire-kit/grimoire/pluginsdk/dialect"
	"github.com/grimoire-kit/grimoire/surface"
)

// Explanation is what the hook makes of one tool call, step by step.
type Explanation struct {
	Host, Root, Session string
	Event               surface.HookEvent
	Tool                string
	// NotEvaluated says why there is nothing to judge; the rest is then empty.
	NotEvaluated dialect.Cause
	Call         *policy.Call
	Commands     []command.Facts
	// Shell are the rules about what could not be seen, then come the others.
	Rules []policy.Explained
	// Problems are rules that cannot be read and layers that failed.
	Problems []surface.Text
	Outcome  dialect.Outcome
	Reason   surface.Text
	Answer   dialect.Answer
}

// ErrUnknownHost says that a host has no dialect.
var ErrUnknownHost = errors.New("no dialect of that host")

// Explain judges a call as Run would and records nothing: no counter moves and
// no trace is left. Where r has no payload, the call is line, given to the
// shell of a session of that id.
func Explain(r Request, line, sessionID string) (*Explanation, error) {
	d, ok := load(r.Host)
	if !ok {
		return nil, fmt.Errorf("explain for host %q: %w", r.Host, ErrUnknownHost)
	}
	call := commandCall(line, sessionID)
	if r.Payload != nil {
		payload, err := io.ReadAll(io.LimitReader(r.Payload, dialect.MaxPayload+1))
		if err != nil {
			return nil, fmt.Errorf("read the payload: %w", err)
		}
		call = d.Decode(payload, r.Event)
		if owner, ok := load(call.BelongsTo); ok && call.BelongsTo != "" {
			d, call = owner, owner.Decode(payload, r.Event)
		}
	}
	x := r.decision(d, call, r.Now())
	x.dry = true
	e := &Explanation{Host: d.Host, Root: x.project.root, Session: call.Session, Event: call.Event, Tool: call.Tool,
		NotEvaluated: call.NotEvaluated, Outcome: dialect.NoOpinion}
	if call.NotEvaluated != "" || call.Event != surface.PreToolUse {
		return e, nil
	}
	j := x.judge()
	e.Call, e.Commands = j.facts.call, j.facts.commands
	e.Rules = append(append(x.explainParked(j.facts), x.explainShell(j.facts)...), policy.Explain(e.Call, x.project.profile(), j.rules,
		session.Read(x.project.root, x.sessionID()), r.Now(), d.Asks)...)
	if _, err := x.project.rules(); err != nil {
		_, wrong := x.readRules()
		e.Problems = wrong.Alerts
	}
	e.Problems = append(append(e.Problems, x.project.misread()...), j.failures...)
	v := silence
	if !j.facts.quiet() || j.counted || !j.silent() {
		v = x.conclude(j)
	}
	if v.outcome == dialect.NoOpinion && len(v.context) > 0 {
		v.outcome = dialect.Context
	}
	v.record = nil
	e.Outcome, e.Reason, e.Answer = v.outcome, v.reason, x.finish(v)
	return e, nil
}

// commandCall is the call of a shell with one line.
func commandCall(line, sessionID string) dialect.Call {
	input, _ := json.Marshal(map[string]string{"command": line}) // a map of texts always encodes
	return dialect.Call{
		Event: surface.PreToolUse, Session: sessionID, Tool: "Bash", Canonical: "Bash", Family: surface.FamilyExecute,
		Args:      []dialect.Arg{{Kind: dialect.Command, Key: "command", Value: line}},
		ToolInput: input,
	}
}

// explainParked is the brake on a session whose task is parked, where it holds.
func (x *decision) explainParked(f facts) []policy.Explained {
	d := x.judgeParked(f)
	if d.Verdict == policy.Allow {
		return nil
	}
	return []policy.Explained{{Rule: ruleParked, Applies: true, Verdict: d.Verdict, Text: d.Reason}}
}

// explainShell lists the rules about what could not be seen, as policy.Explain
// lists the others.
func (x *decision) explainShell(f facts) []policy.Explained {
	d := x.judgeShell(f)
	var out []policy.Explained
	for _, id := range []string{ruleTooLarge, ruleInteractive, ruleOpaque} {
		e := policy.Explained{Rule: id, Verdict: policy.Allow}
		for _, said := range d.Rules {
			e.Applies = e.Applies || said == id
		}
		if e.Applies {
			e.Verdict, e.Text = d.Verdict, d.Reason
			if len(d.Alerts) > 0 && strings.TrimSpace(e.Text.EN) == "" {
				e.Text = d.Alerts[0]
			}
		}
		out = append(out, e)
	}
	return out
}
