package observe_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/grimoire-kit/grimoire/governance/command"
	"github.com/grimoire-kit/grimoire/governance/observe"
)

func TestIsCheck(t *testing.T) {
	for line, want := range map[string]bool{
		"go test ./...":                 true,
		"go vet ./... && go test ./...": true,
		"cd sub && pytest -q":           true,
		"python -m pytest -q tests":     true,
		"uv run pytest":                 true,
		"npx vitest run":                true,
		"npm test":                      true,
		"make check":                    true,
		"CI=1 cargo test":               true,
		"go test ./... || true":         false,
		"go test ./... ; true":          false,
		"go test ./... | tail":          false,
		"go test ./... &":               false,
		"! go test ./...":               false,
		"go test ./...\ntrue":           false,
		"echo go test":                  false,
		"go test ./... && touch x":      false,
		"go build ./...":                false,
		"npm install":                   false,
		"python -c 'import pytest'":     false,
		"uv run evil":                   false,
		"go test $(evil)":               false,
		"pytest `evil`":                 false,
		"":                              false,
		"cd x":                          false,
	} {
		if got := observe.IsCheck(line, command.Analyze(line, command.Options{}).Programs); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

func TestOutcomeOf(t *testing.T) {
	for _, tt := range []struct {
		response         string
		failed, failures bool
		want             observe.Outcome
	}{
		{`{"stdout":"","interrupted":false}`, false, true, observe.Passed}, // Claude Code has an event for failures
		{`{"stdout":"","interrupted":true}`, false, true, observe.Unknown},
		{`{"backgroundTaskId":"b1"}`, false, true, observe.Unknown},
		{``, true, true, observe.Failed},
		{`"Exit code 3\noops"`, true, true, observe.Failed},
		{``, false, true, observe.Unknown},
		{`{"exit":0}`, false, false, observe.Passed}, // opencode, through our plugin
		{`{"exit":1}`, false, false, observe.Failed},
		{`{"exit":null}`, false, false, observe.Unknown},
		// Copilot's command that goes on in the background.
		{`{"result_type":"success","text_result_for_llm":"<command with shellId: 0 is still running>"}`, false, true, observe.Unknown},
		{`{"exit_code":0}`, false, false, observe.Passed},
		{`{"exit_code":2}`, false, true, observe.Failed},
		{`{"exitCode":1}`, false, true, observe.Failed},
		{`{"text_result_for_llm":"ok\n<shellId: 0 completed with exit code 0>"}`, false, true, observe.Passed},
		{`{"text_result_for_llm":"<shellId: 0 completed with exit code 0>\n<shellId: 0 completed with exit code 1>"}`, false, true, observe.Failed},
		{`{"output":"fine"}`, false, false, observe.Unknown},
		{`not json`, false, false, observe.Unknown},
	} {
		if got, _ := observe.OutcomeOf([]byte(tt.response), tt.failed, tt.failures); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.response, got, tt.want)
		}
	}
}

func TestJournal(t *testing.T) {
	root := t.TempDir()
	if s, err := observe.Read(root, "T-1"); err != nil || s.Check != nil || s.Write != nil {
		t.Errorf("%+v, %v", s, err)
	}
	add := func(e observe.Entry) {
		t.Helper()
		e.At = observe.Stamp(time.Now())
		if err := observe.Append(root, "T-1", e); err != nil {
			t.Fatal(err)
		}
	}
	seen := func() string {
		t.Helper()
		s, err := observe.Read(root, "T-1")
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, e := range []*observe.Entry{s.Check, s.Write} {
			if e != nil {
				out = append(out, e.What())
			}
		}
		return strings.Join(out, ", ")
	}
	add(observe.Entry{Type: observe.Write, Path: "a.go"})
	add(observe.Entry{Type: observe.Check, Command: "go test", Outcome: observe.Passed})
	if got := seen(); got != "go test" {
		t.Error(got)
	}
	add(observe.Entry{Type: observe.Bash, Command: "sed -i x"})
	add(observe.Entry{Type: observe.Write, Path: "b.go"})
	if got := seen(); got != "go test, sed -i x" { // the write that made it stale
		t.Error(got)
	}
	// A torn line, and what an older kit wrote.
	path := filepath.Join(root, filepath.FromSlash(observe.Path("T-1")))
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = f.WriteString("{\"ts\":\"x\",\"ty\n" + `{"ts":"x","type":"test_run","command":"pytest","exit_code":0}` + "\n")
	_ = f.Close()
	if got := seen(); got != "pytest" {
		t.Error(got)
	}
	if line := observe.Line("a  b\n" + strings.Repeat("é", 300)); strings.ContainsRune(line, '\n') || len([]rune(line)) != 240 {
		t.Errorf("%d runes: %s", len([]rune(line)), line)
	}
}
