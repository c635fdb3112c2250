package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/grimoire-kit/grimoire/governance/ledger"
)

// events are a payload of each kind, as two hosts send them.
func events(session string) map[string]map[string]string {
	claude := func(name, more string) string {
		return `{"session_id":"` + session + `","permission_mode":"default","hook_event_name":"` + name + `"` + more + `}`
	}
	copilot := func(name, more string) string {
		return `{"hook_event_name":"` + name + `","session_id":"` + session + `","timestamp":"2026-11-30T22:57:22.539Z","cwd":"."` + more + `}`
	}
	touch := `,"tool_name":"Bash","tool_input":{"command":"touch x"}`
	return map[string]map[string]string{
		"claude": {"SessionStart": claude("SessionStart", `,"source":"startup"`), "UserPromptSubmit": claude("UserPromptSubmit", `,"prompt":"go"`),
			"PreToolUse": claude("PreToolUse", touch), "PostToolUse": claude("PostToolUse", touch+`,"tool_response":{"stdout":""}`),
			"PreCompact": claude("PreCompact", ""), "SubagentStop": claude("SubagentStop", `,"agent_id":"a"`), "Stop": claude("Stop", "")},
		"copilot": {"SessionStart": copilot("SessionStart", `,"source":"new"`), "UserPromptSubmit": copilot("UserPromptSubmit", `,"prompt":"go"`),
			"PreToolUse": copilot("PreToolUse", touch), "PostToolUse": copilot("PostToolUse", touch+`,"tool_result":{"result_type":"success","text_result_for_llm":"<shellId: 0 completed with exit code 0>"}`),
			"PreCompact": copilot("PreCompact", ""), "SubagentStop": copilot("SubagentStop", `,"agent_id":"a"`), "Stop": copilot("Stop", "")},
	}
}

// order is that of a session.
var order = strings.Fields("SessionStart UserPromptSubmit PreToolUse PostToolUse PreCompact SubagentStop Stop")

// A ledger or a board that cannot be read refuses nothing and holds no session
// open, under the strictest profile; what is wrong is said where it matters.
func TestBrokenFiles(t *testing.T) {
	const log = "_grimoire-runtime-output/ledger/events.jsonl"
	for name, tt := range map[string]struct {
		files map[string]string
		says  string
	}{
		"the log is a folder": {map[string]string{log + "/x": ""}, "the task of this session cannot be read, and its gates could not be evaluated: "},
		"the board is broken": {map[string]string{"_grimoire/standard/task-board.yaml": "tasks: ["}, "task-board.yaml"},
	} {
		for host, payloads := range events("s") {
			tt.files["_grimoire/standard/standard-profile.yaml"] = "profile: production\n"
			root := repo(t, tt.files)
			for _, e := range order {
				a := run(t, root, payloads[e], nil, "--host", host, "--event", e)
				if a.exit != 0 || a.stderr != "" || strings.Contains(a.stdout, `"deny"`) || strings.Contains(a.stdout, `"block"`) || strings.Contains(a.stdout, `"ask"`) {
					t.Errorf("%s, %s, %s: %+v", name, host, e, a)
				}
				if e != "PreToolUse" && e != "PostToolUse" && !strings.Contains(a.stdout, tt.says) {
					t.Errorf("%s, %s, %s: nothing of it in %s", name, host, e, a.stdout)
				}
			}
		}
	}
}

// holdsLedger names the project whose ledger the test's own binary, started
// again, holds the lock of until its input ends.
const holdsLedger = "GRIMOIRE_TEST_HOLDS_LEDGER"

func holdLedger(root string) error {
	unlock, err := ledger.NewFile(root, "").Lock(context.Background())
	if err != nil {
		return err
	}
	defer unlock()
	fmt.Println("held")
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// A writer that holds the ledger's lock, and does not let go, keeps a session
// from nothing: the hook answers what it can read, and leaves what it would have
// written to a later call.
func TestLockedLedger(t *testing.T) {
	for host, payloads := range events("s") {
		root := repo(t, map[string]string{"_grimoire/standard/standard-profile.yaml": "profile: governed\n"})
		park(t, root, map[string]ledger.Status{"GAO-a-001": ledger.Claimed}, map[string]string{"GAO-a-001": ""}, map[string]time.Time{"GAO-a-001": time.Now().Add(time.Hour)})
		err := ledger.Open(root, "").Update(context.Background(), func(tx *ledger.Tx) error {
			_, err := tx.Direct("GAO-a-001", "directive", "keep it small", "ada")
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		log := func() string {
			text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(ledger.Dir), ledger.LogName))
			if err != nil {
				t.Fatal(err)
			}
			return string(text)
		}
		before := log()
		holder := exec.Command(os.Args[0])
		holder.Env = append(os.Environ(), holdsLedger+"="+root)
		in, err := holder.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := holder.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := holder.Start(); err != nil {
			t.Fatal(err)
		}
		for lines := bufio.NewScanner(out); lines.Scan() && lines.Text() != "held"; {
		}
		for _, e := range order {
			a := run(t, root, payloads[e], nil, "--host", host, "--event", e)
			if a.exit != 0 || a.stderr != "" || strings.Contains(a.stdout, "no decision within") || strings.Contains(a.stdout, "could not be evaluated") {
				t.Errorf("%s, %s: %+v", host, e, a)
			}
			if e == "UserPromptSubmit" && (!strings.Contains(a.stdout, "current task: GAO-a-001") || strings.Contains(a.stdout, "keep it small")) {
				t.Errorf("%s: %s", host, a.stdout)
			}
		}
		if log() != before {
			t.Errorf("%s: written without the lock: %s", host, strings.TrimPrefix(log(), before))
		}
		_ = in.Close()
		_ = holder.Wait()
		a := run(t, root, payloads["UserPromptSubmit"], nil, "--host", host, "--event", "UserPromptSubmit")
		if after := log(); !strings.Contains(a.stdout, "keep it small") || !strings.Contains(after, `"task.session_attached"`) || !strings.Contains(after, `"task.directive_delivered"`) {
			t.Errorf("%s: the next call did not make up for it: %s", host, a.stdout)
		}
	}
}
