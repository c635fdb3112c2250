package doctor

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/grimoire-kit/grimoire/core/host"
	"github.com/grimoire-kit/grimoire/core/plugin"
	"github.com/grimoire-kit/grimoire/core/tree"
	"github.com/grimoire-kit/grimoire/emitters/bundled"
	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

// realHook is the folder of a grimoire-hook built from this source.
var realHook string

func TestMain(m *testing.M) {
	code := func() int {
		dir, err := os.MkdirTemp("", "doctor-hook-")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		realHook = dir
		if out, err := exec.Command("go", "build", "-o", filepath.Join(dir, hookProgram), "../../cmd/grimoire-hook").CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "build grimoire-hook: %v\n%s", err, out)
			return 1
		}
		return m.Run()
	}()
	os.Exit(code)
}

// bench is a machine with a project on it.
type bench struct {
	t          *testing.T
	home, root string
	path       []string
	patience   time.Duration
}

// newBench is a project that was synced for the three hosts with a hook.
func newBench(t *testing.T, profile surface.Profile) *bench {
	t.Helper()
	b := &bench{t: t, home: t.TempDir(), root: t.TempDir(), path: []string{"/usr/bin", "/bin"}, patience: proofTimeout}
	hook := surface.Hook{Event: surface.PreToolUse, OnFailure: profile.OnFailure(), Timeout: 10}
	b.claude(hookGroup("Bash|Read", pluginsdk.HookCommand("claude", "PreToolUse", hook, surface.English)))
	b.put(".github/hooks/grimoire-pre-tool-use.json", object(map[string]any{"version": 1, "hooks": map[string]any{"PreToolUse": []any{
		map[string]any{"type": "command", "command": pluginsdk.HookCommand("copilot", "PreToolUse", hook, surface.English), "timeout": 10}}}}))
	for _, e := range bundled.Emitters() {
		if e.Profile().Alias() != "opencode" {
			continue
		}
		plan, err := e.Emit(t.Context(), &surface.Surface{Language: surface.English, Hooks: []surface.Hook{hook}})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range plan.Files {
			b.put(f.Path, string(f.Content))
		}
	}
	b.put("_grimoire/standard/standard-profile.yaml", "profile: "+string(profile)+"\n")
	b.put("project-context.yaml", "project: {name: shelf}\nuser: {language: English}\n")
	return b
}

func hookGroup(matcher, line string) map[string]any {
	return map[string]any{"matcher": matcher, "hooks": []any{map[string]any{"type": "command", "command": line, "timeout": 10}}}
}

// also is the group with another key in its hook.
func also(group map[string]any, key string, value any) map[string]any {
	group["hooks"].([]any)[0].(map[string]any)[key] = value
	return group
}

// claude writes its settings, with these groups before a tool.
func (b *bench) claude(groups ...any) {
	b.put(".claude/settings.json", object(map[string]any{"hooks": map[string]any{"PreToolUse": groups}}))
}

func (b *bench) put(name, text string) { b.program(filepath.Join(b.root, name), text, 0o644) }

func (b *bench) program(file, text string, mode fs.FileMode) {
	b.t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), mode); err != nil {
		b.t.Fatal(err)
	}
}

// prove runs the proof for every host with a hook, by check name.
func (b *bench) prove() map[string]Check {
	b.t.Helper()
	dir, err := tree.Open(b.root)
	if err != nil {
		b.t.Fatal(err)
	}
	defer dir.Close()
	env := map[string]string{"HOME": b.home, "PATH": strings.Join(b.path, ":"), "LANG": "en_US.UTF-8"}
	e := &examination{ctx: b.t.Context(), root: b.root, tree: dir, patience: b.patience, status: &host.Status{}}
	e.Getenv = func(name string) string { return env[name] }
	for name, value := range env {
		e.Environ = append(e.Environ, name+"="+value)
	}
	catalog, err := plugin.NewCatalog(bundled.Emitters())
	if err != nil {
		b.t.Fatal(err)
	}
	for _, name := range []string{"claude", "copilot", "opencode", "codex"} {
		h, err := catalog.Resolve(name)
		if err != nil {
			b.t.Fatal(err)
		}
		e.hosts = append(e.hosts, h)
		e.status.Hosts = append(e.status.Hosts, host.HostStatus{Profile: h.Profile, Current: []string{opencodeGuard}})
	}
	checks := map[string]Check{}
	for _, c := range e.enforcement() {
		checks[c.Name] = c
	}
	return checks
}

