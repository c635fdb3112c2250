package policy

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/surface"
)

// seedFile is the example of the user's own documentation.
const seedFile = `rules:
  - id: rm-requires-approval
    description: "rm/rf demande une confirmation, une fois par session"
    action_kinds: []
    mutation_classes: []
    risk_profiles: []
    verdict_on_match: warn
    reason_template: "Suppression demandant une approbation explicite"
    tool_pattern: "Bash(rm:*)"
    require_approval: true
    cooldown_after: {pattern: "Bash(rm:*)", count: 5, minutes: 10}
  - id: session-write-budget
    description: "Pas plus de 50 écritures par session, alerte au-delà"
    action_kinds: []
    mutation_classes: []
    risk_profiles: []
    verdict_on_match: warn   # jamais "block" sans tool_pattern
    reason_template: "Budget d'écritures de session dépassé"
    per_session: {max_writes: 50, max_tool_calls: 200, max_cost_usd: 2.0, max_duration_min: 60}
`

func mustParse(t testing.TB, text string) *Rules {
	t.Helper()
	r, err := Parse([]byte(text))
	if err != nil {
		t.Fatalf("Parse: %v", err)
	}
	return r
}

func TestLoadSeedExample(t *testing.T) {
	root := t.TempDir()
	if r, err := Load(root); err != nil || len(r.All()) != 0 || r.HasTemporal() {
		t.Fatalf("missing file: got %v, %v; want no rules", r, err)
	}
	path := filepath.Join(root, filepath.FromSlash(File))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(seedFile), 0o644); err != nil {
		t.Fatal(err)
	}
	r, err := Load(root)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.All()) != 2 || !r.HasTemporal() {
		t.Fatalf("got %d rules, temporal %v; want 2, true", len(r.All()), r.HasTemporal())
	}
	rm, _ := r.Find("rm-requires-approval")
	if !rm.RequireApproval || rm.Cooldown.Count != 5 || rm.Cooldown.Minutes != 10 || rm.Budget != nil ||
		rm.Pattern.String() != "Bash(rm:*)" || rm.Verdict != Warn || rm.Line != 2 {
		t.Errorf("rm-requires-approval: %+v", rm)
	}
	budget, _ := r.Find("session-write-budget")
	if *budget.Budget.MaxWrites != 50 || *budget.Budget.MaxToolCalls != 200 ||
		*budget.Budget.MaxCostUSD != 2 || *budget.Budget.MaxDurationMin != 60 || !budget.Pattern.All() {
		t.Errorf("session-write-budget: %+v", budget)
	}
}

func TestLoadRefusesWhatIsNotAFile(t *testing.T) {
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, filepath.FromSlash(File)), 0o755); err != nil {
		t.Fatal(err)
	}
	var named *Error
	if r, err := Load(root); r == nil || !errors.As(err, &named) || named.Code != CodeInvalid {
		t.Fatalf("got %v, %v; want a named error", r, err)
	}
}

