package schema_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"github.com/grimoire-kit/grimoire/core/enrol"
	"github.com/grimoire-kit/grimoire/core/kit"
	"github.com/grimoire-kit/grimoire/core/project"
	"github.com/grimoire-kit/grimoire/core/scaffold"
	"github.com/grimoire-kit/grimoire/core/schema"
	"github.com/grimoire-kit/grimoire/governance/policy"
	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/frontmatter"
)

// compile gives the schema as a validator does.
func compile(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	s, ok := schema.Find(name)
	if !ok {
		t.Fatalf("no schema %s", name)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(s.JSON()))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(schema.URL(name), doc); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	compiled, err := c.Compile(schema.URL(name))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return compiled
}

// value is a YAML text as JSON has it, which is what editors check.
func value(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := yaml.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	out, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Each schema is one, says where it is published, and is listed once; no file
// is left over.
func TestSchemas(t *testing.T) {
	files, err := filepath.Glob("schemas/*")
	if err != nil || len(files) != len(schema.All()) {
		t.Errorf("%d files for %d schemas (%v)", len(files), len(schema.All()), err)
	}
	for i, s := range schema.All() {
		compile(t, s.Name)
		var head struct {
			Schema string `json:"$schema"`
			ID     string `json:"$id"`
			Title  string
		}
		if err := json.Unmarshal(s.JSON(), &head); err != nil {
			t.Fatal(err)
		}
		if head.Schema != "https://json-schema.org/draft/2020-12/schema" || head.ID != schema.URL(s.Name) || head.Title == "" {
			t.Errorf("%s: %+v", s.Name, head)
		}
		if s.About.FR == "" || s.About.EN == "" || s.Files == "" || i > 0 && schema.All()[i-1].Name >= s.Name {
			t.Errorf("%s: %+v", s.Name, s)
		}
	}
	if _, ok := schema.Find("nope"); ok {
		t.Error("there is a schema called nope")
	}
}

// What grimoire writes of the standard, in both languages and every profile,
// is what its schema asks for, and names that schema in its first line.
func TestTemplates(t *testing.T) {
	for _, p := range surface.Profiles {
		for _, l := range []surface.Language{surface.French, surface.English} {
			dir := t.TempDir()
			plan, err := enrol.Prepare(dir, enrol.Options{Profile: p, Project: "a \"b\": 'c' #d", Language: l, Now: time.Now(), Providers: []string{"anthropic", "local"}})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := plan.Apply(); err != nil {
				t.Fatal(err)
			}
			_ = plan.Close()
			files, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(standard.Dir), "*.yaml"))
			if err != nil || len(files) == 0 {
				t.Fatal(files, err)
			}
			for _, file := range files {
				name := strings.TrimSuffix(filepath.Base(file), ".yaml")
				data, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if err := compile(t, name).Validate(value(t, string(data))); err != nil {
					t.Errorf("%s, %s, %s: %v", p, l, name, err)
				}
				if first, _, _ := strings.Cut(string(data), "\n"); first != "# yaml-language-server: $schema="+schema.URL(name) {
					t.Errorf("%s begins with %q", name, first)
				}
			}
		}
	}
}

// The schemas take what the existing kit writes, and every project of the
// golden trees.
func TestFilesOfProjects(t *testing.T) {
	archive, err := txtar.ParseFile("../../governance/standard/testdata/existing_kit.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		if name, ok := strings.CutSuffix(filepath.Base(f.Name), ".yaml"); ok {
			if err := compile(t, name).Validate(value(t, string(f.Data))); err != nil {
				t.Errorf("existing kit's %s: %v", name, err)
			}
		}
	}
	seen := 0
	for pattern, name := range map[string]string{
		"../../golden/*/project/project-context.yaml":                     "project-context",
		"../../golden/sample/project-context.yaml":                        "project-context",
		"../../golden/*/project/_grimoire/standard/policies.yaml":         "policies",
		"../../golden/*/project/_grimoire/standard/standard-profile.yaml": "standard-profile",
	} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			seen++
			if err := compile(t, name).Validate(value(t, string(data))); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
	if seen < 4 {
		t.Errorf("only %d files were looked at", seen)
	}
}

