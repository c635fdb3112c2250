package project

import (
	"errors"
	"strings"

	"github.com/grimoire-kit/grimoire/governance/policy"
	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

// kitHook is a decision of the kit and the moment it belongs to.
type kitHook struct {
	event       surface.HookEvent
	decision    string
	enforcement surface.Enforcement
	families    []surface.ToolFamily
	timeout     int  // seconds
	enrolled    bool // only in a project enrolled in the standard
	rationale   surface.Text
}

// kitHooks are the decisions of the existing kit, in session order. A gate that
// does not exist cannot be red: a project that is not enrolled gets none.
var kitHooks = []kitHook{
	{event: surface.SessionStart, decision: "grimoire.activation", enforcement: surface.Advisory, timeout: 30,
		rationale: surface.Text{
			FR: "Remet à la session la persona d'entrée et la directive du projet.",
			EN: "Hands the session the entry persona and the project's directive."}},
	{event: surface.UserPromptSubmit, decision: "grimoire.task-context", enforcement: surface.Advisory, timeout: 10, enrolled: true,
		rationale: surface.Text{
			FR: "Nomme la tâche courante, ou son absence et le remède.",
			EN: "Names the current task, or that there is none and what to do."}},
	{event: surface.PreToolUse, decision: "grimoire.tool-policy", enforcement: surface.Blocking, timeout: 10,
		families: []surface.ToolFamily{surface.FamilyExecute, surface.FamilyWrite, surface.FamilySecret, surface.FamilyMCP},
		rationale: surface.Text{
			FR: "Refuse les actions destructrices et la lecture de secrets avant qu'elles n'aient lieu.",
			EN: "Refuses destructive actions and the reading of secrets before they happen."}},
	{event: surface.PostToolUse, decision: "grimoire.evidence-trace", enforcement: surface.Advisory, timeout: 10, enrolled: true,
		families: []surface.ToolFamily{surface.FamilyExecute, surface.FamilyWrite, surface.FamilyDelegation, surface.FamilyMCP},
		rationale: surface.Text{
			FR: "Compte les écritures de la session, rappelle la preuve, note les approbations accordées.",
			EN: "Counts the session's writes, reminds of the evidence, records approvals that were given."}},
	// A host that tells a command that failed by this event says nothing of it
	// at the other one: a check that fails would go unseen.
	{event: surface.PostToolUseFailure, decision: "grimoire.evidence-trace", enforcement: surface.Advisory, timeout: 10, enrolled: true,
		families: []surface.ToolFamily{surface.FamilyExecute},
		rationale: surface.Text{
			FR: "Note les vérifications qui échouent, ce qu'une commande a pu écrire avant d'échouer, et l'accord qu'elle avait.",
			EN: "Records checks that fail, what a command may have written before it failed, and the approval it had."}},
	{event: surface.SubagentStop, decision: "grimoire.subagent-gate", enforcement: surface.Advisory, timeout: 30, enrolled: true,
		rationale: surface.Text{
			FR: "Dit l'état des gates à la fin d'un sous-agent, sans bloquer.",
			EN: "Tells the state of the gates when a sub-agent ends, without blocking."}},
	{event: surface.PreCompact, decision: "grimoire.context-capsule", enforcement: surface.Advisory, timeout: 30, enrolled: true,
		rationale: surface.Text{
			FR: "Met la gouvernance à l'abri avant que le contexte ne soit compacté.",
			EN: "Saves the governance before the context is compacted."}},
	{event: surface.Stop, decision: "grimoire.evidence-gate", enforcement: surface.Blocking, timeout: 60, enrolled: true,
		rationale: surface.Text{
			FR: "Refuse la clôture d'une tâche dont les gates de preuve sont rouges.",
			EN: "Refuses to close a task whose evidence gates are red."}},
}

// hooks wires the kit's decisions. Matchers are widened to what the declared
// policy rules have to see: a budget that counts reads must be shown reads.
func (l *loader) hooks() []surface.Hook {
	rules := l.policies()
	out := []surface.Hook{}
	for _, k := range kitHooks {
		// Approvals are recorded after the tool ran, enrolled or not, and also
		// where it failed.
		records := rules.temporal && (k.event == surface.PostToolUse || k.event == surface.PostToolUseFailure)
		if k.enrolled && !l.project.Enrolled && !records {
			continue
		}
		h := surface.Hook{
			Event:       k.event,
			Decision:    k.decision,
			Enforcement: k.enforcement,
			Matcher:     []surface.ToolFamily{},
			Timeout:     k.timeout,
			Rationale:   k.rationale.In(l.surface.Language),
			OnFailure:   l.project.Profile.OnFailure(),
		}
		switch {
		case k.event == surface.PostToolUseFailure: // no rule counts what failed
			h.Matcher = inOrder(k.families)
		case k.families != nil:
			h.Matcher = inOrder(k.families, rules.families)
		}
		out = append(out, h)
	}
	return out
}

// policyNeeds is what the declared policy rules ask of the hooks.
type policyNeeds struct {
	families []surface.ToolFamily
	temporal bool
}

// policies reads the rules' needs. Rules that cannot be read do not stop a
// sync, but then every call is shown to the hook, which judges for itself.
func (l *loader) policies() policyNeeds {
	rules, err := policy.Load(l.tree.dir)
	if err == nil {
		return policyNeeds{families: rules.Families(), temporal: rules.HasTemporal()}
	}
	var wrong policy.Errors
	if errors.As(err, &wrong) {
		for _, e := range wrong {
			t, at := e.Text(), " "+place(e.File, e.Line)
			l.warn(Warning{Path: policy.File, Line: e.Line, Text: surface.Text{
				FR: strings.Replace(t.FR, at, "", 1), EN: strings.Replace(t.EN, at, "", 1)}})
		}
	} else {
		l.warn(Warning{Path: policy.File, Text: fault.Under(policy.CodeInvalid, err)})
	}
	return policyNeeds{families: surface.ToolFamilies, temporal: true}
}

// inOrder unites families in the order matchers are built.
func inOrder(sets ...[]surface.ToolFamily) []surface.ToolFamily {
	want := map[surface.ToolFamily]bool{}
	for _, set := range sets {
		for _, f := range set {
			want[f] = true
		}
	}
	out := []surface.ToolFamily{}
	for _, f := range surface.ToolFamilies {
		if want[f] {
			out = append(out, f)
		}
	}
	return out
}
