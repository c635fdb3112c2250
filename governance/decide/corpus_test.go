package decide

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/emitters"
)

// shellCall is a payload of a host whose shell is given a line; "" where the
// host has no such shell.
func shellCall(host, shell, line string) string {
	in := encoded(args{"command": line})
	switch host + " " + shell {
	case "claude ":
		return call("s", "PreToolUse", "Bash", args{"command": line})
	case "claude powershell":
		return call("s", "PreToolUse", "PowerShell", args{"command": line})
	case "copilot ":
		return `{"sessionId":"s","timestamp":1,"toolName":"bash","toolArgs":` + in + `}`
	case "copilot powershell":
		return `{"sessionId":"s","timestamp":1,"toolName":"powershell","toolArgs":` + in + `}`
	case "codex ":
		return `{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":` + in + `}`
	case "gemini ":
		return `{"session_id":"s","hook_event_name":"BeforeTool","tool_name":"run_shell_command","tool_input":` + in + `}`
	case "opencode ":
		return `{"session_id":"s","tool_name":"bash","tool_input":` + in + `}`
	}
	return ""
}

// TestCorpus takes every call of the corpus of command lines through the whole
// decision, under every host: what has to be caught is refused, or at least
// asked about, by all of them or none, and daily work gets no word. It prints
// the rates per class.
func TestCorpus(t *testing.T) {
	classes, err := filepath.Glob(filepath.Join("..", "command", "testdata", "corpus", "*.jsonl"))
	if err != nil || len(classes) == 0 {
		t.Fatalf("no corpus: %v", err)
	}
	root := repo(t, map[string]string{profileFile: profile("governed")})
	for _, class := range classes {
		data, err := os.ReadFile(class)
		if err != nil {
			t.Fatal(err)
		}
		bad, caught, good, alarms := 0, 0, 0, 0
		lines := bufio.NewScanner(bytes.NewReader(data))
		for lines.Scan() {
			var e struct{ Call, Expect, Shell string }
			if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
				t.Fatal(err)
			}
			var said []string
			for _, host := range emitters.Dialects() {
				if e.Expect == "interactive" && host != "codex" { // elsewhere its input passes the hook again
					continue
				}
				if payload := shellCall(host, e.Shell, e.Call); payload != "" {
					verdict := decisionOf(ask(t, root, host, "pre_tool_use", payload))
					if verdict == "ask" || verdict == "deny" {
						verdict = "stopped"
					}
					said = append(said, verdict)
				}
			}
			if len(said) == 0 {
				continue // no host has that shell
			}
			if slices.ContainsFunc(said, func(s string) bool { return s != said[0] }) {
				t.Errorf("hosts differ: %v: %s", said, e.Call)
			}
			switch e.Expect {
			case "destructive", "secret", "opaque", "unjudged", "interactive":
				if bad++; said[0] == "stopped" {
					caught++
				} else {
					t.Logf("missed (%s, %q): %s", e.Expect, said[0], e.Call)
				}
			case "mutation": // says that it is not read-only, not that it is stopped
			default:
				if good++; said[0] == "stopped" {
					alarms++
					t.Logf("false alarm (%s): %s", e.Expect, e.Call)
				}
			}
		}
		t.Logf("%-14s caught %d of %d, false alarms %d of %d", strings.TrimSuffix(filepath.Base(class), ".jsonl"), caught, bad, alarms, good)
		if caught*100 < bad*98 || alarms*100 > good {
			t.Errorf("%s: below 98 %% caught, or above 1 %% false alarms", filepath.Base(class))
		}
	}
}
