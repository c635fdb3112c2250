package emitters_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/pluginsdk/dialect"
	"github.com/grimoire-kit/grimoire/surface"
)

const patchText = `*** Begin Patch\n*** Add File: new/é.txt\n+hi\n*** Update File: README.md\n@@\n-hello\n+bye\n*** Update File: old.go\n*** Move to: lib/new.go\n@@ func f\n ctx\n-a\n+b\n@@\n+c\n*** Delete File: .env\n*** End Patch\n`

var patchPaths = []string{"new/é.txt", "README.md", "old.go", "lib/new.go", ".env"}

// Every shape of input a host was seen, or is documented, to send.
func TestShapesOfToolInput(t *testing.T) {
	tests := []struct {
		name, host  string
		tool, input string
		canonical   string
		family      surface.ToolFamily
		kind        dialect.Kind
		want        []string
	}{
		{"command", "claude", "Bash", `{"command":"ls -la"}`, "Bash", surface.FamilyExecute, dialect.Command, []string{"ls -la"}},
		{"edits with their own paths", "claude", "MultiEdit", `{"file_path":"a","edits":[{"file_path":"b","old_string":"1","new_string":"2"},{"filePath":"c"}]}`, "MultiEdit", surface.FamilyWrite, dialect.Path, []string{"a", "b", "c"}},
		{"notebook", "claude", "NotebookEdit", `{"notebook_path":"n.ipynb","new_source":"x"}`, "NotebookEdit", surface.FamilyWrite, dialect.Path, []string{"n.ipynb"}},
		{"grep filter", "claude", "Grep", `{"pattern":"KEY","glob":".e*","path":"sub"}`, "Grep", surface.FamilyRead, dialect.Pattern, []string{".e*"}},
		{"glob", "claude", "Glob", `{"pattern":"**/.env*"}`, "Glob", surface.FamilyRead, dialect.Pattern, []string{"**/.env*"}},
		{"former name of the agent tool", "claude", "Task", `{"prompt":"go"}`, "Agent", surface.FamilyDelegation, dialect.Text, []string{"go"}},
		{"file URI", "claude", "Read", `{"file_path":"file:///p/a%20b/.env"}`, "Read", surface.FamilyRead, dialect.Path, []string{"/p/a b/.env"}},
		{"file URI with a host", "claude", "Read", `{"file_path":"FILE://localhost/etc/x"}`, "Read", surface.FamilyRead, dialect.Path, []string{"/etc/x"}},
		{"file URI of a drive", "claude", "Read", `{"file_path":"file:///C:/x/.env"}`, "Read", surface.FamilyRead, dialect.Path, []string{"C:/x/.env"}},
		{"file URI given to the web tool", "claude", "WebFetch", `{"url":"file:///p/.env","prompt":"read"}`, "WebFetch", surface.FamilyNetwork, dialect.Path, []string{"/p/.env"}},
		{"MCP, path", "claude", "mcp__fs__read", `{"path":"/p/.env"}`, "mcp__fs__read", surface.FamilyMCP, dialect.Path, []string{"/p/.env"}},
		{"MCP, command", "claude", "mcp__shell__run", `{"command":"rm -rf /"}`, "mcp__shell__run", surface.FamilyMCP, dialect.Command, []string{"rm -rf /"}},
		{"unknown tool with a command", "claude", "Monitor", `{"command":"tail -f x"}`, "Monitor", surface.FamilyExecute, dialect.Command, []string{"tail -f x"}},
		{"unknown tool without", "claude", "Zork", `{"x":1}`, "Zork", surface.FamilyOther, dialect.Command, nil},
		{"name that merely contains one", "claude", "thread_credit", `{}`, "thread_credit", surface.FamilyOther, dialect.Path, nil},

		{"view", "copilot", "Read", `{"path":"/p/.env","view_range":[1,2]}`, "Read", surface.FamilyRead, dialect.Path, []string{"/p/.env"}},
		{"patch as a bare string", "copilot", "Edit", `"` + patchText + `"`, "Edit", surface.FamilyWrite, dialect.Path, patchPaths},
		{"patch as a bare string, runtime name", "copilot", "apply_patch", `"` + patchText + `"`, "Edit", surface.FamilyWrite, dialect.Path, patchPaths},
		{"patch, VS Code", "copilot", "apply_patch", `{"input":"` + patchText + `","explanation":"x"}`, "Edit", surface.FamilyWrite, dialect.Path, patchPaths},
		{"arguments as JSON in a string", "copilot", "bash", `"{\"command\":\"rm -rf build\"}"`, "Bash", surface.FamilyExecute, dialect.Command, []string{"rm -rf build"}},
		{"text typed into a shell", "copilot", "write_bash", `{"shellId":"1","input":"rm -rf build\n"}`, "write_bash", surface.FamilyExecute, dialect.Command, []string{"rm -rf build\n"}},
		{"glob with paths", "copilot", "Glob", `{"pattern":".env*","paths":["a","b"]}`, "Glob", surface.FamilyRead, dialect.Path, []string{"a", "b"}},
		{"MCP", "copilot", "lab-lab_echo", `{"path":"x"}`, "lab-lab_echo", surface.FamilyMCP, dialect.Path, []string{"x"}},
		{"MCP, when a permission is asked", "copilot", "lab/lab_echo", `{"path":"x"}`, "lab/lab_echo", surface.FamilyMCP, dialect.Path, []string{"x"}},
		{"VS Code terminal", "copilot", "run_in_terminal", `{"command":"ls","isBackground":false}`, "Bash", surface.FamilyExecute, dialect.Command, []string{"ls"}},
		{"VS Code edits", "copilot", "multi_replace_string_in_file", `{"replacements":[{"filePath":"a"},{"filePath":"b"}]}`, "MultiEdit", surface.FamilyWrite, dialect.Path, []string{"a", "b"}},
		{"VS Code pages", "copilot", "fetch_webpage", `{"urls":["https://a","file:///b"]}`, "WebFetch", surface.FamilyNetwork, dialect.URL, []string{"https://a", "file:///b"}},

		{"camelCase arguments", "opencode", "edit", `{"filePath":"/p/a","oldString":"x","newString":"y"}`, "Edit", surface.FamilyWrite, dialect.Path, []string{"/p/a"}},
		{"bash", "opencode", "bash", `{"command":"ls","description":"x"}`, "Bash", surface.FamilyExecute, dialect.Command, []string{"ls"}},
		{"patch", "opencode", "apply_patch", `{"patchText":"` + patchText + `"}`, "Edit", surface.FamilyWrite, dialect.Path, patchPaths},
		{"grep filter", "opencode", "grep", `{"pattern":"x","include":"*.env"}`, "Grep", surface.FamilyRead, dialect.Pattern, []string{"*.env"}},
		{"MCP", "opencode", "lab_touchit", `{"path":"x"}`, "lab_touchit", surface.FamilyMCP, dialect.Path, []string{"x"}},

		{"patch under command", "codex", "apply_patch", `{"command":"` + patchText + `"}`, "Edit", surface.FamilyWrite, dialect.Path, patchPaths},
		{"patch as a bare string", "codex", "apply_patch", `"` + patchText + `"`, "Edit", surface.FamilyWrite, dialect.Path, patchPaths},
		{"patch typed into the shell", "codex", "Bash", `{"command":"cd sub && apply_patch <<'EOF'\n` + patchText + `EOF"}`, "Bash", surface.FamilyExecute, dialect.Path, patchPaths},
		{"patch that is data", "codex", "Bash", `{"command":"cat <<'EOF'\n` + patchText + `EOF"}`, "Bash", surface.FamilyExecute, dialect.Path, nil},
		{"command as words", "codex", "shell", `{"command":["bash","-lc","rm -rf 'a b'"]}`, "Bash", surface.FamilyExecute, dialect.Command, []string{`bash -lc 'rm -rf '\''a b'\'''`}},
		{"image", "codex", "view_image", `{"path":"x.png"}`, "Read", surface.FamilyRead, dialect.Path, []string{"x.png"}},
		{"sub-agent", "codex", "collaborationspawn_agent", `{"message":"go"}`, "Agent", surface.FamilyDelegation, dialect.Text, []string{"go"}},
		{"MCP", "codex", "mcp__lab__touchit", `{"path":"x"}`, "mcp__lab__touchit", surface.FamilyMCP, dialect.Path, []string{"x"}},

		{"relative path", "gemini", "write_file", `{"file_path":"sub/.env","content":"x"}`, "Write", surface.FamilyWrite, dialect.Path, []string{"sub/.env"}},
		{"many files", "gemini", "read_many_files", `{"include":["**/*.env","a"]}`, "Read", surface.FamilyRead, dialect.Pattern, []string{"**/*.env", "a"}},
		{"MCP", "gemini", "mcp_lab_touchit", `{"path":"x"}`, "mcp_lab_touchit", surface.FamilyMCP, dialect.Path, []string{"x"}},
	}
	for _, tt := range tests {
		t.Run(tt.host+" "+tt.name, func(t *testing.T) {
			payload := `{"session_id":"s","cwd":"/p","hook_event_name":"PreToolUse","tool_name":"` + tt.tool + `","tool_input":` + tt.input + `}`
			c := open(t, tt.host).Decode([]byte(payload), "pre_tool_use")
			if c.NotEvaluated != "" {
				t.Fatalf("not evaluated: %s %s", c.NotEvaluated, c.Detail)
			}
			if c.Tool != tt.tool || c.Canonical != tt.canonical || c.Family != tt.family {
				t.Errorf("%s is %s (%s), want %s (%s)", c.Tool, c.Canonical, c.Family, tt.canonical, tt.family)
			}
			if got := c.Values(tt.kind); !slices.Equal(got, tt.want) {
				t.Errorf("%s = %q, want %q", tt.kind, got, tt.want)
			}
			if string(c.ToolInput) != tt.input {
				t.Errorf("ToolInput = %s, want the host's bytes", c.ToolInput)
			}
		})
	}
}

