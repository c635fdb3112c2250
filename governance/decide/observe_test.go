package decide

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/governance/observe"
)

// noted are the entries of a task's journal, in short.
func noted(t *testing.T, root, task string) []string {
	t.Helper()
	var out []string
	err := observe.Each(root, task, func(e observe.Entry) { out = append(out, e.Type+" "+e.What()+" "+string(e.Outcome)) })
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A line that changes something and asks for a gate has its entry before it
// runs: the gate sees it. One that changes nothing besides has none.
func TestAnnouncedBeforeTheGate(t *testing.T) {
	const move = "grimoire task move T-1 --to needs_verification"
	for line, want := range map[string]bool{
		"sh s.sh && " + move:                                    true,
		"sh s.sh; grimoire -o json task close T-1":              true,
		"echo x > a.go && " + move:                              true,
		"sh -c 'echo func >> x_test.go; " + move + "'":          true,
		"python3 s.py && grimoire task prove T-1 --item test=a": true,
		"git stash && " + move:                                  true,
		"sed -i s/a/b/ a.go; " + move:                           true,
		"go test -exec 'sh s.sh' ./... && " + move:              true,
		"go test ./... | tee log; " + move:                      true,
		"go test $X && " + move:                                 true,
		move:                                                    false,
		"cd sub && " + move:                                     false,
		"set -e; cat a.go | head -3; " + move:                   false,
		"git add -A && git commit -m x && " + move:              false,
		"go test ./... && " + move:                              false,
		"go vet ./... && grimoire task move T-1 --to running":   false,
		"grimoire task prove T-1 --item test=a && " + move:      false,
		"sh s.sh && grimoire task show T-1":                     false,
		"sh s.sh && git commit -m 'grimoire task move T-1'":     false,
	} {
		root := repo(t, map[string]string{profileFile: profile("controlled")})
		l := &ledger{task: Task{ID: "T-1", State: "running"}, states: map[string]string{"T-1": "running", "T-2": "running"}}
		ask(t, root, "claude", "PreToolUse", call("s", "PreToolUse", "Bash", args{"command": line}), func(r *Request) { r.Ledger = l })
		if got := noted(t, root, "T-1"); (len(got) > 0) != want {
			t.Errorf("%s: %q", line, got)
		}
	}
	// The journal of the task that is moved, too; a refused line does not run.
	root := repo(t, map[string]string{profileFile: profile("governed")})
	l := &ledger{task: Task{ID: "T-1", State: "running"}, states: map[string]string{"T-2": "running"}}
	for _, line := range []string{"sh s.sh && grimoire task move T-2 --to closed", "sh s.sh && grimoire task move T-3 --to closed",
		"rm -rf / && grimoire task move T-1 --to closed"} {
		ask(t, root, "copilot", "PreToolUse", copilot("s", "", "PreToolUse", "bash", args{"command": line}), func(r *Request) { r.Ledger = l })
	}
	if a, b, c := noted(t, root, "T-1"), noted(t, root, "T-2"), noted(t, root, "T-3"); len(a) != 2 || len(b) != 1 || len(c) != 0 {
		t.Errorf("%q, %q, %q", a, b, c)
	}
}

// What a session does after it handed its task over is noted in that task's
// journal.
func TestJournalOfATaskInReview(t *testing.T) {
	for name, tt := range map[string]struct {
		task Task
		want []string
	}{
		"handed over":                  {Task{Review: []string{"T-1"}}, []string{"T-1"}},
		"beside another session's":     {Task{ID: "T-2", State: "running", Review: []string{"T-1"}}, []string{"T-1", "T-2"}},
		"nothing but what it works on": {Task{ID: "T-2", State: "running"}, []string{"T-2"}},
		"nothing":                      {Task{}, []string{bootstrap}},
	} {
		root := repo(t, map[string]string{profileFile: profile("governed")})
		ask(t, root, "claude", "PostToolUse", call("s", "PostToolUse", "Write", args{"file_path": "a.go", "content": "x"}),
			func(r *Request) { r.Ledger = &ledger{task: tt.task} })
		var got []string
		for _, task := range []string{"T-1", "T-2", bootstrap} {
			if slices.Contains(noted(t, root, task), "file_write a.go ") {
				got = append(got, task)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// What is noted of a line that ran: a check with its outcome, alone or before a
// grimoire command that might be what failed, a write, or nothing.
func TestNotedAfterALine(t *testing.T) {
	for _, tt := range []struct{ line, event, want string }{
		// No run of a check: no program, or nothing that it could check.
		{"pytest -q", "127", ""},
		{"pytest -q", "126", ""},
		{"pytest -q", "2", "test_run pytest -q failed"},
		{"npm test", "254", ""},
		{"cargo test", "101", ""},
		{"cd sub && go vet ./...", "1", "test_run cd sub && go vet ./... failed"},

		{"go test ./...", "PostToolUse", "test_run go test ./... passed"},
		{"go test ./...", "PostToolUseFailure", "test_run go test ./... failed"},
		{"go test ./... && grimoire task move T-1 --to x", "PostToolUse", "test_run go test ./... && grimoire task move T-1 --to x passed"},
		{"go test ./... && grimoire task move T-1 --to x", "PostToolUseFailure", "test_run go test ./... && grimoire task move T-1 --to x unknown"},
		{"go test ./... | tail", "PostToolUse", "bash go test ./... | tail "},
		{"make -n test", "PostToolUse", "bash make -n test "},
		{"touch x", "PostToolUse", "bash touch x "},
		{"cat a.go && git commit -m x", "PostToolUse", ""},
		{"grimoire task move T-1 --to x", "PostToolUse", ""},
		{"git status", "PostToolUse", ""},
	} {
		root := repo(t, map[string]string{profileFile: profile("governed"), "go.mod": "module x\n", "sub/a.go": "package x\n"})
		answer := `,"tool_response":{"stdout":"","interrupted":false}}`
		if _, err := strconv.Atoi(tt.event); err == nil {
			tt.event, answer = "PostToolUseFailure", `,"error":"Exit code `+tt.event+`"}`
		}
		payload := strings.TrimSuffix(call("s", tt.event, "Bash", args{"command": tt.line}), "}") + answer
		ask(t, root, "claude", tt.event, payload, func(r *Request) { r.Ledger = &ledger{task: Task{ID: "T-1", State: "running"}} })
		if got := strings.Join(noted(t, root, "T-1"), "; "); got != tt.want {
			t.Errorf("%s %s: %q, want %q", tt.event, tt.line, got, tt.want)
		}
	}
}

// A project names its own check, which is then one word for word, in its
// folder, and stays red until it passes.
func TestOwnChecks(t *testing.T) {
	const file = "_grimoire/standard/evidence-gates.yaml"
	const own = "transitions: [{id: g, from: ready, to: review, required_evidence: [x]}]\nchecks: [\"bash run-checks.sh --all\", \"make test\"]\n"
	for line, want := range map[string]string{
		"bash run-checks.sh --all":                                     "test_run bash run-checks.sh --all unknown",
		"bash  run-checks.sh   --all":                                  "test_run bash run-checks.sh --all unknown",
		"bash run-checks.sh":                                           "bash bash run-checks.sh ",
		"bash run-checks.sh --all || true":                             "bash bash run-checks.sh --all || true ",
		"cd sub && bash run-checks.sh --all":                           "bash cd sub && bash run-checks.sh --all ",
		"echo x > a.go; bash run-checks.sh --all":                      "bash echo x > a.go; bash run-checks.sh --all ",
		"bash run-checks.sh --all && grimoire task move T-1 --to done": "bash bash run-checks.sh --all && grimoire task move T-1 --to done ",
		"make test":     "test_run make test unknown",
		"go test ./...": "", // no check of this project, and no write either
		"make test && grimoire task move T-1 --to done": "",
	} {
		for declared, text := range map[bool]string{true: own, false: strings.Replace(own, "checks:", "other:", 1)} {
			root := repo(t, map[string]string{profileFile: profile("production"), file: text, "go.mod": "module x\n"})
			ask(t, root, "claude", "PostToolUse", call("s", "PostToolUse", "Bash", args{"command": line}), func(r *Request) { r.Ledger = &ledger{task: Task{ID: "T-1", State: "running"}} })
			got, want := noted(t, root, "T-1"), want
			if !declared && (want == "" || line == "make test") {
				want = "test_run " + line + " unknown"
			}
			if !declared && strings.HasPrefix(want, "test_run bash") {
				want = "bash bash run-checks.sh --all "
			}
			if strings.Join(got, "; ") != want {
				t.Errorf("%s, declared %t: %q, want %q", line, declared, got, want)
			}
		}
	}
}
