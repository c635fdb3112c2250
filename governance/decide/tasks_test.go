package decide

import (
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/governance/command"
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

// What only lists, fetches or checks changes nothing that a session would have
// to account for; it still says whose task the session works on.
func TestWhatIsNoChange(t *testing.T) {
	for line, want := range map[string]string{
		"go test ./...": "", "go vet ./...": "", "go test ./... 2>&1 | tail -5": "", "gofmt -l .": "", "go list ./...": "", "go env GOPATH": "", "go version": "",
		"git branch": "", "git branch -a --sort=-committerdate": "", "git branch --list 'x*'": "", "git -C . branch": "", "git stash list": "", "git fetch origin": "", "node -v": "", "node -v && npm -v": "", "docker --version": "", "npm test": "", "go test ./... > out/test.txt": "", "make test": "",
		"grimoire task list": "", "grimoire standard verify": "", "grimoire doctor && git fetch": "", "grimoire host sync --check": "", "go vet ./... && gofmt -l . && git status": "",

		"go build ./...": "block", "npm install": "block", "./gen.sh": "block", "./gen.sh -v": "block", "python3 gen.py": "block", "gofmt -w .": "block", "go env -w GOFLAGS=x": "block",
		"git branch x": "block", "git branch -d x": "block", "git branch -m x y": "block", "git branch --edit-description": "block", "git stash": "block", "git commit -m x": "block", "git -c alias.fetch='!touch x' fetch": "block",
		"grimoire task list > x": "block", "go test ./... && touch x": "block", "go vet ./... | tee x": "block", "node -v; node gen.js": "block", "eval \"$X\"": "block",
	} {
		root := repo(t, map[string]string{profileFile: profile("governed"), "go.mod": "module x\n"})
		l := &ledger{}
		with := func(r *Request) { r.Ledger = l }
		run := func() {
			t.Helper()
			ask(t, root, "claude", "PostToolUse", call("s", "PostToolUse", "Bash", args{"command": line}), with)
		}
		run()
		if got := decisionOf(ask(t, root, "claude", "Stop", event("Stop", ""), with)); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
		l.task = Task{ID: "GAO-1", State: "running"}
		run()
		if got := session.Read(root, "s").Task; got != "GAO-1" && !command.Analyze(line, command.Options{}).ReadOnly {
			t.Errorf("%s: the session's task is %q", line, got)
		}
	}
}

// A session whose task came to rest may put its work away, whether it is told
// so between or not.
func TestPuttingTheWorkAway(t *testing.T) {
	for state, words := range map[string]string{
		"needs_verification": "GAO-1 is being verified", "blocked": "GAO-1 is blocked", "failed": "GAO-1 has failed", "closed": "GAO-1 is closed", "waiting": "GAO-1 is parked",
	} {
		root := repo(t, map[string]string{profileFile: profile("governed")})
		l := &ledger{task: Task{ID: "GAO-1", State: "running"}, gates: Gates{OK: true}}
		with := func(r *Request) { r.Ledger = l }
		run := func(line string) {
			t.Helper()
			ask(t, root, "claude", "PostToolUse", call("s", "PostToolUse", "Bash", args{"command": line}), with)
		}
		stop := func(when, want string) string {
			t.Helper()
			a := ask(t, root, "claude", "Stop", event("Stop", ""), with)
			if got := decisionOf(a); got != want {
				t.Errorf("%s, %s: %q, want %q: %s", state, when, got, want, a.Stdout)
			}
			return string(a.Stdout)
		}
		run("touch x")
		run("touch y")
		l.task, l.states = Task{}, map[string]string{"GAO-1": state}
		run("git add -A && git commit -qm done")
		run("git push origin HEAD && git checkout -q main && git merge -q topic && gh pr create --fill")
		run("go test ./... && grimoire task list")
		stop("put away", "")
		text := string(ask(t, root, "claude", "UserPromptSubmit", event("UserPromptSubmit", `,"prompt":"go"`), with).Stdout)
		if !strings.Contains(text, words) || strings.Contains(text, "appears nowhere") {
			t.Errorf("%s: %s", state, text)
		}
		run("git commit -qm more")
		stop("put away at a later turn", "")
		ask(t, root, "claude", "PostToolUse", call("s", "PostToolUse", "Write", args{"file_path": root + "/a.go", "content": "x"}), with)
		if text := stop("another write", "block"); !strings.Contains(text, "after 1 change") {
			t.Errorf("%s: %s", state, text)
		}
		run("git commit -qm another")
		stop("another write, committed", "block")
	}
}

// Several tasks of one session are not said to be nobody's.
func TestSeveralOfThisSession(t *testing.T) {
	root := repo(t, map[string]string{profileFile: profile("governed")})
	l := &ledger{task: Task{Candidates: []string{"A", "B"}, Own: true}}
	text := string(ask(t, root, "claude", "UserPromptSubmit", event("UserPromptSubmit", ""), func(r *Request) { r.Ledger = l }).Stdout)
	if !strings.Contains(text, "Several tasks are this session's (A, B): `grimoire task attach \\u003cid\\u003e --session-id s` says which it is on.") || strings.Contains(text, "grimoire task add") {
		t.Errorf("%s", text)
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
	if strings.Contains(string(a.Stdout), "No task is under way") {
		t.Errorf("two are: %s", a.Stdout)
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

// What is handed over when a session starts stands in one order, and the models
// of sub-agents are spoken of where a host lets the session choose them.
func TestOrderAtTheStart(t *testing.T) {
	files := map[string]string{profileFile: profile("governed"), directiveFile: "Our own words about {task_id}.",
		"_grimoire/kit/agents/concierge.md": "---\nname: concierge\ndescription: Triage\n---\n", "_grimoire-output/context/GAO-1/task-recall.md": "- before: failed\n"}
	for _, tt := range []struct {
		host, payload string
		task          Task
		want          []string
		not           string
	}{
		{"claude", event("SessionStart", ""), Task{ID: "GAO-1", State: "running"},
			[]string{"**concierge**", "[Grimoire — dispatch] The model of a sub-agent", "Recalled for GAO-1", "directive dir-1", "Our own words about GAO-1."}, "grimoire task add"},
		{"claude", event("SessionStart", ""), Task{}, []string{"**concierge**", "[Grimoire — dispatch]", "grimoire task add", "Our own words about bootstrap."}, "Recalled"},
		{"copilot", `{"hook_event_name":"SessionStart","session_id":"s","timestamp":"t","source":"new"}`, Task{ID: "GAO-1", State: "running"},
			[]string{"**concierge**", "Recalled for GAO-1", "directive dir-1", "Our own words about GAO-1."}, "haiku"},
	} {
		root := repo(t, files)
		l := &ledger{task: tt.task, said: []Directive{{ID: "dir-1", Kind: "directive", Author: "ada", Text: "keep it"}}}
		text := string(ask(t, root, tt.host, "SessionStart", tt.payload, func(r *Request) { r.Ledger = l }).Stdout)
		from := 0
		for _, want := range tt.want {
			i := strings.Index(text[from:], want)
			if i < 0 {
				t.Fatalf("%s: no %q in its place: %s", tt.host, want, text)
			}
			from += i
		}
		if strings.Contains(text, tt.not) {
			t.Errorf("%s: %q: %s", tt.host, tt.not, text)
		}
	}
	// A project with an entry of its own gets none of ours, nor the words about it.
	files[contextFile] = "agents: {entry: \"\"}\n"
	if text := string(ask(t, repo(t, files), "claude", "SessionStart", event("SessionStart", "")).Stdout); strings.Contains(text, "dispatch") {
		t.Errorf("%s", text)
	}
}

// A session that goes on is told of a cancelled task when it starts again.
func TestCancelledIsToldAtAResume(t *testing.T) {
	root := repo(t, map[string]string{profileFile: profile("governed")})
	l := &ledger{task: Task{ID: "GAO-1", State: "running"}}
	with := func(r *Request) { r.Ledger = l }
	ask(t, root, "claude", "UserPromptSubmit", event("UserPromptSubmit", ""), with)
	l.task, l.states = Task{}, map[string]string{"GAO-1": "cancelled"}
	for i, want := range []bool{true, false} {
		text := string(ask(t, root, "claude", "SessionStart", event("SessionStart", `,"source":"resume"`), with).Stdout)
		if strings.Contains(text, "Task GAO-1 was cancelled") != want {
			t.Errorf("start %d: %s", i, text)
		}
	}
}

// What a compaction keeps, and what the end of a sub-agent tells, says how the
// gates stand; the latter is traced.
func TestGatesInTheCapsule(t *testing.T) {
	for name, tt := range map[string]struct {
		gates Gates
		want  string
		told  bool
	}{
		"green": {Gates{OK: true}, "Its gates are green.", false},
		"red":   {Gates{Missing: []surface.Text{{FR: "preuve", EN: "proof of a test"}}}, "task GAO-1: red gates.\n- proof of a test", true},
	} {
		root := repo(t, map[string]string{profileFile: profile("governed")})
		with := func(r *Request) { r.Ledger = &ledger{task: Task{ID: "GAO-1", State: "running"}, gates: tt.gates} }
		if text := string(ask(t, root, "claude", "PreCompact", event("PreCompact", ""), with).Stdout); !strings.Contains(text, tt.want) || !strings.Contains(text, "task GAO-1, profile governed") {
			t.Errorf("%s: %s", name, text)
		}
		ask(t, root, "claude", "SubagentStop", event("SubagentStop", `,"agent_id":"a","agent_type":"scribe"`), with)
		list := entries(t, root)
		if got := len(list) > 0 && list[len(list)-1].Has("subagent_stop") && list[len(list)-1].Has("allow") && list[len(list)-1].Agent == "scribe"; got != tt.told {
			t.Errorf("%s: traced %v: %+v", name, got, list)
		}
	}
}
