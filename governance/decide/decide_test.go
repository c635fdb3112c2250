package decide

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/grimoire-kit/grimoire/governance/trace"
	"github.com/grimoire-kit/grimoire/pluginsdk/dialect"
)

// repo writes a project and returns its folder.
func repo(t testing.TB, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	root, err := filepath.EvalSymlinks(root)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(root, "_grimoire"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// call is a payload of Claude Code.
func call(session, event, tool string, input any) string {
	return `{"session_id":"` + session + `","permission_mode":"default","hook_event_name":"` + event +
		`","tool_name":"` + tool + `","tool_use_id":"toolu_1","tool_input":` + encoded(input) + `}`
}

func encoded(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

type args map[string]any

// ask runs one call in a project, in English.
func ask(t testing.TB, root, host, event, payload string, change ...func(*Request)) dialect.Answer {
	t.Helper()
	r := Request{
		Host: host, Event: event, Payload: strings.NewReader(payload), Dir: root, Now: time.Now,
		Getenv: func(string) string { return "" },
	}
	for _, c := range change {
		c(&r)
	}
	return Run(r)
}

// bash asks about a command line as Claude Code would.
func bash(t testing.TB, root, line string) dialect.Answer {
	t.Helper()
	return ask(t, root, "claude", "PreToolUse", call("s", "PreToolUse", "Bash", args{"command": line}))
}

// quote is a text as JSON.
func quote(s string) string { return encoded(s) }

func profile(word string) string { return "profile: " + word + "\n" }

// entries reads the project's trace.
func entries(t testing.TB, root string) []trace.Entry {
	t.Helper()
	var out []trace.Entry
	if _, err := trace.Read(root, func(e *trace.Entry) { out = append(out, *e) }); err != nil {
		t.Fatal(err)
	}
	return out
}

func decisionOf(a dialect.Answer) string {
	for _, word := range []string{"deny", "ask", "block"} {
		if strings.Contains(string(a.Stdout), `"permissionDecision":"`+word+`"`) || strings.Contains(string(a.Stdout), `"decision":"`+word+`"`) {
			return word
		}
	}
	if a.Exit == 2 && len(a.Stderr) > 0 {
		return "deny"
	}
	if len(a.Stdout) == 0 || string(a.Stdout) == "{}" {
		return ""
	}
	return "context"
}

func TestToolPolicy(t *testing.T) {
	tests := []struct {
		profile, tool string
		input         args
		want          string // "", context, ask, deny
		says          string
	}{
		{"", "Bash", args{"command": "git status"}, "", ""},
		{"", "Bash", args{"command": "touch x"}, "", ""},
		{"", "Bash", args{"command": "touch PROOF && rm -rf build"}, "deny", "recursive or forced delete"},
		{"governed", "Bash", args{"command": "git push -f"}, "deny", "force push"},
		{"production", "Bash", args{"command": "rm -rf build"}, "ask", "confirmation"},
		{"production", "Bash", args{"command": "cat .env"}, "deny", ".env"},
		{"", "Bash", args{"command": `git commit -m "rm -rf /"`}, "", ""},
		{"", "Read", args{"file_path": "/p/.env"}, "deny", ".env"},
		{"", "Read", args{"file_path": "/p/.env.example"}, "", ""},
		{"", "Read", args{"file_path": "file:///p/.env"}, "deny", ".env"},
		{"", "Grep", args{"pattern": "KEY", "path": ".env"}, "deny", ".env"},
		{"", "Grep", args{"pattern": "KEY", "glob": "*.pem"}, "deny", ".pem"},
		{"", "Glob", args{"pattern": "**/.env*"}, "deny", ".env"},
		{"", "Glob", args{"pattern": "**/*.go"}, "", ""},
		{"", "Write", args{"file_path": ".env", "content": "A=1"}, "", ""},
		{"", "Write", args{"file_path": "a.go", "content": "x"}, "", ""},
		{"", "mcp__fs__read", args{"path": "secrets/token.txt"}, "deny", "secret"},
		{"", "mcp__x__run", args{"command": "rm -rf /"}, "deny", "delete"},
		{"", "WebFetch", args{"url": "https://example.com/a"}, "", ""},
		{"", "WebFetch", args{"url": "file:///home/me/.ssh/id_rsa"}, "deny", "id_rsa"},
		{"", "NotebookEdit", args{"notebook_path": "n.ipynb", "new_source": "1"}, "", ""},
		{"", "TodoWrite", args{"todos": []any{}}, "", ""},
		{"", "Bash", args{"command": "$TOOL x"}, "context", "cannot be known beforehand"},
		{"governed", "Bash", args{"command": "$TOOL x"}, "ask", "cannot be known beforehand"},
		{"", "Bash", args{"command": "echo " + strings.Repeat("x", 129<<10)}, "deny", "too large"},
		{"", "Bash", args{"command": strings.Repeat("(", 200)}, "deny", "too large"},
	}
	for _, tt := range tests {
		files := map[string]string{}
		if tt.profile != "" {
			files[profileFile] = profile(tt.profile)
		}
		root := repo(t, files)
		a := ask(t, root, "claude", "PreToolUse", call("s", "PreToolUse", tt.tool, tt.input))
		line, _ := json.Marshal(tt.input)
		if len(line) > 80 {
			line = line[:80]
		}
		if got := decisionOf(a); got != tt.want || !strings.Contains(string(a.Stdout), tt.says) {
			t.Errorf("%s: %s %s: %q, want %q saying %q\n%s", tt.profile, tt.tool, line, got, tt.want, tt.says, a.Stdout)
		}
	}
}
