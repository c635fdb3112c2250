package doctor

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/grimoire-kit/grimoire/core/merge"
	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

// toolEvents are each host's words for the moment before a tool runs.
var toolEvents = map[string]string{"claude": "PreToolUse", "copilot": "PreToolUse", "opencode": "pre_tool_use"}

// payloads are what each host sends about a shell command in the project at
// dir: Claude Code as observed on 2.1.332, Copilot CLI on 1.0.102; opencode's
// is its plugin's.
var payloads = map[string]func(dir, command string) string{
	"claude": func(dir, command string) string {
		return object(map[string]any{
			"session_id": proofSession, "transcript_path": dir + "/transcript.jsonl", "cwd": dir,
			"prompt_id": proofSession, "permission_mode": "default", "effort": map[string]any{"level": "medium"},
			"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_use_id": "toolu_grimoire_doctor",
			"tool_input": map[string]any{"command": command, "description": "grimoire doctor"},
		})
	},
	"copilot": func(dir, command string) string {
		return object(map[string]any{
			"hook_event_name": "PreToolUse", "session_id": proofSession, "timestamp": "2026-01-01T00:00:00.000Z",
			"cwd": dir, "tool_name": "Bash",
			"tool_input": map[string]any{"command": command, "description": "grimoire doctor"},
		})
	},
	"opencode": func(dir, command string) string {
		return object(map[string]any{
			"session_id": proofSession, "cwd": dir, "tool_use_id": "call_grimoire_doctor", "tool_name": "bash",
			"tool_input": map[string]any{"command": command, "description": "grimoire doctor"},
		})
	},
}

const proofSession = "0d0c7012-0000-4000-8000-000000000000"

func object(fields map[string]any) string {
	text, err := json.Marshal(fields)
	if err != nil {
		panic(err) // strings and maps of them always encode
	}
	return string(text)
}

// answers read what each host was observed to obey. Exit code 2 refuses under
// Claude Code, any but 0 under Copilot.
var answers = map[string]func(outcome) answer{
	"claude": func(o outcome) answer {
		a := obeyed(o, "hookSpecificOutput.permissionDecision")
		a.stops = o.exit == 0 && a.stops || o.exit == 2
		return a
	},
	"copilot": func(o outcome) answer {
		a := obeyed(o, "permissionDecision")
		a.stops = a.stops || o.exit != 0
		return a
	},
	"opencode": func(o outcome) answer {
		a := obeyed(o, "decision")
		a.silent = o.exit == 0 && strings.TrimSpace(o.stdout) == "{}"
		return a
	},
}

// obeyed reads an answer whose decision stands at a path. Only a whole stdout
// that is one JSON value is an answer.
func obeyed(o outcome, decision string) answer {
	out := strings.TrimSpace(o.stdout)
	a := answer{silent: o.exit == 0 && out == "", says: said(orElse(out, o.stderr))}
	if o.exit != 0 {
		a.says = said(fmt.Sprintf("exit %d %s", o.exit, a.says))
	}
	if !gjson.Valid(out) {
		return a
	}
	word := gjson.Get(out, decision).String()
	a.stops = word == "deny" || word == "ask"
	for _, path := range []string{
		"permissionDecisionReason", "hookSpecificOutput.permissionDecisionReason", "reason",
		"systemMessage", "additionalContext", "hookSpecificOutput.additionalContext",
	} {
		if text := gjson.Get(out, path).String(); text != "" {
			a.says = said(text)
			break
		}
	}
	return a
}

// hookLine is a line that a host runs before a tool, and for which tools.
type hookLine struct {
	file    string
	entry   *node
	command string
	matcher *node
}

// written reports whether the entry is one of grimoire's: another key could
// have the host run it elsewhere, not wait for it, or not run it at all.
func (l hookLine) written(lines []string) bool {
	for _, m := range l.entry.members {
		if !slices.Contains([]string{"type", "command", "timeout"}, m.key) {
			return false
		}
	}
	return l.entry.get("type").is(merge.String) && l.entry.get("type").text == "command" && slices.Contains(lines, l.command)
}

func (e *examination) claudeDrill() (*drill, []finding) {
	var lines []hookLine
	r := &reading{tree: e.tree}
	for _, file := range []string{".claude/settings.json", ".claude/settings.local.json"} {
		if d, ok := r.open(file, grammar{byteOrder: true}, claudeDrops); ok {
			lines = append(lines, groupedLines(file, d.root.get("hooks").get("PreToolUse"))...)
		}
	}
	line, found := e.ours("claude", ".claude/settings.json", lines, r.found)
	if found != nil {
		return nil, found
	}
	return lineDrill("claude", "/bin/sh", line, "CLAUDE_PROJECT_DIR"), nil
}

