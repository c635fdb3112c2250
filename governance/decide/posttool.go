package decide

import (
	"strings"

	"github.com/grimoire-kit/grimoire/governance/observe"
	"github.com/grimoire-kit/grimoire/governance/policy"
	"github.com/grimoire-kit/grimoire/governance/session"
	"github.com/grimoire-kit/grimoire/surface"
)

// postToolUse records what a tool that ran is proof of: approvals that were
// given, and what the session changed. It stops nothing.
func (x *decision) postToolUse() verdict {
	rules, wrong := &policy.Rules{}, policy.Decision{}
	if x.project.hasRules() {
		rules, wrong = x.readRules()
	}
	enrolled := x.project.enrolled()
	ran := x.call.Event == surface.PostToolUse
	if !x.dialect.TellsAfter && (!x.project.found || !rules.HasTemporal() && !enrolled) {
		return silence
	}
	f := x.gather()
	v := silence
	if x.dialect.TellsAfter && ran {
		v.context = x.untold(f, rules, wrong)
	}
	if !x.project.found || !rules.HasTemporal() && !enrolled {
		return v
	}
	if x.call.Session != "" {
		happened := ran || x.exited()
		x.record(f, rules, happened, happened && enrolled && f.call.Mutation != policy.ReadOnly)
	}
	if enrolled {
		x.observe(f, ran)
	}
	if ran && enrolled && f.call.Kind == policy.KindFileWrite {
		v.context = append(v.context, x.reminder(f.call))
	}
	return v
}

// exited reports whether a call that failed is a command that did run: its host
// tells an exit code. An edit that was turned down, or a tool that is not
// there, changed nothing.
func (x *decision) exited() bool {
	_, exit := observe.OutcomeOf(x.call.ToolResponse, true, true)
	return exit != nil
}

// untold is what was said about the call before it ran to a host that does not
// hand it on to the model.
func (x *decision) untold(f facts, rules *policy.Rules, wrong policy.Decision) []surface.Text {
	var out []surface.Text
	if !f.quiet() {
		out = append(out, wrong.Alerts...)
		out = append(out, x.judgeShell(f).Alerts...)
	}
	if rules.HasTemporal() && x.call.Session != "" && x.project.found {
		out = append(out, rules.Overrun(f.call, session.Read(x.project.root, x.sessionID()), x.Now(), x.dialect.Asks)...)
	}
	return out
}

// record notes a call in the session; an error never costs one. happened says
// that it was begun, which nobody lets it be without agreeing to it.
func (x *decision) record(f facts, rules *policy.Rules, happened, changed bool) {
	if !changed && (!happened || !rules.HasTemporal()) {
		return
	}
	task, known := x.working(changed)
	rested := "" // the task that the session has brought to its rest
	if changed && known && task == "" {
		if s := session.Read(x.project.root, x.sessionID()); x.settled(s) {
			rested = s.Task
		}
	}
	_ = x.update(func(s *session.State) error {
		if happened {
			rules.RecordRun(f.call, s)
		}
		counts := changed && x.counts(f)
		switch {
		case task != "":
			s.Task = task
		case !counts:
		case rested != "" && s.Task == rested:
			if x.tidies(f) {
				return nil // it is the end of that task's work
			}
			s.Task, s.Mutations = "", 0 // which is accounted for: this is not part of it
		case known:
			s.Task = "" // what it worked on is not its any more
		}
		if counts {
			s.Mutations++
		}
		return nil
	})
}

// working is the task that the session works on, "" for none; known is false
// where the ledger cannot tell. A change is a sign of life of its claim.
func (x *decision) working(changed bool) (task string, known bool) {
	if x.Ledger == nil || !changed {
		return "", false
	}
	t, err := x.Ledger.Task(x.project.home(), x.sessionID())
	if err != nil {
		return "", false
	}
	if t.ID != "" && !x.dry {
		_ = x.Ledger.Attach(x.project.home(), t, x.sessionID(), x.dialect.HostID)
	}
	return t.ID, true
}

// named is how many targets a reminder names.
const named = 3

// reminder says where the proof of a write belongs.
func (x *decision) reminder(c *policy.Call) surface.Text {
	targets := make([]string, 0, named)
	for _, t := range c.Targets[:min(len(c.Targets), named)] {
		targets = append(targets, policy.OneLine(t, 120))
	}
	what, dir := strings.Join(targets, ", "), x.evidence(x.task())
	return surface.Text{
		FR: "[Grimoire] écrit : " + what + ". La preuve va dans " + dir,
		EN: "[Grimoire] written: " + what + ". Its evidence belongs in " + dir,
	}
}
