package policy

import (
	"fmt"
	"math"
	"time"

	"github.com/grimoire-kit/grimoire/governance/session"
	"github.com/grimoire-kit/grimoire/surface"
)

// keptHits is how many hits a rule without a cooldown keeps, for display.
const keptHits = 64

// JudgeSession applies the temporal rules to a call about to run, and counts
// it in s. canAsk says whether the host can put a question to the person: if
// not, Warn will be a refusal, and a spent budget that only warns lets the
// call pass with an alert instead, as one whose verdict is allow always does.
//
// It approves nothing: asking proves no consent. RecordRun does.
func (r *Rules) JudgeSession(c *Call, s *session.State, now time.Time, canAsk bool) Decision {
	d := Decision{Verdict: Allow}
	var fingerprint string
	var asks []string // ids of the approval rules about this call
	open := false     // one of them still waits
	for i := range r.list {
		rule := &r.list[i]
		if !rule.Temporal() || !c.matches(rule.Pattern) {
			continue
		}
		counters := s.Rule(rule.ID)
		if rule.Cooldown != nil && rule.cooling(c, counters, now) {
			rule.hit(c, counters, now)
			d.add(rule.ID, Block, rule.cooldownText(c))
			continue
		}
		if what, spent := rule.spent(c, s, counters, now); spent {
			if c.repairs() {
				d.Rules = append(d.Rules, rule.ID)
				continue
			}
			text := rule.spentText(c, what, canAsk)
			if rule.stopsSpent(canAsk) {
				d.add(rule.ID, rule.Verdict, text)
				continue
			}
			d.Rules = append(d.Rules, rule.ID)
			d.Alerts = append(d.Alerts, text)
		}
		if rule.RequireApproval && !c.runsRepair() {
			if fingerprint == "" {
				fingerprint = Fingerprint(c.Tool, c.Input)
			}
			asks = append(asks, rule.ID)
			if !counters.IsApproved(fingerprint) {
				open = true
				d.add(rule.ID, Warn, approvalText(c, rule, fingerprint, canAsk))
			}
		}
		rule.count(c, counters, now)
	}
	if len(asks) > 0 {
		remember(c, s, fingerprint, asks, open, now)
	}
	return d
}

// stopsSpent reports whether a spent budget stops a call rather than alert.
func (r *Rule) stopsSpent(canAsk bool) bool {
	return r.Verdict == Block || r.Verdict == Warn && canAsk
}

// spentText names both ways out of a spent budget. Where nobody can be asked the
// edit of the rules is refused to the agent, and the person makes it.
func (r *Rule) spentText(c *Call, what surface.Text, canAsk bool) surface.Text {
	wayOut := surface.Text{
		FR: "grimoire policies reset-session ou relever per_session dans " + File,
		EN: "grimoire policies reset-session, or raise per_session in " + File}
	if !canAsk {
		wayOut = surface.Text{
			FR: "grimoire policies reset-session, ou la personne relève per_session dans " + File,
			EN: "grimoire policies reset-session, or the person raises per_session in " + File}
	}
	return Say(c.Tool, what, r.why(), wayOut)
}

// Overrun is what JudgeSession alerted of a call that has run, for hosts that
// can only be told then. It changes nothing.
func (r *Rules) Overrun(c *Call, s *session.State, now time.Time, canAsk bool) []surface.Text {
	var out []surface.Text
	for i := range r.list {
		rule := &r.list[i]
		counters := s.Rules[rule.ID]
		if counters == nil || rule.stopsSpent(canAsk) || c.repairs() || !c.matches(rule.Pattern) {
			continue
		}
		before := *counters // this call is counted by now
		before.Calls--
		before.CostUSD -= rule.CostUSD
		if c.Mutation != ReadOnly {
			before.Writes--
		}
		if what, spent := rule.spent(c, s, &before, now); spent {
			out = append(out, rule.spentText(c, what, canAsk))
		}
	}
	return out
}

// JudgeUncounted is JudgeSession where the session's state can be neither read
// nor written: a rule that would have to look at it stops the call, since
// whoever can take the state away could otherwise take the rule away. cause is
// what stands in the way.
func (r *Rules) JudgeUncounted(c *Call, cause string, canAsk bool) Decision {
	d := Decision{Verdict: Allow}
	for i := range r.list {
		rule := &r.list[i]
		if !rule.Temporal() || !c.matches(rule.Pattern) {
			continue
		}
		stops := rule.RequireApproval && !c.runsRepair() || rule.Cooldown != nil && c.matches(rule.Cooldown.Pattern)
		if !stops && rule.Budget == nil {
			continue
		}
		if rule.Budget != nil && !c.repairs() {
			stops = stops || rule.stopsSpent(canAsk)
		}
		text := Say(c.Tool,
			surface.Text{
				FR: "règle de session " + rule.ID + " impossible à tenir (" + cause + ")",
				EN: "session rule " + rule.ID + " cannot be kept (" + cause + ")"},
			surface.Text{
				FR: "les compteurs et les accords de la session n'ont pu être ni lus ni écrits",
				EN: "the session's counters and approvals could be neither read nor written"},
			surface.Text{
				FR: "la personne rend à " + session.Dir + " un dossier où écrire, que rien ne verrouille ; grimoire doctor dit ce qui y manque",
				EN: "the person makes " + session.Dir + " a folder that can be written and that nothing locks; grimoire doctor says what is wrong with it"})
		if stops {
			d.add(rule.ID, Warn, text)
			continue
		}
		d.Rules = append(d.Rules, rule.ID)
		d.Alerts = append(d.Alerts, text)
	}
	return d
}

