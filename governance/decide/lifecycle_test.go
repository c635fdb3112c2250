package decide

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/governance/session"
	"github.com/grimoire-kit/grimoire/governance/trace"
	"github.com/grimoire-kit/grimoire/surface"
)

func event(name, more string) string {
	return `{"session_id":"s","permission_mode":"default","hook_event_name":"` + name + `"` + more + `}`
}

func french(r *Request) {
	r.Getenv = func(name string) string { return map[string]string{"LANG": "fr_FR.UTF-8"}[name] }
}

const concierge = "---\nname: concierge\ndescription: Triage, clarification, routage\ntools: [read, search, edit, execute]\n---\nTexte.\n"

// The words of the block are those users know.
func TestEntryPersona(t *testing.T) {
	root := repo(t, map[string]string{"_grimoire/kit/agents/concierge.md": concierge})
	a := ask(t, root, "copilot", "SessionStart", `{"hook_event_name":"SessionStart","session_id":"s","timestamp":"t","source":"new"}`, french)
	want := encoded("[Grimoire — persona d'entrée]\n" +
		"Cette session adopte la persona d'entrée du projet dans sa boucle principale,\n" +
		"sans sous-agent : **concierge** — Triage, clarification, routage\n\n" +
		"1. Lis `_grimoire/kit/agents/concierge.md` en entier avant de répondre.\n" +
		"2. Tiens sa frontière d'outils pour ce que tu fais toi-même : read, search, edit, execute.\n" +
		"3. Tu restes la boucle principale : dispatcher un sous-agent reste un choix.\n\n[Grimoire Standard]")
	if text := string(a.Stdout); !strings.Contains(text, strings.TrimSuffix(want, `"`)) {
		t.Errorf("%s\nwant %s", text, want)
	}
	chosen, _, err := trace.Dispatches(root)
	if err != nil || len(chosen) != 1 || chosen[0].Agent != "concierge" || chosen[0].Count != 1 {
		t.Errorf("dispatches %+v, %v", chosen, err)
	}
}

func TestEntryPersonaChoice(t *testing.T) {
	files := map[string]string{
		"_grimoire/kit/agents/concierge.md":        concierge,
		"_grimoire/kit/agents/scribe.md":           "---\nname: scribe\ndescription: S\n---\nIt writes.\n",
		"_grimoire/kit/agents/cafe.md":             "---\nname: Le Café\n---\n",
		"_grimoire/kit/agents/both.md":             "---\nname: both\ndescription: kit\ntools: [read]\n---\n",
		"_grimoire/overrides/agents/both.md":       "---\nextends: kit\ndescription: ours\n---\n",
		"_grimoire/overrides/agents/other.md":      "---\nname: other\ndescription: whole\ntools: [web]\n---\n",
		"_grimoire/kit/agents/other.md":            "---\nname: other\ndescription: kit\n---\n",
		"_grimoire/kit/agents/accent.md":           "---\nname: é\ndescription: folded\n---\n",
		"_grimoire/kit/agents/plain.md":            "---\nname: e\ndescription: exact\n---\n",
		"_grimoire/kit/agents/latin.md":            "---\ndescription: stray\n---\ncaf\xe9\n",
		"_grimoire/kit/agents/template-persona.md": "---\nname: \"{{name}}\"\n---\n",
	}
	for config, want := range map[string]string{
		"":                                     "**concierge** — Triage",
		"agents: {entry: scribe}":              "**scribe** — S\n\n1. Read `_grimoire/kit/agents/scribe.md` in full before you answer.\n2. Keep to its tool boundary in what you do yourself: read, search, edit.",
		"agents: {entry: Le Café}":             "**le-cafe** — Grimoire agent le-cafe",
		"agents: {entry: both}":                "**both** — ours",
		"agents: {entry: other}":               "**other** — whole",
		"agents: {entry: e}":                   "**e** — exact",
		"agents: {entry: accent}":              "**accent** — folded",
		"agents: {entry: latin}":               "**latin** — stray",
		"agents: {entry: \"\"}":                "",
		"agents: {entry: nobody}":              "",
		"agents: {entry: template-persona}":    "",
		"agents: {entry: ../../../etc/passwd}": "",
		"agents: {entry: [a]}":                 "**concierge** — Triage",
		"agents: [":                            "**concierge** — Triage",
	} {
		if files[contextFile] = config; config == "" {
			delete(files, contextFile)
		}
		root := repo(t, files)
		text := string(ask(t, root, "claude", "SessionStart", event("SessionStart", "")).Stdout)
		has := strings.Contains(text, "[Grimoire — entry persona]")
		if has != (want != "") || !strings.Contains(text, strings.Trim(encoded(want), `"`)) {
			t.Errorf("%q: %s", config, text)
		}
	}
}

