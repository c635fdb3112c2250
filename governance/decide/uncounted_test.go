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