// cooling reports whether the rule's cooldown is running for this call.
func (r *Rule) cooling(c *Call, k *session.Counters, now time.Time) bool {
	if !c.matches(r.Cooldown.Pattern) {
		return false
	}
	since := now.Add(-minutes(r.Cooldown.Minutes))
	n := 0
	for _, h := range k.Hits {
		if !h.Before(since) {
			n++
		}
	}
	return n >= r.Cooldown.Count
}

// hit records a call of the cooldown's pattern; only the hits that can still
// matter are kept.
func (r *Rule) hit(c *Call, k *session.Counters, now time.Time) {
	keep := keptHits
	if r.Cooldown != nil {
		if !c.matches(r.Cooldown.Pattern) {
			return
		}
		keep = max(keep, r.Cooldown.Count)
	}
	k.Hits = append(k.Hits, now)
	k.Hits = k.Hits[max(0, len(k.Hits)-keep):]
}

func (r *Rule) count(c *Call, k *session.Counters, now time.Time) {
	k.Calls++
	if c.Mutation != ReadOnly {
		k.Writes++
	}
	k.CostUSD += r.CostUSD
	r.hit(c, k, now)
}

// spent reports whether a ceiling of the rule is reached, and names the first.
func (r *Rule) spent(c *Call, s *session.State, k *session.Counters, now time.Time) (surface.Text, bool) {
	b := r.Budget
	if b == nil {
		return surface.Text{}, false
	}
	switch {
	case b.MaxToolCalls != nil && k.Calls >= *b.MaxToolCalls:
		return budgetText(r.ID, "appels", "calls", fmt.Sprintf("%d/%d", k.Calls, *b.MaxToolCalls)), true
	case b.MaxWrites != nil && c.Mutation != ReadOnly && k.Writes >= *b.MaxWrites:
		return budgetText(r.ID, "écritures", "writes", fmt.Sprintf("%d/%d", k.Writes, *b.MaxWrites)), true
	case b.MaxCostUSD != nil && k.CostUSD >= *b.MaxCostUSD:
		return budgetText(r.ID, "coût", "cost", fmt.Sprintf("%.2f/%.2f USD", k.CostUSD, *b.MaxCostUSD)), true
	case b.MaxDurationMin != nil && elapsed(s, now) >= *b.MaxDurationMin:
		return budgetText(r.ID, "durée", "duration", fmt.Sprintf("%.0f/%g min", math.Floor(elapsed(s, now)), *b.MaxDurationMin)), true
	}
	return surface.Text{}, false
}

// elapsed is the age of the session in minutes, 0 where it is not known.
func elapsed(s *session.State, now time.Time) float64 {
	if s.StartedAt.IsZero() {
		return 0
	}
	return max(0, now.Sub(s.StartedAt).Minutes())
}

func minutes(m float64) time.Duration {
	return time.Duration(min(m*float64(time.Minute), math.MaxInt64/2))
}

func budgetText(rule, fr, en, used string) surface.Text {
	return surface.Text{
		FR: fmt.Sprintf("budget de session atteint (règle %s, %s : %s)", rule, fr, used),
		EN: fmt.Sprintf("session budget reached (rule %s, %s: %s)", rule, en, used)}
}

func (r *Rule) cooldownText(c *Call) surface.Text {
	return Say(c.Tool,
		surface.Text{
			FR: fmt.Sprintf("refroidissement actif (règle %s : %d appels en %g min)", r.ID, r.Cooldown.Count, r.Cooldown.Minutes),
			EN: fmt.Sprintf("cooling down (rule %s: %d calls within %g min)", r.ID, r.Cooldown.Count, r.Cooldown.Minutes)},
		r.why(),
		surface.Text{
			FR: fmt.Sprintf("attendre %g min sans réessayer (un essai relance l'attente), ou la personne relève cooldown_after dans %s", r.Cooldown.Minutes, File),
			EN: fmt.Sprintf("wait %g min without trying again (a try starts the wait anew), or the person raises cooldown_after in %s", r.Cooldown.Minutes, File)})
}