func TestDirective(t *testing.T) {
	for name, tt := range map[string]struct {
		files map[string]string
		want  string
	}{
		"none":     {nil, "Project not enrolled."},
		"enrolled": {map[string]string{profileFile: profile("governed")}, "Enrolled project, profile governed."},
		"board":    {map[string]string{boardFile: "tasks: ["}, "Enrolled project, profile starter."},
		"broken":   {map[string]string{profileFile: "profile: ["}, "Enrolled project, profile governed."},
		"its own":  {map[string]string{directiveFile: "Task {task_id}: begin."}, "Task bootstrap: begin."},
	} {
		root := repo(t, tt.files)
		if text := string(ask(t, root, "claude", "SessionStart", event("SessionStart", "")).Stdout); !strings.Contains(text, tt.want) {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// Without a ledger nothing speaks of tasks, and nothing is held open.
func TestWithoutLedger(t *testing.T) {
	root := repo(t, map[string]string{profileFile: profile("production")})
	bash(t, root, "touch x")
	for _, e := range []string{"UserPromptSubmit", "SubagentStop", "Stop"} {
		if a := ask(t, root, "claude", e, event(e, "")); len(a.Stdout) != 0 {
			t.Errorf("%s: %s", e, a.Stdout)
		}
	}
	for _, tt := range []struct{ more, tag string }{
		{`,"stop_hook_active":true`, "skipped:stop_hook_already_active"},
		{`,"agent_id":"a"`, "skipped:sub_agent"},
		{"", "skipped:no_ledger"},
	} {
		ask(t, root, "claude", "Stop", event("Stop", tt.more))
		e := entries(t, root)
		if last := e[len(e)-1]; !last.Has(tt.tag) || !last.Has("allow") {
			t.Errorf("%s: %v", tt.tag, last.Tags)
		}
	}
}

func TestPostToolUse(t *testing.T) {
	root := repo(t, map[string]string{profileFile: profile("governed")})
	a := ask(t, root, "claude", "PostToolUse", call("s", "PostToolUse", "MultiEdit", args{"file_path": "a.go", "edits": []any{args{"old_string": "a", "new_string": "b"}}}))
	if text := string(a.Stdout); !strings.Contains(text, "written: a.go. Its evidence belongs in _grimoire-output/evidence/bootstrap/") {
		t.Errorf("%s", text)
	}
	for _, tool := range []struct {
		name  string
		input args
	}{{"Bash", args{"command": "touch x"}}, {"Bash", args{"command": "ls"}}, {"Read", args{"file_path": "a"}}} {
		if a := ask(t, root, "claude", "PostToolUse", call("s", "PostToolUse", tool.name, tool.input)); len(a.Stdout) != 0 {
			t.Errorf("%s: %s", tool.name, a.Stdout)
		}
	}
	if n := session.Read(root, "s").Mutations; n != 2 {
		t.Errorf("%d mutations, want the edit and the command", n)
	}
	bare := repo(t, nil)
	ask(t, bare, "claude", "PostToolUse", call("s", "PostToolUse", "Write", args{"file_path": "a"}))
	if _, err := os.Stat(filepath.Join(bare, "_grimoire-output")); !os.IsNotExist(err) {
		t.Errorf("a project that is not enrolled was written to: %v", err)
	}
}

// A call that failed counts as a change where it did run: its host tells an exit
// code.
func TestPostToolUseFailure(t *testing.T) {
	copilot := func(tool, input, e string) string {
		return `{"hook_event_name":"PostToolUseFailure","session_id":"s","timestamp":"t","tool_name":"` + tool + `","tool_input":` + input + `,"error":` + quote(e) + `}`
	}
	for name, tt := range map[string]struct {
		host, payload string
		want          int
	}{
		"a command":            {"claude", strings.TrimSuffix(call("s", "PostToolUseFailure", "Bash", args{"command": "sed -i s/a/b/ x && false"}), "}") + `,"error":"Exit code 1"}`, 1},
		"a command that reads": {"claude", strings.TrimSuffix(call("s", "PostToolUseFailure", "Bash", args{"command": "cat x"}), "}") + `,"error":"Exit code 1"}`, 0},
		"an edit":              {"copilot", copilot("Edit", `{"path":"a","old_str":"x","new_str":"y"}`, "No match found"), 0},
		"no such tool":         {"copilot", copilot("Bash", `{"command":"touch x"}`, "Tool 'bash' does not exist."), 0},
	} {
		root := repo(t, map[string]string{profileFile: profile("governed")})
		if a := ask(t, root, tt.host, "PostToolUseFailure", tt.payload); len(a.Stdout) != 0 && string(a.Stdout) != "{}" {
			t.Errorf("%s: %s", name, a.Stdout)
		}
		if n := session.Read(root, "s").Mutations; n != tt.want {
			t.Errorf("%s: %d changes, want %d", name, n, tt.want)
		}
	}
}

func TestPreCompact(t *testing.T) {
	root := repo(t, map[string]string{profileFile: profile("governed")})
	a := ask(t, root, "claude", "PreCompact", event("PreCompact", ""))
	file := "_grimoire-output/context/bootstrap/compaction-capsule.md"
	if text := string(a.Stdout); text[0] == '{' || !strings.Contains(text, "profile governed") || !strings.HasSuffix(text, "Capsule written: "+file) {
		t.Errorf("%s", text)
	}
	capsule, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
	if err != nil || !strings.HasPrefix(string(a.Stdout), strings.TrimSpace(string(capsule))) {
		t.Errorf("%v: %s", err, capsule)
	}
	if err := os.RemoveAll(filepath.Join(root, "_grimoire-output")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "_grimoire-output"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if a := ask(t, root, "claude", "PreCompact", event("PreCompact", "")); !strings.Contains(string(a.Stdout), "The capsule was not written: ") {
		t.Errorf("%s", a.Stdout)
	}
}

// ledger is a mission ledger of one task, in memory.
type ledger struct {
	task     Task
	gates    Gates
	err      error
	attached []string
	states   map[string]string
	said     []Directive // until it is shown
}

func (l *ledger) Task(string, string) (Task, error) { return l.task, l.err }
func (l *ledger) Attach(_ string, t Task, session, host string) error {
	l.attached = append(l.attached, t.ID+" "+session+" "+host)
	return nil
}
func (l *ledger) Gates(string, Task) (Gates, error)    { return l.gates, l.err }
func (l *ledger) State(_, task string) (string, error) { return l.states[task], l.err }
func (l *ledger) Directives(string, Task, string) ([]Directive, error) {
	said := l.said
	l.said = nil
	return said, l.err
}

func TestStop(t *testing.T) {
	red := Gates{Missing: []surface.Text{{FR: "preuve de test", EN: "proof of a test"}}}
	running := Task{ID: "GAO-1", State: "running"}
	for name, tt := range map[string]struct {
		profile string
		ledger  ledger
		writes  int
		more    string
		want    string // "", context, block
		says    string
	}{
		"green":                        {"governed", ledger{task: running, gates: Gates{OK: true}}, 1, "", "", ""},
		"red":                          {"governed", ledger{task: running, gates: red}, 0, "", "block", "proof of a test"},
		"red, production":              {"production", ledger{task: running, gates: red}, 0, "", "block", "gate check --task-id GAO-1 --strict"},
		"red, the second time":         {"governed", ledger{task: running, gates: red}, 0, `,"stop_hook_active":true`, "", ""},
		"red, a sub-agent's turn":      {"governed", ledger{task: running, gates: red}, 0, `,"agent_id":"a"`, "", ""},
		"red, orchestrated":            {"orchestrated", ledger{task: running, gates: red}, 0, "", "context", "proof of a test"},
		"red, not enrolled":            {"", ledger{task: running, gates: red}, 0, "", "", ""},
		"proposed":                     {"governed", ledger{task: Task{ID: "GAO-1", State: "proposed"}, gates: Gates{OK: true}}, 0, "", "context", "protects nothing"},
		"no task after a write":        {"governed", ledger{}, 1, "", "block", "grimoire task claim <id> --actor <name>"},
		"no task, orchestrated":        {"orchestrated", ledger{}, 1, "", "context", "task add"},
		"no task, nothing was written": {"governed", ledger{}, 0, "", "", ""},
		"a broken ledger":              {"governed", ledger{err: errors.New("line 3")}, 1, "", "context", "could not be evaluated: line 3"},
	} {
		files := map[string]string{}
		if tt.profile != "" {
			files[profileFile] = profile(tt.profile)
		}
		root := repo(t, files)
		with := func(r *Request) { r.Ledger = &tt.ledger }
		for range tt.writes {
			ask(t, root, "claude", "PostToolUse", call("s", "PostToolUse", "Bash", args{"command": "touch x"}), with)
		}
		a := ask(t, root, "claude", "Stop", event("Stop", tt.more), with)
		text := string(a.Stdout)
		if got := decisionOf(a); got != tt.want || !strings.Contains(strings.ReplaceAll(strings.ReplaceAll(text, `\u003c`, "<"), `\u003e`, ">"), tt.says) {
			t.Errorf("%s: %q, want %q saying %q: %s", name, got, tt.want, tt.says, text)
		}
		if strings.Contains(text, "additionalContext") {
			t.Errorf("%s: would run the agent again: %s", name, text)
		}
	}
}

func TestTaskContext(t *testing.T) {
	root := repo(t, map[string]string{profileFile: profile("governed")})
	l := &ledger{task: Task{ID: "GAO-1", State: "running"}}
	with := func(r *Request) { r.Ledger = l }
	a := ask(t, root, "claude", "UserPromptSubmit", event("UserPromptSubmit", `,"prompt":"go"`), with)
	if !strings.Contains(string(a.Stdout), "current task: GAO-1 (running), profile governed, evidence in _grimoire-output/evidence/GAO-1/") {
		t.Errorf("%s", a.Stdout)
	}
	if len(l.attached) != 1 || l.attached[0] != "GAO-1 s host-claude-code-cli" || session.Read(root, "s").Task != "GAO-1" {
		t.Errorf("attached %v, session of %q", l.attached, session.Read(root, "s").Task)
	}
	l.task = Task{}
	for _, e := range []string{"UserPromptSubmit", "SessionStart"} {
		if a := ask(t, root, "claude", e, event(e, ""), with); !strings.Contains(string(a.Stdout), "grimoire task add") {
			t.Errorf("%s: %s", e, a.Stdout)
		}
	}
	l.task, l.gates = Task{ID: "GAO-1", State: "running"}, Gates{}
	a = ask(t, root, "claude", "SubagentStop", event("SubagentStop", `,"agent_id":"a"`), with)
	if decisionOf(a) != "context" || !strings.Contains(string(a.Stdout), "red gates") {
		t.Errorf("%s", a.Stdout)
	}
}
