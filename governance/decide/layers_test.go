package decide

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/grimoire-kit/grimoire/governance/policy"
	"github.com/grimoire-kit/grimoire/governance/trace"
	"github.com/grimoire-kit/grimoire/pluginsdk/dialect"
)

const budgets = `rules:
  - id: writes
    verdict_on_match: block
    tool_pattern: "Bash"
    per_session: {max_writes: 3}
`

// brokenClock fails in the session layer: the first reading is the call's own.
func brokenClock() func() time.Time {
	n := 0
	return func() time.Time {
		if n++; n == 2 {
			panic("the clock\nstopped")
		}
		return time.Now()
	}
}

// A layer that breaks lets the call pass, says so, is traced, and never erases
// what an earlier layer refused.
func TestPanicInALayer(t *testing.T) {
	for _, tt := range []struct{ line, want, outcome string }{
		{"touch x", "context", "aborted"},
		{"rm -rf x", "deny", "failure"},
	} {
		root := repo(t, map[string]string{policy.File: budgets})
		a := ask(t, root, "claude", "PreToolUse", call("s", "PreToolUse", "Bash", args{"command": tt.line}),
			func(r *Request) { r.Now = brokenClock() })
		if got := decisionOf(a); got != tt.want || !strings.Contains(string(a.Stdout), "the clock stopped") {
			t.Errorf("%s: %q, want %q: %s", tt.line, got, tt.want, a.Stdout)
		}
		e := entries(t, root)
		if len(e) != 1 || string(e[0].Outcome) != tt.outcome || !e[0].Has("failed:session") {
			t.Errorf("%s: trace %+v", tt.line, e)
		}
	}
}

// A ledger that breaks never holds a session open.
func TestPanicAtStop(t *testing.T) {
	root := repo(t, map[string]string{profileFile: profile("governed")})
	a := ask(t, root, "claude", "Stop", `{"session_id":"s","permission_mode":"default","hook_event_name":"Stop"}`,
		func(r *Request) { r.Ledger = brokenLedger{} })
	if decisionOf(a) == "block" || !strings.Contains(string(a.Stdout), "no ledger today") {
		t.Errorf("%s", a.Stdout)
	}
}

type brokenLedger struct{}

func (brokenLedger) Task(string, string) (Task, error)                    { panic("no ledger today") }
func (brokenLedger) Attach(string, Task, string, string) error            { return nil }
func (brokenLedger) Gates(string, Task) (Gates, error)                    { return Gates{}, nil }
func (brokenLedger) State(string, string) (string, error)                 { return "", nil }
func (brokenLedger) Directives(string, Task, string) ([]Directive, error) { return nil, nil }

// stuck is a host that never ends its payload.
type stuck struct{ release chan struct{} }

func (s stuck) Read([]byte) (int, error) {
	<-s.release
	return 0, io.EOF
}

func TestDeadline(t *testing.T) {
	root := repo(t, nil)
	// Never let go: a decision that ended after the test would write into a
	// folder that is being removed.
	release := make(chan struct{})
	late := func(r *Request) { r.Payload, r.Deadline = stuck{release}, 20*time.Millisecond }
	for host, want := range map[string]string{"claude": "deny", "copilot": "deny", "opencode": "deny", "codex": "deny", "gemini": "deny"} {
		a := ask(t, root, host, "pre_tool_use", "", late)
		if got := decisionOf(a); got != want || !strings.Contains(string(a.Stdout)+string(a.Stderr), "no decision within 20ms") {
			t.Errorf("%s: %q: %s%s", host, got, a.Stdout, a.Stderr)
		}
		if a := ask(t, root, host, "session_start", "", late); decisionOf(a) != "" {
			t.Errorf("%s: a start was held up: %s", host, a.Stdout)
		}
	}
	for _, e := range entries(t, root) {
		if cause, _ := e.Tag("cause:"); cause != "deadline" {
			t.Errorf("trace %+v", e)
		}
	}
}

// The deadline also holds once the payload is read: a session that another
// process keeps locked must not run into the host's time-out.
func TestDeadlineAfterReading(t *testing.T) {
	root := repo(t, map[string]string{policy.File: budgets})
	// Never let go: a decision that ended after the test would write into a
	// folder that is being removed.
	release := make(chan struct{})
	var n atomic.Int32
	slow := func() time.Time {
		if n.Add(1) == 2 {
			<-release
		}
		return time.Now()
	}
	a := ask(t, root, "claude", "PreToolUse", call("s", "PreToolUse", "Bash", args{"command": "touch x"}),
		func(r *Request) { r.Now, r.Deadline = slow, 50*time.Millisecond })
	if decisionOf(a) != "deny" || !strings.Contains(string(a.Stdout), "Bash: no decision") {
		t.Errorf("%s", a.Stdout)
	}
}

// Payloads with nothing to judge get no opinion and a trace with the cause.
func TestNotEvaluated(t *testing.T) {
	big := `{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"` + strings.Repeat("x", dialect.MaxPayload) + `"}}`
	for payload, cause := range map[string]string{
		"":                        "empty_payload",
		"  \n":                    "empty_payload",
		"{":                       "payload_not_json",
		`{"tool_name":"Bash"`:     "payload_not_json",
		"[1]":                     "payload_not_object",
		`"rm -rf /"`:              "payload_not_object",
		"\xff{}":                  "payload_not_utf8",
		strings.Repeat("[", 5000): "payload_too_deep",
		big:                       "payload_too_large",
		`{"hook_event_name":"PreToolUse","session_id":"s"}`: "no_tool_name",
		call("s", "Zork", "Bash", args{}):                   "", // the hint decides: a tool call without a command
	} {
		root := repo(t, nil)
		a := ask(t, root, "claude", "PreToolUse", payload)
		if d := decisionOf(a); d != "" && d != "context" || a.Exit != 0 {
			t.Errorf("%.40q: exit %d %s", payload, a.Exit, a.Stdout)
		}
		e := entries(t, root)
		if len(e) != 1 {
			t.Fatalf("%.40q: trace %+v", payload, e)
		}
		if got, _ := e[0].Tag("cause:"); got != cause {
			t.Errorf("%.40q: cause %q, want %q", payload, got, cause)
		}
	}
}

