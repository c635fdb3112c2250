package claude

import (
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/surface"
)

// verbTools are the tools a persona gets for each verb. A boundary is
// enforced: Claude Code offers no other tool (observed 2.1.332).
var verbTools = map[surface.ToolVerb][]string{
	surface.Read:    {"Read", "Glob"},
	surface.Search:  {"Grep", "Glob"},
	surface.Edit:    {"Edit", "Write"},
	surface.Execute: {"Bash"},
	surface.Web:     {"WebFetch", "WebSearch"},
}

// toolList is the value of `tools` and `allowed-tools`.
func toolList(verbs []surface.ToolVerb) string {
	var tools []string
	for _, v := range verbs {
		for _, tool := range verbTools[v] {
			if !slices.Contains(tools, tool) {
				tools = append(tools, tool)
			}
		}
	}
	return strings.Join(tools, ", ")
}

// agentTools is toolList for a persona. One without a verb may still look
// around: an absent `tools` key would give it every tool.
func agentTools(verbs []surface.ToolVerb) string {
	if tools := toolList(verbs); tools != "" {
		return tools
	}
	return toolList([]surface.ToolVerb{surface.Read, surface.Search})
}

// familyTools are the tools of each family, as matchers name them. `Task` is
// the former name of `Agent`; a matcher may use either.
var familyTools = map[surface.ToolFamily][]string{
	surface.FamilyExecute:    {"Bash"},
	surface.FamilyWrite:      {"Edit", "Write", "MultiEdit", "NotebookEdit"},
	surface.FamilySecret:     {"Read"},
	surface.FamilyRead:       {"Read", "Glob", "Grep", "LS", "NotebookRead"},
	surface.FamilyNetwork:    {"WebFetch", "WebSearch"},
	surface.FamilyDelegation: {"Task", "Agent"},
	surface.FamilyMCP:        {"mcp__.*"},
}

// matcher is the expression that selects the calls hook h wants to see, or
// nil for every occurrence of its event. secretsDenied says that the
// permission table already refuses to read secrets, at no cost; the hook then
// leaves reads alone.
func matcher(h surface.Hook, secretsDenied bool) *string {
	switch h.Event {
	case surface.PreToolUse, surface.PostToolUse, surface.PostToolUseFailure:
	default:
		return nil // the event has no tool
	}
	if len(h.Matcher) == 0 {
		return nil
	}
	if slices.Contains(h.Matcher, surface.FamilyOther) {
		every := "*"
		return &every
	}
	var tools []string
	for _, family := range h.Matcher {
		// Alone, the family stays: no tool at all would mean every tool.
		if family == surface.FamilySecret && secretsDenied && len(h.Matcher) > 1 {
			continue
		}
		for _, tool := range familyTools[family] {
			if !slices.Contains(tools, tool) {
				tools = append(tools, tool)
			}
		}
	}
	expr := strings.Join(tools, "|")
	return &expr
}

// model is the model alias a persona runs on.
func model(a surface.Affinity) string {
	switch reasoning, cost := strings.ToLower(a.Reasoning), strings.ToLower(a.Cost); {
	case reasoning == "high":
		return "opus"
	case cost == "low", reasoning == "low":
		return "haiku"
	}
	return "inherit"
}

// effort is how hard the model is asked to think.
func effort(a surface.Affinity) string {
	if strings.EqualFold(a.Reasoning, "high") {
		return "high"
	}
	return "low"
}
