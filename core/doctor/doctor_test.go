package doctor

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

func text(s string) surface.Text { return surface.Text{FR: "fr " + s, EN: "en " + s} }

// The worst finding makes the check, and every finding has its line.
func TestConclude(t *testing.T) {
	for name, tt := range map[string]struct {
		found  []finding
		passed bool
		level  Level
		detail string
	}{
		"nothing":   {nil, true, "", "en fine"},
		"a note":    {[]finding{{note, text("a")}}, true, Info, "en a"},
		"a warning": {[]finding{{note, text("a")}, {warning, text("b")}}, true, Warn, "en a\nen b"},
		"a failure": {[]finding{{failure, text("a")}, {warning, text("b")}}, false, "", "en a\nen b"},
	} {
		c := conclude("x", tt.found, text("fine"))
		if c.Passed != tt.passed || c.Level != tt.level || c.Detail.EN != tt.detail {
			t.Errorf("%s: %+v", name, c)
		}
		r := Report{Checks: []Check{c}}
		if r.Failed() == tt.passed {
			t.Errorf("%s: failed %v", name, r.Failed())
		}
	}
}

// A hostile file's million mistakes are fifty lines and a number.
func TestManyFindings(t *testing.T) {
	found := make([]finding, maxLines+2)
	for i := range found {
		found[i] = finding{note, text("a")}
	}
	found[maxLines+1].severity = failure
	c := conclude("x", found, text("fine"))
	if lines := strings.Split(c.Detail.EN, "\n"); c.Passed || len(lines) != maxLines+1 || lines[maxLines] != "… and 2 more" {
		t.Errorf("passed %v: %s", c.Passed, c.Detail.EN)
	}
}

func TestJSON(t *testing.T) {
	r := Report{Checks: []Check{conclude("a", nil, text("x")), conclude("b", []finding{{warning, text("y")}}, text(""))}}
	got, err := json.Marshal(r.JSON(surface.French))
	if want := `{"checks":[{"name":"a","passed":true,"detail":"fr x"},{"name":"b","passed":true,"detail":"fr y","level":"warn"}]}`; err != nil || string(got) != want {
		t.Errorf("got  %s, %v\nwant %s", got, err, want)
	}
	if empty, _ := json.Marshal((&Report{}).JSON(surface.English)); string(empty) != `{"checks":[]}` {
		t.Errorf("got %s", empty)
	}
}

// The hook is looked for where an emitted hook line looks.
func TestHookFoldersAreTheLines(t *testing.T) {
	line := pluginsdk.HookCommand("x", "Y", surface.Hook{Event: surface.PreToolUse}, surface.English)
	path, _, _ := strings.Cut(strings.TrimPrefix(line, "PATH="), "; ")
	var want strings.Builder
	for _, dir := range hookFolders {
		want.WriteString(":" + strings.Replace(dir, "~/", "$HOME/", 1))
	}
	if !strings.HasSuffix(strings.Trim(path, `"`), want.String()) || !strings.Contains(path, "$GOBIN") {
		t.Errorf("the line looks in %s, the doctor in %s", path, want.String())
	}
}

func TestHookPath(t *testing.T) {
	root := t.TempDir()
	env := map[string]string{"PATH": root + string(filepath.ListSeparator) + "bin" + string(filepath.ListSeparator), "HOME": filepath.Join(root, "home"), "GOBIN": filepath.Join(root, "gobin")}
	e := &examination{Options: Options{Getenv: func(name string) string { return env[name] }}}
	got := strings.Join(e.hookPath(), "\n")
	want := strings.Join([]string{root, root + "/gobin", root + "/home/go/bin", root + "/home/.local/bin", "/usr/local/bin", "/opt/homebrew/bin"}, "\n")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	env["HOME"], env["GOBIN"] = "", ""
	for _, dir := range e.hookPath() {
		if !filepath.IsAbs(dir) {
			t.Errorf("%q is another folder wherever a host starts", dir)
		}
	}
}

// Where the project cannot be loaded, what can be looked at still is.
func TestBrokenProject(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"context": {"project-context.yaml": "hosts: [", ".claude/settings.json": "{,}"},
		"persona": {"_grimoire/agents/a.md": "---\nskills: [juggling]\n---\n", ".claude/settings.json": "{,}"},
	} {
		r, err := Run(t.Context(), write(t, files), Options{Getenv: func(string) string { return "" }, Language: surface.English})
		if err != nil {
			t.Fatal(err)
		}
		failed := map[string]bool{}
		for _, c := range r.Checks {
			failed[c.Name] = !c.Passed
			if c.Detail.FR == "" || c.Detail.EN == "" {
				t.Errorf("%s: %s says nothing", name, c.Name)
			}
		}
		if !failed["project_context"] || !failed["host_surface_claude"] {
			t.Errorf("%s: %+v", name, failed)
		}
	}
}
