package doctor

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/core/merge"
	"github.com/grimoire-kit/grimoire/surface"
)

// What opencode does with a project's files was observed on 1.18.33, and on
// 1.17.11 for permissions.

var opencodeStops = surface.Text{FR: "opencode ne démarre pas", EN: "opencode does not start"}

var opencodeShapes = []shape{
	{[]string{"instructions"}, []merge.Type{merge.Array}},
	{[]string{"plugin"}, []merge.Type{merge.Array}},
	{[]string{"mcp"}, []merge.Type{merge.Object}},
	{[]string{"agent"}, []merge.Type{merge.Object}},
}

// opencodeActions are the values of a permission. Another one, and opencode
// does not start.
var opencodeActions = []string{"allow", "ask", "deny"}

func readAsOpencode(r *reading) {
	var configs []document
	for _, file := range []string{"opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc"} {
		d, ok := r.open(file, grammar{comments: true, byteOrder: true, blank: true}, opencodeStops)
		if !ok {
			continue
		}
		configs = append(configs, d)
		d.opencodeConfig()
	}
	opencodeTwins(configs)
	for _, folder := range []string{".opencode/agent/", ".opencode/agents/"} {
		for _, file := range r.markdown(folder, true, ".md") {
			r.opencodeAgent(file)
		}
	}
	for _, folder := range []string{".opencode/skill/", ".opencode/skills/"} {
		for _, file := range r.skills(folder, true) {
			r.opencodeSkill(file)
		}
	}
	for _, folder := range []string{".opencode/plugin/", ".opencode/plugins/"} {
		for _, file := range r.markdown(folder, false, ".js", ".ts") {
			r.opencodePlugin(file)
		}
	}
}

func (d document) opencodeConfig() {
	if !d.root.is(merge.Object) {
		d.drops(d.root, wanted([]merge.Type{merge.Object}))
		return
	}
	d.check(opencodeShapes)
	d.repeatedKeys(d.root)
	d.opencodePermissions(d.root.get("permission"))
	if agents := d.root.get("agent"); agents.is(merge.Object) {
		for _, a := range agents.members {
			d.opencodePermissions(a.value.get("permission"))
			if t := a.value.get("tools"); t != nil && !t.is(merge.Object) {
				d.drops(t, surface.Text{
					FR: "tools est un objet {\"bash\": false}, pas une liste", EN: "tools is an object {\"bash\": false}, not a list"})
			}
			if m := a.value.get("mode"); m != nil && (!m.is(merge.String) || !slices.Contains(opencodeModes, m.text)) {
				d.drops(m, surface.Text{
					FR: "subagent, primary ou all était attendu", EN: "subagent, primary or all was expected"})
			}
		}
	}
	if servers := d.root.get("mcp"); servers.is(merge.Object) {
		for _, s := range servers.members {
			if c := s.value.get("command"); c != nil && !c.is(merge.Array) {
				d.drops(c, surface.Text{
					FR: "la commande est un tableau, programme d'abord : [\"npx\", \"serveur\"]", EN: "the command is an array, program first: [\"npx\", \"server\"]"})
			}
		}
	}
}

// opencodePermissions checks a table: an action for each tool, or an action
// for each pattern. The last pattern that matches wins.
func (d document) opencodePermissions(table *node) {
	if table == nil {
		return
	}
	action := func(n *node) {
		if !n.is(merge.String) || !slices.Contains(opencodeActions, n.text) {
			d.drops(n, surface.Text{FR: "\"allow\", \"ask\" ou \"deny\" était attendu", EN: "\"allow\", \"ask\" or \"deny\" was expected"})
		}
	}
	if !table.is(merge.Object) {
		action(table)
		return
	}
	for _, tool := range table.members {
		if !tool.value.is(merge.Object) {
			action(tool.value)
			continue
		}
		patterns := tool.value.members
		for i, p := range patterns {
			action(p.value)
			if p.key == "*" && i > 0 && p.value.is(merge.String) {
				d.at(warning, p.value, surface.Text{
					FR: "le dernier motif qui convient l'emporte : « * » en efface les " + "règles écrites avant lui ; mets-le en premier",
					EN: "the last pattern that matches wins: `*` undoes the rules written before it; put it first"})
			}
		}
	}
}

