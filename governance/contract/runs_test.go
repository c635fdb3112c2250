package contract

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

// newest are the versions whose runs are asked here.
var newest = map[string]string{"claude": "2.1.332", "copilot": "1.0.102", "opencode": "1.18.33"}

func loadRun(t *testing.T, host, name string) *Run {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "captures", host, newest[host], "product-"+name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var r Run
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	return &r
}

// stops says what became of each end of the session: "refused" or "passed",
// " again" where the host said that it had been refused before, and "read"
// for a refusal that the session's model then read.
func stops(r *Run) string {
	var all []string
	why := ""
	for _, s := range r.Steps {
		switch {
		case s.Call != nil && s.Event == "Stop" && !gjson.GetBytes(s.Stdin, "agent_id").Exists():
			what := "passed"
			if gjson.Get(s.Stdout, "decision").String() == "block" {
				what, why = "refused", gjson.Get(s.Stdout, "reason").String()
			}
			if gjson.GetBytes(s.Stdin, "stop_hook_active").Bool() {
				what += " again"
			}
			all = append(all, what)
		case s.Read != nil && s.Read.By == "" && why != "" && s.Read.Text == why:
			all, why = append(all, "read"), ""
		}
	}
	return strings.Join(all, ", ")
}

// count is how often the model read a text that holds part, as new.
func count(r *Run, part string) int {
	n := 0
	for _, text := range r.Read() {
		n += strings.Count(text, part)
	}
	return n
}

// TestStopRuns: the runs show what they are said to prove about the end of a
// session.
func TestStopRuns(t *testing.T) {
	for _, host := range []string{"claude", "copilot"} {
		for name, want := range map[string]string{
			"stop-refused":      "refused, read, passed again",
			"stop-remedied":     "refused, read, passed again, passed",
			"stop-reported":     "passed",
			"off-task-refused":  "refused, read, passed again",
			"off-task-remedied": "refused, read, passed again, passed",
			"sub-agent-stop":    "refused, read, passed again",
			"compaction":        "refused, read, passed again",
			"told":              "passed, passed, passed, passed, passed",
			"check-fails":       "passed",
		} {
			if got := stops(loadRun(t, host, name)); got != want {
				t.Errorf("%s, %s: %s; want %s", host, name, got, want)
			}
		}
		told := loadRun(t, host, "told")
		for part, want := range map[string]int{"Keep the old title until Friday": 1, "was cancelled": 1} {
			if got := count(told, part); got != want {
				t.Errorf("%s: the model read %q %d times, want %d", host, part, got, want)
			}
		}
		// Claude Code's shell knows its session, which its claim then carries.
		own := map[string]int{"claude": 0, "copilot": 1}
		for name, want := range map[string]int{"told": 1, "stop-refused": 1, "stop-remedied": 1, "off-task-remedied": own[host]} {
			if n := loadRun(t, host, name).Ledger["task.session_attached"]; n != want {
				t.Errorf("%s, %s: attached %d times, want %d", host, name, n, want)
			}
		}
		if n := told.Ledger["task.directive_delivered"]; n != 1 {
			t.Errorf("%s: a directive was delivered %d times", host, n)
		}
		// The task was handed over, after two refusals.
		asked := ""
		for _, s := range loadRun(t, host, "check-fails").Steps {
			if s.Asks != nil && strings.Contains(s.Asks.Does.Runs, "--to needs_verification") {
				asked += map[bool]string{true: "refused ", false: "moved "}[strings.Contains(s.Asks.Result, "refused")]
			}
		}
		if asked != "refused refused moved " {
			t.Errorf("%s: a gate that wants an observed check: %s", host, asked)
		}
	}
	if got := stops(loadRun(t, "opencode", "stop")); got != "" {
		t.Errorf("opencode calls something at the end: %s", got)
	}
}
