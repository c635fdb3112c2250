package decide

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gofrs/flock"

	"github.com/grimoire-kit/grimoire/governance/policy"
	"github.com/grimoire-kit/grimoire/governance/session"
)

const uncounted = `rules:
  - {id: ap, verdict_on_match: warn, require_approval: true, tool_pattern: "Bash(npm publish:*)"}
  - {id: cd, verdict_on_match: block, cooldown_after: {pattern: "Bash(touch:*)", count: 1, minutes: 5}}
  - {id: b, verdict_on_match: block, tool_pattern: "Bash(make:*)", per_session: {max_tool_calls: 9}}
  - {id: soft, verdict_on_match: allow, tool_pattern: "Bash(go:*)", per_session: {max_tool_calls: 9}}
`

// Whoever takes the session's state away does not take the rules away.
func TestStateTakenAway(t *testing.T) {
	for how, take := range map[string]func(t *testing.T, root string){
		"lock held": func(t *testing.T, root string) {
			l := flock.New(filepath.Join(root, session.Dir, "session-s.lock"))
			if err := os.MkdirAll(filepath.Join(root, session.Dir), 0o755); err != nil {
				t.Fatal(err)
			}
			if ok, err := l.TryLock(); err != nil || !ok {
				t.Fatal(ok, err)
			}
			t.Cleanup(func() { _ = l.Unlock() })
		},
		"lock a folder": func(t *testing.T, root string) {
			if err := os.MkdirAll(filepath.Join(root, session.Dir, "session-s.lock"), 0o755); err != nil {
				t.Fatal(err)
			}
		},
		"output a file": func(t *testing.T, root string) {
			if err := os.WriteFile(filepath.Join(root, "_grimoire-output"), nil, 0o644); err != nil {
				t.Fatal(err)
			}
		},
		"output a link": func(t *testing.T, root string) {
			if err := os.Symlink(t.TempDir(), filepath.Join(root, "_grimoire-output")); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(how, func(t *testing.T) {
			root := repo(t, map[string]string{policy.File: uncounted})
			take(t, root)
			for line, want := range map[string]string{"npm publish": "ask", "touch x": "ask", "make": "ask", "go generate": "context", "cat x": ""} {
				if a := bash(t, root, line); decisionOf(a) != want {
					t.Errorf("%s: %q, want %q: %s", line, decisionOf(a), want, a.Stdout)
				}
			}
			a := ask(t, root, "codex", "PreToolUse", call("s", "PreToolUse", "Bash", args{"command": "make"}))
			if a.Exit != 2 || !strings.Contains(string(a.Stderr), "rule b cannot be kept") {
				t.Errorf("where nobody can be asked: %+v", a)
			}
		})
	}
}

// A profile that cannot be read is a strict one, and is named.
func TestProfileUnread(t *testing.T) {
	for text, want := range map[string]string{
		"profile: zzz\n": "ask", "profile: [\n": "ask", "- x\n": "ask", "profile: starter\n": "context", "options: {}\n": "context", "": "ask", "profile: production\n": "ask",
	} {
		root := repo(t, map[string]string{profileFile: text})
		a := bash(t, root, "$(x) y")
		if decisionOf(a) != want {
			t.Errorf("%q: %s", text, a.Stdout)
		}
		named := strings.Contains(string(a.Stdout), profileFile+" cannot be read")
		if broken := want == "ask" && !strings.Contains(text, "production"); named != broken {
			t.Errorf("%q: named %v: %s", text, named, a.Stdout)
		}
	}
}

// What cannot be read is said where the host shows it.
func TestPayloadUnread(t *testing.T) {
	root := repo(t, nil)
	whole := call("s", "PreToolUse", "Bash", args{"command": "rm -rf d"})
	for name, payload := range map[string]string{"truncated": whole[:40], "not UTF-8": whole[:60] + "\xff" + whole[60:], "large": `{"a":"` + strings.Repeat("a", 17<<20) + `"}`} {
		if a := ask(t, root, "claude", "PreToolUse", payload); !strings.Contains(string(a.Stdout), "this call was not judged: what the host said of it") {
			t.Errorf("%s: %.200s", name, a.Stdout)
		}
	}
	if e := entries(t, root); len(e) != 3 {
		t.Errorf("%d traces", len(e))
	}
}

// A host answers to each of its names, in any case.
func TestNamesOfHosts(t *testing.T) {
	root := repo(t, nil)
	for name, known := range map[string]bool{"claude": true, "Claude": true, "claude-code": true, "host-claude-code-cli": true, "GitHub-Copilot": true, "gemini-cli": true, "zzz": false, "": false, "host-": false} {
		if Knows(name) != known {
			t.Errorf("%q known: %v", name, !known)
		}
	}
	if a := ask(t, root, "Claude-Code", "PreToolUse", call("s", "PreToolUse", "Bash", args{"command": "rm -rf d"})); decisionOf(a) != "deny" || a.Held == "" {
		t.Errorf("%+v", a)
	}
}

// A call of no session cannot be counted either.
func TestNoSession(t *testing.T) {
	root := repo(t, map[string]string{policy.File: uncounted})
	for line, want := range map[string]string{"npm publish": "ask", "make": "ask", "cat x": ""} {
		a := ask(t, root, "claude", "PreToolUse", call("", "PreToolUse", "Bash", args{"command": line}))
		if decisionOf(a) != want {
			t.Errorf("%s: %s", line, a.Stdout)
		}
	}
}
