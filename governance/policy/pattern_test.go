package policy

import (
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/surface"
)

func TestPatternMatch(t *testing.T) {
	tests := []struct {
		pattern string
		call    *Call
		want    bool
	}{
		{"*", bash("ls"), true},
		{"*", mcp("mcp__lab__touch", `{}`), true},
		{"Bash", bash("ls"), true},
		{"bash", bash("ls"), true},
		{"BASH", bash("ls"), false},
		{"Bash", write("Write", "a"), false},

		// whole words of the prefix, and nothing but the prefix
		{"Bash(rm:*)", bash("rm"), true},
		{"Bash(rm:*)", bash("rm a b"), true},
		{"Bash(rm:*)", bash("rmdir a"), false},
		{"Bash(rm:*)", bash("rm:*"), false},
		{"Bash(git push:*)", bash("git push origin main"), true},
		{"Bash(git push:*)", bash("git pushx"), false},
		{"Bash(git push:*)", bash("git pull"), false},
		{"Bash(git push:*)", bash("git -C sub push origin"), true},
		{"Bash(git push:*)", bash("echo git push"), false},
		{"Bash(git push:*)", bash("cd x && git push"), true},
		{"Bash(npm *)", bash("npm test"), true},
		{"Bash(npm test)", bash("npm test -- x"), false},
		{"Bash(*)", bash(""), true},
		{"Bash(a*)", bash(""), false},

		// other hosts' names of the same tool
		{"Bash(rm:*)", shell("run_in_terminal", "rm a"), true},
		{"Bash(rm:*)", shell("bash", "rm a"), true},
		{"Bash(rm:*)", shell("run_shell_command", "rm a"), true},
		{"Bash(rm:*)", shell("exec_command", "rm a"), true},
		{"run_in_terminal(rm:*)", bash("rm a"), true},
		{"Bas*", shell("run_in_terminal", "ls"), true},
		{"run_*", shell("run_in_terminal", "ls"), true},
		{"run_*", bash("ls"), false},
		{"Write", write("create_file", "a"), true},
		{"Write", write("write_file", "a"), true},
		{"Edit", write("replace_string_in_file", "a"), true},
		{"Edit", write("replace", "a"), true},
		{"Edit", write("apply_patch", "a"), true},
		{"Write", write("apply_patch", "a"), true},
		{"apply_patch", write("Edit", "a"), true},
		{"Edit", write("MultiEdit", "a"), true},
		{"Edit", write("NotebookEdit", "a"), true},
		{"MultiEdit", write("Edit", "a"), false},
		{"MultiEdit", write("multi_replace_string_in_file", "a"), true},
		{"Write", write("Edit", "a"), false},
		{"Write", write("TodoWrite", "a"), false},
		{"Read", read("view", "a"), true},
		{"Read", read("read_file", "a"), true},
		{"Task", &Call{Tool: "Agent", Family: surface.FamilyDelegation}, true},
		{"Agent", &Call{Tool: "runSubagent", Family: surface.FamilyDelegation}, true},

		// targets, as given and as the project names them
		{"Write(_grimoire/standard/*)", write("Write", "_grimoire/standard/a.yaml"), true},
		{"Write(_grimoire/standard/*)", write("Write", testRoot+"/_grimoire/standard/a.yaml"), true},
		{"Write(_grimoire/standard/*)", write("create", testRoot+"/src/../_grimoire/standard/a.yaml"), true},
		{"Write(_grimoire/standard/*)", write("Write", "/elsewhere/_grimoire/standard/a.yaml"), false},
		{"Write(_grimoire/standard/*)", write("Write", `_grimoire\standard\a.yaml`), true},

		// MCP tools: the bare name only, in every host's spelling
		{"mcp__*", mcp("mcp__lab__touch", `{}`), true},
		{"mcp__*", mcp("lab-touch", `{}`), true},
		{"mcp__lab__touch", mcp("mcp__lab__touch", `{"a":1}`), true},
		{"mcp__lab__touch", mcp("lab-touch", `{}`), true},
		{"mcp__lab__touch", mcp("mcp_lab_touch", `{}`), true},
		{"mcp__lab__touch", mcp("lab_touch", `{}`), true},
		{"mcp__lab__*", mcp("lab-touch", `{}`), true},
		{"mcp__lab__*", mcp("other-touch", `{}`), false},
		{"lab-touch", mcp("mcp__lab__touch", `{}`), true},
		{"mcp__lab__touch(*)", mcp("mcp__lab__touch", `{}`), true},
		{"mcp__lab__touch(x:*)", mcp("mcp__lab__touch", `{}`), false},
	}
	for _, tt := range tests {
		p, ok := ParsePattern(tt.pattern)
		if !ok {
			t.Errorf("%s: refused", tt.pattern)
			continue
		}
		if got := tt.call.matches(p); got != tt.want {
			t.Errorf("%s on %s %q: got %v", tt.pattern, tt.call.Tool, tt.call.Detail(), got)
		}
	}
}

func TestParsePatternRefuses(t *testing.T) {
	for _, s := range []string{"", "(", ")", "Bash(", "Bash(rm", "Bash)", "(rm)", "Bash()"} {
		if _, ok := ParsePattern(s); ok {
			t.Errorf("%q was accepted", s)
		}
	}
}

func FuzzPattern(f *testing.F) {
	f.Add("Bash(rm:*)", "Bash", "rm a")
	f.Add("mcp__a__*", "a-b", "")
	f.Add("*a*b*", "xaxb", "ab")
	f.Fuzz(func(t *testing.T, pattern, tool, detail string) {
		p, ok := ParsePattern(pattern)
		if !ok {
			return
		}
		for _, family := range []surface.ToolFamily{surface.FamilyMCP, surface.FamilyExecute} {
			(&Call{Tool: tool, Family: family, Command: detail}).matches(p)
			(&Call{Tool: tool, Family: family, Targets: []string{detail}, Root: tool}).matches(p)
		}
		// The glob against its definition: split at the stars.
		if len(pattern) < 200 && len(detail) < 200 {
			if got, want := glob(pattern, detail), globByParts(pattern, detail); got != want {
				t.Errorf("glob(%q, %q) = %v, want %v", pattern, detail, got, want)
			}
		}
		if !strings.ContainsAny(pattern, "*()") && !(&Call{Tool: pattern, Family: surface.FamilyOther}).matches(p) {
			t.Errorf("%q does not match itself", pattern)
		}
	})
}

func globByParts(pattern, s string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == s
	}
	s, ok := strings.CutPrefix(s, parts[0])
	if !ok {
		return false
	}
	for _, mid := range parts[1 : len(parts)-1] {
		i := strings.Index(s, mid)
		if i < 0 {
			return false
		}
		s = s[i+len(mid):]
	}
	return strings.HasSuffix(s, parts[len(parts)-1])
}
