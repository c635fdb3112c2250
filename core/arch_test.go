// Package core_test holds the rules of who may import whom, for the whole
// repository. They are read from what `go list -deps` says of the code as it is
// built, so that a build tag or a generated file cannot get around them.
package core_test

import (
	"bytes"
	"errors"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/grimoire-kit/grimoire"

// A room is a folder with what its packages may import beside the standard
// library: folders of ours ("x" is that package alone, "x/..." is x and all
// under it) and modules of others. nil is nothing; anything allows all.
type room struct {
	folder  string
	ours    []string
	modules []string
}

var anything = []string{"..."}

// The rooms, of which the innermost counts.
var rooms = []room{
	{folder: "surface"},
	{folder: "surface/frontmatter", ours: []string{"surface", "surface/fault"}, modules: []string{"go.yaml.in/yaml/v3"}},
	// French for the errors of the system and of encoding/json.
	{folder: "surface/fault", ours: []string{"surface"}},
	{folder: "surface/slug", modules: []string{"golang.org/x/text"}},
	{folder: "surface/persona", ours: []string{"surface", "surface/frontmatter", "surface/slug"}},

	// What a third party's emitter links.
	{folder: "pluginsdk", ours: []string{"surface/...", "pluginsdk/..."}, modules: []string{
		"github.com/hashicorp/go-plugin", "github.com/hashicorp/go-hclog", "google.golang.org/grpc",
		"google.golang.org/protobuf", "github.com/Masterminds/sprig/v3"}},
	// Linked by grimoire-hook, which a host starts before every tool call.
	{folder: "pluginsdk/dialect", ours: []string{"surface"}, modules: []string{"github.com/tidwall/gjson", "github.com/tidwall/sjson"}},
	// A tool of this repository; nobody links it.
	{folder: "pluginsdk/proto/internal/generate", modules: []string{"github.com/bufbuild/protocompile", "google.golang.org/protobuf"}},

	// The root embeds each host's dialect, for the hook: nothing comes with it.
	{folder: "emitters"},
	{folder: "emitters/bundled", ours: []string{"emitters/...", "pluginsdk", "surface"}},
	{folder: "emitters/claude", ours: []string{"pluginsdk", "surface"}},
	{folder: "emitters/copilot", ours: []string{"pluginsdk", "surface"}},
	// prose is what the hosts without a surface of their own share.
	{folder: "emitters/prose", ours: []string{"pluginsdk", "surface"}},
	{folder: "emitters/codex", ours: []string{"emitters/prose", "pluginsdk", "surface"}},
	{folder: "emitters/cursor", ours: []string{"emitters/prose", "pluginsdk", "surface"}},
	{folder: "emitters/gemini", ours: []string{"emitters/prose", "pluginsdk", "surface"}},
	{folder: "emitters/opencode", ours: []string{"emitters/prose", "pluginsdk", "surface"}},

	// Linked by grimoire-hook. It knows hosts as dialects alone, and no engine.
	{folder: "governance", ours: []string{"surface/...", "pluginsdk/dialect", "emitters", "governance/..."}, modules: []string{
		"github.com/gofrs/flock", "github.com/tidwall/gjson", "github.com/tidwall/sjson",
		"go.yaml.in/yaml/v3", "golang.org/x/sys", "mvdan.cc/sh/v3"}},
	// Not linked by the hook. Paths are compared in one Unicode form.
	{folder: "governance/task", ours: []string{"surface/...", "governance/..."}, modules: []string{
		"github.com/tidwall/gjson", "go.yaml.in/yaml/v3", "mvdan.cc/sh/v3", "golang.org/x/text"}},
	// Facts of a command line come from the line alone.
	{folder: "governance/command", ours: []string{"surface"}, modules: []string{"mvdan.cc/sh/v3"}},
	{folder: "governance/canonical"},

	{folder: "core", ours: anything, modules: anything},
	{folder: "cmd", ours: anything, modules: anything},
	{folder: "golden", ours: anything, modules: anything},
}

// heavy are modules that would make grimoire-hook too slow to start.
var heavy = []string{
	"github.com/hashicorp/go-plugin", "github.com/hashicorp/go-hclog", "google.golang.org/grpc",
	"google.golang.org/protobuf", "github.com/spf13/cobra", "github.com/Masterminds/sprig/v3",
}

func TestEachRoomImportsWhatItMay(t *testing.T) {
	all := list(t, "./...")
	seen := map[string]bool{}
	for path, p := range all {
		folder, ok := strings.CutPrefix(path, module+"/")
		if !ok {
			continue
		}
		r := roomOf(folder)
		if r == nil {
			t.Errorf("%s is in no room: say in core/arch_test.go what it may import", folder)
			continue
		}
		seen[r.folder] = true
		for _, imported := range p.imports {
			if ours, ok := strings.CutPrefix(imported, module+"/"); ok {
				if !matches(r.ours, ours) {
					t.Errorf("%s imports %s; a package of %s may import of ours: %v", folder, ours, r.folder, r.ours)
				}
			} else if m := all[imported].module; m != "" && !matches(r.modules, m) {
				t.Errorf("%s imports %s; a package of %s may import the modules %v", folder, imported, r.folder, r.modules)
			}
		}
	}
	for _, r := range rooms {
		if !seen[r.folder] && r.folder != "core" && r.folder != "golden" { // folders of folders
			t.Errorf("the rule for %s is about no package", r.folder)
		}
	}
}

func TestHookStaysLight(t *testing.T) {
	hook := list(t, "./cmd/grimoire-hook", "./governance/...", "./pluginsdk/dialect", "./emitters")
	for path, p := range hook {
		if slices.Contains(heavy, p.module) {
			t.Errorf("grimoire-hook links %s", path)
		}
		if strings.HasPrefix(path, module+"/core/") || path == module+"/pluginsdk" {
			t.Errorf("grimoire-hook links %s", path)
		}
	}
}

// listed is one package: its module, empty for the standard library, and what
// it imports.
type listed struct {
	module  string
	imports []string
}

// list returns the packages that patterns name and everything they are built
// from, by import path. A package that does not exist is left out.
func list(t *testing.T, patterns ...string) map[string]listed {
	t.Helper()
	const format = "{{.ImportPath}}\t{{with .Module}}{{.Path}}{{end}}\t{{join .Imports \" \"}}"
	cmd := exec.Command("go", append([]string{"list", "-e", "-deps", "-f", format}, patterns...)...)
	cmd.Dir = ".."
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("go list: %v\n%s", err, exit.Stderr)
		}
		t.Skipf("no go command to ask: %v", err)
	}
	packages := map[string]listed{}
	for line := range bytes.Lines(out) {
		fields := strings.Split(strings.TrimRight(string(line), "\n"), "\t")
		if len(fields) == 3 {
			packages[fields[0]] = listed{module: fields[1], imports: strings.Fields(fields[2])}
		}
	}
	return packages
}

// roomOf is the innermost room that folder lies in.
func roomOf(folder string) *room {
	var found *room
	for i, r := range rooms {
		if folder != r.folder && !strings.HasPrefix(folder, r.folder+"/") {
			continue
		}
		if found == nil || len(r.folder) > len(found.folder) {
			found = &rooms[i]
		}
	}
	return found
}

func matches(patterns []string, path string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		under, tree := strings.CutSuffix(pattern, "...")
		return path == strings.TrimSuffix(under, "/") || tree && strings.HasPrefix(path, under)
	})
}
