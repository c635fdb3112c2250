package project

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

var update = flag.Bool("update", false, "rewrite the want file of testdata/*.txtar")

// hosts stand for the known ones; this package must not care which they are.
var hosts = []pluginsdk.Profile{
	{ID: "host-alpha", Aliases: []string{"alpha", "alpha-cli"}, Entrypoint: "ALPHA.md", Detect: []pluginsdk.Mark{{All: []string{".alpha/"}}}},
	{ID: "host-beta", Aliases: []string{"beta"}, Entrypoint: "AGENTS.md",
		Detect: []pluginsdk.Mark{{All: []string{"beta.json"}}, {All: []string{".beta/agents/"}}}},
	{ID: "host-gamma", Aliases: []string{"gamma"}, Entrypoint: "AGENTS.md", Detect: []pluginsdk.Mark{{All: []string{"AGENTS.md", ".gamma"}}}},
}

// write puts files under a new folder; a path ending in "/" is a folder.
func write(t testing.TB, files map[string]string) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), "demo")
	if err := os.MkdirAll(root, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if strings.HasSuffix(name, "/") {
			if err := os.MkdirAll(path, 0o755); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func load(t testing.TB, files map[string]string) *Project {
	t.Helper()
	p, err := Load(write(t, files), hosts)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Each archive is a project and, in its `want` file, what is read out of it.
func TestProjects(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, path := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files := map[string]string{}
			want := -1
			for i, f := range ar.Files {
				if f.Name == "want" {
					want = i
				} else {
					files[f.Name] = string(f.Data)
				}
			}
			p, err := Load(write(t, files), hosts)
			got := describe(p, err)
			if want < 0 {
				want, ar.Files = len(ar.Files), append(ar.Files, txtar.File{Name: "want"})
			}
			if *update {
				ar.Files[want].Data = []byte(got)
				if err := os.WriteFile(path, txtar.Format(ar), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if string(ar.Files[want].Data) != got {
				t.Errorf("got:\n%s\nwant:\n%s", got, ar.Files[want].Data)
			}
		})
	}
}

// describe renders what a project's own files gave; bundled texts are left out.
func describe(p *Project, err error) string {
	var b strings.Builder
	if err != nil {
		fmt.Fprintf(&b, "error\n%v\n", err)
		return b.String()
	}
	s := p.Surface
	fmt.Fprintf(&b, "project %q lang=%s enrolled=%v profile=%s enabled=%v declared=%v unknown=%v\n",
		s.ProjectName, s.Language, p.Enrolled, p.Profile, p.Enabled, p.EnabledDeclared, p.UnknownHosts)
	for _, a := range s.Agents {
		fmt.Fprintf(&b, "agent %s %q %s %v %s", a.Name, a.Description, a.DefinitionRef, a.Tools, a.ToolsOrigin)
		if a.EntryPoint {
			b.WriteString(" entry")
		}
		if a.Affinity != (surface.Affinity{Reasoning: "medium", ContextWindow: "medium", Speed: "medium", Cost: "medium"}) {
			fmt.Fprintf(&b, " affinity=%v", a.Affinity)
		}
		if a.MaxTurns != nil {
			fmt.Fprintf(&b, " turns=%d", *a.MaxTurns)
		}
		if len(a.Skills)+len(a.Context) > 0 {
			fmt.Fprintf(&b, " skills=%v context=%v", a.Skills, a.Context)
		}
		if a.OverrideRef != nil {
			fmt.Fprintf(&b, " %s=%s", *a.OverrideKind, *a.OverrideRef)
		}
		b.WriteString("\n")
	}
	for _, k := range s.Skills {
		if !strings.HasPrefix(k.Ref, "grimoire:") {
			fmt.Fprintf(&b, "skill %s %q %q %v %s\n", k.Slug, k.Name, k.Description, k.Tools, k.Ref)
		}
	}
	for _, c := range s.Commands {
		if !strings.HasPrefix(c.Ref, "grimoire:") {
			fmt.Fprintf(&b, "command %s %q hint=%q %v %s %s\n", c.Slug, c.Description, c.ArgumentHint, c.Tools, c.Source, c.Ref)
		}
	}
	for _, n := range s.Notes {
		fmt.Fprintf(&b, "note %s\n", n.EN)
	}
	for _, x := range p.Skipped {
		fmt.Fprintf(&b, "skipped %s: %s\n", place(x.Path, x.Line), x.Reason.EN)
	}
	for _, x := range p.Warnings {
		fmt.Fprintf(&b, "warning %s: %s\n", place(x.Path, x.Line), x.Text.EN)
	}
	return b.String()
}

// Every error of a broken project comes at once, each with its place.
func TestErrorsName(t *testing.T) {
	root := write(t, map[string]string{
		"_grimoire/overrides/agents/scribe.md": "---\nname: scribe\nskills:\n  - grimoire-memory\n  - nope\n---\n",
		"_grimoire/overrides/agents/ghost.md":  "---\nextends: kit\n---\n",
		"_grimoire/overrides/agents/blank.md":  "---\nextends: kit\n---\n",
		"_grimoire/kit/agents/blank.md":        "---\nname: \"{{x}}\"\n---\n",
		"_grimoire/kit/agents/dev.md":          "---\nname: dev\ncontext: [\"docs/gone.md\", ../out.md, /etc/passwd]\n---\n",
	})
	_, err := Load(root, hosts)
	var first *Error
	if !errors.As(err, &first) {
		t.Fatalf("got %v, want an *Error", err)
	}
	for _, want := range []string{
		`_grimoire/overrides/agents/scribe.md:5: skills: there is no skill "nope" (GR101)`,
		`_grimoire/overrides/agents/ghost.md:2: extends: the kit has no persona _grimoire/kit/agents/ghost.md (GR103)`,
		`_grimoire/overrides/agents/blank.md:2: extends: _grimoire/kit/agents/blank.md is not a persona (GR103)`,
		`_grimoire/kit/agents/dev.md:3: context: "docs/gone.md": not found (GR102)`,
		`_grimoire/kit/agents/dev.md:3: context: "../out.md": the path leaves the project (GR102)`,
		`_grimoire/kit/agents/dev.md:3: context: "/etc/passwd": the path leaves the project (GR102)`,
	} {
		if !strings.Contains(err.Error()+"\n", want+"\n") {
			t.Errorf("missing %s in:\n%v", want, err)
		}
	}
	if fr := first.In(surface.French); !strings.Contains(fr, "n'est pas une persona") {
		t.Errorf("French text: %s", fr)
	}
}

// The surface's JSON is a contract: its lists are never null.
func TestSurfaceJSON(t *testing.T) {
	p := load(t, map[string]string{
		"project-context.yaml":           "hosts: {enabled: []}",
		"_grimoire/kit/agents/scribe.md": "---\nname: scribe\n---\n",
		"_grimoire/kit/skills/a.md":      "",
	})
	out, err := json.Marshal(p.Surface)
	if err != nil {
		t.Fatal(err)
	}
	nulls := strings.ReplaceAll(string(out), `"max_turns":null`, "")
	nulls = strings.ReplaceAll(nulls, `"override_ref":null,"override_kind":null`, "")
	if strings.Contains(nulls, "null") {
		t.Errorf("null in %s", out)
	}
	want := `{"name":"scribe","description":"Grimoire agent scribe","definition_ref":"_grimoire/kit/agents/scribe.md",` +
		`"tools":["read","search"],"tools_origin":"inferred","affinity":{"reasoning":"medium","context_window":"medium","speed":"medium","cost":"medium"},` +
		`"entry_point":false,"max_turns":null,"skills":[],"context":[],"override_ref":null,"override_kind":null}`
	if !strings.Contains(string(out), want) {
		t.Errorf("%s\nmisses %s", out, want)
	}
}

// Names come from a stranger's files: what does not belong into a message, a
// terminal or an emitted file is not passed on.
func TestHostileNames(t *testing.T) {
	p := load(t, map[string]string{
		"_grimoire/agents/a\nb.md":          "",
		"_grimoire/agents/esc\x1b[2J.md":    "",
		"_grimoire/agents/bytes\xff.md":     "",
		"_grimoire/agents/key.md":           "---\n\"a\\u001b\": 1\n\"a\\u001b\": 2\n---\n",
		"_grimoire/agents/name.md":          "---\nname: \"x\\u001b[2Jy\"\ntools: [\"\\u001b\"]\n---\n",
		"_grimoire/overrides/agents/key.md": "---\nextends: kit\n\"b\\u001b\": 1\n---\n",
		"_grimoire/kit/agents/key.md":       "",
		"project-context.yaml":              "project: {name: \"a\\u001b[2Jb\"}\nagents: {entry: \"\\u001b\"}\nhosts: {enabled: [\"\\u001bx\"]}\n",
	})
	if len(p.Surface.Agents) != 2 || len(p.Skipped) != 4 {
		t.Errorf("agents %+v, skipped %+v", p.Surface.Agents, p.Skipped)
	}
	text := p.Surface.ProjectName + p.EntryDeclared + fmt.Sprint(p.UnknownHosts) + fmt.Sprint(p.Surface.Agents)
	for _, s := range p.Skipped {
		text += s.In(surface.English) + s.In(surface.French)
	}
	for _, w := range p.Warnings {
		text += w.In(surface.English) + w.In(surface.French)
	}
	if !surface.Printable(text) {
		t.Errorf("%q", text)
	}
}

// What grimoire cannot follow in the description of a project is told with its
// place.
func TestWarningsOnConfig(t *testing.T) {
	for name, tt := range map[string]struct {
		files map[string]string
		want  string
	}{
		"none":             {map[string]string{"project-context.yaml": "user: {language: English}"}, "[]"},
		"empty":            {map[string]string{"project-context.yaml": "user: {language: \"\"}"}, "[]"},
		"another language": {map[string]string{"project-context.yaml": "user:\n  language: Deutsch\n"}, `[project-context.yaml:2: user.language: grimoire does not write "Deutsch"; emitted files are in French (Français or English)]`},
		"another ending":   {map[string]string{"project-context.yml": ""}, "[project-context.yml: is not read: grimoire reads project-context.yaml, rename it]"},
		"both endings":     {map[string]string{"project-context.yml": "", "project-context.yaml": ""}, "[project-context.yml: is not read: project-context.yaml is]"},
	} {
		got := []string{}
		for _, w := range load(t, tt.files).Warnings {
			got = append(got, w.In(surface.English))
		}
		if fmt.Sprint(got) != tt.want {
			t.Errorf("%s: %v, want %s", name, got, tt.want)
		}
	}
}
