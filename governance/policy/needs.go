package policy

import (
	"slices"

	"github.com/grimoire-kit/grimoire/surface"
)

// Families lists the families of tool calls that a host has to show the hook
// for these rules to work, in the order of surface.ToolFamilies. Without
// rules it is empty. The sync builds hook matchers from it.
func (r *Rules) Families() []surface.ToolFamily {
	need := map[surface.ToolFamily]bool{}
	for i := range r.list {
		of := r.list[i].families()
		if of == nil {
			return slices.Clone(surface.ToolFamilies)
		}
		for _, f := range of {
			need[f] = true
		}
	}
	var out []surface.ToolFamily
	for _, f := range surface.ToolFamilies {
		if need[f] {
			out = append(out, f)
		}
	}
	return out
}

// families is nil where the rule has to see every call.
func (r *Rule) families() []surface.ToolFamily {
	out := r.Pattern.families()
	if r.Temporal() || out != nil {
		return out // a cooldown's own pattern only narrows the rule's calls
	}
	// A rule over every tool that is not temporal may still name kinds that
	// only some families can be.
	for _, k := range r.Kinds {
		switch k {
		case KindFileWrite:
			out = append(out, surface.FamilyWrite)
		case KindNetwork:
			out = append(out, surface.FamilyNetwork)
		case KindSecretAccess:
			out = append(out, surface.FamilyExecute, surface.FamilySecret)
		case KindToolUse:
			return nil
		}
	}
	if len(r.Kinds) == 0 && !slices.Contains(r.Mutations, ReadOnly) {
		// What changes something is a command or a write.
		return []surface.ToolFamily{surface.FamilyExecute, surface.FamilyWrite}
	}
	if len(out) == 0 && len(r.Kinds) > 0 {
		return []surface.ToolFamily{} // closures and packs are no tool calls
	}
	return out
}

// SeesReadOnly reports whether the rules have a say about calls that change
// nothing; where they have none, such a call needs no evaluation at all.
func (r *Rules) SeesReadOnly() bool {
	for i := range r.list {
		if r.list[i].Temporal() || r.list[i].seesReadOnly() {
			return true
		}
	}
	return false
}

// seesReadOnly: a rule that is not temporal sees a read-only call only if it
// asks for one by class, by kind or by tool. A rule without any selector is
// about changes; read otherwise it would refuse the whole session.
func (r *Rule) seesReadOnly() bool {
	if len(r.Mutations) > 0 {
		return slices.Contains(r.Mutations, ReadOnly)
	}
	return !r.Pattern.All() || slices.Contains(r.Kinds, KindNetwork)
}

// RuleNote is a rule that does less on a host than it says, and why.
type RuleNote struct {
	Rule   string
	Reason surface.Text
}

// CannotFire lists what these rules cannot do on a host that reports events
// and whose hook can stop a tool only if blocking.
func (r *Rules) CannotFire(events []surface.HookEvent, blocking bool) []RuleNote {
	var notes []RuleNote
	pre := slices.Contains(events, surface.PreToolUse)
	post := slices.Contains(events, surface.PostToolUse)
	for i := range r.list {
		rule := &r.list[i]
		if closesOnly(rule.Kinds) && !rule.Temporal() {
			continue // not about tool calls
		}
		switch {
		case !pre:
			notes = append(notes, RuleNote{rule.ID, surface.Text{
				FR: "cet hôte n'appelle aucun hook avant un outil : la règle n'y est jamais évaluée",
				EN: "this host calls no hook before a tool: the rule is never evaluated there"}})
		case !blocking:
			notes = append(notes, RuleNote{rule.ID, surface.Text{
				FR: "un hook n'arrête pas d'outil sur cet hôte : la règle y avertit seulement",
				EN: "a hook stops no tool on this host: the rule only warns there"}})
		case rule.RequireApproval && !post:
			notes = append(notes, RuleNote{rule.ID, surface.Text{
				FR: "cet hôte n'appelle aucun hook après un outil : un accord n'y est jamais retenu et chaque appel redemande (grimoire policies approve <id> le retient)",
				EN: "this host calls no hook after a tool: an approval is never recorded there and every call asks again (grimoire policies approve <id> records it)"}})
		}
	}
	return notes
}

func closesOnly(kinds []Kind) bool {
	return len(kinds) > 0 && !slices.ContainsFunc(kinds, func(k Kind) bool {
		return k != KindPackActivation && k != KindTaskClose && k != KindMissionClose
	})
}
