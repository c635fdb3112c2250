package doctor

import (
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/core/merge"
	"github.com/grimoire-kit/grimoire/surface"
)

// What Claude Code does with its settings was observed on 2.1.332, headless,
// one mistake at a time, with a rule and a hook beside it that had to hold.

// claudeEvents are the events it knows.
var claudeEvents = strings.Fields(`PreToolUse PostToolUse PostToolUseFailure PostToolBatch Notification
	UserPromptSubmit UserPromptExpansion SessionStart SessionEnd Stop StopFailure SubagentStart SubagentStop
	PreCompact PostCompact PreModelSwitch PostModelSwitch PermissionRequest PermissionDenied Setup TeammateIdle
	TaskCreated TaskCompleted Elicitation ElicitationResult ConfigChange WorktreeCreate WorktreeRemove
	InstructionsLoaded CwdChanged FileChanged DirectoryAdded MessageDisplay PreSkillShellCommand`)

// claudeGuards are the events whose hooks may guard what stands beside them: a
// mistake in one costs the whole file, where another event's costs the entry.
var claudeGuards = []string{"PreToolUse", "PermissionRequest"}

// claudeShapes: any other type drops the whole file. `hooks` itself is not
// among them: only the hooks go then.
var claudeShapes = []shape{
	{[]string{"permissions"}, []merge.Type{merge.Object}},
	{[]string{"permissions", "deny"}, []merge.Type{merge.Array}},
	{[]string{"permissions", "ask"}, []merge.Type{merge.Array}},
	{[]string{"permissions", "allow"}, []merge.Type{merge.Array}},
	{[]string{"permissions", "additionalDirectories"}, []merge.Type{merge.Array}},
	{[]string{"permissions", "defaultMode"}, []merge.Type{merge.String}},
	{[]string{"disableAllHooks"}, []merge.Type{merge.Boolean}},
	{[]string{"env"}, []merge.Type{merge.Object}},
	{[]string{"model"}, []merge.Type{merge.String}},
	{[]string{"outputStyle"}, []merge.Type{merge.String}},
	{[]string{"statusLine"}, []merge.Type{merge.Object}},
	{[]string{"sandbox"}, []merge.Type{merge.Object}},
	{[]string{"enabledPlugins"}, []merge.Type{merge.Object}},
	{[]string{"enableAllProjectMcpServers"}, []merge.Type{merge.Boolean}},
	{[]string{"includeCoAuthoredBy"}, []merge.Type{merge.Boolean}},
	{[]string{"cleanupPeriodDays"}, []merge.Type{merge.Number}},
}

