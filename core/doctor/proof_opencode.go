package doctor

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/grimoire-kit/grimoire/surface"
)

const (
	opencodeGuard = ".opencode/plugin/grimoire-guard.js"
	// guardCopy is named so that node takes it for a module, as opencode does.
	guardCopy = "grimoire-guard.mjs"
)

// guardHarness plays opencode to its plugin for one shell command: it loads
// the file, and tells whether the tool would be stopped.
const guardHarness = `
const [file, directory, sessionID, command] = process.argv.slice(1);
const { pathToFileURL } = await import("node:url");
const plugin = Object.values(await import(pathToFileURL(file)))[0];
const client = { session: { get: async ({ path }) => ({ data: { id: path.id } }) } };
const hooks = await plugin({ client, directory, worktree: directory });
const input = { tool: "bash", sessionID, callID: "call_grimoire_doctor" };
let answer = {};
try {
  await hooks["tool.execute.before"](input, { args: { command, description: "grimoire doctor" } });
} catch (error) {
  answer = { decision: "deny", reason: String(error?.message ?? error) };
}
console.log(JSON.stringify(answer));
`

// opencodeDrill runs the installed plugin under node, which runs it as
// opencode does. Without node, it asks grimoire-hook as the plugin would.
func (e *examination) opencodeDrill() (*drill, []finding) {
	f, err := e.tree.Read(opencodeGuard)
	switch {
	case err != nil || !f.Exists():
		s := failure
		if !e.received("opencode") {
			s = warning
		}
		return nil, []finding{{s, surface.Text{
			FR: opencodeGuard + " manque : rien n'est arrêté ; `grimoire host sync`",
			EN: opencodeGuard + " is missing: nothing is stopped; `grimoire host sync`"}}}
	case e.status == nil:
		return nil, []finding{{warning, surface.Text{
			FR: opencodeGuard + " n'a pas été lancé : tant que le projet ne se lit pas, rien ne dit que c'est celui de grimoire",
			EN: opencodeGuard + " was not run: as long as the project cannot be read, nothing says that it is grimoire's"}}}
	case !e.asEmitted("opencode", opencodeGuard):
		return nil, []finding{{failure, surface.Text{
			FR: opencodeGuard + " n'est pas celui que grimoire écrit ; il n'a pas été lancé et rien n'est prouvé ; `grimoire host sync` le remet",
			EN: opencodeGuard + " is not the one that grimoire writes; it was not run and nothing is proved; `grimoire host sync` puts it back"}}}
	}
	if node, ok := e.find("node"); ok {
		return &drill{
			start: func(dir, command string) start {
				return start{argv: []string{node, "--input-type=module", "-e", guardHarness, "--",
					dir + "/../" + guardCopy, dir, proofSession, command}}
			},
			read:   guardAnswer,
			file:   opencodeGuard,
			beside: map[string][]byte{guardCopy: slices.Clone(f.Data)},
		}, nil
	}
	programs := e.programs()
	if len(programs) == 0 {
		return nil, []finding{{failure, surface.Text{
			FR: hookProgram + " est introuvable ; " + hookRemedy, EN: hookProgram + " is nowhere to be found; " + hookRemedy}}}
	}
	return &drill{
			start: func(dir, command string) start {
				return start{argv: []string{programs[0], "--host", "opencode", "--event", toolEvents["opencode"]}, stdin: payloads["opencode"](dir, command)}
			},
			read: answers["opencode"],
			file: opencodeGuard,
		}, []finding{{note, surface.Text{
			FR: "node n'est pas sur cette machine : " + hookProgram + " a été interrogé comme le plugin le fait, sans le plugin",
			EN: "node is not on this machine: " + hookProgram + " was asked as the plugin does, without the plugin"}}}
}

// guardAnswer reads the harness. A plugin that could not be loaded stops
// nothing: opencode goes on without it.
func guardAnswer(o outcome) answer {
	if o.exit != 0 {
		return answer{says: said(o.stderr)}
	}
	var a struct{ Decision, Reason string }
	if !gjson.Valid(o.stdout) || json.Unmarshal([]byte(o.stdout), &a) != nil {
		return answer{says: said(o.stdout)}
	}
	warned := strings.TrimSpace(o.stderr)
	return answer{stops: a.Decision == "deny", silent: a.Decision == "" && warned == "", says: said(orElse(a.Reason, warned))}
}

// asEmitted reports whether a host's file is, byte for byte, what a sync would
// write.
func (e *examination) asEmitted(alias, path string) bool {
	for _, h := range e.status.Hosts {
		if h.Profile.Alias() == alias {
			return slices.Contains(h.Current, path)
		}
	}
	return false
}
