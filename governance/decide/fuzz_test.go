package decide

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/grimoire-kit/grimoire/emitters"
	"github.com/grimoire-kit/grimoire/governance/contract"
	"github.com/grimoire-kit/grimoire/governance/policy"
)

// FuzzRun gives the decider whatever bytes a host may send: nothing panics
// behind its back, nothing takes long, and no answer lets a tool run.
func FuzzRun(f *testing.F) {
	hosts := emitters.Dialects()
	for i, host := range hosts {
		captures, err := contract.Captures(filepath.Join("..", "contract", "testdata", "captures", host))
		if err != nil {
			f.Fatal(err)
		}
		for _, c := range captures {
			f.Add(uint8(i), c.Event, []byte(c.Stdin))
		}
	}
	for i := range hosts {
		for _, s := range []string{"", "{", "[]", "{}", `{"tool_name":{}}`, `{"tool_input":"{\"command\":[[]]}"}`, "\xff", `{"timestamp":1,"hook_event_name":"PreToolUse"}`} {
			f.Add(uint8(i), "PreToolUse", []byte(s))
		}
		f.Add(uint8(i), "pre_tool_use", []byte(call("s", "PreToolUse", "Bash", args{"command": "a=$(b <<X\n`c`\nX\n) && rm -rf \"$d\""})))
	}
	root := repo(f, map[string]string{
		policy.File: budgets + "  - {id: ask, verdict_on_match: warn, tool_pattern: \"*(git:*)\", require_approval: true, cooldown_after: {pattern: \"*\", count: 3, minutes: 1}}\n",
		profileFile: profile("governed"), "_grimoire/kit/agents/concierge.md": concierge,
	})
	f.Fuzz(func(t *testing.T, host uint8, event string, payload []byte) {
		start := time.Now()
		a := ask(t, root, hosts[int(host)%len(hosts)], event, string(payload))
		if d := time.Since(start); d > 3*time.Second {
			t.Fatalf("took %s", d)
		}
		out := string(a.Stdout)
		if strings.Contains(out, "a decision failed") || strings.Contains(out, "this call was not wholly judged") {
			t.Fatalf("a panic: %s", out)
		}
		for _, word := range []string{`"allow"`, `"approve"`, `"proceed"`} {
			if strings.Contains(out, `Decision":`+word) || strings.Contains(out, `"decision":`+word) || strings.Contains(out, `"behavior":`+word) {
				t.Fatalf("an answer lets something run: %s", out)
			}
		}
		if strings.HasPrefix(out, "{") && !json.Valid(a.Stdout) {
			t.Fatalf("not JSON: %s", out)
		}
		if a.Exit != 0 && a.Exit != 2 || a.Exit == 2 && len(a.Stderr) == 0 {
			t.Fatalf("exit %d %q", a.Exit, a.Stderr)
		}
	})
}
