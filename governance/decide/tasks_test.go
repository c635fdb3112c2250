package decide

import (
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/governance/session"
	"github.com/grimoire-kit/grimoire/surface"
)

// What a session changed for a task belongs to it after it was handed over or
// ended; what it changes afterwards does not.
func TestStopAfterTheTask(t *testing.T) {
	for state, want := range map[string]string{
		"needs_verification": "", "waiting": "", "blocked": "", "failed": "", "closed": "", "cancelled": "",
		"ready": "block", "": "block",
	} {
		root := repo(t, map[string]string{profileFile: profile("governed")})
		l := &ledger{task: Task{ID: "GAO-1", State: "running"}, gates: Gates{OK: true}}
		with := func(r *Request) { r.Ledger = l }
		run := func(line string) {
			t.Helper()
			ask(t, root, "claude", "PostToolUse", call("s", "PostToolUse", "Bash", args{"command": line}), with)
		}
		run("touch x")
		l.task, l.states = Task{}, map[string]string{"GAO-1": state}
		run("grimoire task close GAO-1") // is how it got there
		if got := decisionOf(ask(t, root, "claude", "Stop", event("Stop", ""), with)); got != want {
			t.Errorf("%q: %q, want %q", state, got, want)
		}
		run("touch y")
		if got := decisionOf(ask(t, root, "claude", "Stop", event("Stop", ""), with)); got != "block" {
			t.Errorf("%q, and a write after it: %q", state, got)
		}
	}
}

func TestCancelledIsToldOnce(t *testing.T) {
	root := repo(t, map[string]string{profileFile: profile("governed")})
	l := &ledger{task: Task{ID: "GAO-1", State: "running"}, gates: Gates{OK: true}}
	with := func(r *Request) { r.Ledger = l }
	ask(t, root, "claude", "PostToolUse", call("s", "PostToolUse", "Bash", args{"command": "touch x"}), with)
	l.task, l.states = Task{}, map[string]string{"GAO-1": "cancelled"}
	for i, want := range []bool{true, false} {
		a := ask(t, root, "claude", "UserPromptSubmit", event("UserPromptSubmit", `,"prompt":"go"`), with)
		if strings.Contains(string(a.Stdout), "Task GAO-1 was cancelled") != want {
			t.Errorf("turn %d: %s", i, a.Stdout)
		}
	}
	if got := decisionOf(ask(t, root, "claude", "Stop", event("Stop", ""), with)); got != "" {
		t.Errorf("the session is held open for it: %q", got)
	}
}

func TestDirectivesReachTheSession(t *testing.T) {
	for _, e := range []string{"UserPromptSubmit", "SessionStart"} {
		root := repo(t, map[string]string{profileFile: profile("governed")})
		l := &ledger{task: Task{ID: "GAO-1", State: "running"}, said: []Directive{{ID: "dir-1", Kind: "directive", Author: "ada", Text: "keep\nit"}}}
		a := ask(t, root, "claude", e, event(e, ""), func(r *Request) { r.Ledger = l })
		if text := string(a.Stdout); !strings.Contains(text, "directive dir-1 for GAO-1, from ada : keep it") || !strings.Contains(text, "grimoire task ack GAO-1 dir-1") {
			t.Errorf("%s: %s", e, text)
		}
	}
}

// Why there is no task is said with what can be done about it.
func TestWhyThereIsNoTask(t *testing.T) {
	root := repo(t, map[string]string{profileFile: profile("governed")})
	l := &ledger{task: Task{Candidates: []string{"A", "B"}, Expired: []surface.Text{{FR: "bail", EN: "the lease of C has run out"}}}}
	a := ask(t, root, "claude", "UserPromptSubmit", event("UserPromptSubmit", ""), func(r *Request) { r.Ledger = l })
	for _, want := range []string{"the lease of C has run out", "(A, B)", "--session-id s`"} {
		if !strings.Contains(string(a.Stdout), want) {
			t.Errorf("no %q: %s", want, a.Stdout)
		}
	}
	if session.Read(root, "s").Task != "" {
		t.Error("the session got a task")
	}
}

// A session that parked its task is told how to take it up again, not that it
// has none.
func TestParkedTask(t *testing.T) {
	root := repo(t, map[string]string{profileFile: profile("governed")})
	l := &ledger{task: Task{ID: "GAO-1", State: "running"}, gates: Gates{OK: true}}
	with := func(r *Request) { r.Ledger = l }
	ask(t, root, "claude", "UserPromptSubmit", event("UserPromptSubmit", ""), with)
	l.task, l.states = Task{}, map[string]string{"GAO-1": "waiting"}
	for range 2 {
		a := ask(t, root, "claude", "UserPromptSubmit", event("UserPromptSubmit", ""), with)
		if text := string(a.Stdout); !strings.Contains(text, "grimoire task resume GAO-1 --epoch") || strings.Contains(text, "grimoire task add") {
			t.Errorf("%s", text)
		}
	}
}

// What earlier work says of the task is shown when a session starts, and no
// more of it than a budget.
func TestRecallAtTheStart(t *testing.T) {
	root := repo(t, map[string]string{profileFile: profile("governed"), "_grimoire-output/context/GAO-1/task-recall.md": "- before: failed\n" + strings.Repeat("x", 5000)})
	l := &ledger{task: Task{ID: "GAO-1", State: "running"}}
	text := string(ask(t, root, "claude", "SessionStart", event("SessionStart", ""), func(r *Request) { r.Ledger = l }).Stdout)
	if !strings.Contains(text, "Recalled for GAO-1, to be verified:\\n- before: failed") || strings.Count(text, "x") > maxRecall {
		t.Errorf("%s", text)
	}
}
