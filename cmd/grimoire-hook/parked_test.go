package main

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/grimoire-kit/grimoire/governance/ledger"
)

// park writes a ledger whose tasks were left to wait, or are under way, by
// sessions of the same name as their actor. expires is the end of each lease.
func park(t testing.TB, root string, status map[string]ledger.Status, session map[string]string, expires map[string]time.Time) {
	t.Helper()
	err := ledger.Open(root, "").Update(context.Background(), func(tx *ledger.Tx) error {
		m, err := tx.CreateMission(ledger.Mission{Title: "m"})
		if err != nil {
			return err
		}
		for id, to := range status {
			if _, err := tx.CreateTask(ledger.Task{ID: id, Title: id, Mission: m, Acceptance: []string{"tests"}}); err != nil {
				return err
			}
			if err := tx.Move(id, ledger.Move{To: ledger.Ready}); err != nil {
				return err
			}
			c := tx.Lease(id, ledger.Claim{Actor: session[id], Session: session[id]})
			c.Expires = ledger.FormatTime(expires[id])
			if err := tx.Move(id, ledger.Move{To: ledger.Claimed, Claim: &c}); err != nil {
				return err
			}
			if to == ledger.Waiting {
				if err := tx.Move(id, ledger.Move{To: to, Wait: &ledger.Wait{Reason: ledger.WaitCI}}); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// shells are a command line as hosts hand it on, by the host and the tool's own
// words.
var shells = map[string]func(session, line string) string{
	"claude": bash,
	"copilot": func(session, line string) string {
		return `{"hook_event_name":"PreToolUse","session_id":` + strconv.Quote(session) + `,"timestamp":"2026-11-30T22:57:22.539Z","cwd":".","tool_name":"Bash","tool_input":{"command":` + strconv.Quote(line) + `,"description":"x"}}`
	},
}

// A session whose parked task kept a lease that has run out may take it up
// again, and otherwise only read; before that, nothing is refused it.
func TestParkedBeyondItsLease(t *testing.T) {
	const resume = "grimoire task resume GAO-a-001"
	passed, ahead := time.Now().Add(-time.Minute), time.Now().Add(time.Hour)
	lines := map[string]bool{ // whether it is refused
		resume: false, resume + " --epoch 1": false, resume + " --epoch=1 --actor s --session-id s": false,
		"grimoire task show GAO-a-001": false, "grimoire task attach GAO-a-001 --session-id s": false, "grimoire task renew GAO-a-001 --epoch 1": false,
		"git status": false, "cat README.md": false,

		"touch x": true, "git commit -m x": true, "go test ./...": true,
		"grimoire task resume GAO-b-001 --epoch 1": true, "grimoire task claim GAO-a-001": true, "grimoire task show": true,
		resume + " --epoch": true, resume + " --epoch --actor": true, resume + " --epoch '1'": true, `grimoire task resume "GAO-a-001"`: true,
		resume + " --project-root /elsewhere": true, resume + " -o json": true, resume + " extra": true,
		resume + " && touch x": true, resume + "; touch x": true, resume + "\ntouch x": true, resume + " | tee x": true, resume + " > x": true, resume + " & touch x": true,
		resume + " --actor $(touch x)": true, resume + " --actor `touch x`": true, resume + " --actor $USER": true,
		"./grimoire task resume GAO-a-001": true, "X=1 " + resume: true, "grimoire -o json task resume GAO-a-001": true,
	}
	for host, payload := range shells {
		for name, tt := range map[string]struct {
			status  ledger.Status
			expires time.Time
			session string
			other   bool // the session holds another task under way
			profile string
			fenced  bool
		}{
			"beyond":                      {ledger.Waiting, passed, "s", false, "governed", true},
			"beyond, in a weaker profile": {ledger.Waiting, passed, "s", false, "starter", true},
			"within":                      {ledger.Waiting, ahead, "s", false, "governed", false},
			"another session's":           {ledger.Waiting, passed, "other", false, "governed", false},
			"beside one under way":        {ledger.Waiting, passed, "s", true, "governed", false},
			"under way":                   {ledger.Claimed, passed, "s", false, "governed", false},
		} {
			root := repo(t, map[string]string{"_grimoire/standard/standard-profile.yaml": "profile: " + tt.profile + "\n"})
			status, session, expires := map[string]ledger.Status{"GAO-a-001": tt.status}, map[string]string{"GAO-a-001": tt.session}, map[string]time.Time{"GAO-a-001": tt.expires}
			if tt.other {
				status["GAO-c-001"], session["GAO-c-001"], expires["GAO-c-001"] = ledger.Claimed, "s", ahead
			}
			park(t, root, status, session, expires)
			for line, refused := range lines {
				if !tt.fenced && line != "touch x" && line != resume {
					continue
				}
				a := run(t, root, payload("s", line), nil, "--host", host, "--event", "PreToolUse")
				if got := strings.Contains(a.stdout, `"permissionDecision":"deny"`); got != (refused && tt.fenced) || a.exit != 0 {
					t.Errorf("%s, %s: %q: %+v", host, name, line, a)
				} else if got && (!strings.Contains(a.stdout, "task GAO-a-001 is parked and its lease has run out") || !strings.Contains(a.stdout, resume+" --epoch 1`, alone on its line")) {
					t.Errorf("%s, %s: %q: %s", host, name, line, a.stdout)
				}
			}
		}
	}
}

// Other tools than the shell: what writes is refused, what reads is not.
func TestParkedTools(t *testing.T) {
	root := repo(t, map[string]string{"_grimoire/standard/standard-profile.yaml": "profile: governed\n"})
	park(t, root, map[string]ledger.Status{"GAO-a-001": ledger.Waiting}, map[string]string{"GAO-a-001": "s"}, map[string]time.Time{"GAO-a-001": time.Now().Add(-time.Minute)})
	for tool, refused := range map[string]bool{
		"Read": false, "Write": true, "Edit": true, "mcp__grimoire__task_claim": true, "mcp__grimoire__task_add": true,
		"mcp__grimoire__task_update": true, "mcp__grimoire__task_list_ready": false, "mcp__other__look": false,
	} {
		input := `{"file_path":"a.go","content":"x","old_string":"a","new_string":"b"}`
		if strings.HasPrefix(tool, "mcp__") {
			input = `{"task_id":"GAO-a-001"}`
		}
		a := run(t, root, `{"session_id":"s","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"`+tool+`","tool_input":`+input+`}`, nil, "--host", "claude", "--event", "PreToolUse")
		if got := strings.Contains(a.stdout, "is parked and its lease has run out"); got != refused {
			t.Errorf("%s: %+v", tool, a)
		}
	}
	// It is told so when it starts and at each of its turns, and may end.
	for event, want := range map[string]string{"SessionStart": "until then this session may only read", "UserPromptSubmit": "grimoire task resume GAO-a-001 --epoch 1", "Stop": ""} {
		a := run(t, root, `{"session_id":"s","permission_mode":"default","hook_event_name":"`+event+`","prompt":"go"}`, nil, "--host", "claude", "--event", event)
		if !strings.Contains(a.stdout, want) || strings.Contains(a.stdout, `"block"`) {
			t.Errorf("%s: %+v", event, a)
		}
	}
}
