package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/grimoire-kit/grimoire/core/project"
	"github.com/grimoire-kit/grimoire/emitters/bundled"
	"github.com/grimoire-kit/grimoire/governance/decide"
	"github.com/grimoire-kit/grimoire/governance/session"
	"github.com/grimoire-kit/grimoire/pluginsdk"
)

const counting = `rules:
  - id: all
    verdict_on_match: block
    per_session: {max_tool_calls: 64, max_writes: 64}
`

func bash(session, line string) string {
	return fmt.Sprintf(`{"session_id":%q,"permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":%q}}`, session, line)
}

// Thirty-two processes at once lose no count, and the trace has a whole line
// of each: 64 calls fit the budget, not one more.
func TestConcurrentProcesses(t *testing.T) {
	root := repo(t, map[string]string{"_grimoire/standard/policies.yaml": counting})
	const processes, calls = 32, 3
	var refused sync.Map
	var wg sync.WaitGroup
	for p := range processes {
		wg.Go(func() {
			for c := range calls {
				a := run(t, root, bash("s", "touch x"), nil, "--host", "claude", "--event", "PreToolUse")
				if strings.Contains(a.stdout, `"deny"`) {
					refused.Store([2]int{p, c}, true)
				} else if a.stdout != "" {
					t.Errorf("answer %s", a.stdout)
				}
			}
		})
	}
	wg.Wait()
	n := 0
	refused.Range(func(any, any) bool { n++; return true })
	k := session.Read(root, "s").Rules["all"]
	if n != processes*calls-64 || k.Calls != 64 || k.Writes != 64 {
		t.Errorf("%d refused, %d calls and %d writes counted", n, k.Calls, k.Writes)
	}
	text, err := os.ReadFile(filepath.Join(root, "_grimoire-output", "traces", "traces.jsonl"))
	if lines := strings.Count(string(text), "}\n"); err != nil || lines != processes*calls || strings.Count(string(text), "\n") != lines {
		t.Errorf("%v: %d whole lines of %d", err, lines, strings.Count(string(text), "\n"))
	}
}

// A session that is resumed or compacted goes on counting; a new one does not.
func TestSessionSources(t *testing.T) {
	root := repo(t, map[string]string{"_grimoire/standard/policies.yaml": counting})
	for _, tt := range []struct {
		source string
		calls  int
	}{{"resume", 1}, {"compact", 2}, {"startup", 1}, {"clear", 1}, {"resume", 2}} {
		run(t, root, `{"session_id":"s","permission_mode":"x","hook_event_name":"SessionStart","source":"`+tt.source+`"}`, nil, "--host", "claude", "--event", "SessionStart")
		run(t, root, bash("s", "touch x"), nil, "--host", "claude", "--event", "PreToolUse")
		if n := session.Read(root, "s").Rules["all"].Calls; n != tt.calls {
			t.Errorf("after %s: %d calls counted, want %d", tt.source, n, tt.calls)
		}
	}
}

// The persona a session adopts is the entry persona that was emitted.
func TestEntryIsTheEmitted(t *testing.T) {
	var profiles []pluginsdk.Profile
	for _, e := range bundled.Emitters() {
		profiles = append(profiles, e.Profile())
	}
	inputs, err := filepath.Glob(filepath.Join("..", "..", "golden", "*", "project"))
	if err != nil || len(inputs) == 0 {
		t.Fatalf("%v, %v", inputs, err)
	}
	for _, input := range inputs {
		root := t.TempDir()
		if err := os.CopyFS(root, os.DirFS(input)); err != nil {
			t.Fatal(err)
		}
		p, err := project.Load(root, profiles)
		if err != nil {
			t.Logf("%s: %v", input, err)
			continue
		}
		a := run(t, root, `{"session_id":"s","permission_mode":"x","hook_event_name":"SessionStart","source":"startup"}`, nil, "--host", "claude", "--event", "SessionStart")
		_, block, has := strings.Cut(a.stdout, `**`)
		entry, want := p.Surface.Entry()
		verbs := make([]string, len(entry.Tools))
		for i, v := range entry.Tools {
			verbs[i] = string(v)
		}
		if has != want || want && (!strings.HasPrefix(block, entry.Name+"**") || !strings.Contains(block, "`"+entry.DefinitionRef+"`") || !strings.Contains(block, ": "+strings.Join(verbs, ", ")+".")) {
			t.Errorf("%s: emitted %+v, adopted %s", input, entry, a.stdout)
		}
	}
}

// With both surfaces emitted, as they stand, an event that Copilot reports
// through Claude Code's hook file and through its own is decided, counted and
// traced once.
func TestTwoSurfacesAsEmitted(t *testing.T) {
	root := repo(t, map[string]string{"_grimoire/standard/policies.yaml": counting})
	var profiles []pluginsdk.Profile
	for _, e := range bundled.Emitters() {
		profiles = append(profiles, e.Profile())
	}
	p, err := project.Load(root, profiles)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range bundled.Emitters() {
		if alias := e.Profile().Alias(); alias != "claude" && alias != "copilot" {
			continue
		}
		plan, err := e.Emit(t.Context(), p.Surface)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range plan.Files {
			path := filepath.Join(root, filepath.FromSlash(f.Path))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, f.Content, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	payload := `{"hook_event_name":"PreToolUse","session_id":"s","timestamp":"2026-11-30T22:52:46.162Z","tool_name":"Bash","tool_input":{"command":"rm -rf x"}}`
	through := run(t, root, payload, nil, "--host", "claude", "--event", "PreToolUse")
	own := run(t, root, payload, nil, "--host", "copilot", "--event", "PreToolUse")
	if through.stdout != "" || !strings.Contains(own.stdout, `"permissionDecision":"deny"`) {
		t.Errorf("through Claude Code's file: %s\nthrough its own: %s", through.stdout, own.stdout)
	}
	text, err := os.ReadFile(filepath.Join(root, "_grimoire-output", "traces", "traces.jsonl"))
	if calls := session.Read(root, "s").Rules["all"].Calls; err != nil || calls != 1 || strings.Count(string(text), "\n") != 1 {
		t.Errorf("counted %d times, traced: %s", calls, text)
	}
}

// Several hosts run the tool when their time-out is reached: the hook decides
// within half of every time-out that is emitted.
func TestDeadlineFitsTheEmitted(t *testing.T) {
	root := repo(t, map[string]string{"_grimoire/standard/standard-profile.yaml": "profile: governed\n"})
	p, err := project.Load(root, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Surface.Hooks) != 8 {
		t.Errorf("%d hooks of an enrolled project, want 8", len(p.Surface.Hooks))
	}
	for _, h := range p.Surface.Hooks {
		if half := time.Duration(h.Timeout) * time.Second / 2; decide.MaxDeadline > half {
			t.Errorf("%s: half of its time-out is %s, the hook may take %s", h.Event, half, decide.MaxDeadline)
		}
	}
}
