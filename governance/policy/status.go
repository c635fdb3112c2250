package policy

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/grimoire-kit/grimoire/governance/session"
	"github.com/grimoire-kit/grimoire/surface"
)

// RuleStatus is one rule in `grimoire policies status`.
type RuleStatus struct {
	Rule     string   `json:"rule_id"`
	Calls    int      `json:"calls"`
	Writes   int      `json:"writes"`
	CostUSD  float64  `json:"cost_usd"`
	Approved bool     `json:"approved"`
	Prints   []string `json:"approved_fingerprints"`
	Hits     int      `json:"hits"`
	Summary  string   `json:"summary"`
}

// Status reports every temporal rule, declared or only in the session's
// state: the declared ones in file order, then the others by name.
func (r *Rules) Status(s *session.State, now time.Time, lang surface.Language) []RuleStatus {
	out := []RuleStatus{}
	for i := range r.list {
		if rule := &r.list[i]; rule.Temporal() {
			out = append(out, rule.status(s, now, lang))
		}
	}
	for _, id := range slices.Sorted(maps.Keys(s.Rules)) {
		if rule, ok := r.Find(id); !ok || !rule.Temporal() {
			out = append(out, (&Rule{ID: id}).status(s, now, lang))
		}
	}
	return out
}

func (r *Rule) status(s *session.State, now time.Time, lang surface.Language) RuleStatus {
	k := s.Rules[r.ID]
	if k == nil {
		k = &session.Counters{}
	}
	st := RuleStatus{Rule: r.ID, Calls: k.Calls, Writes: k.Writes, CostUSD: k.CostUSD,
		Approved: len(k.Approved) > 0, Prints: append([]string{}, k.Approved...), Hits: len(k.Hits)}
	var parts []string
	if b := r.Budget; b != nil {
		if b.MaxToolCalls != nil {
			parts = append(parts, remaining(lang, "appels", "calls", float64(k.Calls), float64(*b.MaxToolCalls), ""))
		}
		if b.MaxWrites != nil {
			parts = append(parts, remaining(lang, "écritures", "writes", float64(k.Writes), float64(*b.MaxWrites), ""))
		}
		if b.MaxCostUSD != nil {
			parts = append(parts, remaining(lang, "coût", "cost", k.CostUSD, *b.MaxCostUSD, " USD"))
		}
		if b.MaxDurationMin != nil {
			parts = append(parts, remaining(lang, "durée", "duration", elapsed(s, now), *b.MaxDurationMin, " min"))
		}
	}
	if r.RequireApproval {
		if n := len(k.Approved); n > 0 {
			parts = append(parts, lang.Text(fmt.Sprintf("actions approuvées : %d", n), fmt.Sprintf("approved actions: %d", n)))
		} else {
			parts = append(parts, lang.Text("aucun accord donné", "nothing approved yet"))
		}
	}
	if n := len(k.Hits); n > 0 {
		parts = append(parts, lang.Text(fmt.Sprintf("appels récents retenus : %d", n), fmt.Sprintf("recent calls kept: %d", n)))
	}
	st.Summary = strings.Join(parts, "; ")
	return st
}

// remaining is one budget: reached, or close to it when strictly less than a
// tenth is left.
func remaining(lang surface.Language, fr, en string, used, limit float64, unit string) string {
	head := fmt.Sprintf("%s %s/%s%s", lang.Text(fr, en), short(used), short(limit), unit)
	left := limit - used
	switch {
	case left <= 0:
		return head + lang.Text(", plafond atteint", ", reached")
	case left/limit < 0.1:
		return head + lang.Text(fmt.Sprintf(", reste %s, ATTENTION", short(left)), fmt.Sprintf(", %s left, ATTENTION", short(left)))
	}
	return head + lang.Text(fmt.Sprintf(", reste %s", short(left)), fmt.Sprintf(", %s left", short(left)))
}

func short(f float64) string { return fmt.Sprintf("%g", math.Round(f*100)/100) }

// shortDuration is below what a session kept open over days reaches by the
// mere passing of time, in minutes.
const shortDuration = 2880

// HasBudgets reports whether any rule has a budget, which is when doctor
// speaks of them at all.
func (r *Rules) HasBudgets() bool {
	return slices.ContainsFunc(r.list, func(rule Rule) bool { return rule.Budget != nil })
}

// BroadBlockingBudgets lists the rules that, once spent, refuse everything
// for the rest of the session (doctor's policy_budget_guard).
func (r *Rules) BroadBlockingBudgets() []string {
	var ids []string
	for i := range r.list {
		if r.list[i].broadBlock() {
			ids = append(ids, r.list[i].ID)
		}
	}
	return ids
}

// ShortBlockingBudgets lists those of BroadBlockingBudgets that a session
// reaches by being left open (doctor's policy_budget_duration_guard).
func (r *Rules) ShortBlockingBudgets() []string {
	var ids []string
	for i := range r.list {
		rule := &r.list[i]
		if rule.broadBlock() && rule.Budget.MaxDurationMin != nil && *rule.Budget.MaxDurationMin < shortDuration {
			ids = append(ids, rule.ID)
		}
	}
	return ids
}

func (r *Rule) broadBlock() bool {
	return r.Budget != nil && r.Pattern.All() && r.Verdict == Block
}
