package standard_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/governance/policy"
	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/surface"
)

const (
	dir       = standard.Dir + "/"
	evidence  = standard.EvidenceDir + "/bootstrap/"
	providers = dir + "llm-provider-registry.yaml"
	knowledge = dir + "knowledge-source-registry.yaml"
	memory    = dir + "memory-policy.yaml"
	context   = dir + "context-contract.yaml"
	decisions = dir + "decision-graph.yaml"
	rules     = dir + "rule-packs.yaml"
	hooks     = dir + "hook-registry.yaml"
	roles     = dir + "orchestration-policy.yaml"
	gates     = dir + "evidence-gates.yaml"
	patterns  = dir + "pattern-catalog.yaml"
	score     = dir + "compliance-score.yaml"
	brief     = dir + "mission-brief.md"
	declared  = dir + "compliance-declaration.md"
	envelope  = evidence + "task-envelope.md"
)

// faults are edits of a new production project, each with the check that must
// find it. An old of "" replaces the whole file.
var faults = []struct {
	id, path, old, new string
}{
	{"yaml.invalid", gates, "", "a: [\n"},
	{"artifact.unreadable", brief, "", "folder"},
	{"manifest.profile_mismatch", standard.ProfileFile, "profile: production", "profile: paper"},
	{"manifest.project_missing", standard.ProfileFile, "project: 'demo'", "project:"},
	{"manifest.task_id_mismatch", standard.ProfileFile, "task_id: 'bootstrap'", "task_id: other"},
	{"manifest.required_artifacts_mismatch", standard.ProfileFile, "  - waivers\n", ""},
	{"manifest.selection_invalid", standard.SelectionFile, "", "needs: web-ui\n"},
	{"manifest.selection_unknown", standard.SelectionFile, "", "needs: [flying]\n"},
	{"manifest.pattern_missing", dir + "merge-lane.yaml", "", "folder"},
	{"mission.project_missing", brief, "- Project: demo", "- Project:"},
	{"mission.profile_missing", brief, "`production`", "`paper`"},
	{"mission.upstream_missing", brief, "norme-structure-agentique", "x"},
	{"providers.none", providers, "", "providers: []\n"},
	{"providers.invalid_entry", providers, "", "providers: [x]\n"},
	{"providers.id_missing", providers, "id: openai", "name: openai"},
	{"providers.enabled_not_bool", providers, "enabled: false", "enabled: \"no\""},
	{"providers.capabilities_missing", providers, "enabled: false\n    provider_type: hosted\n    allowed_capabilities: [chat, code, review]", "enabled: true\n    provider_type: hosted"},
	{"providers.models_missing", providers, "enabled: false", "enabled: true"},
	{"providers.data_policy_missing", providers, "", "providers: [{id: a, enabled: true}]\n"},
	{"providers.hosted_forbidden_missing", providers, "", "providers: [{id: a, enabled: true, provider_type: hosted, data_policy: {}}]\n"},
	{"providers.unknown_fallback", providers, "fallback_order: []", "fallback_order: [nobody]"},
	{"providers.currency_invalid", providers, "fallback_order: []", "currency: gold"},
	{"providers.model_tier_invalid", providers, "fallback_order: []", "models: [{id: m, tier: huge}]"},
	{"providers.routing_missing", providers, "", "providers: [{id: a, enabled: false}]\n"},
	{"providers.default_unknown", providers, "", "providers: [{id: a, enabled: true}]\nrouting: {default_provider: b}\n"},
	{"providers.default_not_enabled", providers, "", "providers: [{id: a, enabled: true}, {id: b, enabled: false}]\nrouting: {default_provider: b}\n"},
	{"providers.default_not_enabled", providers, "", "providers: [{id: b, enabled: false}]\nrouting: {default_provider: b}\n"},
	{"providers.routing_unknown_fallback", providers, "default_fallback_chain: []", "default_fallback_chain: [nobody]"},
	{"providers.routing_policy_weak", providers, "require_data_policy_match: true", "require_data_policy_match: false"},
	{"providers.none_enabled", providers, "default_models", "default_models"},
	{"knowledge.rules_missing", knowledge, "rules:", "ruled:"},
	{"knowledge.knowledge_is_not_memory", knowledge, "knowledge_is_not_memory: true", "knowledge_is_not_memory: false"},
	{"knowledge.sources_missing", knowledge, "sources:", "sourced:"},
	{"knowledge.invalid_source", knowledge, "sources:\n", "sources:\n  - x\n"},
	{"knowledge.locator_missing", knowledge, "locator: \"_grimoire/standard\"", "locator:"},
	{"knowledge.locator_outside_root", knowledge, "locator: \"_grimoire/standard\"", "locator: ../other"},
	{"knowledge.locator_not_found", knowledge, "locator: \"_grimoire/standard\"", "locator: docs"},
	{"knowledge.trust_missing", knowledge, "trust:", "trusted:"},
	{"knowledge.trust_level_missing", knowledge, "level: authoritative", "level:"},
	{"knowledge.truth_low_trust", knowledge, "level: authoritative", "level: low"},
	{"knowledge.no_real_source", knowledge, "id: standard", "name: standard"},
	{"knowledge.index_manifest_outside_root", knowledge, "index_manifest: planned", "index_manifest: /etc/passwd"},
	{"knowledge.index_manifest_missing", knowledge, "index_manifest: planned", "index_manifest: index.yaml"},
	{"task.state_placeholder", envelope, "`intake`", "`intake | planned | executing | validating | blocked | done`"},
	{"task.context_placeholder", envelope, "| mission |", "|  |  |  |  |  |\n| mission |"},
	{"task.tool_boundary_placeholder", envelope, "| edit |", "|  | read-only |  |  |\n| edit |"},
	{"task.pending_gate", envelope, "- [ ] the work", "| x | Pending |\n- [ ] the work"},
	{"evidence.pending_gate", evidence + "evidence-pack.md", "## Deviations", "Pending\n## Deviations"},
	{"evidence.summary_placeholder", evidence + "evidence-pack.md", "- Outcome:", "- Outcome:"},
	{"evidence.inventory_placeholder", evidence + "evidence-pack.md", "- Outcome:", "- Outcome:"},
	{"compliance.unknown_status", declared, "unknown", "unknown"},
	{"compliance.owner_missing", declared, "- Declaration owner:", "- Declaration owner:"},
	{"profile.slo_missing", declared, "| slo |", "| goals |"},
	{"policies.invalid", policy.File, "", "rules: [{id: a}]\n"},
	{"providers.provider_type_invalid", standard.Dir + "/llm-provider-registry.yaml", "provider_type: hosted", "provider_type: null"},
	{"providers.data_classes_invalid", standard.Dir + "/llm-provider-registry.yaml", "allowed_data_classes: ", "allowed_data_classes: zzz\n      other: "},
	{"gates.strictness_invalid", gates, "profile_strictness:", "profile_strictness: ~\nother:"},
	{"capacity.version_invalid", standard.CapacityFile, "", "version: 2\n"},
	{"capacity.wip_invalid", standard.CapacityFile, "", "version: 1\nwip: {limit_global: none}\n"},
	{"capacity.aging_invalid", standard.CapacityFile, "", "version: 1\nqueue: {aging_hours: often}\n"},
	{"board.states_incomplete", standard.BoardFile, "archived]", "gone]"},
	{"board.tasks_missing", standard.BoardFile, "tasks:\n", "cards:\n"},
	{"board.no_tasks", standard.BoardFile, "", "states: []\ntasks: []\n"},
	{"board.task_invalid", standard.BoardFile, "", "tasks: [x]\n"},
	{"board.task.title_missing", standard.BoardFile, "title:", "name:"},
	{"board.task_id_invalid", standard.BoardFile, "task_id: bootstrap", "task_id: ../x"},
	{"board.task_id_duplicate", standard.BoardFile, "", "states: []\ntasks: [{task_id: a}, {task_id: A}]\n"},
	{"board.status_invalid", standard.BoardFile, "status: proposed", "status: done"},
	{"board.blocker_reason_missing", standard.BoardFile, "status: proposed", "status: blocked"},
	{"board.decision_trace_missing", standard.BoardFile, "status: proposed\n    priority: medium\n    owner: \"project-maintainer\"\n    agent_roles: [operation]\n    acceptance_criteria:\n      - \"The standard artifacts are generated and verified.\"\n    blockers: []\n    context_bundle_ref: \"_grimoire-output/context/bootstrap/context-bundle.yaml\"\n    decision_trace_ref:", "status: accepted\n    acceptance_criteria: [x]\n    other:"},
	{"board.worktree_temporary", standard.BoardFile, "status: proposed", "status: proposed\n    worktree: /tmp/../var/tmp/wt"},
	{"board.evidence_pack_ref_outside_root", standard.BoardFile, "evidence_pack_ref: \"", "evidence_pack_ref: \"../"},
	{"memory.types_missing", memory, "memory_types:", "memories:"},
	{"memory.type_invalid", memory, "memory_types:\n", "memory_types:\n  - x\n"},
	{"memory.scope_missing", memory, "scope: session", "scope:"},
	{"memory.provider_compatibility_invalid", memory, "provider_compatibility: [all]", "provider_compatibility: all"},
	{"memory.context_uses_invalid", memory, "allowed_context_uses: [recall]", "allowed_context_uses: recall"},
	{"memory.required_types_missing", memory, "type: episodic", "type: fleeting"},
	{"memory.os_contract_missing", memory, "memory_os:", "memory_system:"},
	{"memory.os_target_missing", memory, "  target:", "  aim:"},
	{"memory.os_hot_memory_target", memory, "hot_memory: redis", "hot_memory: paper"},
	{"memory.os_legacy_sources_missing", memory, "qdrant-local, ", ""},
	{"memory.os_promotion_gates_missing", memory, "    - hot_memory_ttl_declared\n", ""},
	{"memory.os_runtime_commands_missing", memory, "    - grimoire memory gate\n", ""},
	{"context.checks_missing", context, "checks:", "checked:"},
	{"context.inputs_invalid", context, "inputs: [", "inputs: []\nx: ["},
	{"context.budget_invalid", context, "budget:\n  max_tokens: 12000\n  max_memory_items: 8", "budget: 8"},
	{"context.redaction_required", context, "  required: true", "  required: false"},
	{"decision.record_schema_missing", decisions, "required_decision_record:", "record:"},
	{"decision.types_missing", decisions, "decision_types:", "types:"},
	{"decision.type_invalid", decisions, "decision_types:\n", "decision_types:\n  - x\n"},
	{"decision.outputs_missing", decisions, ", outputs: [priority]", ""},
	{"decision.required_types_missing", decisions, "id: memory_injection", "id: other"},
	{"rules.none", rules, "rules:", "ruled:"},
	{"rules.invalid", rules, "rules:\n", "rules:\n  - x\n"},
	{"rules.severity_missing", rules, "    severity: error\n", ""},
	{"rules.unknown_phase", rules, "phase: pre_tool_call", "phase: sometimes"},
	{"rules.unknown_action", rules, "action: redact", "action: shrug"},
	{"hooks.none", hooks, "hooks:", "hooked:"},
	{"hooks.invalid", hooks, "hooks:\n", "hooks:\n  - x\n"},
	{"hooks.rule_ref_missing", hooks, "rule_ref: no-destructive-call, ", ""},
	{"hooks.unknown_phase", hooks, "phase: pre_tool_call", "phase: sometimes"},
	{"hooks.unknown_action", hooks, "action: redact", "action: shrug"},
	{"orchestration.roles_missing", roles, "roles:", "people:"},
	{"orchestration.role_invalid", roles, "roles:\n", "roles:\n  - x\n"},
	{"orchestration.role.autonomy_level_missing", roles, "autonomy_level: suggest ", "autonomy: suggest "},
	{"gates.transitions_missing", gates, "transitions:", "moves:"},
	{"gates.transition_invalid", gates, "transitions:\n", "transitions:\n  - x\n"},
	{"gates.transition.id_missing", gates, "id: proposed_to_ready", "name: x"},
	{"gates.unknown_state", gates, "from: review", "from: limbo"},
	{"gates.required_evidence_missing", gates, "[review_gate, evidence_gate, observed_check]", "[]"},
	{"gates.unknown_evidence", gates, "[review_gate, evidence_gate, observed_check]", "[blessing]"},
	{"gates.second_document", gates, "transitions:", "transitions: []\n---\ntransitions:"},
	{"gates.key_twice", gates, "transitions:", "states: []\ntransitions:"},
	{"gates.transition_absent", gates, "from: accepted\n    to: released", "from: ready\n    to: released"},
	{"gates.checks_invalid", gates, "transitions:", "checks: make\ntransitions:"},
	{"gates.unknown_strictness", gates, "governed: hard_fail", "governed: soft"},
	{"patterns.categories_missing", patterns, "categories: [workflow, safety, context]", "categories: []"},
	{"patterns.none", patterns, "patterns:", "patterned:"},
	{"patterns.invalid", patterns, "patterns:\n", "patterns:\n  - x\n"},
	{"patterns.maturity_missing", patterns, "    maturity: adopted\n", ""},
	{"patterns.unknown_category", patterns, "category: safety", "category: style"},
	{"patterns.required_artifacts_invalid", patterns, "required_artifacts: [task_envelope, orchestration_policy]", "required_artifacts: task_envelope"},
	{"score.dimensions_missing", score, "", "thresholds: {starter: {fail_below: 1}}\n"},
	{"score.weight_invalid", score, "artifacts: 10", "artifacts: -10"},
	{"score.threshold_invalid", score, "production: {warn_below: 98, fail_below: 95}", "production: {warn_below: 98, fail_below: -1}"},
	{"risks.invalid", dir + "accepted-risks.yaml", "risks: []", "risks: none"},
	{"waivers.invalid", dir + "waivers.yaml", "waivers: []", "waivers: none"},
	{"actions.invalid", dir + "remediation-plan.yaml", "actions: []", "actions: none"},
	{"observability.inputs_invalid", dir + "observability-policy.yaml", "", "declared_inputs: all\n"},
	{"journal.empty", standard.JournalFile, "", "\n"},
	{"journal.invalid_line", standard.JournalFile, "", "{\"event_type\":\"a\"}\n"},
	{"journal.unreadable", standard.JournalFile, "", "folder"},
}

