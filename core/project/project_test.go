package project

import (
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
		`_grimoire/kit/agents/dev.md:3: context: "docs/gone.md": not found (GR102)`,
		`_grimoire/kit/agents/dev.md:3: context: "../out.md": the path leaves the project (GR102)`,
		`_grimoire/kit/agents/dev.md:3: context: "/etc/passwd": the path leaves the project (GR102)`,
	} {
		if !strings.Contains(err.Error()+"\n", want+"\n") {
			t.Errorf("missing %s in:\n%v", want, err)
		}
	}
	if fr := first.In(surface.French); !strings.Contains(fr, "le kit n'a pas de persona") {
		t.Errorf("French text: %s", fr)
	}
}
