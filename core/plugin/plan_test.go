package plugin

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

var sampleProfile = pluginsdk.Profile{
	ID: "host-sample", Aliases: []string{"sample"},
	Owns:   []string{".sample/", "SAMPLE.md"},
	Merges: []string{"sample.json", "sample.jsonc"},
}

func marked(path string) pluginsdk.File {
	return pluginsdk.File{Path: path, Content: pluginsdk.Managed(path, []byte("text\n")), Ownership: pluginsdk.OwnedByMarker}
}

func hooks(document string) pluginsdk.File {
	return pluginsdk.File{Path: ".sample/hooks.json", Content: []byte(document), Ownership: pluginsdk.OwnedByHooks}
}

func merge(ops ...pluginsdk.Op) *pluginsdk.Plan {
	return &pluginsdk.Plan{Merges: []pluginsdk.Merge{{Path: "sample.json", Alternates: []string{"sample.jsonc"}, Ops: ops}}}
}

func op(kind pluginsdk.OpKind, value string, path ...string) pluginsdk.Op {
	return pluginsdk.Op{Kind: kind, Path: path, Value: json.RawMessage(value)}
}

func files(list ...pluginsdk.File) *pluginsdk.Plan { return &pluginsdk.Plan{Files: list} }

func TestCheckPlan(t *testing.T) {
	for name, c := range map[string]struct {
		plan *pluginsdk.Plan
		want string // part of the reason; empty where the plan is fine
	}{
		"empty":                    {plan: &pluginsdk.Plan{}},
		"owned":                    {plan: files(marked(".sample/a.md"), marked("SAMPLE.md"))},
		"path":                     {plan: files(marked("../a.md")), want: "leaves its folder"},
		"not owned":                {plan: files(marked(".other/a.md")), want: "outside what the emitter declared"},
		"twice":                    {plan: files(marked(".sample/a.md"), marked(".sample/a.md")), want: "cannot be two files"},
		"twice but for case":       {plan: files(marked(".sample/a.md"), marked(".sample/A.md")), want: "cannot be two files"},
		"file as folder":           {plan: files(marked(".sample/a"), marked(".sample/a/b.md")), want: "cannot be two files"},
		"folder as file":           {plan: files(marked(".sample/a/b.md"), marked(".sample/a")), want: "cannot be two files"},
		"no marker":                {plan: files(pluginsdk.File{Path: "SAMPLE.md", Content: []byte("text"), Ownership: pluginsdk.OwnedByMarker}), want: "without the marker"},
		"unknown ownership":        {plan: files(pluginsdk.File{Path: "SAMPLE.md", Ownership: "mine"}), want: "unknown ownership"},
		"hook file":                {plan: files(hooks(`{"version":1,"hooks":{"preToolUse":[{"type":"command","bash":"grimoire-hook a","powershell":"grimoire-hook b","timeoutSec":9}]}}`))},
		"hook file, nested":        {plan: files(hooks(`{"hooks":{"Stop":[{"matcher":"*","hooks":[{"type":"command","command":"grimoire-hook"}]}]}}`))},
		"hook file, other program": {plan: files(hooks(`{"hooks":{"a":[{"type":"command","command":"curl evil"}]}}`)), want: "something other than grimoire-hook"},
		"hook file, second shell":  {plan: files(hooks(`{"hooks":{"a":[{"bash":"grimoire-hook","powershell":"evil"}]}}`)), want: "something other than grimoire-hook"},
		"hook file, system":        {plan: files(hooks(`{"hooks":{"a":[{"bash":"grimoire-hook","linux":"evil"}]}}`)), want: "something other than grimoire-hook"},
		"hook file, key twice":     {plan: files(hooks(`{"hooks":{"a":[{"command":"evil","command":"grimoire-hook"}]}}`)), want: "twice"},
		"hook file, environment":   {plan: files(hooks(`{"hooks":{"a":[{"command":"grimoire-hook","env":{"PATH":"."}}]}}`)), want: `a key "env"`},
		"hook file, other type":    {plan: files(hooks(`{"hooks":{"a":[{"type":"http","url":"https://evil"}]}}`)), want: "type http"},
		"hook file, no hook":       {plan: files(hooks(`{"hooks":{}}`)), want: "runs no hook"},
		"hook file, not JSON":      {plan: files(hooks(`{"hooks":`)), want: "not JSON"},
		"hook file, two values":    {plan: files(hooks(`{} {}`)), want: "not JSON"},
		"hook file, deep":          {plan: files(hooks(strings.Repeat("[", 5000))), want: "levels"},
		"hook file, command list":  {plan: files(hooks(`{"hooks":{"a":[{"command":["grimoire-hook"]}]}}`)), want: "something other than grimoire-hook"},
		"hook file, args":          {plan: files(hooks(`{"hooks":{"a":[{"command":"grimoire-hook","args":["--host","a"]}]}}`))},
		"hook file, bad args":      {plan: files(hooks(`{"hooks":{"a":[{"command":"grimoire-hook","args":"-c"}]}}`)), want: "args"},

		"merge":              {plan: merge(op(pluginsdk.OpEnsureString, `"read:**/.env"`, "permissions", "deny"), op(pluginsdk.OpExpect, `"object"`), op(pluginsdk.OpSetKey, `{"a":[1]}`, "mcp", "grimoire"))},
		"merge, hook":        {plan: merge(op(pluginsdk.OpEnsureHook, `{"type":"command","command":"grimoire-hook","timeout":5}`, "hooks", "Stop"))},
		"merge, other hook":  {plan: merge(op(pluginsdk.OpEnsureHook, `{"type":"command","command":"evil"}`, "hooks", "Stop")), want: "something other than grimoire-hook"},
		"merge, hook by key": {plan: merge(op(pluginsdk.OpSetKey, `[{"hooks":[{"command":"evil"}]}]`, "hooks", "Stop")), want: "asked for with ensure_hook"},
		"merge, hook inside": {plan: merge(op(pluginsdk.OpSetKey, `{"hooks":{}}`, "settings")), want: "asked for with ensure_hook"},
		"merge, no path":     {plan: merge(op(pluginsdk.OpSetKey, `1`)), want: "without a path"},
		"merge, no string":   {plan: merge(op(pluginsdk.OpEnsureString, `1`, "a")), want: "not a string"},
		"merge, bad value":   {plan: merge(op(pluginsdk.OpSetKey, `{`, "a")), want: "not JSON"},
		"merge, no type":     {plan: merge(op(pluginsdk.OpExpect, `"number"`, "a")), want: "expected type"},
		"merge, unknown op":  {plan: merge(op("replace", `1`, "a")), want: "unknown operation"},
		"merge, not declared": {
			plan: &pluginsdk.Plan{Merges: []pluginsdk.Merge{{Path: ".vscode/tasks.json"}}}, want: "did not declare"},
		"merge, alternate not declared": {
			plan: &pluginsdk.Plan{Merges: []pluginsdk.Merge{{Path: "sample.json", Alternates: []string{".vscode/tasks.json"}}}}, want: "did not declare"},
	} {
		t.Run(name, func(t *testing.T) {
			err := checkPlan(sampleProfile, c.plan, onlyHook)
			switch {
			case c.want == "" && err != nil:
				t.Errorf("refused: %v", err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("got %v, want %q", err, c.want)
			}
			if both := err; both != nil {
				if text := fault.Text(both); text.FR == "" || text.FR == text.EN {
					t.Errorf("no French: %q", text.FR)
				}
			}
		})
	}
}

func TestPlanIsBounded(t *testing.T) {
	many := &pluginsdk.Plan{Files: make([]pluginsdk.File, maxFiles+1)}
	if err := checkPlan(sampleProfile, many, onlyHook); err == nil || !strings.Contains(err.Error(), "at most") {
		t.Errorf("%d files: %v", maxFiles+1, err)
	}
	large := marked(".sample/a.md")
	large.Content = append(large.Content, make([]byte, maxPlanBytes)...)
	if err := checkPlan(sampleProfile, files(large), onlyHook); err == nil || !strings.Contains(err.Error(), "at most") {
		t.Errorf("%d bytes: %v", len(large.Content), err)
	}
	ops := merge(make([]pluginsdk.Op, maxOps+1)...)
	for i := range ops.Merges[0].Ops {
		ops.Merges[0].Ops[i] = op(pluginsdk.OpEnsureString, `"a"`, "b")
	}
	if err := checkPlan(sampleProfile, ops, onlyHook); err == nil || !strings.Contains(err.Error(), "at most") {
		t.Errorf("%d operations: %v", maxOps+1, err)
	}
}

func FuzzCheckHooks(f *testing.F) {
	for _, s := range []string{`{"command":"grimoire-hook"}`, `{"hooks":{"a":[{"bash":"x"}]}}`, `[[[`, `{"a":1,"a":2}`, `{"type":"command"}`, `"`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, document []byte) {
		asked := false
		err := checkHooks(document, func(string, []string) bool { asked = true; return true })
		if err == nil && (!asked || !json.Valid(document)) {
			t.Errorf("%q is accepted without a hook", document)
		}
		if checkHooks(document, func(string, []string) bool { return false }) == nil {
			t.Errorf("%q is accepted though nothing in it is grimoire's", document)
		}
	})
}