// whole are the faults that no line shows: what is missing is.
var whole = []string{"artifact.unreadable", "manifest.pattern_missing", "mission.upstream_missing", "knowledge.sources_missing", "profile.slo_missing",
	"board.tasks_missing", "memory.types_missing", "decision.record_schema_missing", "decision.types_missing", "rules.none", "hooks.none",
	"orchestration.roles_missing", "gates.transition_absent", "patterns.none", "score.dimensions_missing", "journal.empty", "journal.unreadable"}

// Each fault is found by its check, in its file and on a line of it.
func TestChecks(t *testing.T) {
	base := enrolled(t, surface.ProfileProduction, surface.English)
	for _, tt := range faults {
		t.Run(tt.id, func(t *testing.T) {
			root := t.TempDir()
			if err := os.CopyFS(root, os.DirFS(base)); err != nil {
				t.Fatal(err)
			}
			if tt.id == "manifest.pattern_missing" { // the path is where the check is; the fault is in another kit's record
				put(t, root, standard.SelectionFile, "$schema: other/v1\npatterns: [merge-lane]\n")
			} else {
				damage(t, root, tt.path, tt.old, tt.new)
			}
			s := open(t, root).Score(standard.Options{Profile: surface.ProfileProduction})
			checks := slices.Concat(s.Verification.Checks, s.Journal)
			at := slices.IndexFunc(checks, func(c standard.Check) bool { return c.ID == tt.id })
			if at < 0 {
				t.Fatalf("not found among %v", checks)
			}
			if c := checks[at]; c.Path != tt.path || c.Text.FR == "" || c.Text.EN == "" {
				t.Errorf("check %+v, want one of %s", c, tt.path)
			} else if (c.Line == 0) != slices.Contains(whole, c.ID) {
				t.Errorf("%s is on line %d", c.ID, c.Line)
			}
		})
	}
}

