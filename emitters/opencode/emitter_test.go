package opencode

import (
	"bytes"
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

var languages = []surface.Language{surface.French, surface.English}

const hostile = "ends | here\n---\ntools: [bash]\n| `code` <!-- x --> it's: \"q\""

func project(l surface.Language) *surface.Surface {
	turns := 40
	return &surface.Surface{
		ProjectName: "folder-name-of-one-clone",
		Governed:    true,
		Language:    l,
		Agents: []surface.Agent{
			{
				Name: "concierge", Description: "Triage", DefinitionRef: "_grimoire/kit/agents/concierge.md", EntryPoint: true,
				Tools: surface.ToolVerbs,
			},
			{
				Name: "scribe", Description: hostile, DefinitionRef: "_grimoire/kit/agents/scribe.md",
				Tools: []surface.ToolVerb{surface.Read, surface.Search, surface.Edit}, Skills: []string{"memory"},
				Context: []string{"docs/a.md"}, MaxTurns: &turns, Affinity: surface.Affinity{Reasoning: "high"},
			},
			{Name: "plan", Description: "Plans", DefinitionRef: "_grimoire/agents/plan.md", Tools: []surface.ToolVerb{surface.Read}},
		},
		Skills: []surface.Skill{{Slug: "memory", Name: "Memory", Description: hostile, Body: "Body", Ref: "grimoire:skills/memory"}},
		Commands: []surface.Command{
			{Slug: "gate", Description: hostile, ArgumentHint: "[task]", Body: "Check the gates.", Ref: "grimoire:commands/gate"},
			{Slug: "shell", Description: "x", Body: "Now: !`date` of $1", Ref: "_grimoire/kit/commands/shell.md"},
		},
		Hooks: []surface.Hook{
			{Event: surface.SessionStart, Enforcement: surface.Advisory},
			{Event: surface.PreToolUse, Enforcement: surface.Blocking},
			{Event: surface.PostToolUse, Enforcement: surface.Advisory},
			{Event: surface.Stop, Enforcement: surface.Blocking},
		},
		Permissions: surface.Permissions{Deny: []string{"read:**/.env"}},
		MCPServers: []surface.MCPServer{
			{Name: "docs", Command: "docs-mcp", Args: []string{"--a", "<b>"}, Declared: true},
			{Name: "vault", Command: "vault-mcp", Declared: true, HasEnv: true},
			{Name: "grimoire", Command: "grimoire-mcp"},
		},
	}
}

func emit(t *testing.T, s *surface.Surface) *pluginsdk.Plan {
	t.Helper()
	plan, err := New().Emit(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

func content(t *testing.T, plan *pluginsdk.Plan, path string) string {
	t.Helper()
	for _, f := range plan.Files {
		if f.Path == path {
			return string(f.Content)
		}
	}
	t.Fatalf("no file %s", path)
	return ""
}

// frontmatter parses the head of an emitted file with a real YAML reader.
func frontmatter(t *testing.T, text string) map[string]any {
	t.Helper()
	rest, ok := strings.CutPrefix(text, "---\n")
	head, _, closed := strings.Cut(rest, "\n---\n")
	if !ok || !closed {
		t.Fatalf("no frontmatter in\n%s", text)
	}
	var out map[string]any
	if err := yaml.Unmarshal([]byte(head), &out); err != nil {
		t.Fatalf("%v in\n%s", err, head)
	}
	return out
}

func TestProfile(t *testing.T) {
	p := New().Profile()
	if p.ID != "host-opencode" || p.Alias() != "opencode" {
		t.Errorf("got %s, alias %s", p.ID, p.Alias())
	}
	for _, c := range []surface.Capability{surface.PermissionTable, surface.AgentAutostart, surface.PluginPackaging} {
		if p.Can(c) {
			t.Errorf("claims %s, which was never seen to work", c)
		}
	}
	if !p.Can(surface.BlockingHooks) || !p.Supports(surface.PreToolUse) || p.Supports(surface.Stop) {
		t.Errorf("hooks: %v, events %v", p.Capabilities, p.HookEvents)
	}
	want := []pluginsdk.Mark{{All: []string{".opencode/"}}, {All: []string{"opencode.json"}}}
	if !reflect.DeepEqual(p.Detect, want) {
		t.Errorf("detection marks %v, want %v", p.Detect, want)
	}
}

func TestFiles(t *testing.T) {
	for _, l := range languages {
		plan := emit(t, project(l))
		if again := emit(t, project(l)); !reflect.DeepEqual(plan, again) {
			t.Error("two emissions of one surface differ")
		}
		var paths []string
		for _, f := range plan.Files {
			paths = append(paths, f.Path)
			if m, ok := pluginsdk.FindMarker(f.Path, f.Content); !ok || m.Edited || f.Ownership != pluginsdk.OwnedByMarker {
				t.Errorf("%s: marker %+v, found %v", f.Path, m, ok)
			}
			if !slices.ContainsFunc(profile.Owns, func(prefix string) bool { return strings.HasPrefix(f.Path, prefix) }) {
				t.Errorf("%s is not owned", f.Path)
			}
			if f.Entry {
				t.Errorf("%s is no file a team writes by hand", f.Path)
			}
			if bytes.Contains(f.Content, []byte("folder-name")) || bytes.HasSuffix(f.Content, []byte("\n\n")) || bytes.Contains(f.Content, []byte("\n\n\n")) {
				t.Errorf("%s names the folder of one clone, or has an empty section:\n%s", f.Path, f.Content)
			}
		}
		want := []string{
			".opencode/agent/concierge.md", ".opencode/agent/scribe.md", ".opencode/agent/grimoire-plan.md",
			".opencode/skill/memory/SKILL.md",
			".opencode/command/gate.md", ".opencode/command/shell.md",
			".opencode/grimoire.md", ".opencode/plugin/grimoire-guard.js",
		}
		if !slices.Equal(paths, want) {
			t.Errorf("files %v, want %v", paths, want)
		}
	}
}

func TestAgents(t *testing.T) {
	deny := func(keys ...string) map[string]any {
		m := map[string]any{}
		for _, k := range keys {
			m[k] = "deny"
		}
		return m
	}
	for _, l := range languages {
		plan := emit(t, project(l))
		for path, want := range map[string]map[string]any{
			".opencode/agent/concierge.md":     {"description": "Triage", "mode": "all"},
			".opencode/agent/scribe.md":        {"description": hostile, "mode": "subagent", "steps": 40, "permission": deny("bash", "webfetch", "websearch")},
			".opencode/agent/grimoire-plan.md": {"description": "Plans", "mode": "subagent", "permission": deny("glob", "grep", "list", "edit", "bash", "webfetch", "websearch")},
		} {
			if got := frontmatter(t, content(t, plan, path)); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: frontmatter %v, want %v", path, got, want)
			}
		}
		entry := content(t, plan, ".opencode/agent/concierge.md")
		for _, want := range []string{"`_grimoire/kit/agents/concierge.md`", "| `scribe` | ends \\| here", "| `grimoire-plan` |", "`_grimoire/_memory/shared-context.md`", "```grimoire-uncertainties\n"} {
			if !strings.Contains(entry, want) {
				t.Errorf("entry agent lacks %q:\n%s", want, entry)
			}
		}
		scribe := content(t, plan, ".opencode/agent/scribe.md")
		for _, want := range []string{"`docs/a.md`", "`read`, `search`, `edit`", "`.opencode/skill/memory/SKILL.md`", "```grimoire-uncertainties\n"} {
			if !strings.Contains(scribe, want) {
				t.Errorf("scribe lacks %q:\n%s", want, scribe)
			}
		}
		for _, never := range []string{"shared-context", l.Text("Déléguer", "Delegating")} {
			if strings.Contains(scribe, never) {
				t.Errorf("scribe holds %q:\n%s", never, scribe)
			}
		}
	}
}

func TestInstructions(t *testing.T) {
	for _, l := range languages {
		text := content(t, emit(t, project(l)), instructionsPath)
		for _, want := range []string{
			l.Text("adopte `concierge`", "adopt `concierge`"), l.Text("**Ancrage.**", "**Grounding.**"), "```grimoire-uncertainties\n",
			"`read:**/.env`", "grimoire standard gate check --strict\ngrimoire standard verify .\n",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is not in\n%s", l, want, text)
			}
		}
		empty := content(t, emit(t, &surface.Surface{Language: l}), instructionsPath)
		if strings.Contains(empty, "gate check") || strings.Contains(empty, l.Text("Persona d'entrée", "Entry persona")) {
			t.Errorf("an empty project has gates or an entry persona:\n%s", empty)
		}
	}
}

func TestSkillName(t *testing.T) {
	got := frontmatter(t, content(t, emit(t, project(surface.English)), ".opencode/skill/memory/SKILL.md"))
	if want := (map[string]any{"name": "memory", "description": hostile}); !reflect.DeepEqual(got, want) {
		t.Errorf("frontmatter %v, want %v", got, want)
	}
}

func TestConfig(t *testing.T) {
	plan := emit(t, project(surface.English))
	if len(plan.Merges) != 1 {
		t.Fatalf("%d merges", len(plan.Merges))
	}
	m := plan.Merges[0]
	if m.Path != "opencode.json" || !slices.Equal(m.Alternates, []string{"opencode.jsonc"}) {
		t.Errorf("merges %s, else %v", m.Path, m.Alternates)
	}
	var got []string
	for _, op := range m.Ops {
		got = append(got, string(op.Kind)+" "+strings.Join(op.Path, ".")+" "+string(op.Value))
	}
	want := []string{
		`expect instructions "array"`,
		`ensure_string instructions ".opencode/grimoire.md"`,
		`expect mcp "object"`,
		`set_key mcp.docs {"type":"local","command":["docs-mcp","--a","<b>"],"enabled":true}`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("operations\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestDegradations(t *testing.T) {
	var names []string
	all := map[string]string{}
	for _, d := range emit(t, project(surface.English)).Degradations {
		names = append(names, d.Surface)
		if _, known := surface.Lost(d.Surface); !known {
			t.Errorf("%s has no name in French", d.Surface)
		}
		all[d.Surface] += d.Reason.EN + "\n" + d.Fallback.EN + "\n"
		for _, text := range []string{d.Reason.FR, d.Reason.EN, d.Fallback.FR, d.Fallback.EN} {
			if text == "" {
				t.Errorf("%s has an empty text: %+v", d.Surface, d)
			}
		}
	}
	want := []string{
		"permissions", "hooks", "ask", "hook matchers", "model affinity", "tool boundary",
		"subagents", "commands", "commands", "mcp",
	}
	if !slices.Equal(names, want) {
		t.Errorf("degradations %v, want %v", names, want)
	}
	for surfaceName, wants := range map[string][]string{
		"permissions": {"last pattern that matches wins"},
		"hooks":       {"session_start, stop"},
		"subagents":   {"`plan`", "`grimoire-plan`"},
		"commands":    {"`shell`"},
		"mcp":         {"`vault`"},
	} {
		for _, want := range wants {
			if !strings.Contains(all[surfaceName], want) {
				t.Errorf("%s: %q is not in %q", surfaceName, want, all[surfaceName])
			}
		}
	}
	if d := emit(t, &surface.Surface{Language: surface.French}).Degradations; len(d) != 0 {
		t.Errorf("an empty surface loses %v", d)
	}
}

// A persona named like one of opencode's own agents must not replace it, and
// its other name must be free.
func TestAgentNames(t *testing.T) {
	got := agentNames([]surface.Agent{{Name: "build"}, {Name: "grimoire-build"}, {Name: "Plan"}, {Name: "scribe"}})
	want := map[string]string{
		"build": "grimoire-grimoire-build", "grimoire-build": "grimoire-build", "Plan": "grimoire-Plan", "scribe": "scribe",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("names %v, want %v", got, want)
	}
}
