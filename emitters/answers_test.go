package emitters_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/emitters"
	"github.com/grimoire-kit/grimoire/pluginsdk/dialect"
	"github.com/grimoire-kit/grimoire/surface"
)

var update = flag.Bool("update", false, "rewrite testdata/answers.txt from the dialects")

// reason has what breaks careless encoders: accents, quotes, a newline.
const reason = "Grimoire : « rm -rf » est \"refusé\" & définitif\nRemède : <aucun>"

func open(t testing.TB, host string) *dialect.Dialect {
	t.Helper()
	data, ok := emitters.Dialect(host)
	if !ok {
		t.Fatalf("no dialect for %s", host)
	}
	d, err := dialect.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// asked is a payload of event, one for each shape a host answers differently
// or might.
var asked = map[string]func(event string) string{
	"claude":  pascal(`"transcript_path":"/t","permission_mode":"default"`),
	"copilot": pascal(`"timestamp":"2026-11-30T22:52:46.162Z"`),
	"copilot/camel": func(string) string {
		return `{"sessionId":"s","timestamp":1,"cwd":"/p","toolName":"bash","toolArgs":{}}`
	},
	"copilot/vscode": func(event string) string {
		return `{"hookEventName":"` + event + `","sessionId":"s","tool_name":"run_in_terminal"}`
	},
	"opencode": func(string) string { return `{"session_id":"s","tool_name":"bash","tool_input":{}}` },
	"codex":    pascal(`"model":"gpt-5.5"`),
	"gemini":   pascal(`"timestamp":"2026-11-30T22:55:41.970Z"`),
}

func pascal(more string) func(string) string {
	return func(event string) string {
		return `{"session_id":"s","cwd":"/p","hook_event_name":"` + event + `",` + more + `,"tool_name":"Bash","tool_input":{}}`
	}
}

// wire are the words of hosts for events.
var wire = map[surface.HookEvent]string{
	surface.SessionStart: "SessionStart", surface.UserPromptSubmit: "UserPromptSubmit", surface.PreToolUse: "PreToolUse",
	surface.PostToolUse: "PostToolUse", surface.PostToolUseFailure: "PostToolUseFailure", surface.SubagentStart: "SubagentStart",
	surface.SubagentStop: "SubagentStop", surface.PreCompact: "PreCompact", surface.Stop: "Stop", surface.PermissionRequest: "PermissionRequest",
}

var wireGemini = map[surface.HookEvent]string{
	surface.SessionStart: "SessionStart", surface.UserPromptSubmit: "BeforeAgent", surface.PreToolUse: "BeforeTool",
	surface.PostToolUse: "AfterTool", surface.PreCompact: "PreCompress", surface.Stop: "AfterAgent",
}

// call decodes a payload of event in the given shape; it reports false where
// the host has no such event.
func call(t testing.TB, shape string, event surface.HookEvent) (*dialect.Dialect, dialect.Call, bool) {
	t.Helper()
	host, _, _ := strings.Cut(shape, "/")
	d := open(t, host)
	name := wire[event]
	if host == "gemini" {
		name = wireGemini[event]
	}
	hint := string(event)
	c := d.Decode([]byte(asked[shape](name)), hint)
	return d, c, name != "" && c.NotEvaluated == "" && c.Event == event
}

// TestAnswersThatWereSeenToWork holds the answers that real hosts obeyed,
// each byte of them.
func TestAnswersThatWereSeenToWork(t *testing.T) {
	const why = `"why"`
	tests := []struct {
		shape   string
		event   surface.HookEvent
		outcome dialect.Outcome
		stdout  string
		stderr  string
		exit    int
	}{
		// A call nobody objects to: no word, so that the host asks whom it would ask.
		{"claude", surface.PreToolUse, dialect.NoOpinion, ``, ``, 0},
		{"copilot", surface.PreToolUse, dialect.NoOpinion, ``, ``, 0},
		{"opencode", surface.PreToolUse, dialect.NoOpinion, `{}`, ``, 0},
		{"codex", surface.PreToolUse, dialect.NoOpinion, ``, ``, 0},
		{"gemini", surface.PreToolUse, dialect.NoOpinion, ``, ``, 0},

		// Claude Code 2.1.332: JSON at exit 0. With exit 2 the model is shown our command line.
		{"claude", surface.PreToolUse, dialect.Refuse, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":` + why + `}}`, ``, 0},
		{"claude", surface.PreToolUse, dialect.Ask, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":` + why + `}}`, ``, 0},
		{"claude", surface.UserPromptSubmit, dialect.Refuse, `{"decision":"block","reason":` + why + `}`, ``, 0},
		{"claude", surface.Stop, dialect.BlockStop, `{"decision":"block","reason":` + why + `}`, ``, 0},
		{"claude", surface.SubagentStop, dialect.BlockStop, `{"decision":"block","reason":` + why + `}`, ``, 0},
		{"claude", surface.Stop, dialect.Context, `{"systemMessage":"text"}`, ``, 0}, // additionalContext runs the agent again
		{"claude", surface.PreCompact, dialect.Context, `text`, ``, 0},
		{"claude", surface.SessionStart, dialect.Context, `{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"text"}}`, ``, 0},
		{"claude", surface.PermissionRequest, dialect.Refuse, `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":` + why + `}}}`, ``, 0},
		{"claude", surface.PermissionRequest, dialect.Ask, ``, ``, 0}, // the host is asking already

		// Copilot CLI 1.0.102: top level for both of its shapes, nested for VS Code.
		{"copilot", surface.PreToolUse, dialect.Refuse, `{"permissionDecision":"deny","permissionDecisionReason":` + why + `,"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":` + why + `}}`, ``, 0},
		{"copilot/camel", surface.PreToolUse, dialect.Refuse, `{"permissionDecision":"deny","permissionDecisionReason":` + why + `,"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":` + why + `}}`, ``, 0},
		{"copilot/vscode", surface.PreToolUse, dialect.Refuse, `{"permissionDecision":"deny","permissionDecisionReason":` + why + `,"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":` + why + `}}`, ``, 0},
		{"copilot", surface.PreToolUse, dialect.Ask, `{"permissionDecision":"ask","permissionDecisionReason":` + why + `,"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":` + why + `}}`, ``, 0},
		{"copilot", surface.Stop, dialect.BlockStop, `{"decision":"block","reason":` + why + `,"hookSpecificOutput":{"hookEventName":"Stop","decision":"block","reason":` + why + `}}`, ``, 0},
		{"copilot", surface.SessionStart, dialect.Context, `{"additionalContext":"text","hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"text"}}`, ``, 0},
		{"copilot", surface.PermissionRequest, dialect.Refuse, `{"behavior":"deny","message":` + why + `}`, ``, 0},

		// opencode 1.18.33: our guard reads this and throws.
		{"opencode", surface.PreToolUse, dialect.Refuse, `{"decision":"deny","reason":` + why + `}`, ``, 0},
		{"opencode", surface.PreToolUse, dialect.Ask, `{"decision":"ask","reason":` + why + `}`, ``, 0},
		{"opencode", surface.PostToolUse, dialect.Context, `{"context":"text"}`, ``, 0},

		// Codex CLI 0.171.0: one unknown key in JSON runs the tool; exit 2 has no schema to miss. Ask runs the tool.
		{"codex", surface.PreToolUse, dialect.Refuse, ``, `why`, 2},
		{"codex", surface.PreToolUse, dialect.Ask, ``, `why`, 2},
		{"codex", surface.Stop, dialect.BlockStop, `{"decision":"block","reason":` + why + `}`, ``, 0},
		{"codex", surface.UserPromptSubmit, dialect.Context, `{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"text"}}`, ``, 0},

		// Gemini CLI 0.61.0: Ask hangs it.
		{"gemini", surface.PreToolUse, dialect.Refuse, `{"decision":"deny","reason":` + why + `}`, ``, 0},
		{"gemini", surface.PreToolUse, dialect.Ask, `{"decision":"deny","reason":` + why + `}`, ``, 0},
		{"gemini", surface.Stop, dialect.BlockStop, `{"decision":"deny","reason":` + why + `}`, ``, 0},
		{"gemini", surface.UserPromptSubmit, dialect.Context, `{"hookSpecificOutput":{"hookEventName":"BeforeAgent","additionalContext":"text"}}`, ``, 0},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%s %s %s", tt.shape, tt.event, tt.outcome), func(t *testing.T) {
			d, c, ok := call(t, tt.shape, tt.event)
			if !ok {
				t.Fatalf("not decoded: %s %s", c.NotEvaluated, c.Detail)
			}
			r := dialect.Reply{Reason: "why"}
			if tt.outcome == dialect.Context {
				r.Context = "text"
			}
			a := d.Encode(&c, tt.outcome, r)
			if string(a.Stdout) != tt.stdout || string(a.Stderr) != tt.stderr || a.Exit != tt.exit {
				t.Errorf("stdout %s\nstderr %s\nexit %d", a.Stdout, a.Stderr, a.Exit)
			}
		})
	}
}

// TestEveryAnswer holds the answer to every outcome at every event of every
// host in testdata/answers.txt, and that none lets a tool run.
func TestEveryAnswer(t *testing.T) {
	var got bytes.Buffer
	for _, shape := range []string{"claude", "codex", "copilot", "copilot/camel", "copilot/vscode", "gemini", "opencode"} {
		for _, event := range append(slices.Clone(surface.HookEvents), surface.PermissionRequest) {
			d, c, ok := call(t, shape, event)
			if !ok {
				continue
			}
			for _, o := range dialect.Outcomes {
				a := d.Encode(&c, o, dialect.Reply{Reason: reason, Context: "Contexte"})
				fmt.Fprintf(&got, "%s %s %s: exit %d own=%t\n  stdout %s\n  stderr %q\n", shape, event, o, a.Exit, d.Can(&c, o), a.Stdout, a.Stderr)
				granted := event == surface.PermissionRequest && o == dialect.Grant
				if text := strings.ToLower(string(a.Stdout)); !granted && (strings.Contains(text, "allow") || strings.Contains(text, "approve")) {
					t.Errorf("%s %s %s lets something run: %s", shape, event, o, a.Stdout)
				}
				if s := a.Stdout; len(s) > 0 && s[0] == '{' && !json.Valid(s) {
					t.Errorf("%s %s %s is not JSON: %s", shape, event, o, s)
				}
				if len(a.Stderr) > 0 && len(a.Stdout) > 0 {
					t.Errorf("%s %s %s speaks on both streams", shape, event, o)
				}
			}
		}
	}
	const record = "testdata/answers.txt"
	if *update {
		if err := os.WriteFile(record, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(record)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Errorf("the answers differ from %s: look at the diff after running with -update", record)
	}
}

// Claude Code 2.1.332 gives the model 9,990 characters whole; of 10,100 it
// gives 2 kB and a file of its own making.
func TestClaudeContextIsCut(t *testing.T) {
	for _, event := range []surface.HookEvent{surface.SessionStart, surface.UserPromptSubmit, surface.PreCompact, surface.Stop} {
		d, c, _ := call(t, "claude", event)
		a := d.Encode(&c, dialect.Context, dialect.Reply{Context: strings.Repeat("é", 20_000), More: "suite : _grimoire-output/x.md"})
		text := string(a.Stdout)
		if text[0] == '{' {
			text = longest(t, a.Stdout)
		}
		if n := len([]rune(text)); n != 9_990 || !strings.HasSuffix(text, "é\n… suite : _grimoire-output/x.md") {
			t.Errorf("%s: %d characters, ending in %q", event, n, text[len(text)-40:])
		}
	}
}

// longest is the longest text in a JSON document.
func longest(t *testing.T, doc []byte) string {
	t.Helper()
	var found string
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			if len(v) > len(found) {
				found = v
			}
		case map[string]any:
			for _, v := range v {
				walk(v)
			}
		}
	}
	var v any
	if err := json.Unmarshal(doc, &v); err != nil {
		t.Fatal(err)
	}
	walk(v)
	return found
}

