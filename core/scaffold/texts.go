package scaffold

import (
	"path"
	"slices"

	"github.com/grimoire-kit/grimoire/core/kit"
	"github.com/grimoire-kit/grimoire/core/project"
	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

// memoryPage is what every persona reads that declares no context of its own.
const memoryPage = "_grimoire/_memory/shared-context.md"

// entryPersona is the starter that answers when a request names no role.
const entryPersona = "concierge"

// text is one text of the kit with its place in a project.
type text struct {
	path    string
	content []byte
	// starter is a persona to begin with: a project that has its own gets none.
	starter bool
}

// kitTexts are the texts the project gets for its hosts and its language.
func (p *Plan) kitTexts(l surface.Language) []text {
	enrolled := project.IsEnrolled(p.Root)
	var texts []text
	add := func(dir, ext string, docs []kit.Doc, starter bool) {
		for _, d := range docs {
			if !d.Enrolled || enrolled {
				texts = append(texts, text{dir + d.Slug + ext, d.Content, starter})
			}
		}
	}
	add("_grimoire/kit/agents/", ".md", kit.Agents(l), true)
	add("_grimoire/kit/skills/", ".md", kit.Skills(l), false)
	add("_grimoire/kit/commands/", ".md", kit.Commands(l), false)
	if slices.Contains(p.Hosts, "copilot") {
		// VS Code reads prompts; Copilot CLI loads none (observed 1.0.102), so
		// the emitter also makes a skill of each workflow.
		add(promptsDir, ".prompt.md", slices.DeleteFunc(kit.Workflows(l), p.ownCommand), false)
	}
	return texts
}

// ownCommand reports a workflow that the project has a command of its own for:
// the emitter makes the prompt then, and a path has one owner.
func (p *Plan) ownCommand(d kit.Doc) bool {
	return p.has("_grimoire/overrides/commands/"+d.Slug+".md") || p.has("_grimoire/kit/commands/"+d.Slug+".md")
}

// agentFolders are where personas of a project may stand, older kits' included.
var agentFolders = []string{
	"_grimoire/overrides/agents", "_grimoire/kit/agents",
	"_grimoire/_config/custom/agents", "_grimoire/_config/agents", "_grimoire/agents",
}

// wantsStarters reports whether the project has no personas but our starters.
func (p *Plan) wantsStarters(l surface.Language) bool {
	starters := map[string]string{}
	for _, d := range kit.Agents(l) {
		starters["_grimoire/kit/agents/"+d.Slug+".md"] = digest(d.Content)
	}
	ours := func(file string) bool {
		text, starter := starters[file]
		if !starter || p.manifest[file] != "" {
			return starter
		}
		f, err := p.tree.Read(file)
		return err == nil && digest(f.Data) == text // as in holds
	}
	for _, folder := range agentFolders {
		for _, name := range p.tree.Names(folder) {
			if path.Ext(name) == ".md" && !ours(folder+"/"+name) {
				return false
			}
		}
	}
	return true
}

// hasEntry reports whether the project has a file for the entry persona.
func (p *Plan) hasEntry() bool {
	return slices.ContainsFunc(agentFolders, func(folder string) bool {
		return slices.Contains(p.tree.Names(folder), entryPersona+".md")
	})
}

// handWritten lists the instruction files of the enabled hosts that a person
// wrote: the sync that follows will not replace them unasked.
func (p *Plan) handWritten(hosts []pluginsdk.Profile) []string {
	var found []string
	for _, h := range hosts {
		if h.Entrypoint == "" || !slices.Contains(p.Hosts, h.Alias()) || slices.Contains(found, h.Entrypoint) {
			continue
		}
		f, err := p.tree.Read(h.Entrypoint)
		if err != nil || !f.Exists() {
			continue // the sync says what is wrong with it
		}
		if _, ours := pluginsdk.FindMarker(h.Entrypoint, f.Data); !ours {
			found = append(found, h.Entrypoint)
		}
	}
	return found
}
