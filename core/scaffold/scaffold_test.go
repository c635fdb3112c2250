package scaffold

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/core/kit"
	"github.com/grimoire-kit/grimoire/core/project"
	"github.com/grimoire-kit/grimoire/emitters/bundled"
	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

func profiles() []pluginsdk.Profile {
	var all []pluginsdk.Profile
	for _, e := range bundled.Emitters() {
		all = append(all, e.Profile())
	}
	return all
}

// repo is a project of its own with these files; a path that ends in "/" is a
// folder.
func repo(t *testing.T, files map[string]string) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), "demo")
	if err := os.MkdirAll(root, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		put(t, root, name, content)
	}
	return root
}

func put(t *testing.T, root, name, content string) {
	t.Helper()
	path := filepath.Join(root, filepath.FromSlash(name))
	dir := filepath.Dir(path)
	if strings.HasSuffix(name, "/") {
		dir = path
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if dir != path {
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func get(t *testing.T, root, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func prepare(t *testing.T, root string, o Options) *Plan {
	t.Helper()
	o.Hosts, o.Init = profiles(), true
	if o.Language == "" {
		o.Language = surface.English
	}
	p, err := Prepare(root, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

func apply(t *testing.T, root string, o Options) (*Plan, []string) {
	t.Helper()
	p := prepare(t, root, o)
	out, err := p.Apply()
	if err != nil || len(out.Failed) > 0 {
		t.Fatal(err, out.Failed)
	}
	return p, out.Written
}

func action(p *Plan, path string) Action {
	for _, f := range p.Files {
		if f.Path == path {
			return f.Action
		}
	}
	return ""
}

// A bare folder gets claude, every text of the kit that makes sense in it, and
// a project-context.yaml that the project loads without a remark.
func TestBareFolder(t *testing.T) {
	for _, l := range []surface.Language{surface.French, surface.English} {
		root := repo(t, nil)
		p, written := apply(t, root, Options{Language: l})
		if !p.New || !slices.Equal(p.Hosts, []string{"claude"}) {
			t.Errorf("new %v, hosts %v", p.New, p.Hosts)
		}
		for _, want := range []string{
			"project-context.yaml", "_grimoire/kit/agents/concierge.md", "_grimoire/kit/skills/grimoire-memory.md",
			"_grimoire/kit/commands/grimoire-doctor.md", "_grimoire/_memory/shared-context.md", ManifestPath,
		} {
			if !slices.Contains(written, want) {
				t.Errorf("%s was not written", want)
			}
		}
		for _, path := range written {
			if strings.HasPrefix(path, ".github") || strings.Contains(path, "grimoire-gate") || path == ".mcp.json" {
				t.Errorf("%s was written", path)
			}
		}
		loaded, err := project.Load(root, profiles())
		if err != nil {
			t.Fatal(err)
		}
		entry, _ := loaded.Surface.Entry()
		if entry.Name != "concierge" || loaded.Surface.Language != l || loaded.Surface.ProjectName != "demo" || !loaded.EnabledDeclared {
			t.Errorf("entry %q, language %s, name %q", entry.Name, loaded.Surface.Language, loaded.Surface.ProjectName)
		}
		if len(loaded.Skipped)+len(loaded.Warnings)+len(loaded.Surface.Notes) > 0 {
			t.Errorf("remarks: %v %v %v", loaded.Skipped, loaded.Warnings, loaded.Surface.Notes)
		}
		if _, again := apply(t, root, Options{Language: l}); len(again) > 0 {
			t.Errorf("a second run wrote %v", again)
		}
	}
}

func TestDetection(t *testing.T) {
	for name, tt := range map[string]struct {
		files  map[string]string
		enable []string
		hosts  string
		stack  string
		kind   string
	}{
		"bare":     {nil, nil, "claude", "", "library"},
		"go":       {map[string]string{"go.mod": ""}, nil, "claude", "go", "library"},
		"web":      {map[string]string{"package.json": `{"dependencies":{"react":"1"}}`, "tsconfig.json": "{}"}, nil, "claude", "javascript typescript", "webapp"},
		"parts":    {map[string]string{"api/pyproject.toml": "", "node_modules/x/go.mod": "", "infra/main.tf": ""}, nil, "claude", "python terraform", "infrastructure"},
		"two":      {map[string]string{".github/agents/": "", ".opencode/": "", "Dockerfile": ""}, nil, "copilot opencode", "docker", "service"},
		"asked":    {map[string]string{".claude/": ""}, []string{"gemini", "codex"}, "gemini codex", "", "library"},
		"declared": {map[string]string{"project-context.yaml": "hosts: {enabled: [GitHub-Copilot, zed]}"}, []string{"gemini"}, "copilot zed", "", "library"},
		"none":     {map[string]string{"project-context.yaml": "hosts: {enabled: []}", ".claude/": ""}, nil, "", "", "library"},
	} {
		t.Run(name, func(t *testing.T) {
			p := prepare(t, repo(t, tt.files), Options{Enable: tt.enable})
			if got := strings.Join(p.Hosts, " "); got != tt.hosts {
				t.Errorf("hosts %q, want %q", got, tt.hosts)
			}
			if got := strings.Join(p.Stack, " "); got != tt.stack {
				t.Errorf("stack %q, want %q", got, tt.stack)
			}
			if got := kind(p.tree, p.Stack); got != tt.kind {
				t.Errorf("type %q, want %q", got, tt.kind)
			}
			prompts := action(p, ".github/prompts/grimoire-status.prompt.md") == Create
			if prompts != slices.Contains(p.Hosts, "copilot") {
				t.Errorf("prompts: %v", prompts)
			}
		})
	}
}

// A text of the kit is refreshed while nobody touched it, stays once somebody
// changed it, and does not come back once somebody removed it.
func TestTextsOfTheKit(t *testing.T) {
	const scribe, reviewer, builder, memory = "_grimoire/kit/agents/scribe.md", "_grimoire/kit/agents/reviewer.md",
		"_grimoire/kit/agents/builder.md", "_grimoire/_memory/shared-context.md"
	root := repo(t, nil)
	apply(t, root, Options{})
	texts := map[string]string{}
	for _, path := range []string{scribe, reviewer, builder} {
		texts[path] = get(t, root, path)
	}
	// scribe is as an older grimoire wrote it; reviewer was changed; builder is gone.
	put(t, root, scribe, "older")
	put(t, root, ManifestPath, strings.Replace(get(t, root, ManifestPath), digest([]byte(texts[scribe])), digest([]byte("older")), 1))
	put(t, root, reviewer, "mine")
	put(t, root, memory, "ours")
	if err := os.Remove(filepath.Join(root, builder)); err != nil {
		t.Fatal(err)
	}
	p, written := apply(t, root, Options{})
	if got := []Action{action(p, scribe), action(p, reviewer), action(p, builder), action(p, memory)}; !slices.Equal(got, []Action{Refresh, Keep, Keep, Current}) {
		t.Errorf("actions %v", got)
	}
	if want := []string{scribe, ManifestPath}; !slices.Equal(written, want) {
		t.Errorf("wrote %v, want %v", written, want)
	}
	if get(t, root, scribe) != texts[scribe] || get(t, root, reviewer) != "mine" {
		t.Error("scribe was not refreshed, or reviewer was")
	}
	if _, again := apply(t, root, Options{}); len(again) > 0 {
		t.Errorf("a second run wrote %v", again)
	}

	_, written = apply(t, root, Options{Force: true})
	if want := []string{builder, reviewer}; !slices.Equal(written, want) {
		t.Errorf("--force wrote %v, want %v", written, want)
	}
	if get(t, root, reviewer) != texts[reviewer] || get(t, root, memory) != "ours" {
		t.Error("--force did not restore reviewer, or replaced the team's page")
	}
}

// A checkout with CRLF line ends is the same text.
func TestLineEnds(t *testing.T) {
	root := repo(t, nil)
	_, written := apply(t, root, Options{})
	for _, path := range written {
		put(t, root, path, strings.ReplaceAll(get(t, root, path), "\n", "\r\n"))
	}
	if p := prepare(t, root, Options{}); len(p.Pending())+len(p.Kept()) > 0 {
		t.Errorf("pending %v, kept %v", p.Pending(), p.Kept())
	}
}

// A project with personas of its own gets none from the kit, and no entry
// persona that it does not have.
func TestOwnPersonas(t *testing.T) {
	root := repo(t, map[string]string{
		"_grimoire/_config/custom/agents/alice.md": "---\nname: alice\n---\n",
		"_grimoire/kit/agents/scribe.md":           "---\nname: scribe\n---\nAs another kit has it.\n",
		"_grimoire/kit/skills/grimoire-memory.md":  "my own words\n",
	})
	_, written := apply(t, root, Options{})
	for _, path := range written {
		if strings.Contains(path, "agents") || strings.HasSuffix(path, "skills/grimoire-memory.md") {
			t.Errorf("%s was written", path)
		}
	}
	if !strings.Contains(get(t, root, "project-context.yaml"), `entry: ""`) {
		t.Error(get(t, root, "project-context.yaml"))
	}
}

// The prompt of a workflow that the project has a command of its own for is the
// emitter's to write.
func TestOwnCommand(t *testing.T) {
	p := prepare(t, repo(t, map[string]string{"_grimoire/overrides/commands/grimoire-status.md": "x"}), Options{Enable: []string{"copilot"}})
	if action(p, ".github/prompts/grimoire-status.prompt.md") != "" || action(p, ".github/prompts/grimoire-dream.prompt.md") != Create {
		t.Error(p.Pending())
	}
}

// A project that init did not make lacks no text of the kit; one whose init was
// cut short does, and so does one that asks for them.
func TestProjectWithoutKit(t *testing.T) {
	byHand := map[string]string{
		"project-context.yaml":           "project: {name: demo}\n",
		"_grimoire/kit/agents/scribe.md": "---\nname: scribe\n---\n",
	}
	pending := func(files map[string]string, o Options) string {
		o.Hosts = profiles()
		p, err := Prepare(repo(t, files), o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { p.Close() })
		var paths []string
		for _, f := range p.Pending() {
			paths = append(paths, f.Path)
		}
		return strings.Join(paths, " ")
	}
	if got := pending(byHand, Options{}); got != "project-context.yaml" { // its hosts section
		t.Errorf("by hand: %s", got)
	}
	const skill = "_grimoire/kit/skills/grimoire-memory.md"
	for name, got := range map[string]string{
		"init":      pending(byHand, Options{Init: true}),
		"forced":    pending(byHand, Options{Force: true}),
		"manifest":  pending(map[string]string{ManifestPath: `{"version": 1, "files": {}}`}, Options{}),
		"cut short": pending(map[string]string{"_grimoire/kit/commands/grimoire-doctor.md": string(command(t, "grimoire-doctor"))}, Options{Language: surface.English}),
	} {
		if !strings.Contains(got, skill) || !strings.Contains(got, ManifestPath) {
			t.Errorf("%s: %s", name, got)
		}
	}
	copied := string(kit.Agents(surface.English)[0].Content)
	if got := pending(map[string]string{"project-context.yaml": "hosts: {enabled: [claude]}\n",
		"_grimoire/kit/agents/" + kit.Agents(surface.English)[0].Slug + ".md": copied}, Options{Language: surface.English}); got != "" {
		t.Errorf("a copied starter: %s", got)
	}
	if got := pending(map[string]string{"_grimoire/agents/x.md": ""}, Options{}); got != "project-context.yaml" {
		t.Errorf("older layout: %s", got)
	}
}

// project-context.yaml comes last: without it the next init does it all again.
func TestApplyOrder(t *testing.T) {
	_, written := apply(t, repo(t, nil), Options{})
	if n := len(written); n < 3 || written[n-1] != project.ConfigFile || written[n-2] != ManifestPath {
		t.Errorf("written %v", written)
	}
}

// command is the text of one of the kit's.
func command(t *testing.T, slug string) []byte {
	for _, d := range kit.Commands(surface.English) {
		if d.Slug == slug {
			return d.Content
		}
	}
	t.Fatal(slug)
	return nil
}

// A manifest that cannot be read counts as empty, so that nothing that differs
// is replaced.
func TestBrokenManifest(t *testing.T) {
	const scribe = "_grimoire/kit/agents/scribe.md"
	for _, broken := range []string{"{", `{"version": 9}`, `{"version": 1, "more": 1}`, "{\"version\": 1}\n{}", "<<<<<<< ours"} {
		root := repo(t, nil)
		apply(t, root, Options{})
		put(t, root, scribe, "mine")
		put(t, root, ManifestPath, broken)
		p, written := apply(t, root, Options{})
		if len(p.Warnings) != 1 || action(p, scribe) != Keep || !slices.Equal(written, []string{ManifestPath}) {
			t.Errorf("%q: warnings %v, scribe %s, wrote %v", broken, p.Warnings, action(p, scribe), written)
		}
	}
}

// up adds a hosts section to a project-context.yaml that never had one, keeps
// every byte, and leaves alone what it could only break.
func TestAddHosts(t *testing.T) {
	const section = "hosts:\n  # Any of: claude.\n  enabled: [claude]\n"
	for text, want := range map[string]string{
		"":                           section,
		"# only a comment":           "# only a comment\n" + section,
		"project:\n  name: a\n":      "project:\n  name: a\n" + section,
		"project:\n  name: a":        "project:\n  name: a\n" + section,
		"project: {name: a}\r\n":     "project: {name: a}\r\n" + strings.ReplaceAll(section, "\n", "\r\n"),
		"\ufeffproject: {name: a}\n": "\ufeffproject: {name: a}\n" + section,
		"a: |\n  text\n\n":           "a: |\n  text\n\n" + section,
		"a: |+\n  text\n\n\n":        "a: |+\n  text\n\n\n" + section,
		"{project: {name: a}}\n":     "",
		"  project:\n    name: a\n":  "",
		"project: {name: a}\n...\n":  "",
		"a: 1\n---\nb: 2\n":          "",
		"a: \"unclosed\n":            "",
		// A block scalar that keeps its end would change with a line break after it.
		"a: |\n  text without a final end": "",
	} {
		if got := string(withHosts([]byte(text), section)); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestHomeIsNoProject(t *testing.T) {
	root := repo(t, nil)
	t.Setenv("HOME", root)
	t.Setenv("USERPROFILE", root)
	var home *HomeError
	if _, err := Prepare(root, Options{Hosts: profiles()}); !errors.As(err, &home) || home.Text().FR == "" {
		t.Errorf("got %v, want a *HomeError", err)
	}
	if _, err := Prepare("/", Options{Hosts: profiles()}); !errors.As(err, &home) {
		t.Errorf("got %v, want a *HomeError", err)
	}
}

func TestInvalidContextIsAnError(t *testing.T) {
	var named *project.Error
	_, err := Prepare(repo(t, map[string]string{"project-context.yaml": "hosts: {enabled: claude}\n"}), Options{Hosts: profiles()})
	if !errors.As(err, &named) {
		t.Errorf("got %v, want a *project.Error", err)
	}
}

// A file that cannot be written costs only itself, and is tried again.
func TestOneFileFails(t *testing.T) {
	const skills = "_grimoire/kit/skills"
	root := repo(t, map[string]string{skills + "/": ""})
	if err := os.Chmod(filepath.Join(root, skills), 0o555); err != nil {
		t.Fatal(err)
	}
	p := prepare(t, root, Options{})
	out, err := p.Apply()
	if err != nil || len(out.Failed) != 2 || out.Failed[0].Text().FR == "" || !slices.Contains(out.Written, "project-context.yaml") {
		t.Fatalf("%v: failed %v, wrote %v", err, out.Failed, out.Written)
	}
	if err := os.Chmod(filepath.Join(root, skills), 0o755); err != nil {
		t.Fatal(err)
	}
	_, written := apply(t, root, Options{})
	if want := []string{skills + "/grimoire-agent-dispatch.md", skills + "/grimoire-memory.md", ManifestPath}; !slices.Equal(written, want) {
		t.Errorf("wrote %v, want %v", written, want)
	}
}
