package policy

import "github.com/grimoire-kit/grimoire/surface"

// Verdict is what a rule says about a call, from mildest to most severe.
type Verdict string

const (
	Allow Verdict = "allow"
	Warn  Verdict = "warn"
	Block Verdict = "block"
)

// severity orders verdicts: the most severe one wins.
func (v Verdict) severity() int {
	switch v {
	case Block:
		return 2
	case Warn:
		return 1
	}
	return 0
}

// Kind is what an action is, in the words of `action_kinds`.
type Kind string

const (
	KindToolUse        Kind = "tool_use"
	KindFileWrite      Kind = "file_write"
	KindNetwork        Kind = "network"
	KindSecretAccess   Kind = "secret_access"
	KindPackActivation Kind = "pack_activation"
	KindTaskClose      Kind = "task_close"
	KindMissionClose   Kind = "mission_close"
)

var kinds = []Kind{
	KindToolUse, KindFileWrite, KindNetwork, KindSecretAccess,
	KindPackActivation, KindTaskClose, KindMissionClose,
}

// Mutation is what an action changes, in the words of `mutation_classes`.
type Mutation string

const (
	ReadOnly       Mutation = "read_only"
	Controlled     Mutation = "mutation_controlled"
	Destructive    Mutation = "destructive"
	ActivatesAPack Mutation = "pack_activation"
)

var mutations = []Mutation{ReadOnly, Controlled, Destructive, ActivatesAPack}

// Risk is how strict a project wants to be, in the words of `risk_profiles`.
type Risk string

const (
	Light    Risk = "light"
	Standard Risk = "standard"
	Strict   Risk = "strict"
)

var risks = []Risk{Light, Standard, Strict}

// RiskOf is the risk a profile stands for. Profiles without a risk of their
// own, and unknown ones, are light.
func RiskOf(p surface.Profile) Risk {
	switch p {
	case surface.ProfileGoverned:
		return Standard
	case surface.ProfileProduction:
		return Strict
	}
	return Light
}

// Rule is one entry of policies.yaml.
type Rule struct {
	ID          string
	Description string
	// Kinds, Mutations and Risks select calls for a rule that is not
	// temporal; an empty list selects them all.
	Kinds     []Kind
	Mutations []Mutation
	Risks     []Risk
	// Verdict is the rule's own; for a temporal rule it says what a spent
	// budget does: refuse (Block), ask (Warn) or only alert (Allow).
	Verdict Verdict
	// Reason is the project's own words, shown with the verdict.
	Reason  string
	Pattern Pattern

	RequireApproval bool
	Budget          *Budget
	Cooldown        *Cooldown
	// CostUSD is what one call is estimated to cost, in US dollars.
	CostUSD float64

	// Line is where the rule starts in policies.yaml, from 1.
	Line int
}

// Budget is `per_session`: ceilings on what a rule's calls may add up to in
// one session, sub-agents included. A nil ceiling is none.
type Budget struct {
	MaxToolCalls   *int
	MaxWrites      *int
	MaxCostUSD     *float64
	MaxDurationMin *float64 // minutes since the session started
}

// Cooldown is `cooldown_after`: once Count calls of the rule within the last
// Minutes matched Pattern, the next is refused.
type Cooldown struct {
	Pattern Pattern
	Count   int
	Minutes float64
}

// Temporal reports whether the rule looks at the session rather than at the
// call alone.
func (r *Rule) Temporal() bool {
	return r.RequireApproval || r.Budget != nil || r.Cooldown != nil
}

// Rules are a project's rules in file order. The zero value has none.
type Rules struct {
	list []Rule
}

// All returns the rules in file order. The slice is not to be changed.
func (r *Rules) All() []Rule { return r.list }

// HasTemporal reports whether any rule needs the session's state.
func (r *Rules) HasTemporal() bool {
	for i := range r.list {
		if r.list[i].Temporal() {
			return true
		}
	}
	return false
}

// Find returns the rule with that id.
func (r *Rules) Find(id string) (*Rule, bool) {
	for i := range r.list {
		if r.list[i].ID == id {
			return &r.list[i], true
		}
	}
	return nil, false
}
