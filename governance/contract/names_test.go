package contract

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/emitters"
	"github.com/grimoire-kit/grimoire/governance/policy"
	"github.com/grimoire-kit/grimoire/surface"
)

// Rules are written in Claude Code's words and hold under every host, so the
// table by which policies know a tool and what the dialects say of it must be
// of one mind.
func TestPoliciesKnowTheToolsOfEveryDialect(t *testing.T) {
	for _, host := range emitters.Dialects() {
		data, _ := emitters.Dialect(host)
		var doc struct {
			Tools map[string]struct {
				As     string
				Family surface.ToolFamily
			}
		}
		if err := json.Unmarshal(data, &doc); err != nil {
			t.Fatal(err)
		}
		for name, tool := range doc.Tools {
			if tool.As == "" || strings.Contains(name, "*") {
				continue
			}
			rules, err := policy.Parse([]byte("rules:\n  - id: every\n    tool_pattern: " + tool.As + "\n    verdict_on_match: block\n    reason_template: no\n"))
			if err != nil {
				t.Fatal(err)
			}
			call := &policy.Call{Tool: name, Family: tool.Family, Mutation: policy.Controlled, Root: "/p"}
			if got := policy.Judge(call, surface.ProfileStarter, rules); got.Verdict != policy.Block {
				t.Errorf("a rule about %s does not hold for %s's %s", tool.As, host, name)
			}
		}
	}
}
