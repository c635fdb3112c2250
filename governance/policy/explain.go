package policy

import (
	"slices"
	"time"

	"github.com/grimoire-kit/grimoire/governance/session"
	"github.com/grimoire-kit/grimoire/surface"
)

// Explained is what one rule says about a call, for `policies explain`.
type Explained struct {
	Rule     string
	Line     int // in policies.yaml; 0 for a built-in rule
	Temporal bool
	// Applies says whether the rule is about the call at all.
	Applies bool
	Verdict Verdict
	// Text is the reason of a verdict, or the alert of a call that passes.
	Text surface.Text
}

// Explain lists every rule, built in or of the project, with what it says
// about a call. It counts in s as the call itself would; the caller throws the
// state away.
func Explain(c *Call, profile surface.Profile, rules *Rules, s *session.State, now time.Time, canAsk bool) []Explained {
	said := map[string]opinion{}
	for _, o := range opinions(c, profile, rules) {
		said[o.rule] = o
	}
	plain := func(id string, line int) Explained {
		o, applies := said[id]
		e := Explained{Rule: id, Line: line, Applies: applies, Verdict: Allow}
		if applies {
			e.Verdict = o.verdict
		}
		if e.Verdict != Allow {
			e.Text = o.reason
		}
		return e
	}
	var out []Explained
	for i := range baseRules {
		out = append(out, plain(baseRules[i].ID, 0))
	}
	out = append(out, plain(ruleGuardFile, 0), plain(ruleApprove, 0), plain(ruleHookCall, 0))
	for i := range rules.list {
		r := &rules.list[i]
		if !r.Temporal() {
			out = append(out, plain(r.ID, r.Line))
			continue
		}
		alone := Rules{list: slices.Clip(rules.list[i : i+1])}
		d := alone.JudgeSession(c, s, now, canAsk)
		e := Explained{Rule: r.ID, Line: r.Line, Temporal: true, Applies: c.matches(r.Pattern), Verdict: d.Verdict, Text: d.Reason}
		if len(d.Alerts) > 0 && d.Verdict == Allow {
			e.Text = d.Alerts[0]
		}
		out = append(out, e)
	}
	return out
}