func (e *examination) copilotDrill() (*drill, []finding) {
	const folder, most = ".github/hooks/", 5000
	var lines []hookLine
	r := &reading{tree: e.tree}
	for _, file := range e.tree.Files(folder, most) {
		if !strings.HasSuffix(file, ".json") {
			continue
		}
		if d, ok := r.open(file, grammar{}, copilotRejects); ok {
			event := d.root.get("hooks").get("PreToolUse")
			lines = append(lines, flatLines(file, event)...)
			lines = append(lines, groupedLines(file, event)...)
		}
	}
	line, found := e.ours("copilot", folder, lines, r.found)
	if found != nil {
		return nil, found
	}
	bash, ok := e.find("bash")
	if !ok {
		return nil, []finding{{warning, surface.Text{
			FR: "pas de bash sur cette machine : Copilot n'y lance aucun hook",
			EN: "no bash on this machine: Copilot runs no hook here"}}}
	}
	return lineDrill("copilot", bash, line, "COPILOT_PROJECT_DIR", "CLAUDE_PROJECT_DIR"), nil
}

// lineDrill runs a line as `shell -c line`, with the payload on stdin and the
// project in the host's variables. Both hosts start it in the project.
func lineDrill(host, shell string, line hookLine, variables ...string) *drill {
	return &drill{
		file: line.file,
		start: func(dir, command string) start {
			s := start{argv: []string{shell, "-c", line.command}, stdin: payloads[host](dir, command)}
			for _, name := range variables {
				s.env = append(s.env, name+"="+dir)
			}
			return s
		},
		read: answers[host],
	}
}

// ours picks the line to run. where is the file or folder a sync would put it,
// dropped what the host makes of files there that it cannot read: to say that
// they hold no hook would be beside the point.
func (e *examination) ours(host, where string, lines []hookLine, dropped []finding) (hookLine, []finding) {
	written := writtenLines(host)
	var foreign []finding
	for _, l := range lines {
		if !matches(l.matcher, "Bash") {
			continue
		}
		if l.written(written) {
			return l, nil
		}
		if strings.Contains(l.command, hookProgram) {
			foreign = append(foreign, finding{failure, at(printable(l.file), l.entry.line, surface.Text{
				FR: "le hook n'est pas celui que grimoire écrit ; un projet reçu peut y mettre n'importe quelle commande, il n'a donc pas été lancé et rien n'est prouvé ; `grimoire host sync` le remet",
				EN: "the hook is not one that grimoire writes; a project from elsewhere can put any command there, so it was not run and nothing is proved; `grimoire host sync` puts it back"})})
		}
	}
	switch {
	case foreign != nil:
		return hookLine{}, foreign
	case dropped != nil:
		return hookLine{}, dropped
	}
	s := failure
	if !e.received(host) {
		s = warning // as for a host that has no files yet
	}
	return hookLine{}, []finding{{s, surface.Text{
		FR: where + " : aucun hook n'appelle grimoire-hook avant une commande : rien n'est arrêté ; `grimoire host sync`",
		EN: where + ": no hook calls grimoire-hook before a command: nothing is stopped; `grimoire host sync`"}}}
}

// received reports whether a host has had any file from a sync.
func (e *examination) received(alias string) bool {
	if e.status == nil {
		return true
	}
	for _, h := range e.status.Hosts {
		if h.Profile.Alias() == alias {
			return e.emitted(h)
		}
	}
	return true
}

// writtenLines are all the lines grimoire writes for a host before a tool.
func writtenLines(host string) []string {
	var lines []string
	for _, l := range []surface.Language{surface.French, surface.English} {
		for _, f := range []surface.FailureMode{surface.FailAllow, surface.FailRefuse} {
			h := surface.Hook{Event: surface.PreToolUse, OnFailure: f}
			lines = append(lines, pluginsdk.HookCommand(host, toolEvents[host], h, l))
		}
	}
	return lines
}

// flatLines are those of an event in Copilot's form: [{"command": …}].
func flatLines(file string, event *node) []hookLine {
	var lines []hookLine
	if event == nil {
		return nil
	}
	for _, entry := range event.items {
		for _, key := range []string{"bash", "command"} { // bash wins
			if c := entry.get(key); c.is(merge.String) {
				lines = append(lines, hookLine{file, entry, c.text, entry.get("matcher")})
				break
			}
		}
	}
	return lines
}

// groupedLines are those of an event in Claude Code's form:
// [{"matcher": …, "hooks": [{"command": …}]}].
func groupedLines(file string, event *node) []hookLine {
	var lines []hookLine
	if event == nil {
		return nil
	}
	for _, group := range event.items {
		for _, l := range flatLines(file, group.get("hooks")) {
			l.matcher = group.get("matcher")
			lines = append(lines, l)
		}
	}
	return lines
}

// matches reports whether the host runs a hook for a tool: a matcher is an
// expression for the whole name, and none or `*` is any (Claude Code, and
// Copilot CLI at the events in Claude Code's spelling).
func matches(matcher *node, tool string) bool {
	if !matcher.is(merge.String) || matcher.text == "" || matcher.text == "*" {
		return true
	}
	expr, err := regexp.Compile("^(?:" + matcher.text + ")$")
	return err == nil && expr.MatchString(tool)
}