// What an edit says about the text is what a downgrade is recognised by.
func TestChanges(t *testing.T) {
	tests := []struct {
		name, host, tool, input string
		want                    []dialect.Change
	}{
		{"whole file", "claude", "Write", `{"file_path":"a","content":"x"}`, []dialect.Change{{Path: "a", New: "x", Whole: true}}},
		{"emptied file", "claude", "Write", `{"file_path":"a","content":""}`, []dialect.Change{{Path: "a", Whole: true}}},
		{"one edit", "claude", "Edit", `{"file_path":"a","old_string":"x","new_string":"y"}`, []dialect.Change{{Path: "a", Old: "x", New: "y"}}},
		{"several edits", "claude", "MultiEdit", `{"file_path":"a","edits":[{"old_string":"1","new_string":"2"},{"file_path":"b","old_string":"3","new_string":"4"}]}`,
			[]dialect.Change{{Path: "a", Old: "1", New: "2"}, {Path: "b", Old: "3", New: "4"}}},
		{"an edit behind one that says nothing", "claude", "MultiEdit", `{"file_path":"a","edits":[{},{"old_string":"1","new_string":"2"}]}`, []dialect.Change{{Path: "a", Old: "1", New: "2"}}},
		{"patch", "codex", "apply_patch", `{"command":"` + patchText + `"}`, []dialect.Change{
			{Path: "new/é.txt", New: "hi\n", Whole: true},
			{Path: "README.md", Old: "hello\n", New: "bye\n"},
			{Path: "old.go", Removed: true},
			{Path: "lib/new.go", Old: "ctx\na\n", New: "ctx\nb\n"},
			{Path: "lib/new.go", New: "c\n"},
			{Path: ".env", Removed: true},
		}},
		{"VS Code edit", "copilot", "replace_string_in_file", `{"filePath":"file:///p/a","oldString":"x","newString":"y"}`, []dialect.Change{{Path: "/p/a", Old: "x", New: "y"}}},
		{"camelCase", "opencode", "write", `{"filePath":"a","content":"x"}`, []dialect.Change{{Path: "a", New: "x", Whole: true}}},
		{"reading changes nothing", "claude", "Read", `{"file_path":"a"}`, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			payload := `{"session_id":"s","tool_name":"` + tt.tool + `","tool_input":` + tt.input + `}`
			c := open(t, tt.host).Decode([]byte(payload), "pre_tool_use")
			if !reflect.DeepEqual(c.Changes, tt.want) {
				t.Errorf("Changes = %+v\nwant      %+v", c.Changes, tt.want)
			}
		})
	}
}