// The frontmatter of the kit's own texts is what the schemas ask for.
func TestKitFrontmatter(t *testing.T) {
	for name, read := range map[string]func(surface.Language) []kit.Doc{
		"persona": kit.Agents, "skill": kit.Skills, "command": kit.Commands,
	} {
		s := compile(t, name)
		for _, l := range []surface.Language{surface.French, surface.English} {
			for _, d := range read(l) {
				if err := s.Validate(value(t, frontmatter.Split(string(d.Content)).Raw)); err != nil {
					t.Errorf("%s %s: %v", name, d.Slug, err)
				}
			}
		}
	}
	for text, ok := range map[string]bool{
		"tools: read, edit":                  true,
		"tools: [read, fly]":                 false,
		"max_turns: \"40\"":                  true,
		"max_turns: 0":                       false,
		"extends: kit":                       true,
		"extends: other":                     false,
		"model_affinity: {reasoning: high}":  true,
		"model_affinity: high":               false,
		"skills: grimoire-memory\nteam: key": true,
	} {
		if err := compile(t, "persona").Validate(value(t, text)); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// The schema of policies.yaml takes and refuses what the hook's reader does,
// but for what no schema can say: ids that are unique, and not a built-in's.
func TestPoliciesAgreesWithTheReader(t *testing.T) {
	s := compile(t, "policies")
	rule := func(rest string) string { return "rules:\n  - {id: a, verdict_on_match: warn" + rest + "}\n" }
	for _, text := range []string{
		"rules:\n", "rules: []\n", "other: 1\n", "rules: {a: 1}\n", "rules: [x]\n", "[]\n",
		rule(""), "rules: [{id: a}]\n", "rules: [{verdict_on_match: warn}]\n", "rules: [{id: '', verdict_on_match: warn}]\n",
		"rules: [{id: a, verdict_on_match: refuse}]\n", "rules: [{id: a, verdict_on_match: [warn]}]\n",
		rule(", description: text"), rule(", description: 5"), rule(", description: [a]"), rule(", reason_template: null"),
		rule(", surprise: 1"),
		rule(", action_kinds: [tool_use, network]"), rule(", action_kinds: tool_use"), rule(", action_kinds: [flying]"), rule(", action_kinds: null"),
		rule(", mutation_classes: [destructive]"), rule(", mutation_classes: [harmless]"),
		rule(", risk_profiles: [light, standard, strict]"), rule(", risk_profiles: [release]"),
		rule(", tool_pattern: '*'"), rule(", tool_pattern: 'Bash(rm:*)'"), rule(", tool_pattern: 'Bash('"), rule(", tool_pattern: 'Bash()'"),
		rule(", tool_pattern: '(x)'"), rule(", tool_pattern: 'a)b'"), rule(", tool_pattern: ''"), rule(", tool_pattern: 'Bash(a(b)c)'"), rule(", tool_pattern: 'Bash(a) '"),
		rule(", require_approval: true"), rule(", require_approval: 'true'"), rule(", require_approval: 1"),
		rule(", per_session: {max_tool_calls: 3, max_writes: 0}"), rule(", per_session: {max_tool_calls: -1}"), rule(", per_session: {max_tool_calls: 1.5}"),
		rule(", per_session: {max_cost_usd: 0.5, max_duration_min: 10}"), rule(", per_session: {max_cost_usd: '1'}"), rule(", per_session: {}"), rule(", per_session: 5"),
		rule(", per_session: {subagents: shared}"), rule(", per_session: {subagents: separate}"), rule(", per_session: {max_calls: 1}"),
		rule(", cooldown_after: {pattern: 'Bash(make:*)', count: 1, minutes: 5}"), rule(", cooldown_after: {count: 1, minutes: 5}"),
		rule(", cooldown_after: {pattern: '*', count: 0, minutes: 5}"), rule(", cooldown_after: {pattern: '*', count: 1001, minutes: 5}"),
		rule(", cooldown_after: {pattern: '*', count: 1, minutes: 0}"), rule(", cooldown_after: {}"), rule(", cooldown_after: null"),
		rule(", estimated_cost_usd: 2"), rule(", estimated_cost_usd: -2"), rule(", estimated_cost_usd: null"),
	} {
		_, readErr := policy.Parse([]byte(text))
		schemaErr := s.Validate(value(t, text))
		if (readErr == nil) != (schemaErr == nil) {
			t.Errorf("%s\nreader: %v\nschema: %v", text, readErr, schemaErr)
		}
	}
}

// The schema of project-context.yaml takes and refuses what `grimoire host
// sync` does.
func TestProjectContextAgreesWithTheReader(t *testing.T) {
	s := compile(t, "project-context")
	for _, text := range []string{
		"project: {name: demo}\n", "project: {name: 5}\n", "project: {name: [a]}\n", "project:\n", "project: demo\n", "project: {name: null}\n",
		"user: {language: Français}\n", "user: {language: {a: b}}\n", "agents: {entry: ''}\n", "agents: {entry: [a]}\n", "agents: []\n",
		"hosts: {enabled: [claude, copilot]}\n", "hosts: {enabled: []}\n", "hosts: {enabled: claude}\n", "hosts: {enabled: [{a: b}]}\n", "hosts:\n",
		"hosts: {enabled: null}\n",
		"hosts: {entry_sections: true}\n", "hosts: {entry_sections: maybe}\n", "hosts: {entry_sections: 1}\n",
		"hosts: {plugins: [{id: zed, path: tools/zed}]}\n", "hosts: {plugins: [{id: zed}]}\n", "hosts: {plugins: [{path: x}]}\n",
		"hosts: {plugins: {id: zed}}\n", "hosts: {plugins: [{id: '../x', path: y}]}\n", "hosts: {plugins: null}\n", "hosts: {plugins: [zed]}\n",
		"team: {anything: true}\nmemory: {backend: local}\n", "[]\n",
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, project.ConfigFile), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, readErr := project.ReadConfig(dir)
		schemaErr := s.Validate(value(t, text))
		if (readErr == nil) != (schemaErr == nil) {
			t.Errorf("%s\nreader: %v\nschema: %v", text, readErr, schemaErr)
		}
	}
}

// A card names no place of work whose content may disappear.
func TestBoardSchemaRefusesTemporaryWorktrees(t *testing.T) {
	s := compile(t, "task-board")
	for place, valid := range map[string]bool{
		"/tmp/wt": false, "/var/tmp": false, "/dev/shm/a/b": false, "/private/tmp/wt": false,
		"/home/ada/wt": true, "../wt": true, "tmp/wt": true, "/tmpfiles/wt": true, "task/GAO-a-001": true,
	} {
		for _, key := range []string{"worktree", "worktree_path", "resume_branch"} {
			err := s.Validate(value(t, "states: [proposed, ready, in_progress, blocked, review, accepted, released, archived]\n"+
				"tasks: [{task_id: T-1, title: x, status: ready, acceptance_criteria: [y], evidence_pack_ref: z, "+key+": "+place+"}]\n"))
			if (err == nil) != valid {
				t.Errorf("%s: %s: %v", key, place, err)
			}
		}
	}
}

// The words of the schemas are those of the checks.
func TestSchemasListEveryWord(t *testing.T) {
	profiles := make([]string, len(surface.Profiles))
	for i, p := range surface.Profiles {
		profiles[i] = string(p)
	}
	for _, tt := range []struct {
		schema string
		at     []string
		want   []string
	}{
		{"standard-profile", []string{"properties", "profile", "enum"}, profiles},
		{"task-board", []string{"properties", "tasks", "items", "properties", "status", "enum"}, standard.States},
		{"evidence-gates", []string{"properties", "transitions", "items", "properties", "from", "enum"}, standard.States},
		{"evidence-gates", []string{"properties", "transitions", "items", "properties", "required_evidence", "items", "anyOf", "0", "enum"}, standard.Evidence},
		{"rule-packs", []string{"properties", "rules", "items", "properties", "phase", "enum"}, standard.Phases},
		{"hook-registry", []string{"properties", "hooks", "items", "properties", "action", "enum"}, standard.Actions},
		{"memory-policy", []string{"properties", "memory_types", "items", "properties", "type", "anyOf", "0", "enum"}, standard.MemoryTypes},
	} {
		s, _ := schema.Find(tt.schema)
		var at any
		if err := json.Unmarshal(s.JSON(), &at); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, w := range walk(at, tt.at).([]any) {
			got = append(got, w.(string))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.schema, got, tt.want)
		}
	}
	for _, id := range standard.DecisionTypes {
		var all []string
		for _, other := range standard.DecisionTypes {
			if other != id {
				all = append(all, "{id: "+other+", inputs: [], outputs: []}")
			}
		}
		err := compile(t, "decision-graph").Validate(value(t, "required_decision_record: [a]\ndecision_types: ["+strings.Join(all, ", ")+"]\n"))
		var invalid *jsonschema.ValidationError
		if !errors.As(err, &invalid) {
			t.Errorf("a graph without %s is taken: %v", id, err)
		}
	}
}

func walk(at any, path []string) any {
	for _, step := range path {
		if list, ok := at.([]any); ok {
			at = list[0]
		} else {
			at = at.(map[string]any)[step]
		}
	}
	return at
}

// The project-context.yaml that init writes is what its schema asks for.
func TestNewProjectContext(t *testing.T) {
	for _, l := range []surface.Language{surface.French, surface.English} {
		dir := t.TempDir()
		plan, err := scaffold.Prepare(dir, scaffold.Options{Language: l})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := plan.Apply(); err != nil {
			t.Fatal(err)
		}
		_ = plan.Close()
		data, err := os.ReadFile(filepath.Join(dir, project.ConfigFile))
		if err != nil {
			t.Fatal(err)
		}
		if err := compile(t, "project-context").Validate(value(t, string(data))); err != nil {
			t.Errorf("%s: %v", l, err)
		}
		if first, _, _ := strings.Cut(string(data), "\n"); first != "# yaml-language-server: $schema="+schema.URL("project-context") {
			t.Errorf("it begins with %q", first)
		}
	}
}
