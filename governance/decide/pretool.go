package decide

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/grimoire-kit/grimoire/governance/policy"
	"github.com/grimoire-kit/grimoire/governance/session"
	"github.com/grimoire-kit/grimoire/governance/trace"
	"github.com/grimoire-kit/grimoire/pluginsdk/dialect"
	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

// preToolUse judges a tool call before it runs. A call that only reads, in a
// project without rules of its own, costs no file and leaves no trace.
func (x *decision) preToolUse() verdict {
	j := x.judge()
	if j.facts.quiet() && !j.counted && j.silent() {
		return silence
	}
	v := x.conclude(j)
	if v.outcome != dialect.Refuse { // a person may say yes
		x.announce(j.facts)
	}
	return v
}

// judge takes a call through the layers.
func (x *decision) judge() *judgement {
	j := &judgement{decision: policy.Decision{Verdict: policy.Allow}, facts: facts{call: x.bareCall()}, rules: &policy.Rules{}}
	j.layer("facts", func() policy.Decision {
		j.facts = x.gather()
		return policy.Decision{Verdict: policy.Allow}
	})
	hasRules := x.project.hasRules()
	if j.facts.quiet() && !hasRules && len(j.failures) == 0 && !x.takesTask() {
		return j
	}
	j.layer("parked", func() policy.Decision { return x.judgeParked(j.facts) })
	j.layer("shell", func() policy.Decision { return x.judgeShell(j.facts) })
	if hasRules {
		j.layer("rules", func() policy.Decision {
			var d policy.Decision
			j.rules, d = x.readRules()
			return d
		})
	}
	j.layer("policy", func() policy.Decision { return policy.Judge(j.facts.call, x.project.profile(), j.rules) })
	if j.counted = j.rules.HasTemporal() && x.project.found; j.counted {
		j.layer("session", func() policy.Decision { return x.judgeSession(j.facts.call, j.rules) })
	}
	return j
}

// readRules reads the project's rules. Those that are right count, whatever is
// wrong with the others; what is wrong is said, and stops nothing.
func (x *decision) readRules() (*policy.Rules, policy.Decision) {
	rules, err := x.project.rules()
	d := policy.Decision{Verdict: policy.Allow}
	if err == nil {
		return rules, d
	}
	t := fault.Under(policy.File, err)
	var wrong policy.Errors
	if errors.As(err, &wrong) {
		t = wrong.Text()
	}
	d.Alerts = []surface.Text{{
		FR: "[Grimoire] des règles ne sont pas appliquées. " + t.FR + "\nSortie : la personne corrige " + policy.File + " ; les règles justes s'appliquent.",
		EN: "[Grimoire] some rules are not applied. " + t.EN + "\nWay out: the person mends " + policy.File + "; the rules that are right do apply.",
	}}
	return rules, d
}

func (x *decision) judgeSession(c *policy.Call, rules *policy.Rules) policy.Decision {
	d := policy.Decision{Verdict: policy.Allow}
	if x.call.Session == "" && !x.dry { // explaining needs no session
		return rules.JudgeUncounted(c, "session_id: \"\"", x.dialect.Asks)
	}
	err := x.update(func(s *session.State) error {
		d = rules.JudgeSession(c, s, x.Now(), x.dialect.Asks)
		return nil
	})
	if err != nil {
		return rules.JudgeUncounted(c, policy.OneLine(strings.ReplaceAll(err.Error(), x.project.root+string(filepath.Separator), ""), 200), x.dialect.Asks)
	}
	return d
}

// update changes the session whose budget the call counts for.
func (x *decision) update(change func(*session.State) error) error {
	if x.dry {
		return change(session.Read(x.project.root, x.sessionID()))
	}
	return session.Update(x.project.root, x.sessionID(), change)
}

// sessionID is the session whose budget the call counts for: that of the first
// parent for a sub-agent, whose host may give it an id of its own.
func (x *decision) sessionID() string {
	if x.call.Session != "" && x.call.ParentSession != "" && x.project.found && !x.dry {
		_ = session.Link(x.project.root, x.call.Session, x.call.ParentSession) // without it the child counts for itself
	}
	return session.Root(x.project.root, x.call.Session)
}

// judgement collects what the layers say. One that fails never erases what an
// earlier one said.
type judgement struct {
	facts    facts
	rules    *policy.Rules
	counted  bool // the session's counters had a say
	decision policy.Decision
	failures []surface.Text
	failed   []string // names of the layers that failed, for the trace
}

func (j *judgement) layer(name string, judge func() policy.Decision) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		what := policy.OneLine(fmt.Sprint(p), 120)
		j.failed = append(j.failed, "failed:"+name)
		j.failures = append(j.failures, surface.Text{
			FR: "[Grimoire] la couche « " + name + " » a échoué (" + what + ") : cet appel n'a pas été jugé en entier. `grimoire doctor` en cherche la cause.",
			EN: "[Grimoire] the layer \"" + name + "\" failed (" + what + "): this call was not wholly judged. `grimoire doctor` looks for the cause.",
		})
	}()
	j.decision = j.decision.Then(judge())
}

// silent reports whether no layer had anything to say.
func (j *judgement) silent() bool {
	d := j.decision
	return d.Verdict == policy.Allow && len(d.Rules)+len(d.Alerts)+len(j.failures) == 0
}

var cannotAsk = surface.Text{
	FR: " Cet hôte ne peut pas poser la question : l'appel est refusé.",
	EN: " This host cannot put the question: the call is refused.",
}

// conclude turns what the layers said into a verdict with its trace.
func (x *decision) conclude(j *judgement) verdict {
	d := j.decision
	v := verdict{outcome: dialect.NoOpinion, reason: d.Reason, context: append(append(x.project.misread(), d.Alerts...), j.failures...)}
	word := trace.VerdictAllow
	switch {
	case d.Verdict == policy.Warn && x.dialect.Asks:
		v.outcome, word = dialect.Ask, trace.VerdictAsk
	case d.Verdict == policy.Warn:
		v.outcome, word = dialect.Refuse, trace.VerdictBlock
		v.reason.FR += cannotAsk.FR
		v.reason.EN += cannotAsk.EN
	case d.Verdict == policy.Block:
		v.outcome, word = dialect.Refuse, trace.VerdictBlock
	}
	if len(j.failures) > 0 && d.Verdict == policy.Allow {
		v.record = x.notEvaluated("panic")
	} else {
		v.record = x.decided(word, d.Rules)
	}
	v.record.Tags = append(v.record.Tags, j.failed...)
	return v
}