// An event nobody knows is never given another event's decision.
func TestUnknownEvent(t *testing.T) {
	root := repo(t, map[string]string{profileFile: profile("governed")})
	a := ask(t, root, "claude", "Zork", `{"session_id":"s","permission_mode":"x","hook_event_name":"Zork"}`)
	if decisionOf(a) != "" {
		t.Errorf("%s", a.Stdout)
	}
	e := entries(t, root)
	if len(e) != 1 || !e[0].Has("cause:unknown_event") {
		t.Errorf("trace %+v", e)
	}
	if a := ask(t, root, "zork", "PreToolUse", call("s", "PreToolUse", "Bash", args{"command": "rm -rf x"})); len(a.Stdout)+len(a.Stderr)+a.Exit != 0 {
		t.Errorf("an unknown host is answered: %+v", a)
	}
}

// Read-only calls write nothing, and open no file of the project.
func TestReadOnlyLeavesNothing(t *testing.T) {
	root := repo(t, map[string]string{profileFile: profile("governed")})
	for _, line := range []string{"git status", "cat README.md | grep x", "ls -la && pwd"} {
		if a := bash(t, root, line); len(a.Stdout) != 0 {
			t.Errorf("%s: %s", line, a.Stdout)
		}
	}
	if _, err := os.Stat(filepath.Join(root, "_grimoire-output")); !os.IsNotExist(err) {
		t.Errorf("something was written: %v", err)
	}
}

// Outside a project every call is judged and nothing is written.
func TestNoProject(t *testing.T) {
	root := t.TempDir()
	if a := bash(t, root, "rm -rf x"); decisionOf(a) != "deny" {
		t.Errorf("%s", a.Stdout)
	}
	if left, _ := os.ReadDir(root); len(left) != 0 {
		t.Errorf("left %v", left)
	}
}

// Rules that are wrong are said with file, line and key; those that are right
// apply, and no call is stopped for the others.
func TestBrokenRules(t *testing.T) {
	root := repo(t, map[string]string{policy.File: `rules:
  - id: good
    verdict_on_match: block
    tool_pattern: "Bash(touch:*)"
  - id: bad
    verdict_on_match: block
    zork: 1
`})
	a := bash(t, root, "touch x")
	if text := string(a.Stdout); decisionOf(a) != "deny" || !strings.Contains(text, "good") {
		t.Errorf("%s", text)
	}
	a = bash(t, root, "mkdir x")
	if text := string(a.Stdout); decisionOf(a) != "context" || !strings.Contains(text, `GR-POL-002 _grimoire/standard/policies.yaml:7: rule \"bad\": key \"zork\"`) {
		t.Errorf("%s", text)
	}
	for name, text := range map[string]string{"not YAML": "rules: [", "not a list": "rules: 3", "a tab": "\trules:"} {
		root := repo(t, map[string]string{policy.File: text})
		a := bash(t, root, "mkdir x")
		if decisionOf(a) != "context" || !strings.Contains(string(a.Stdout), "GR-POL-002") {
			t.Errorf("%s: %s", name, a.Stdout)
		}
	}
}

// What a repository plants where rules, profile or directive should be is
// neither followed out of the project nor waited for.
func TestHostileFiles(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("hunter2: hunter2"), 0o600); err != nil {
		t.Fatal(err)
	}
	root := repo(t, map[string]string{"_grimoire/standard/x": "", ".claude/x": ""})
	for _, name := range []string{policy.File, profileFile, directiveFile, contextFile, "_grimoire/kit", "_grimoire-output"} {
		if err := os.Symlink(secret, filepath.Join(root, filepath.FromSlash(name))); err != nil {
			t.Fatal(err)
		}
	}
	for _, event := range []string{"SessionStart", "PreToolUse", "PreCompact"} {
		a := ask(t, root, "claude", event, call("s", event, "Bash", args{"command": "touch x"}))
		if strings.Contains(string(a.Stdout), "hunter2") {
			t.Errorf("%s: %s", event, a.Stdout)
		}
	}
	if text, _ := os.ReadFile(secret); string(text) != "hunter2: hunter2" {
		t.Errorf("a link was written through: %s", text)
	}
}

func TestPermissionRequestIsTraced(t *testing.T) {
	root := repo(t, nil)
	a := ask(t, root, "claude", "PermissionRequest", call("s", "PermissionRequest", "Bash", args{"command": "rm -rf x"}))
	e := entries(t, root)
	if decisionOf(a) != "" || len(e) != 1 || !e[0].Has("cause:no_decider") {
		t.Errorf("%s %+v", a.Stdout, e)
	}
}

// A trace holds the call as a hash, never its words.
func TestTraceTellsNothing(t *testing.T) {
	root := repo(t, nil)
	bash(t, root, "rm -rf topsecret-folder")
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(trace.File)))
	if err != nil || strings.Contains(string(text), "topsecret") {
		t.Errorf("%v %s", err, text)
	}
	e := entries(t, root)
	if len(e) != 1 || e[0].Host != "host-claude-code-cli" || len(e[0].Calls) != 1 || e[0].Calls[0].Args == "" || !e[0].Has("rule:no-destructive-without-strict") {
		t.Errorf("%+v", e)
	}
}