// Copilot runs the hooks of .claude/settings.json too.
func TestCopilotUnderClaude(t *testing.T) {
	payload := []byte(`{"hook_event_name":"PreToolUse","session_id":"s","timestamp":"2026-11-30T22:52:46.162Z","cwd":"/p","tool_name":"Bash","tool_input":{"command":"ls"}}`)
	c := open(t, "claude").Decode(payload, "PreToolUse")
	if c.BelongsTo != "copilot" || c.SilentIf != ".github/hooks/grimoire-pre-tool-use.json" || c.NotEvaluated != dialect.OtherHost || c.Event != surface.PreToolUse {
		t.Fatalf("%+v", c)
	}
	if c := open(t, "claude").Decode(payload, "Zork"); c.BelongsTo != "copilot" || c.SilentIf != "" {
		t.Errorf("called for no event: %+v", c)
	}
	theirs := open(t, c.BelongsTo)
	c = theirs.Decode(payload, "PreToolUse")
	if c.NotEvaluated != "" || c.Values(dialect.Command)[0] != "ls" {
		t.Fatalf("%+v", c)
	}
	a := theirs.Encode(&c, dialect.Refuse, dialect.Reply{Reason: "no"})
	if !strings.HasPrefix(string(a.Stdout), `{"permissionDecision":"deny"`) {
		t.Errorf("answered %s", a.Stdout)
	}
	// The two shapes of Copilot that name no event, and VS Code's.
	for _, payload := range []string{
		`{"sessionId":"s","timestamp":1,"cwd":"/p","agentName":"task","agent_id":"c","agent_type":"task","parent_agent_id":"s"}`,
		`{"hookEventName":"PreToolUse","sessionId":"s","timestamp":"2026-11-30T22:52:46.162Z","tool_name":"run_in_terminal","tool_input":{}}`,
	} {
		if c := open(t, "claude").Decode([]byte(payload), "SubagentStart"); c.BelongsTo != "copilot" {
			t.Errorf("%s is taken for Claude Code's: %+v", payload, c)
		}
	}
}