func TestParseErrors(t *testing.T) {
	const ok = "  - {id: kept, verdict_on_match: block}\n"
	tests := []struct {
		name, text string
		code       string
		line       int
		rule, key  string
		expected   string // part of the English text
	}{
		{"syntax", "rules: [", CodeInvalid, 1, "", "", "valid YAML"},
		{"tab", "rules:\n\t- id: a\n", CodeInvalid, 2, "", "", "valid YAML"},
		{"top is a list", "- id: a\n", CodeInvalid, 1, "", "", "a mapping"},
		{"top is a text", "rules\n", CodeInvalid, 1, "", "", "a mapping"},
		{"unknown top key", "rule:\n" + ok, CodeInvalid, 1, "", "rule", "a known key: rules"},
		{"rules is a mapping", "rules: {id: a}\n", CodeInvalid, 1, "", "rules", "a list of rules"},
		{"entry is a text", "rules:\n" + ok + "  - hello\n", CodeInvalid, 3, "", "", "a mapping"},
		{"two documents", "rules:\n" + ok + "---\nrules: []\n", CodeInvalid, 3, "", "", "a single YAML document"},
		{"unknown key", "rules:\n" + ok + "  - id: x\n    verdict_on_match: warn\n    tool_patern: Bash\n", CodeInvalid, 5, "x", "tool_patern", "a known key"},
		{"unknown budget key", "rules:\n" + ok + "  - id: x\n    verdict_on_match: warn\n    per_session:\n      max_call: 3\n", CodeInvalid, 6, "x", "per_session.max_call", "max_tool_calls"},
		{"unknown cooldown key", "rules:\n" + ok + "  - id: x\n    verdict_on_match: warn\n    cooldown_after: {pattern: Bash, count: 1, minutes: 1, seconds: 2}\n", CodeInvalid, 5, "x", "cooldown_after.seconds", "a known key"},
		{"merge key", "rules:\n" + ok + "  - id: x\n    verdict_on_match: warn\n    <<: {}\n", CodeInvalid, 5, "x", "<<", "a known key"},
		{"key twice", "rules:\n" + ok + "  - id: x\n    verdict_on_match: warn\n    verdict_on_match: block\n", CodeInvalid, 5, "x", "verdict_on_match", "stands once"},
		{"no id", "rules:\n" + ok + "  - verdict_on_match: warn\n", CodeInvalid, 3, "", "id", "required"},
		{"empty id", "rules:\n" + ok + "  - {id: '', verdict_on_match: warn}\n", CodeInvalid, 3, "", "id", "not empty"},
		{"id on two lines", "rules:\n" + ok + "  - {id: \"a\\nb\", verdict_on_match: warn}\n", CodeInvalid, 3, "a\nb", "id", "one line"},
		{"id twice", "rules:\n" + ok + "  - {id: kept, verdict_on_match: warn}\n", CodeInvalid, 3, "kept", "id", "taken at line 2"},
		{"built-in id", "rules:\n" + ok + "  - {id: secret-access-always-block, verdict_on_match: allow}\n", CodeInvalid, 3, "secret-access-always-block", "id", "built-in"},
		{"no verdict", "rules:\n" + ok + "  - id: x\n", CodeInvalid, 3, "x", "verdict_on_match", "required"},
		{"bad verdict", "rules:\n" + ok + "  - {id: x, verdict_on_match: deny}\n", CodeInvalid, 3, "x", "verdict_on_match", "allow, warn, block"},
		{"bad kind", "rules:\n" + ok + "  - {id: x, verdict_on_match: warn, action_kinds: [write]}\n", CodeInvalid, 3, "x", "action_kinds", "file_write"},
		{"kinds not a list", "rules:\n" + ok + "  - {id: x, verdict_on_match: warn, action_kinds: file_write}\n", CodeInvalid, 3, "x", "action_kinds", "a list"},
		{"bad class", "rules:\n" + ok + "  - {id: x, verdict_on_match: warn, mutation_classes: [write]}\n", CodeInvalid, 3, "x", "mutation_classes", "destructive"},
		{"bad risk", "rules:\n" + ok + "  - {id: x, verdict_on_match: warn, risk_profiles: [production]}\n", CodeInvalid, 3, "x", "risk_profiles", "strict"},
		{"pattern not closed", "rules:\n" + ok + "  - {id: x, verdict_on_match: warn, tool_pattern: 'Bash(rm:*'}\n", CodeInvalid, 3, "x", "tool_pattern", "Tool(body)"},
		{"pattern is a list", "rules:\n" + ok + "  - {id: x, verdict_on_match: warn, tool_pattern: [Bash]}\n", CodeInvalid, 3, "x", "tool_pattern", "Tool(body)"},
		{"approval not a flag", "rules:\n" + ok + "  - {id: x, verdict_on_match: warn, require_approval: 3}\n", CodeInvalid, 3, "x", "require_approval", "true or false"},
		{"calls not a number", "rules:\n" + ok + "  - {id: x, verdict_on_match: warn, per_session: {max_tool_calls: many}}\n", CodeInvalid, 3, "x", "per_session.max_tool_calls", "a whole number"},
		{"calls not whole", "rules:\n" + ok + "  - {id: x, verdict_on_match: warn, per_session: {max_tool_calls: 1.5}}\n", CodeInvalid, 3, "x", "per_session.max_tool_calls", "a whole number"},
		{"calls quoted", "rules:\n" + ok + "  - {id: x, verdict_on_match: warn, per_session: {max_tool_calls: '3'}}\n", CodeInvalid, 3, "x", "per_session.max_tool_calls", "a whole number"},
		{"writes negative", "rules:\n" + ok + "  - {id: x, verdict_on_match: warn, per_session: {max_writes: -1}}\n", CodeInvalid, 3, "x", "per_session.max_writes", "a whole number"},
		{"cost infinite", "rules:\n" + ok + "  - {id: x, verdict_on_match: warn, per_session: {max_cost_usd: .inf}}\n", CodeInvalid, 3, "x", "per_session.max_cost_usd", "a number"},
		{"cost estimate negative", "rules:\n" + ok + "  - {id: x, verdict_on_match: warn, estimated_cost_usd: -0.1}\n", CodeInvalid, 3, "x", "estimated_cost_usd", "a number"},
		{"budget not a mapping", "rules:\n" + ok + "  - {id: x, verdict_on_match: warn, per_session: 3}\n", CodeInvalid, 3, "x", "per_session", "a mapping"},
		{"separate", "rules:\n" + ok + "  - {id: x, verdict_on_match: warn, per_session: {subagents: separate}}\n", CodeSeparate, 3, "x", "per_session.subagents", "shared"},
		{"isolated", "rules:\n" + ok + "  - {id: x, verdict_on_match: warn, per_session: {subagents: isolated}}\n", CodeInvalid, 3, "x", "per_session.subagents", "shared"},
		{"cooldown without pattern", "rules:\n" + ok + "  - {id: x, verdict_on_match: warn, cooldown_after: {count: 1, minutes: 1}}\n", CodeInvalid, 3, "x", "cooldown_after.pattern", "required"},
		{"cooldown without minutes", "rules:\n" + ok + "  - {id: x, verdict_on_match: warn, cooldown_after: {pattern: Bash, count: 1}}\n", CodeInvalid, 3, "x", "cooldown_after.minutes", "required"},
		{"cooldown count zero", "rules:\n" + ok + "  - {id: x, verdict_on_match: warn, cooldown_after: {pattern: Bash, count: 0, minutes: 1}}\n", CodeInvalid, 3, "x", "cooldown_after.count", "from 1"},
		{"cooldown count too large", "rules:\n" + ok + "  - {id: x, verdict_on_match: warn, cooldown_after: {pattern: Bash, count: 1001, minutes: 1}}\n", CodeInvalid, 3, "x", "cooldown_after.count", "1000"},
		{"cooldown no time", "rules:\n" + ok + "  - {id: x, verdict_on_match: warn, cooldown_after: {pattern: Bash, count: 1, minutes: 0}}\n", CodeInvalid, 3, "x", "cooldown_after.minutes", "more than 0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rules, err := Parse([]byte(tt.text))
			var all Errors
			if !errors.As(err, &all) {
				t.Fatalf("got %v; want Errors", err)
			}
			if len(all) != 1 {
				t.Fatalf("got %d errors; want one:\n%v", len(all), err)
			}
			e := all[0]
			if e.Code != tt.code || e.File != File || e.Line != tt.line || e.Rule != tt.rule || e.Key != tt.key ||
				!strings.Contains(e.Expected.EN, tt.expected) {
				t.Errorf("got %q (line %d, rule %q, key %q)", e.Error(), e.Line, e.Rule, e.Key)
			}
			if e.Expected.FR == "" || e.Text().FR == e.Text().EN {
				t.Errorf("no French text: %q", e.Text().FR)
			}
			if strings.Contains(tt.text, "kept") && tt.name != "syntax" && tt.key != "rule" {
				if _, ok := rules.Find("kept"); !ok {
					t.Error("the rule that is right was dropped with the one that is wrong")
				}
			}
		})
	}
}

