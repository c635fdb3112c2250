package copilot

import (
	"slices"

	"github.com/grimoire-kit/grimoire/surface"
)

// verbTools are Copilot's names for the verbs. It takes `web`; VS Code ignores
// the `fetch` that older kits wrote. A name it does not know vanishes without
// a word, so only these are written.
var verbTools = map[surface.ToolVerb]string{
	surface.Read:    "read",
	surface.Search:  "search",
	surface.Edit:    "edit",
	surface.Execute: "execute",
	surface.Web:     "web",
}

// delegate is the tool that starts a sub-agent.
const delegate = "agent"

func toolList(verbs []surface.ToolVerb) []string {
	var tools []string
	for _, v := range verbs {
		if tool, ok := verbTools[v]; ok && !slices.Contains(tools, tool) {
			tools = append(tools, tool)
		}
	}
	return tools
}

// agentTools is toolList for a persona. One without a verb may still look
// around: an absent `tools` key would give it every tool.
func agentTools(verbs []surface.ToolVerb) []string {
	if tools := toolList(verbs); len(tools) > 0 {
		return tools
	}
	return toolList([]surface.ToolVerb{surface.Read, surface.Search})
}

// entryVerbs is the union of the boundaries of the entry persona and of those
// it hands work to, which act within its tools.
func entryVerbs(entry surface.Agent, routed []surface.Agent) []surface.ToolVerb {
	var union []surface.ToolVerb
	for _, v := range surface.ToolVerbs {
		has := slices.Contains(entry.Tools, v)
		for _, a := range routed {
			has = has || slices.Contains(a.Tools, v)
		}
		if has {
			union = append(union, v)
		}
	}
	return union
}
