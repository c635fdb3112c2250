package decide

import (
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/governance/policy"
)

// Writing through the tool of an MCP server is writing, whatever its arguments
// are called.
func TestForeignWrites(t *testing.T) {
	root := repo(t, map[string]string{policy.File: "rules: []\n"})
	for _, tt := range []struct {
		tool  string
		input args
		want  string
	}{
		{"mcp__fs__write_file", args{"path": root + "/.claude/settings.json", "content": "{}"}, "ask"},
		{"mcp__fs__writeFile", args{"filepath": ".claude/settings.json"}, "ask"},
		{"mcp__fs__edit_file", args{"path": ".claude/settings.json", "edits": []any{args{"oldText": "a", "newText": "b"}}}, "ask"},
		{"mcp__fs__move_file", args{"source": ".claude", "destination": "/tmp/x"}, "ask"},
		{"mcp__fs__move_file", args{"source": "/tmp/x", "destination": "_grimoire/standard/policies.yaml"}, "ask"},
		{"mcp__serena__create_text_file", args{"relative_path": ".claude/settings.json", "content": ""}, "ask"},
		{"mcp__serena__replace_content", args{"relative_path": ".claude/settings.json"}, "ask"},
		{"mcp__github__push_files", args{"files": []any{args{"path": ".claude/settings.json", "content": "{}"}}}, "ask"},
		{"mcp__x__save", args{"file": ".claude/settings.json", "contents": "{}"}, "ask"},
		{"mcp__fs__read_file", args{"path": ".claude/settings.json"}, ""},
		{"mcp__fs__write_file", args{"path": "src/a.go", "content": "x"}, ""},
		{"mcp__patchwork__list", args{"path": ".claude/settings.json"}, ""},
		{"mcp__x__compute", args{"path": ".claude/settings.json"}, ""},
		{"mcp__fs__read_file", args{"relative_path": ".env"}, "deny"},
		{"mcp__fs__read", args{"files": []any{args{"path": "a"}, args{"path": ".env"}}}, "deny"},
		{"mcp__fs__copy", args{"source": ".env", "destination": "x"}, "deny"},
		{"mcp__sh__run", args{"command": "rm", "args": []any{"-rf", "d"}}, "deny"},
		{"mcp__sh__run", args{"args": []any{"-rf", "d"}, "command": "rm"}, "deny"},
		{"mcp__sh__run", args{"command": "bash", "arguments": []any{"-c", "rm -rf d"}}, "deny"},
		{"mcp__sh__run", args{"commands": []any{"ls", "rm -rf d"}}, "deny"},
		{"mcp__sh__run", args{"command_line": "rm -rf d"}, "deny"},
		{"mcp__py__exec", args{"code": "import shutil\nshutil.rmtree('d')"}, "deny"},
		{"mcp__js__exec", args{"code": `require("fs").rmSync("d",{recursive:true})`}, "deny"},
		{"mcp__py__exec", args{"code": "print(open('.env').read())"}, "deny"},
		{"mcp__py__exec", args{"code": "print(1)"}, ""},
		{"mcp__diagram__draw", args{"code": "graph TD; A-->B"}, ""},
		{"mcp__db__run", args{"sql": "DROP TABLE users"}, "deny"},
		{"mcp__db__query", args{"query": "drop database x"}, "deny"},
		{"mcp__db__query", args{"query": "select * from users"}, ""},
		{"mcp__docs__search", args{"query": "how to drop table users"}, ""},
	} {
		a := ask(t, root, "claude", "PreToolUse", call("s", "PreToolUse", tt.tool, tt.input))
		if decisionOf(a) != tt.want {
			t.Errorf("%s %v: %q, want %q: %s", tt.tool, tt.input, decisionOf(a), tt.want, a.Stdout)
		}
	}
	for _, tt := range []struct {
		host, event, tool string
		input             any
	}{
		{"copilot", "PreToolUse", "filesystem-write_file", args{"path": ".claude/settings.json", "content": "{}"}},
		{"copilot", "PreToolUse", "bash", "rm -rf d"},
		{"copilot", "PreToolUse", "create_and_run_task", args{"task": args{"command": "rm", "args": []any{"-rf", "d"}}}},
		{"opencode", "pre_tool_use", "filesystem_write_file", args{"path": ".claude/settings.json", "content": "{}"}},
		{"gemini", "BeforeTool", "mcp_filesystem_write_file", args{"path": ".claude/settings.json", "content": "{}"}},
		{"codex", "PreToolUse", "mcp__filesystem__write_file", args{"path": ".claude/settings.json", "content": "{}"}},
		{"codex", "PreToolUse", "shell", args{"cmd": []any{"rm", "-rf", "d"}}},
	} {
		payload := `{"session_id":"s","timestamp":"2026-11-30T22:52:46Z","hook_event_name":` + quote(tt.event) + `,"tool_name":` + quote(tt.tool) + `,"tool_input":` + encoded(tt.input) + `}`
		a := ask(t, root, tt.host, tt.event, payload)
		if text := string(a.Stdout) + string(a.Stderr); !strings.Contains(text, "[Grimoire policy]") {
			t.Errorf("%s %s: %s", tt.host, tt.tool, text)
		}
	}
}

// A budget of writes counts them.
func TestForeignWritesCount(t *testing.T) {
	root := repo(t, map[string]string{policy.File: "rules: [{id: w, verdict_on_match: block, per_session: {max_writes: 1}}]\n"})
	for i, want := range []string{"", "deny"} {
		a := ask(t, root, "claude", "PreToolUse", call("s", "PreToolUse", "mcp__fs__write_file", args{"path": "a", "content": "x"}))
		if decisionOf(a) != want {
			t.Errorf("call %d: %s", i, a.Stdout)
		}
	}
}
