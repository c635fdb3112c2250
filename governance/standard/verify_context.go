package standard

import (
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/surface"
)

// MemoryTypes are those that a memory policy declares.
var MemoryTypes = []string{
	"session", "task", "project", "workspace", "organization", "procedural", "semantic", "episodic", "long_term",
	"external_knowledge_cache",
}

// DecisionTypes are those that a decision graph declares.
var DecisionTypes = []string{
	"task_prioritization", "context_source_selection", "memory_injection", "provider_routing", "agent_role_routing",
	"tool_authorization", "state_transition", "release_authorization",
}

// Phases and Actions are the words of rules and hooks.
var (
	Phases = []string{
		"pre_context_build", "post_context_build", "pre_provider_call", "post_provider_call", "pre_tool_call",
		"post_tool_call", "pre_state_transition", "post_state_transition", "pre_release", "on_failure", "on_rollback",
	}
	Actions = []string{
		"allow", "warn", "block", "redact", "reroute", "require_evidence", "escalate", "create_remediation", "rollback",
	}
)

// memory examines the policy of memory.
func (e *examination) memory() {
	x := e.yaml(pathOf("memory_policy", e.v.Task))
	if x == nil {
		return
	}
	types := x.top.get("memory_types")
	if len(types.list()) == 0 {
		x.fail("memory.types_missing", types, "memory_types est vide", "memory_types is empty")
		return
	}
	declared := set{}
	for _, m := range x.entries(types, "memory.type_invalid") {
		declared[m.get("type").text()] = true
		x.require("memory", m, "memory_id", "type", "scope", "read_policy", "write_policy", "retention", "freshness",
			"trust_level", "redaction_policy", "provider_compatibility", "allowed_context_uses")
		shown := surface.Quoted(m.get("memory_id").text())
		if v := m.get("provider_compatibility"); !v.isList() {
			x.fail("memory.provider_compatibility_invalid", at(m, "provider_compatibility"), shown+" : provider_compatibility doit être une liste", shown+": provider_compatibility must be a list")
		}
		if v := m.get("allowed_context_uses"); !v.isList() {
			x.fail("memory.context_uses_invalid", at(m, "allowed_context_uses"), shown+" : allowed_context_uses doit être une liste", shown+": allowed_context_uses must be a list")
		}
	}
	if lacks := declared.lacks(MemoryTypes); len(lacks) > 0 {
		x.fail("memory.required_types_missing", types, "il manque les types "+strings.Join(lacks, ", "), "the types "+strings.Join(lacks, ", ")+" are missing")
	}
	x.memoryOS()
}

// The contract of the memory's stores, as the existing kit wants it declared.
var (
	memoryTargets = []struct{ key, want string }{
		{"hot_memory", "redis"}, {"semantic_memory", "weaviate-server"}, {"graph_projection", "neo4j"}, {"sidecar", "sqlite"},
	}
	memorySources = []string{"qdrant-local", "qdrant-server"}
	memoryGates   = []string{
		"hot_memory_ttl_declared", "semantic_write_has_evidence", "graph_projection_has_source_refs", "qdrant_migration_bundle_verified",
	}
	memoryCommands = []string{"grimoire memory gate", "grimoire memory migrate verify", "grimoire memory graph verify"}
)

func (x *file) memoryOS() {
	contract := x.top.get("memory_os")
	if !contract.isMap() {
		x.owed("memory.os_contract_missing", x.top, "la section memory_os manque", "the section memory_os is missing")
		return
	}
	target := contract.get("target")
	if !target.isMap() {
		x.owed("memory.os_target_missing", contract, "memory_os.target manque", "memory_os.target is missing")
		return
	}
	for _, t := range memoryTargets {
		if got := target.get(t.key); got.text() != t.want {
			x.owed("memory.os_"+t.key+"_target", got, "memory_os.target."+t.key+" doit être "+t.want, "memory_os.target."+t.key+" must be "+t.want)
		}
	}
	if lacks := target.get("legacy_vector_sources").set().lacks(memorySources); len(lacks) > 0 {
		x.warn("memory.os_legacy_sources_missing", target,
			"legacy_vector_sources ne nomme pas "+strings.Join(lacks, ", "), "legacy_vector_sources does not name "+strings.Join(lacks, ", "))
	}
	if lacks := contract.get("promotion_gates").set().lacks(memoryGates); len(lacks) > 0 {
		x.owed("memory.os_promotion_gates_missing", contract,
			"promotion_gates ne nomme pas "+strings.Join(lacks, ", "), "promotion_gates does not name "+strings.Join(lacks, ", "))
	}
	if lacks := contract.get("runtime_commands").set().lacks(memoryCommands); len(lacks) > 0 {
		x.warn("memory.os_runtime_commands_missing", contract,
			"runtime_commands ne nomme pas "+strings.Join(lacks, ", "), "runtime_commands does not name "+strings.Join(lacks, ", "))
	}
}

// context examines how the context of a task is put together.
func (e *examination) context() {
	x := e.yaml(pathOf("context_contract", e.v.Task))
	if x == nil {
		return
	}
	x.require("context", x.top, "inputs", "bundle_sections", "budget", "redaction", "checks")
	for _, key := range []string{"inputs", "bundle_sections", "checks"} {
		if v := x.top.get(key); len(v.list()) == 0 {
			x.fail("context."+key+"_invalid", v, key+" doit être une liste non vide", key+" must be a list that is not empty")
		}
	}
	if v := x.top.get("budget"); !v.isMap() {
		x.fail("context.budget_invalid", v, "budget doit être une table de clés", "budget must be a mapping")
	}
	if v := x.top.get("redaction"); !v.get("required").isTrue() {
		x.fail("context.redaction_required", v, "redaction.required doit être true", "redaction.required must be true")
	}
}

