package opencode

import (
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/surface"
)

// permissionKeys are the keys of an agent's `permission` map that each verb
// covers (opencode, observed 1.18.33: `deny` without a pattern removes the
// tool from the agent; `edit` covers write, edit and patch).
var permissionKeys = map[surface.ToolVerb][]string{
	surface.Read:    {"read"},
	surface.Search:  {"glob", "grep", "list"},
	surface.Edit:    {"edit"},
	surface.Execute: {"bash"},
	surface.Web:     {"webfetch", "websearch"},
}

// boundary is the frontmatter that denies an agent every tool its verbs do
// not cover. It is a map and not Claude Code's `tools` list: opencode refuses
// to start on the latter. Verbs that are there stay unsaid, so that the
// user's own rules for them hold.
func boundary(verbs []surface.ToolVerb) string {
	var b strings.Builder
	for _, v := range surface.ToolVerbs {
		if slices.Contains(verbs, v) {
			continue
		}
		for _, key := range permissionKeys[v] {
			b.WriteString("  " + key + ": deny\n")
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "permission:\n" + b.String()
}

// builtinAgents are opencode's own agents (`opencode agent list`, observed
// 1.18.33). A file of the same name replaces one: a persona called "build"
// would take the place of the agent that every session starts in.
var builtinAgents = []string{"build", "compaction", "explore", "general", "plan", "summary", "title"}

// agentNames gives each persona the name opencode knows it by.
func agentNames(agents []surface.Agent) map[string]string {
	names := make(map[string]string, len(agents))
	taken := slices.Clone(builtinAgents)
	for _, a := range agents {
		taken = append(taken, a.Name)
	}
	for _, a := range agents {
		name := a.Name
		if slices.Contains(builtinAgents, strings.ToLower(name)) {
			for slices.Contains(taken, name) {
				name = "grimoire-" + name
			}
		}
		names[a.Name] = name
	}
	return names
}