// Some checks weigh what the profile makes of them; "" is one that is not made.
func TestSeverityByProfile(t *testing.T) {
	for id, want := range map[string][5]standard.Severity{
		"task.state_placeholder":               {"warning", "warning", "warning", "error", "error"},
		"task.context_placeholder":             {"warning", "warning", "warning", "error", "error"},
		"task.tool_boundary_placeholder":       {"warning", "warning", "warning", "error", "error"},
		"task.pending_gate":                    {"", "", "", "error", "error"},
		"evidence.pending_gate":                {"warning", "warning", "warning", "warning", "warning"},
		"memory.os_contract_missing":           {"", "", "warning", "error", "error"},
		"memory.os_target_missing":             {"", "", "warning", "error", "error"},
		"memory.os_hot_memory_target":          {"", "", "warning", "error", "error"},
		"memory.os_promotion_gates_missing":    {"", "", "warning", "error", "error"},
		"memory.os_runtime_commands_missing":   {"", "", "warning", "warning", "warning"},
		"board.decision_trace_missing":         {"", "", "", "error", "error"},
		"providers.none_enabled":               {"", "warning", "warning", "warning", "warning"},
		"knowledge.no_real_source":             {"", "", "warning", "warning", "warning"},
		"manifest.required_artifacts_mismatch": {"", "", "", "warning", "warning"}, // the fault takes waivers away
	} {
		at := slices.IndexFunc(faults, func(f struct{ id, path, old, new string }) bool { return f.id == id })
		fault := faults[at]
		for i, profile := range surface.Profiles {
			root := enrolled(t, profile, surface.English)
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(fault.path))); err != nil {
				continue // the profile has no such file
			}
			if id == "manifest.required_artifacts_mismatch" && want[i] == "" {
				continue
			}
			damage(t, root, fault.path, fault.old, fault.new)
			var got standard.Severity
			for _, c := range open(t, root).Verify(standard.Options{}).Checks {
				if c.ID == id {
					got = c.Severity
				}
			}
			if got != want[i] {
				t.Errorf("%s, %s: %q, want %q", id, profile, got, want[i])
			}
		}
	}
}