var claudeModes = []string{"default", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions"}

var claudeDrops = surface.Text{
	FR: "Claude Code ignore tout le fichier, refus et hooks compris, sans le dire",
	EN: "Claude Code ignores the whole file, refusals and hooks included, and does not say so",
}

func readAsClaude(r *reading) {
	for _, file := range []string{".claude/settings.json", ".claude/settings.local.json"} {
		if d, ok := r.open(file, grammar{byteOrder: true}, claudeDrops); ok {
			d.claudeSettings()
		}
	}
	r.agents(r.markdown(".claude/agents/", true, ".md"), lenientYAML, "name", "description")
	r.skills(".claude/skills/", false)
}

func (d document) claudeSettings() {
	if !d.root.is(merge.Object) {
		d.drops(d.root, wanted([]merge.Type{merge.Object}))
		return
	}
	d.check(claudeShapes)
	d.repeatedKeys(d.root, "hooks", "permissions", "disableAllHooks")
	d.disabled(d.root)
	if mode := d.root.get("permissions").get("defaultMode"); mode.is(merge.String) && !slices.Contains(claudeModes, mode.text) {
		d.drops(mode, surface.Text{
			FR: "mode inconnu de Claude Code 2.1.332 (" + mode.text + ")",
			EN: "a mode that Claude Code 2.1.332 does not know (" + mode.text + ")"})
	}
	for _, list := range []string{"deny", "ask", "allow"} {
		d.claudeRules(list, d.root.get("permissions").get(list))
	}
	d.claudeHooks(d.root.get("hooks"))
}

// disabled reports the switch that turns every hook off, grimoire's included.
func (d document) disabled(root *node) {
	if off := root.get("disableAllHooks"); off.is(merge.Boolean) && off.yes {
		d.at(failure, off, surface.Text{
			FR: "tous les hooks sont coupés, ceux de grimoire compris ; retire cette clé",
			EN: "every hook is switched off, grimoire's included; remove this key"})
	}
}

// repeatedKeys reports those of the keys that stand twice: the last counts, so
// that what the first holds is silently gone. Without keys, any counts.
func (d document) repeatedKeys(n *node, keys ...string) {
	if n == nil {
		return
	}
	for _, m := range n.repeated() {
		if len(keys) == 0 || slices.Contains(keys, m.key) {
			d.at(failure, m.value, surface.Text{
				FR: "la clé est écrite deux fois ; seule la dernière compte, ce que porte l'autre est perdu",
				EN: "the key is written twice; only the last counts, what the other holds is lost"})
		}
	}
}

func (d document) claudeRules(list string, rules *node) {
	if !rules.is(merge.Array) {
		return
	}
	d.repeatedKeys(d.root.get("permissions"), list)
	skipped := surface.Text{FR: "Claude Code passe cette règle", EN: "Claude Code skips this rule"}
	for _, rule := range rules.items {
		switch {
		case !rule.is(merge.String):
			d.at(warning, rule, sentence(wanted([]merge.Type{merge.String}), skipped))
		case strings.Count(rule.text, "(") != strings.Count(rule.text, ")"):
			d.at(warning, rule, sentence(surface.Text{
				FR: "parenthèses non fermées (" + rule.text + ")", EN: "unbalanced parentheses (" + rule.text + ")"}, skipped))
		case list != "allow" && strings.HasPrefix(rule.text, "Write("):
			d.at(warning, rule, surface.Text{
				FR: rule.text + " n'arrête rien : seule une règle Edit(chemin) couvre l'écriture d'un fichier",
				EN: rule.text + " stops nothing: only an Edit(path) rule covers the writing of a file"})
		}
	}
}

func (d document) claudeHooks(hooks *node) {
	if hooks == nil || hooks.is(merge.Null) {
		return
	}
	if !hooks.is(merge.Object) {
		d.at(failure, hooks, sentence(wanted([]merge.Type{merge.Object}), surface.Text{
			FR: "Claude Code n'exécute aucun hook de ce fichier", EN: "Claude Code runs no hook of this file"}))
		return
	}
	d.repeatedKeys(hooks)
	for _, event := range hooks.members {
		if !slices.Contains(claudeEvents, event.key) {
			d.at(warning, event.value, surface.Text{
				FR: "événement inconnu : ces hooks ne partent jamais", EN: "unknown event: these hooks never run"})
			continue
		}
		d.claudeEvent(event.key, event.value)
	}
}

func (d document) claudeEvent(event string, groups *node) {
	wrong := func(n *node, what surface.Text) {
		if slices.Contains(claudeGuards, event) {
			d.drops(n, what)
			return
		}
		d.at(warning, n, sentence(what, surface.Text{
			FR: "Claude Code passe cette entrée", EN: "Claude Code skips this entry"}))
	}
	if !groups.is(merge.Array) {
		wrong(groups, wanted([]merge.Type{merge.Array}))
		return
	}
	for _, group := range groups.items {
		list := group.get("hooks")
		switch {
		case !group.is(merge.Object):
			wrong(group, wanted([]merge.Type{merge.Object}))
		case list == nil:
			wrong(group, surface.Text{
				FR: "pas de tableau hooks (la forme est {\"matcher\": …, \"hooks\": [ … ]})",
				EN: "no hooks array (the form is {\"matcher\": …, \"hooks\": [ … ]})"})
		case !list.is(merge.Array):
			wrong(list, wanted([]merge.Type{merge.Array}))
		default:
			if m := group.get("matcher"); m != nil && !m.is(merge.String) {
				wrong(m, wanted([]merge.Type{merge.String}))
			} else {
				d.matcher(m)
			}
			for _, h := range list.items {
				if n, what, bad := claudeHandler(h); bad {
					wrong(n, what)
				}
			}
		}
	}
}

// claudeNeeds is what each type of handler cannot do without.
var claudeNeeds = map[string]string{"command": "command", "prompt": "prompt", "agent": "prompt", "http": "url"}

// claudeHandler finds what is wrong with a hook entry.
func claudeHandler(h *node) (at *node, what surface.Text, bad bool) {
	if !h.is(merge.Object) {
		return h, wanted([]merge.Type{merge.Object}), true
	}
	kind := h.get("type")
	if kind == nil {
		return h, surface.Text{FR: "la clé type manque", EN: "the key type is missing"}, true
	}
	need, known := claudeNeeds[kind.text]
	if !known {
		return kind, surface.Text{
			FR: "type de hook inconnu ; command, prompt, agent ou http", EN: "unknown type of hook; command, prompt, agent or http"}, true
	}
	if !h.get(need).is(merge.String) {
		return h, surface.Text{FR: "la clé " + need + " manque", EN: "the key " + need + " is missing"}, true
	}
	if t := h.get("timeout"); t != nil && (!t.is(merge.Number) || t.number <= 0) {
		return t, surface.Text{FR: "un nombre de secondes, plus grand que 0, était attendu", EN: "a number of seconds above 0 was expected"}, true
	}
	for key, want := range map[string]merge.Type{"args": merge.Array, "if": merge.String} {
		if v := h.get(key); v != nil && !v.is(want) {
			return v, wanted([]merge.Type{want}), true
		}
	}
	return nil, surface.Text{}, false
}
