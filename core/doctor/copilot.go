package doctor

import (
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/core/merge"
	"github.com/grimoire-kit/grimoire/surface"
)

// What Copilot CLI does with the hook files of a repository was observed on
// 1.0.102, one mistake at a time, with a hook beside it that had to hold.

// copilotEvents are the events it knows, in both spellings. Others are ignored
// with all they hold.
var copilotEvents = strings.Fields(`SessionStart SessionEnd UserPromptSubmit PreToolUse PostToolUse
	PostToolUseFailure SubagentStart SubagentStop PreCompact Stop ErrorOccurred PermissionRequest Notification
	sessionStart sessionEnd userPromptSubmitted preToolUse postToolUse postToolUseFailure subagentStart
	subagentStop preCompact agentStop errorOccurred permissionRequest notification
	userPromptTransformed preMcpToolCall PreMcpToolCall`)

// copilotUnmatched are the events at which a matcher is not looked at.
var copilotUnmatched = []string{"SessionStart", "sessionStart", "Stop", "agentStop"}

var (
	copilotRejects = surface.Text{
		FR: "Copilot rejette ce fichier et n'exécute aucun de ses hooks, sans le dire",
		EN: "Copilot rejects this file and runs none of its hooks, and does not say so"}
	copilotDropsBlock = surface.Text{
		FR: "Copilot n'exécute plus aucun hook de ce fichier, sans le dire",
		EN: "Copilot runs no hook of this file any more, and does not say so"}
	copilotSkips = surface.Text{
		FR: "Copilot passe cette entrée, sans le dire",
		EN: "Copilot skips this entry, and does not say so"}
)

func readAsCopilot(r *reading) {
	for _, file := range []string{
		".claude/settings.json", ".claude/settings.local.json",
		".github/copilot/settings.json", ".github/copilot/settings.local.json",
	} {
		r.copilotSettings(file)
	}
	for _, file := range r.markdown(".github/hooks/", true, ".json") {
		r.copilotHooks(file)
	}
	r.agents(r.markdown(".github/agents/", true, ".md"), strictYAML, "description")
}

// copilotSettings reads a settings file, of which Copilot takes the hooks. One
// mistake there drops them all, be it one that Claude Code, whose file it is,
// does not mind.
func (r *reading) copilotSettings(file string) {
	d, ok := r.open(file, grammar{}, copilotRejects)
	if !ok || !d.root.is(merge.Object) {
		return
	}
	d.disabled(d.root)
	hooks := d.root.get("hooks")
	if hooks == nil {
		return
	}
	d.dropped = copilotDropsBlock
	for _, event := range hooks.members {
		if !slices.Contains(copilotEvents, event.key) || !event.value.is(merge.Array) {
			continue // ignored, and harmless
		}
		for _, group := range event.value.items {
			d.copilotGroup(event.key, group, d.drops)
		}
	}
}

// copilotHooks reads a file of .github/hooks, in which a mistake costs one
// entry.
func (r *reading) copilotHooks(file string) {
	d, ok := r.open(file, grammar{}, copilotRejects)
	if !ok {
		return
	}
	if !d.root.is(merge.Object) {
		d.drops(d.root, wanted([]merge.Type{merge.Object}))
		return
	}
	if v := d.root.get("version"); v != nil && (!v.is(merge.Number) || v.number != 1) {
		d.drops(v, surface.Text{FR: "seule la version 1 existe", EN: "version 1 is the only one there is"})
		return
	}
	hooks := d.root.get("hooks")
	if !hooks.is(merge.Object) {
		n := hooks
		if n == nil {
			n = d.root
		}
		d.drops(n, surface.Text{FR: "un objet hooks était attendu", EN: "a hooks object was expected"})
		return
	}
	if off := d.root.get("disableAllHooks"); off.is(merge.Boolean) && off.yes {
		d.at(failure, off, surface.Text{
			FR: "les hooks de ce fichier sont coupés ; retire cette clé", EN: "the hooks of this file are switched off; remove this key"})
	}
	skips := func(n *node, what surface.Text) { d.at(warning, n, sentence(what, copilotSkips)) }
	for _, event := range hooks.members {
		switch {
		case !slices.Contains(copilotEvents, event.key):
			d.at(warning, event.value, surface.Text{
				FR: "événement inconnu : ces hooks ne partent jamais", EN: "unknown event: these hooks never run"})
		case !event.value.is(merge.Array):
			skips(event.value, wanted([]merge.Type{merge.Array}))
		default:
			for _, group := range event.value.items {
				d.copilotGroup(event.key, group, skips)
			}
		}
	}
}

// copilotGroup reads an entry in either of its forms, flat or with a hooks
// array as Claude Code nests it.
func (d document) copilotGroup(event string, group *node, wrong func(*node, surface.Text)) {
	if !group.is(merge.Object) {
		wrong(group, wanted([]merge.Type{merge.Object}))
		return
	}
	if m := group.get("matcher"); m != nil && !slices.Contains(copilotUnmatched, event) && m.text == "" {
		wrong(m, surface.Text{
			FR: "un matcher vide n'est pas admis ; retire la clé, ou écris \"*\"",
			EN: "an empty matcher is not taken; remove the key, or write \"*\""})
	} else if !slices.Contains(copilotUnmatched, event) {
		d.matcher(m)
	}
	handlers := []*node{group}
	if list := group.get("hooks"); list.is(merge.Array) {
		handlers = list.items
	}
	for _, h := range handlers {
		d.copilotHandler(h, wrong)
	}
}

func (d document) copilotHandler(h *node, wrong func(*node, surface.Text)) {
	kind := "command"
	if t := h.get("type"); t != nil {
		kind = t.text
	}
	runs := slices.ContainsFunc([]string{"command", "bash", "powershell", "exec"}, func(key string) bool { return h.get(key).is(merge.String) })
	switch {
	case kind == "http":
	case kind != "command":
		wrong(h.get("type"), surface.Text{
			FR: "le type " + kind + " n'est pas exécuté par Copilot", EN: "Copilot does not run the type " + kind})
	case !runs:
		wrong(h, surface.Text{FR: "aucune commande (command, bash ou exec)", EN: "no command (command, bash or exec)"})
	default:
		for _, key := range []string{"timeout", "timeoutSec"} {
			if t := h.get(key); t != nil && !t.is(merge.Number) {
				wrong(t, wanted([]merge.Type{merge.Number}))
			}
		}
	}
}