// damage edits a file of the project.
func damage(t *testing.T, root, path, old, new string) {
	t.Helper()
	file := filepath.Join(root, filepath.FromSlash(path))
	if old == "" && new == "folder" {
		if err := os.RemoveAll(file); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(file, 0o755); err != nil {
			t.Fatal(err)
		}
		return
	}
	if old == "" {
		put(t, root, path, new)
		return
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	// Comments are for people; an edit does not depend on them.
	text = regexp.MustCompile(`(?m)   # .*$`).ReplaceAllString(text, "")
	old, new = strings.TrimRight(old, " "), strings.TrimRight(new, " ")
	if !strings.Contains(text, old) {
		t.Fatalf("%s does not hold %q:\n%s", path, old, text)
	}
	put(t, root, path, strings.Replace(text, old, new, 1))
}

// Every check that the code can report is provoked above, up to the key that
// some name, and counts in a dimension of the score.
func TestEveryCheckIsProvokedAndCounts(t *testing.T) {
	provoked := func(id string) bool {
		return slices.ContainsFunc(faults, func(f struct{ id, path, old, new string }) bool { return strings.HasPrefix(f.id, id) })
	}
	byGate := []string{"gate.", "gate.task_not_on_board", "gate.no_task_to_evaluate",
		"acceptance.no_tests_collected", "acceptance.test_run_failed"} // gate_test.go
	for _, id := range reported(t) {
		if !slices.Contains(byGate, id) && !provoked(id) {
			t.Errorf("%s is provoked by no test", id)
		}
		if !standard.Counts(id) {
			t.Errorf("%s counts in no dimension of the score", id)
		}
	}
}

// reported reads the ids of checks off the code: the first literal of each
// call that reports one.
func reported(t *testing.T) []string {
	t.Helper()
	sources, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	// Where the id stands among the arguments; require is given a family.
	at := map[string]int{"fail": 0, "warn": 0, "note": 0, "owed": 0, "word": 0, "unknown": 0, "require": 0, "entries": 1}
	var ids []string
	for _, name := range sources {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				method, ok := n.Fun.(*ast.SelectorExpr)
				if !ok {
					break
				}
				i, reports := at[method.Sel.Name]
				if !reports || len(n.Args) <= i {
					break
				}
				if id := literal(n.Args[i]); id != "" && method.Sel.Name == "require" {
					ids = append(ids, id+".")
				} else if id != "" {
					ids = append(ids, id)
				}
			case *ast.KeyValueExpr:
				if key, ok := n.Key.(*ast.Ident); ok && key.Name == "ID" {
					if id := literal(n.Value); id != "" {
						ids = append(ids, id)
					}
				}
			}
			return true
		})
	}
	if len(ids) < 90 {
		t.Fatalf("only %d ids were read off the code", len(ids))
	}
	return ids
}

func literal(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		s, _ := strconv.Unquote(e.Value)
		return s
	case *ast.BinaryExpr:
		return literal(e.X)
	}
	return ""
}