func TestParseAccepts(t *testing.T) {
	tests := []struct {
		name, text string
		rules      int
		temporal   bool
	}{
		{"empty", "", 0, false},
		{"only a comment", "# nothing\n", 0, false},
		{"null rules", "rules:\n", 0, false},
		{"BOM and CRLF", "\ufeffrules:\r\n  - id: a\r\n    verdict_on_match: warn\r\n", 1, false},
		{"old rule without new keys", "rules: [{id: a, description: d, action_kinds: [network], mutation_classes: null, risk_profiles: [], verdict_on_match: block, reason_template: r}]", 1, false},
		{"empty budget", "rules: [{id: a, verdict_on_match: warn, per_session: {}, cooldown_after: {}}]", 1, false},
		{"null budget", "rules: [{id: a, verdict_on_match: warn, per_session: null, require_approval: false}]", 1, false},
		{"only shared", "rules: [{id: a, verdict_on_match: warn, per_session: {subagents: shared}}]", 1, true},
		{"approval", "rules: [{id: a, verdict_on_match: warn, require_approval: yes}]", 1, true},
		{"anchors", "rules:\n  - {id: a, verdict_on_match: warn, per_session: &b {max_writes: 1}}\n  - {id: c, verdict_on_match: warn, per_session: *b}\n", 2, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := Parse([]byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			if len(r.All()) != tt.rules || r.HasTemporal() != tt.temporal {
				t.Errorf("got %d rules, temporal %v", len(r.All()), r.HasTemporal())
			}
		})
	}
}