// files are all files below a folder, with what they hold.
func files(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			fmt.Fprintln(&all, path)
			return err
		}
		text, err := os.ReadFile(path)
		fmt.Fprintf(&all, "%s %q\n", path, text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

var guarded = []string{"enforcement_claude", "enforcement_copilot", "enforcement_opencode"}

func needNode(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not installed: opencode's plugin cannot be run")
	}
}

// The proof passes with the real program, whatever the profile, and leaves
// nothing behind: no session, trace or temporary file.
func TestEnforcementProved(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	for _, profile := range []surface.Profile{surface.ProfileStarter, surface.ProfileGoverned, surface.ProfileProduction} {
		b := newBench(t, profile)
		b.path = append(b.path, realHook)
		before := files(t, b.root) + files(t, b.home)
		checks := b.prove()
		for _, name := range guarded {
			if c := checks[name]; !c.Passed || c.Level == Warn || name != "enforcement_opencode" && c.Level != "" {
				t.Errorf("%s, %s: %+v", profile, name, c)
			}
		}
		if c := checks["enforcement_codex"]; !c.Passed || c.Level != Info || !strings.Contains(c.Detail.EN, "no hook is emitted") {
			t.Errorf("codex: %+v", c)
		}
		if after := files(t, b.root) + files(t, b.home); after != before {
			t.Errorf("%s: the proof left something:\n%s\nbefore\n%s", profile, after, before)
		}
	}
	if left, _ := os.ReadDir(tmp); len(left) > 0 {
		t.Errorf("left in the temporary folder: %v", left)
	}
}

// Whatever stands where the hook should fails the proof under every host and
// profile, with what was seen and who answered.
func TestEnforcementNotProved(t *testing.T) {
	needNode(t)
	const (
		crash   = "#!/bin/sh\nprintf '{\"hookSpecificOutput\":{\"hookEventNa'\nexit 2\n"
		mute    = "#!/bin/sh\nexit 0\n"
		greets  = "#!/bin/sh\necho hello\n"
		refuses = "#!/bin/sh\necho '{\"decision\":\"deny\",\"permissionDecision\":\"deny\",\"hookSpecificOutput\":{\"permissionDecision\":\"deny\"},\"reason\":\"never\"}'\n"
		hangs   = "#!/bin/sh\nsleep 600 & wait\n"
	)
	for name, tt := range map[string]struct {
		text string
		mode fs.FileMode
		// what is seen under a profile that lets tools run without a hook, and
		// under one that refuses them
		starter, governed string
	}{
		"missing":         {"", 0, "`rm -rf build` would run: ", "`ls` is stopped: "},
		"crashes":         {crash, 0o755, "`rm -rf build` would run: ", "`ls` is stopped: "},
		"refuses all":     {refuses, 0o755, "`ls` is stopped: never", "`ls` is stopped: never"},
		"cannot be run":   {mute, 0o644, "`rm -rf build` would run: ", "`ls` is stopped: "},
		"is another mute": {mute, 0o755, "`rm -rf build` would run: the hook answered nothing", "`rm -rf build` would run: the hook answered nothing"},
		"is another":      {greets, 0o755, "`rm -rf build` would run: hello", "`rm -rf build` would run: hello"},
		"hangs":           {hangs, 0o755, "`rm -rf build` would run: no answer within", "`rm -rf build` would run: no answer within"},
	} {
		for profile, want := range map[surface.Profile]string{surface.ProfileStarter: tt.starter, surface.ProfileGoverned: tt.governed} {
			t.Run(name+"/"+string(profile), func(t *testing.T) {
				t.Parallel()
				b := newBench(t, profile)
				bin := filepath.Join(b.home, ".local", "bin")
				if tt.mode != 0 {
					b.program(filepath.Join(bin, hookProgram), tt.text, tt.mode)
				}
				if name == "hangs" {
					b.patience = 300 * time.Millisecond
				}
				checks := b.prove()
				for _, check := range guarded {
					c := checks[check]
					want := want
					if check == "enforcement_opencode" && strings.HasPrefix(name, "is another") {
						// its plugin takes for no answer what is not one
						want = map[surface.Profile]string{surface.ProfileStarter: "`rm -rf build` would run: ", surface.ProfileGoverned: "`ls` is stopped: "}[profile]
					}
					if c.Passed || !strings.Contains(c.Detail.EN, want) {
						t.Errorf("%s: %+v, want %q", check, c, want)
					}
					if !strings.Contains(c.Detail.EN, "go install ") || !strings.Contains(c.Detail.FR, "go install ") {
						t.Errorf("%s names no remedy: %+v", check, c)
					}
					if tt.mode == 0o755 && !strings.Contains(c.Detail.EN, "the program is "+filepath.Join(bin, hookProgram)) {
						t.Errorf("%s does not say who answered: %+v", check, c)
					}
				}
			})
		}
	}
}