func TestSettlePaths(t *testing.T) {
	other := marked("AGENTS.md")
	other.Content = append(other.Content, "more\n"...)
	merging := func(path string) *pluginsdk.Plan {
		return &pluginsdk.Plan{Merges: []pluginsdk.Merge{{Path: path}}}
	}
	for name, c := range map[string]struct {
		a, b *pluginsdk.Plan
		lost bool
	}{
		"apart":            {a: files(marked("A.md")), b: files(marked("B.md"))},
		"same bytes":       {a: files(marked("AGENTS.md")), b: files(marked("AGENTS.md"))},
		"other bytes":      {a: files(marked("AGENTS.md")), b: files(other), lost: true},
		"other case":       {a: files(marked("AGENTS.md")), b: files(marked("agents.md")), lost: true},
		"file in file":     {a: files(marked("a")), b: files(marked("a/b")), lost: true},
		"both merge":       {a: merging(".mcp.json"), b: merging(".mcp.json")},
		"merge in a file":  {a: files(marked("a.json")), b: merging("a.json"), lost: true},
		"file for a merge": {a: merging("a.json"), b: files(marked("a.json")), lost: true},
	} {
		t.Run(name, func(t *testing.T) {
			// b is asked first and has the lesser id: it is later as a third party.
			outcomes := []Outcome{
				{Host: Host{Profile: pluginsdk.Profile{ID: "host-a", DisplayName: "B"}}, Plan: c.b},
				{Host: Host{Profile: pluginsdk.Profile{ID: "host-b", DisplayName: "A"}, Bundled: true}, Plan: c.a},
			}
			settlePaths(outcomes)
			if outcomes[1].Failure != nil {
				t.Fatalf("the bundled host lost: %v", outcomes[1].Failure)
			}
			if lost := outcomes[0].Failure != nil; lost != c.lost {
				t.Fatalf("lost = %v, want %v (%v)", lost, c.lost, outcomes[0].Failure)
			}
			if f := outcomes[0].Failure; f != nil && (f.Cause != PathTaken || !strings.Contains(f.Text.EN, "A and B") || outcomes[0].Plan != nil) {
				t.Errorf("%+v", f)
			}
		})
	}
}