func TestSubagents(t *testing.T) {
	tests := []struct {
		name, host, payload        string
		event                      surface.HookEvent
		session, parent, agent, of string
		ignored                    bool
	}{
		{"same session", "claude", `{"session_id":"s","hook_event_name":"PreToolUse","agent_id":"a","agent_type":"scribe","tool_name":"Bash"}`, surface.PreToolUse, "s", "", "a", "scribe", false},
		{"session of its own", "copilot", `{"session_id":"c","hook_event_name":"PreToolUse","agent_id":"c","agent_type":"scribe","parent_agent_id":"s","tool_name":"Bash"}`, surface.PreToolUse, "c", "s", "c", "scribe", false},
		{"end, told to the parent", "copilot", `{"session_id":"s","hook_event_name":"SubagentStop","agent_id":"c","agent_type":"scribe","parent_agent_id":"s"}`, surface.SubagentStop, "s", "", "c", "scribe", false},
		{"end of its turn is no stop of the session", "copilot", `{"session_id":"c","hook_event_name":"Stop","agent_id":"c","parent_agent_id":"s"}`, "", "", "", "", "", true},
		{"the same, camelCase", "copilot", `{"sessionId":"c","stopReason":"end_turn","agentId":"c","agentType":"task","parentAgentId":"s"}`, "", "", "", "", "", true},
		{"budget of the top session", "opencode", `{"session_id":"c","parent_session_id":"s","agent_name":"scribe","tool_name":"bash"}`, surface.PreToolUse, "c", "s", "", "scribe", false},
		{"same session", "codex", `{"session_id":"s","hook_event_name":"PreToolUse","agent_id":"a","agent_type":"reviewer","tool_name":"Bash"}`, surface.PreToolUse, "s", "", "a", "reviewer", false},
	}
	for _, tt := range tests {
		t.Run(tt.host+" "+tt.name, func(t *testing.T) {
			hint := "pre_tool_use"
			if tt.ignored {
				hint = "stop"
			}
			c := open(t, tt.host).Decode([]byte(tt.payload), hint)
			if (c.NotEvaluated == dialect.IgnoredEvent) != tt.ignored || c.Event != tt.event {
				t.Fatalf("event %q, %s %s", c.Event, c.NotEvaluated, c.Detail)
			}
			if c.Session != tt.session || c.ParentSession != tt.parent || c.Agent != tt.agent || c.AgentType != tt.of {
				t.Errorf("session %q of %q, agent %q %q", c.Session, c.ParentSession, c.Agent, c.AgentType)
			}
		})
	}
}