// A file that its host drops holds no hook for it: that it is dropped is said,
// and why, not that a hook is missing.
func TestEnforcementOfAFileThatCannotBeRead(t *testing.T) {
	b := newBench(t, surface.ProfileStarter)
	b.path = append(b.path, realHook)
	b.put(".claude/settings.json", "{\n  // mine\n}")
	b.put(".github/hooks/grimoire-pre-tool-use.json", "{,}")
	checks := b.prove()
	for name, want := range map[string]string{
		"enforcement_claude":  ".claude/settings.json:2: a comment or a trailing comma (column 3), which this host does not take; Claude Code ignores the whole file",
		"enforcement_copilot": ".github/hooks/grimoire-pre-tool-use.json:1: this is not valid JSON (column 2: invalid character ',' looking for beginning of object key string); Copilot rejects this file",
	} {
		if c := checks[name]; c.Passed || !strings.HasPrefix(c.Detail.EN, want) || strings.Contains(c.Detail.EN, "no hook calls") {
			t.Errorf("%s: %+v", name, c)
		}
	}
}

// A program of the hook's name that comes first on PATH is named, and so is the
// one it hides.
func TestWrongProgramFirst(t *testing.T) {
	b := newBench(t, surface.ProfileGoverned)
	wrong := filepath.Join(b.home, "bin")
	b.program(filepath.Join(wrong, hookProgram), "#!/bin/sh\nexit 0\n", 0o755)
	b.path = []string{wrong, realHook, "/usr/bin", "/bin"}
	want := "the program is " + filepath.Join(wrong, hookProgram) + ", which comes before " + filepath.Join(realHook, hookProgram)
	if c := b.prove()["enforcement_claude"]; c.Passed || !strings.Contains(c.Detail.EN, want) {
		t.Errorf("%+v", c)
	}
}

// A line that grimoire does not write is not run, whatever it says: the project
// may come from anybody.
func TestEditedLines(t *testing.T) {
	line := writtenLines("claude")[3]
	for name, tt := range map[string]struct {
		groups []any
		passed bool
		want   string
	}{
		"with a command":        {[]any{hookGroup("Bash", "touch \"$HOME/PWNED\"; "+line)}, false, ".claude/settings.json:1: the hook is not one that grimoire writes"},
		"made harmless":         {[]any{hookGroup("Bash", line+" >/dev/null")}, false, "`grimoire host sync` puts it back"},
		"another event":         {[]any{hookGroup("Bash", strings.ReplaceAll(line, "PreToolUse", "Stop"))}, false, "not one that grimoire writes"},
		"the program alone":     {[]any{hookGroup("Bash", "grimoire-hook --host claude --event PreToolUse")}, false, "not one that grimoire writes"},
		"not waited for":        {[]any{also(hookGroup("Bash", line), "async", true)}, false, "not one that grimoire writes"},
		"on a condition":        {[]any{also(hookGroup("Bash", line), "if", "Bash(git *)")}, false, "not one that grimoire writes"},
		"of another type":       {[]any{also(hookGroup("Bash", line), "type", "prompt")}, false, "not one that grimoire writes"},
		"gone":                  {nil, false, "no hook calls grimoire-hook before a command"},
		"somebody's alone":      {[]any{hookGroup("Bash", "touch \"$HOME/PWNED\"")}, false, "no hook calls grimoire-hook before a command"},
		"not for this tool":     {[]any{hookGroup("Read|Bas", line)}, false, "no hook calls grimoire-hook before a command"},
		"a bad expression":      {[]any{hookGroup("(Bash", line)}, false, "no hook calls grimoire-hook before a command"},
		"for every tool":        {[]any{hookGroup("*", line)}, true, ""},
		"by an expression":      {[]any{hookGroup("Ba.h", line)}, true, ""},
		"beside somebody's own": {[]any{hookGroup("Bash", "touch \"$HOME/PWNED\"; grimoire-hook"), hookGroup("Bash", line)}, true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, surface.ProfileGoverned)
			b.path = append(b.path, realHook)
			b.claude(tt.groups...)
			before := files(t, b.home)
			c := b.prove()["enforcement_claude"]
			if c.Passed != tt.passed || !strings.Contains(c.Detail.EN, tt.want) {
				t.Errorf("%+v", c)
			}
			if files(t, b.home) != before {
				t.Error("a command of the project was run")
			}
		})
	}
}

