package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// hook is the program, built as it is shipped.
var hook string

// maxSize is what the program may weigh: it is read from disk at every call.
const maxSize = 6 << 20

func TestMain(m *testing.M) {
	os.Exit(func() int {
		if root := os.Getenv(holdsLedger); root != "" { // not a run of tests: see TestLockedLedger
			if err := holdLedger(root); err != nil {
				fmt.Fprintln(os.Stderr, err)
				return 1
			}
			return 0
		}
		dir, err := os.MkdirTemp("", "grimoire-hook")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer func() { _ = os.RemoveAll(dir) }()
		hook = filepath.Join(dir, "grimoire-hook")
		if runtime.GOOS == "windows" {
			hook += ".exe"
		}
		if out, err := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", hook, ".").CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "build grimoire-hook: %v\n%s", err, out)
			return 1
		}
		return m.Run()
	}())
}

// answer is what the program gave back.
type answer struct {
	stdout, stderr string
	exit           int
}

// run starts the program in a project, with an empty environment but for env.
func run(t testing.TB, root, payload string, env []string, args ...string) answer {
	t.Helper()
	cmd := exec.Command(hook, args...)
	cmd.Dir, cmd.Stdin, cmd.Env = root, strings.NewReader(payload), append([]string{"PATH=" + os.Getenv("PATH")}, env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return answer{out.String(), errs.String(), cmd.ProcessState.ExitCode()}
}

// repo writes a project and returns its physical path.
func repo(t testing.TB, files map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(root, "_grimoire"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestSize(t *testing.T) {
	info, err := os.Stat(hook)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%.2f MiB stripped", float64(info.Size())/(1<<20))
	if info.Size() > maxSize {
		t.Errorf("%d bytes, more than %d", info.Size(), maxSize)
	}
}

const refused = `{"session_id":"s","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"rm -rf build"}}`

func TestCommandLine(t *testing.T) {
	root := repo(t, nil)
	elsewhere := t.TempDir()
	for name, tt := range map[string]struct {
		dir     string
		args    []string
		refuses bool
	}{
		"as emitted":          {root, []string{"--host", "claude", "--event", "PreToolUse"}, true},
		"unknown options":     {root, []string{"--zork", "--host", "claude", "x", "--decision", "grimoire.tool-policy", "--event", "PreToolUse", "-q"}, true},
		"glued":               {root, []string{"--host=claude", "--event=pre_tool_use"}, true},
		"no event":            {root, []string{"--host", "claude"}, true}, // the payload says
		"another root":        {elsewhere, []string{"--host", "claude", "--event", "PreToolUse", "--project-root", root}, true},
		"no host":             {root, []string{"--event", "PreToolUse"}, false},
		"unknown host":        {root, []string{"--host", "zork", "--event", "PreToolUse"}, false},
		"value missing":       {root, []string{"--event", "PreToolUse", "--host"}, false},
		"host climbs folders": {root, []string{"--host", "../emitters/claude", "--event", "PreToolUse"}, false},
	} {
		a := run(t, tt.dir, refused, nil, tt.args...)
		if got := strings.Contains(a.stdout, `"permissionDecision":"deny"`); got != tt.refuses || a.stderr != "" || a.exit != 0 {
			t.Errorf("%s: %+v", name, a)
		}
	}
}

// A project may set any variable; none lets a call pass.
func TestEnvironmentLoosensNothing(t *testing.T) {
	root := repo(t, map[string]string{"_grimoire/standard/standard-profile.yaml": "profile: governed\n"})
	loose := repo(t, map[string]string{"_grimoire/standard/standard-profile.yaml": "profile: production\n"})
	for _, env := range []string{
		"GRIMOIRE_PROJECT_ROOT=" + loose, "GRIMOIRE_PROFILE=starter", "GRIMOIRE_HOST_ID=host-cursor", "GRIMOIRE_SESSION_ID=x",
		"GRIMOIRE_DISABLE=1", "GRIMOIRE_DONE_GATE=off", "GRIMOIRE_TASK_ID=GAO-1", "GRIMOIRE_HOOK_DEADLINE=1ns", "GODEBUG=zork=1",
	} {
		a := run(t, root, refused, []string{env}, "--host", "claude", "--event", "PreToolUse")
		if !strings.Contains(a.stdout, `"permissionDecision":"deny"`) {
			t.Errorf("%s: %+v", env, a)
		}
	}
}

// The message is in the project's language, else the locale's; what hosts read
// is the same in both.
func TestLanguages(t *testing.T) {
	for _, tt := range []struct{ config, locale, says string }{
		{"", "", "recursive or forced delete. A destructive action is admitted only under the production profile"},
		{"", "LC_ALL=fr_FR.UTF-8", "suppression récursive ou forcée"},
		{"user: {language: Français}\n", "LC_ALL=en_US.UTF-8", "suppression récursive ou forcée"},
		{"user: {language: English}\n", "LANG=fr_FR.UTF-8", "recursive or forced delete"},
	} {
		root := repo(t, map[string]string{"project-context.yaml": tt.config})
		a := run(t, root, refused, []string{tt.locale}, "--host", "claude", "--event", "PreToolUse")
		if !strings.Contains(a.stdout, tt.says) || !strings.HasPrefix(a.stdout, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"[Grimoire policy] Bash`) {
			t.Errorf("%q %q: %s", tt.config, tt.locale, a.stdout)
		}
	}
}

// From a sub-folder the project's rules and traces are those of its root.
func TestSubFolder(t *testing.T) {
	root := repo(t, map[string]string{"deep/er/x": "", ".git/HEAD": ""})
	for _, host := range []string{"claude", "copilot", "codex", "gemini", "opencode"} {
		run(t, filepath.Join(root, "deep", "er"), refused, nil, "--host", host, "--event", "pre_tool_use")
	}
	text, err := os.ReadFile(filepath.Join(root, "_grimoire-output", "traces", "traces.jsonl"))
	if err != nil || bytes.Count(text, []byte("\n")) != 5 {
		t.Errorf("%v: %s", err, text)
	}
}

// A payload larger than is read neither breaks the hook nor fills the memory.
func TestHugePayload(t *testing.T) {
	root := repo(t, nil)
	a := run(t, root, `{"hook_event_name":"PreToolUse","tool_input":"`+strings.Repeat("x", 50<<20)+`"}`, nil, "--host", "claude", "--event", "PreToolUse")
	if a.exit != 0 || !strings.Contains(a.stdout, "larger than 16 MiB") || a.stderr != "" {
		t.Errorf("exit %d, %.200s%.200s", a.exit, a.stdout, a.stderr)
	}
	text, _ := os.ReadFile(filepath.Join(root, "_grimoire-output", "traces", "traces.jsonl"))
	if !bytes.Contains(text, []byte(`"cause:payload_too_large"`)) {
		t.Errorf("trace %s", text)
	}
}