func TestFamilies(t *testing.T) {
	rule := func(rest string) string { return "{id: a, verdict_on_match: warn, " + rest + "}" }
	all := surface.ToolFamilies
	tests := []struct {
		rule string
		want []surface.ToolFamily
	}{
		{rule("require_approval: true"), all},
		{rule("per_session: {max_tool_calls: 3}"), all},
		{rule("tool_pattern: 'Bash(rm:*)', require_approval: true"), []surface.ToolFamily{surface.FamilyExecute}},
		{rule("tool_pattern: 'run_in_terminal', require_approval: true"), []surface.ToolFamily{surface.FamilyExecute}},
		{rule("tool_pattern: Write, require_approval: true"), []surface.ToolFamily{surface.FamilyWrite}},
		{rule("tool_pattern: 'Edit(_grimoire/*)', require_approval: true"), []surface.ToolFamily{surface.FamilyWrite}},
		{rule("tool_pattern: Read, require_approval: true"), []surface.ToolFamily{surface.FamilyRead}},
		{rule("tool_pattern: WebFetch, require_approval: true"), []surface.ToolFamily{surface.FamilyNetwork}},
		{rule("tool_pattern: Task, require_approval: true"), []surface.ToolFamily{surface.FamilyDelegation}},
		{rule("tool_pattern: 'mcp__*', require_approval: true"), []surface.ToolFamily{surface.FamilyMCP}},
		{rule("tool_pattern: 'mcp__lab__touch', require_approval: true"), []surface.ToolFamily{surface.FamilyMCP}},
		{rule("tool_pattern: TodoWrite, require_approval: true"), []surface.ToolFamily{surface.FamilyOther}},
		{rule("tool_pattern: Zork, require_approval: true"), all},
		{rule("tool_pattern: 'B*', require_approval: true"), all},
		{rule("action_kinds: [network]"), []surface.ToolFamily{surface.FamilyNetwork}},
		{rule("action_kinds: [file_write]"), []surface.ToolFamily{surface.FamilyWrite}},
		{rule("action_kinds: [tool_use]"), all},
		{rule("action_kinds: [task_close]"), nil},
		{rule("mutation_classes: [destructive]"), []surface.ToolFamily{surface.FamilyExecute, surface.FamilyWrite}},
		{rule("mutation_classes: [read_only]"), all},
		{rule("description: everything that changes"), []surface.ToolFamily{surface.FamilyExecute, surface.FamilyWrite}},
	}
	for _, tt := range tests {
		r := mustParse(t, "rules: ["+tt.rule+"]")
		if got := r.Families(); !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %v, want %v", tt.rule, got, tt.want)
		}
	}
	if got := (&Rules{}).Families(); len(got) != 0 {
		t.Errorf("no rules: got %v", got)
	}
}

