package decide

import (
	"testing"

	"github.com/grimoire-kit/grimoire/governance/policy"
)

// What the decision itself costs, in a process that is warm; the whole process
// is measured beside the program (cmd/grimoire-hook).
func BenchmarkRun(b *testing.B) {
	rules := `rules:
  - id: rm-requires-approval
    verdict_on_match: warn
    tool_pattern: "Bash(rm:*)"
    require_approval: true
    cooldown_after: {pattern: "Bash(rm:*)", count: 5, minutes: 10}
  - id: session-write-budget
    verdict_on_match: warn
    per_session: {max_writes: 1000000000, max_tool_calls: 2000000000}
`
	for _, bm := range []struct {
		name  string
		files map[string]string
		line  string
	}{
		{"read-only", nil, "git status && cat README.md | grep -n x"},
		{"refused", map[string]string{profileFile: profile("governed"), policy.File: rules, contextFile: "user: {language: Français}\n"}, "touch PROOF && rm -rf build"},
	} {
		b.Run(bm.name, func(b *testing.B) {
			root := repo(b, bm.files)
			payload := call("s", "PreToolUse", "Bash", args{"command": bm.line})
			b.ReportAllocs()
			for b.Loop() {
				ask(b, root, "claude", "PreToolUse", payload)
			}
		})
	}
}