func TestWhichEvent(t *testing.T) {
	tests := []struct {
		host, payload, hint string
		event               surface.HookEvent
		cause               dialect.Cause
	}{
		{"claude", `{"hook_event_name":"Stop"}`, "PreToolUse", surface.Stop, ""}, // the host knows
		{"claude", `{}`, "Stop", surface.Stop, ""},
		{"claude", `{}`, "pre-compact", surface.PreCompact, ""},
		{"claude", `{}`, "sessionstart", surface.SessionStart, ""},
		{"claude", `{}`, "", "", dialect.UnknownEvent},
		{"claude", `{}`, "Zork", "", dialect.UnknownEvent}, // never another event's decision
		{"claude", `{"hook_event_name":"Zork"}`, "", "", dialect.UnknownEvent},
		{"claude", `{"hook_event_name":"Zork"}`, "Stop", surface.Stop, ""}, // a name of a later version
		{"claude", `{"hook_event_name":"SessionEnd"}`, "Stop", "", dialect.IgnoredEvent},
		{"claude", `{"hook_event_name":"PreToolUse"}`, "", surface.PreToolUse, dialect.NoTool},
		{"copilot", `{"sessionId":"s"}`, "agentStop", surface.Stop, ""},
		{"copilot", `{"sessionId":"s"}`, "sessionEnd", "", dialect.IgnoredEvent},
		{"copilot", `{"sessionId":"s","hookName":"permissionRequest","toolName":"bash"}`, "PermissionRequest", surface.PermissionRequest, ""},
		{"gemini", `{"hook_event_name":"BeforeAgent"}`, "", surface.UserPromptSubmit, ""},
		{"gemini", `{"hook_event_name":"AfterModel"}`, "", "", dialect.IgnoredEvent},
		{"codex", `{"hook_event_name":"PermissionRequest","tool_name":"Bash"}`, "", surface.PermissionRequest, ""},
	}
	for _, tt := range tests {
		c := open(t, tt.host).Decode([]byte(tt.payload), tt.hint)
		if c.Event != tt.event || c.NotEvaluated != tt.cause {
			t.Errorf("%s %s called for %q: %q %q, want %q %q", tt.host, tt.payload, tt.hint, c.Event, c.NotEvaluated, tt.event, tt.cause)
		}
	}
}

// A command may ask to run elsewhere; its relative paths start there, and the
// project is still looked for from where the session stands.
func TestWorkDir(t *testing.T) {
	for _, tt := range []struct{ host, input, want string }{
		{"opencode", `{"command":"rm x"}`, "/p"},
		{"opencode", `{"command":"rm x","workdir":"/tmp"}`, "/tmp"},
		{"opencode", `{"command":"rm x","workdir":".opencode/plugin"}`, "/p/.opencode/plugin"},
		{"opencode", `{"command":"rm x","workdir":"C:\\x"}`, `C:\x`},
		{"opencode", `{"command":"rm x","workdir":"file:///tmp/a%20b"}`, "/tmp/a b"},
	} {
		payload := `{"session_id":"s","cwd":"/p","tool_name":"bash","tool_input":` + tt.input + `}`
		d := open(t, tt.host)
		c := d.Decode([]byte(payload), "pre_tool_use")
		if c.WorkDir != tt.want || c.Cwd != "/p" || len(c.Values(dialect.Path)) != 0 {
			t.Errorf("%s: WorkDir %q, Cwd %q, paths %q", tt.input, c.WorkDir, c.Cwd, c.Values(dialect.Path))
		}
		if roots := d.Roots(&c, func(string) string { return "" }, "/here"); roots[0].Path != "/p" {
			t.Errorf("%s: the project is looked for from %v", tt.input, roots)
		}
	}
}

// The project is looked for from where the host says it stands; under Codex
// the payload's folder may be the tool's own.
func TestRoots(t *testing.T) {
	env := func(name string) string { return map[string]string{"CLAUDE_PROJECT_DIR": "/env"}[name] }
	for host, want := range map[string][]dialect.RootSource{
		"claude":   {{Path: "/env", From: "env:CLAUDE_PROJECT_DIR"}, {Path: "/cwd", From: "payload"}, {Path: "/here", From: "process"}},
		"copilot":  {{Path: "/here", From: "process"}, {Path: "/cwd", From: "payload"}},
		"opencode": {{Path: "/cwd", From: "payload"}, {Path: "/here", From: "process"}},
		"codex":    {{Path: "/here", From: "process"}},
		"gemini":   {{Path: "/here", From: "process"}, {Path: "/cwd", From: "payload"}},
	} {
		d := open(t, host)
		c := d.Decode([]byte(`{"session_id":"s","cwd":"/cwd","hook_event_name":"SessionStart"}`), "session_start")
		if got := d.Roots(&c, env, "/here"); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", host, got, want)
		}
	}
}