// A hook that works is of no use in a file that its host does not load.
func TestWorksButIsDropped(t *testing.T) {
	b := newBench(t, surface.ProfileStarter)
	b.path = append(b.path, realHook)
	b.claude(hookGroup("Bash", writtenLines("claude")[0]), map[string]any{"matcher": "Bash"})
	b.put(".github/copilot/settings.json", `{"disableAllHooks": true}`)
	checks := b.prove()
	if c := checks["enforcement_claude"]; c.Passed || !strings.Contains(c.Detail.EN, "does not run its hook; see host_surface_claude") {
		t.Errorf("%+v", c)
	}
	if c := checks["enforcement_copilot"]; c.Passed || !strings.Contains(c.Detail.EN, "see host_surface_copilot") {
		t.Errorf("%+v", c)
	}
}

// A project may want an approval for every command: its hook works.
func TestOwnRulesStopTheHarmlessCall(t *testing.T) {
	b := newBench(t, surface.ProfileGoverned)
	b.path = append(b.path, realHook)
	b.put("_grimoire/standard/policies.yaml", "rules:\n  - id: shell-needs-yes\n    description: a shell is asked for\n    tool_pattern: Bash\n    require_approval: true\n    verdict_on_match: block\n")
	checks := b.prove()
	for _, name := range guarded[:2] {
		if c := checks[name]; !c.Passed || c.Level != Info || !strings.Contains(c.Detail.EN, "the project's rules stop even `ls`: ") {
			t.Errorf("%s: %+v", name, c)
		}
	}
}

// Without node the hook is asked as opencode's plugin does, and that is said.
func TestOpencodeWithoutNode(t *testing.T) {
	b := newBench(t, surface.ProfileGoverned)
	b.path = []string{realHook}
	c := b.prove()["enforcement_opencode"]
	if !c.Passed || c.Level != Info || !strings.Contains(c.Detail.EN, "without the plugin") {
		t.Errorf("%+v", c)
	}
}

// Copilot's entry may hold what makes it run elsewhere, or for other tools.
func TestEditedCopilotEntry(t *testing.T) {
	for key, value := range map[string]any{"cwd": "sub", "env": map[string]any{"PATH": "/x"}, "bash": "true", "matcher": "Read"} {
		b := newBench(t, surface.ProfileStarter)
		b.path = append(b.path, realHook)
		b.put(".github/hooks/grimoire-pre-tool-use.json", object(map[string]any{"hooks": map[string]any{"PreToolUse": []any{
			map[string]any{"type": "command", "command": writtenLines("copilot")[0], key: value}}}}))
		if c := b.prove()["enforcement_copilot"]; c.Passed {
			t.Errorf("%s: %+v", key, c)
		}
	}
}

// A plugin that was changed is not run.
func TestEditedPlugin(t *testing.T) {
	b := newBench(t, surface.ProfileGoverned)
	dir, err := tree.Open(b.root)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	e := &examination{tree: dir, status: &host.Status{}}
	if d, found := e.opencodeDrill(); d != nil || len(found) != 1 || found[0].severity != failure {
		t.Errorf("%+v, %+v", d, found)
	}
}