// decisions examines the decisions that are recorded.
func (e *examination) decisions() {
	x := e.yaml(pathOf("decision_graph", e.v.Task))
	if x == nil {
		return
	}
	if v := x.top.get("required_decision_record"); len(v.list()) == 0 {
		x.fail("decision.record_schema_missing", v, "required_decision_record est vide", "required_decision_record is empty")
	}
	types := x.top.get("decision_types")
	if len(types.list()) == 0 {
		x.fail("decision.types_missing", types, "decision_types est vide", "decision_types is empty")
		return
	}
	declared := set{}
	for _, d := range x.entries(types, "decision.type_invalid") {
		declared[d.get("id").text()] = true
		x.require("decision", d, "id", "inputs", "outputs")
	}
	if lacks := declared.lacks(DecisionTypes); len(lacks) > 0 {
		x.fail("decision.required_types_missing", types, "il manque les décisions "+strings.Join(lacks, ", "), "the decisions "+strings.Join(lacks, ", ")+" are missing")
	}
}

// rules examines the rules that checks and hooks carry out.
func (e *examination) rules() {
	x := e.yaml(pathOf("rule_packs", e.v.Task))
	if x == nil {
		return
	}
	rules := x.top.get("rules")
	if len(rules.list()) == 0 {
		x.fail("rules.none", rules, "rules est vide : aucune règle n'est déclarée", "rules is empty: no rule is declared")
		return
	}
	for _, r := range x.entries(rules, "rules.invalid") {
		x.require("rules", r, "id", "family", "source_normative", "severity", "phase", "condition", "action", "event", "remediation", "check_id")
		x.word("rules.unknown_phase", r, "phase", Phases)
		x.word("rules.unknown_action", r, "action", Actions)
	}
}

// hooks examines the register of hooks.
func (e *examination) hooks() {
	x := e.yaml(pathOf("hook_registry", e.v.Task))
	if x == nil {
		return
	}
	hooks := x.top.get("hooks")
	if len(hooks.list()) == 0 {
		x.fail("hooks.none", hooks, "hooks est vide : aucun hook n'est déclaré", "hooks is empty: no hook is declared")
		return
	}
	for _, h := range x.entries(hooks, "hooks.invalid") {
		x.require("hooks", h, "id", "phase", "action", "rule_ref", "reason")
		x.word("hooks.unknown_phase", h, "phase", Phases)
		x.word("hooks.unknown_action", h, "action", Actions)
	}
}

// word wants a key to hold one of a few words.
func (x *file) word(id string, at node, key string, words []string) {
	if v := at.get(key); !slices.Contains(words, v.text()) {
		list := strings.Join(words, ", ")
		x.fail(id, v,
			surface.Quoted(at.get("id").text())+" : "+key+" "+surface.Quoted(v.text())+" est inconnu (connus : "+list+")",
			surface.Quoted(at.get("id").text())+": "+key+" "+surface.Quoted(v.text())+" is unknown (known: "+list+")")
	}
}

// patterns examines the catalogue of ways of working.
func (e *examination) patterns() {
	x := e.yaml(pathOf("pattern_catalog", e.v.Task))
	if x == nil {
		return
	}
	categories := x.top.get("categories")
	if len(categories.list()) == 0 {
		x.fail("patterns.categories_missing", categories, "categories est vide", "categories is empty")
	}
	patterns := x.top.get("patterns")
	if len(patterns.list()) == 0 {
		x.fail("patterns.none", patterns, "patterns est vide : aucun motif n'est déclaré", "patterns is empty: no pattern is declared")
		return
	}
	known := categories.set()
	for _, p := range x.entries(patterns, "patterns.invalid") {
		x.require("patterns", p, "id", "category", "maturity", "source_normative", "intent", "required_artifacts", "check_refs")
		if c := p.get("category"); len(known) > 0 && !known[c.text()] {
			x.fail("patterns.unknown_category", c, surface.Quoted(c.text())+" n'est pas dans categories", surface.Quoted(c.text())+" is not in categories")
		}
		if v := p.get("required_artifacts"); !v.isList() {
			x.fail("patterns.required_artifacts_invalid", v, "required_artifacts doit être une liste", "required_artifacts must be a list")
		}
	}
}

// exceptions examines what the team lives with for a while.
func (e *examination) exceptions() {
	for _, list := range []struct{ artifact, key string }{
		{"accepted_risks", "risks"}, {"waivers", "waivers"}, {"remediation_plan", "actions"},
	} {
		if x := e.yaml(pathOf(list.artifact, e.v.Task)); x != nil && !x.top.get(list.key).isList() {
			x.fail(list.key+".invalid", x.top, list.key+" doit être une liste", list.key+" must be a list")
		}
	}
}

// observability examines what may be shown of the work.
func (e *examination) observability() {
	x := e.yaml(pathOf("observability_policy", e.v.Task))
	if x == nil {
		return
	}
	if v := x.top.get("declared_inputs"); !v.isEmpty() && !v.isList() {
		x.warn("observability.inputs_invalid", v, "declared_inputs doit être une liste", "declared_inputs must be a list")
	}
}