// opencodeTwins reports arrays that one configuration file replaces in another.
func opencodeTwins(configs []document) {
	for i, later := range configs {
		for _, earlier := range configs[:i] {
			for _, m := range later.root.members {
				if m.value.is(merge.Array) && earlier.root.get(m.key).is(merge.Array) {
					later.at(warning, m.value, surface.Text{
						FR: "remplace la liste du même nom de " + earlier.file + " ; garde un seul des deux fichiers",
						EN: "replaces the list of the same name in " + earlier.file + "; keep one of the two files"})
				}
			}
		}
	}
}

var opencodeModes = []string{"subagent", "primary", "all"}

func (r *reading) opencodeAgent(file string) {
	text := r.text(file)
	if text == nil {
		return
	}
	h := headOf(text)
	if !h.present || h.broken {
		return // loaded all the same, as an agent of every mode
	}
	if line, value, ok := h.find("tools"); ok {
		if _, table := h.values["tools"].(map[string]any); !table && h.values["tools"] != nil {
			r.say(failure, file, line, "tools", sentence(surface.Text{
				FR: "la forme de Claude Code (" + orElse(value, "une liste") + ") ; ici c'est une table `bash: false`",
				EN: "Claude Code's form (" + orElse(value, "a list") + "); here it is a map `bash: false`"}, opencodeStops))
		}
	}
	if line, value, ok := h.find("mode"); ok {
		if mode, _ := h.values["mode"].(string); !slices.Contains(opencodeModes, mode) {
			r.say(failure, file, line, "mode", sentence(surface.Text{
				FR: value + " : subagent, primary ou all était attendu", EN: value + ": subagent, primary or all was expected"}, opencodeStops))
		}
	}
	if !h.says("description") {
		r.say(warning, file, h.line, "description", surface.Text{
			FR: "manque ; l'agent est chargé, mais le modèle ne sait pas à quoi il sert",
			EN: "missing; the agent is loaded, but the model is not told what it is for"})
	}
}

// opencodeSkill: a skill without a name is none, and nothing says so.
func (r *reading) opencodeSkill(file string) {
	text := r.text(file)
	if text == nil {
		return
	}
	skipped := surface.Text{FR: "opencode ne charge pas cette compétence, sans le dire", EN: "opencode does not load this skill, and does not say so"}
	switch h := headOf(text); {
	case !h.present, h.broken:
		r.say(warning, file, 1, "", sentence(surface.Text{FR: "pas de frontmatter lisible", EN: "no frontmatter that can be read"}, skipped))
	case !h.says("name"):
		r.say(warning, file, h.line, "name", sentence(surface.Text{FR: "manque", EN: "missing"}, skipped))
	}
}

// notAFunction finds an export that plainly is no function.
var notAFunction = regexp.MustCompile(`(?m)^\s*export\s+(?:const|let|var)\s+([A-Za-z_$][\w$]*)\s*(?::[^=]+)?=\s*(["'\x60\d\[{]|true\b|false\b|null\b)`)

// opencodePlugin reads a plugin file: one export that is not a function, and
// the whole file is not loaded, its guard included.
func (r *reading) opencodePlugin(file string) {
	text := r.text(file)
	for _, m := range notAFunction.FindAllSubmatchIndex(text, -1) {
		line := 1 + strings.Count(string(text[:m[2]]), "\n")
		s := warning
		if path.Base(file) == "grimoire-guard.js" {
			s = failure
		}
		r.say(s, file, line, "", surface.Text{
			FR: "l'export " + string(text[m[2]:m[3]]) + " n'est pas une fonction : opencode ne charge rien de ce fichier",
			EN: "the export " + string(text[m[2]:m[3]]) + " is not a function: opencode loads nothing of this file"})
	}
}