func TestCannotFire(t *testing.T) {
	r := mustParse(t, seedFile+"  - {id: close, verdict_on_match: warn, action_kinds: [task_close]}\n")
	tests := []struct {
		name     string
		events   []surface.HookEvent
		blocking bool
		rules    []string
		word     string
	}{
		{"everything", []surface.HookEvent{surface.PreToolUse, surface.PostToolUse}, true, nil, ""},
		{"no pre", []surface.HookEvent{surface.PostToolUse}, true, []string{"rm-requires-approval", "session-write-budget"}, "never evaluated"},
		{"no post", []surface.HookEvent{surface.PreToolUse}, true, []string{"rm-requires-approval"}, "policies approve"},
		{"cannot stop", []surface.HookEvent{surface.PreToolUse, surface.PostToolUse}, false, []string{"rm-requires-approval", "session-write-budget"}, "only warns"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, n := range r.CannotFire(tt.events, tt.blocking) {
				got = append(got, n.Rule)
				if !strings.Contains(n.Reason.EN, tt.word) || n.Reason.FR == "" {
					t.Errorf("%s: %q", n.Rule, n.Reason)
				}
			}
			if !slices.Equal(got, tt.rules) {
				t.Errorf("got %v, want %v", got, tt.rules)
			}
		})
	}
}

// A file made to exhaust a parser ends in a named error of bounded length.
func TestHostileFiles(t *testing.T) {
	for name, text := range map[string]string{
		"flow":    strings.Repeat("[", maxFile),
		"maps":    strings.Repeat("{a: ", maxFile/4),
		"items":   strings.Repeat("- ", maxFile/2),
		"keys":    strings.Repeat("? ", maxFile/2),
		"aliases": "rules:\n- &a {id: x, verdict_on_match: warn}\n" + strings.Repeat("- *a\n", maxFile/8),
		"anchors": "a: &a [x]\n" + strings.Repeat("b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\n", maxFile/64),
		"long":    "rules: [{id: x, verdict_on_match: " + strings.Repeat("x", maxFile) + "}]",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse([]byte(text))
			if err == nil {
				t.Error("no error")
			} else if len(err.Error()) > 1<<16 {
				t.Errorf("an error of %d bytes", len(err.Error()))
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(seedFile))
	f.Add([]byte("rules: [{id: a, verdict_on_match: warn, per_session: &x {max_writes: *x}}]"))
	f.Add([]byte("rules: &r [*r, *r]"))
	f.Add([]byte("? [a]\n: b"))
	f.Add([]byte("rules: [{? {a: b} : c}]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		rules, err := Parse(data)
		if rules == nil {
			t.Fatal("rules are never nil")
		}
		var all Errors
		if err != nil && (!errors.As(err, &all) || len(all) == 0) {
			t.Fatalf("unnamed error %v", err)
		}
		for _, e := range all {
			if e.Code == "" || e.File == "" || e.Expected.FR == "" || e.Expected.EN == "" {
				t.Errorf("incomplete error %+v", e)
			}
		}
		seen := map[string]bool{}
		for _, r := range rules.All() {
			if r.ID == "" || seen[r.ID] || r.Verdict == "" || r.Pattern.name == "" {
				t.Errorf("incomplete rule %+v", r)
			}
			seen[r.ID] = true
		}
	})
}