// A refusal without a reason runs the tool under Codex and Gemini.
func TestRefusalAlwaysHasAReason(t *testing.T) {
	for shape := range asked {
		d, c, _ := call(t, shape, surface.PreToolUse)
		a := d.Encode(&c, dialect.Refuse, dialect.Reply{Reason: " \n"})
		if !bytes.Contains(append(a.Stdout, a.Stderr...), []byte("Grimoire")) {
			t.Errorf("%s: %s %s", shape, a.Stdout, a.Stderr)
		}
	}
}

// The whole reason arrives, whatever is in it.
func TestReasonArrivesWhole(t *testing.T) {
	for shape := range asked {
		d, c, _ := call(t, shape, surface.PreToolUse)
		a := d.Encode(&c, dialect.Refuse, dialect.Reply{Reason: reason})
		if len(a.Stderr) > 0 {
			if string(a.Stderr) != reason {
				t.Errorf("%s: %s", shape, a.Stderr)
			}
			continue
		}
		var answer map[string]any
		if err := json.Unmarshal(a.Stdout, &answer); err != nil {
			t.Fatal(err)
		}
		if !says(answer, reason) {
			t.Errorf("%s: %s", shape, a.Stdout)
		}
	}
}

func says(v any, text string) bool {
	if m, ok := v.(map[string]any); ok {
		for _, v := range m {
			if says(v, text) {
				return true
			}
		}
	}
	return v == text
}
