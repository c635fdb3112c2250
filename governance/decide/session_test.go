package decide

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/governance/policy"
	"github.com/grimoire-kit/grimoire/governance/session"
)

// copilot is a payload of Copilot CLI, in the shape Claude Code's hook files
// get from it too.
func copilot(session, parent, event, tool string, input args) string {
	agent := ""
	if parent != "" {
		agent = `"agent_id":"` + session + `","agent_type":"task","parent_agent_id":"` + parent + `",`
	}
	return fmt.Sprintf(`{"hook_event_name":%q,"session_id":%q,"timestamp":"2026-11-30T22:52:46.162Z",%s"tool_name":%q,"tool_input":%s}`,
		event, session, agent, tool, encoded(input))
}

// A budget is refused at call N+1, with the number, the rule and the way out.
func TestBudget(t *testing.T) {
	root := repo(t, map[string]string{policy.File: budgets})
	for i := range 3 {
		if a := bash(t, root, fmt.Sprintf("touch %d", i)); decisionOf(a) != "" {
			t.Fatalf("call %d: %s", i, a.Stdout)
		}
		bash(t, root, "cat README.md") // reads do not count
	}
	a := bash(t, root, "touch 4")
	if text := string(a.Stdout); decisionOf(a) != "deny" || !strings.Contains(text, "3/3") || !strings.Contains(text, "grimoire policies reset-session") {
		t.Errorf("%s", text)
	}
	for _, line := range []string{"cat README.md", "grimoire policies reset-session", "grimoire policies status --json"} {
		if a := bash(t, root, line); decisionOf(a) != "" {
			t.Errorf("%s: %s", line, a.Stdout)
		}
	}
	if a := bash(t, root, "grimoire policies status && touch 5"); decisionOf(a) != "deny" {
		t.Errorf("an exempt part exempts the line: %s", a.Stdout)
	}
}

// Resuming and compacting go on counting; starting anew does not.
func TestSessionStartKeepsOrResets(t *testing.T) {
	root := repo(t, map[string]string{policy.File: budgets})
	start := func(source string) {
		ask(t, root, "claude", "SessionStart", `{"session_id":"s","permission_mode":"x","hook_event_name":"SessionStart","source":"`+source+`"}`)
	}
	for range 3 {
		bash(t, root, "touch x")
	}
	for _, source := range []string{"resume", "compact"} {
		start(source)
		if a := bash(t, root, "touch x"); decisionOf(a) != "deny" {
			t.Errorf("%s dropped the counters: %s", source, a.Stdout)
		}
	}
	for _, source := range []string{"clear", "startup"} {
		start(source)
		if a := bash(t, root, "touch x"); decisionOf(a) != "" {
			t.Errorf("%s kept the counters: %s", source, a.Stdout)
		}
	}
}

// A sub-agent that starts leaves the counters it shares alone.
func TestSubAgentStart(t *testing.T) {
	root := repo(t, map[string]string{policy.File: budgets})
	for range 3 {
		ask(t, root, "opencode", "pre_tool_use", `{"session_id":"child","parent_session_id":"top","tool_name":"bash","tool_input":{"command":"touch x"}}`)
	}
	ask(t, root, "opencode", "session_start", `{"session_id":"child","parent_session_id":"top"}`)
	ask(t, root, "opencode", "session_start", `{"session_id":"child"}`)
	ask(t, root, "claude", "SessionStart", `{"session_id":"top","permission_mode":"x","agent_id":"a","hook_event_name":"SessionStart","source":"startup"}`)
	if n := session.Read(root, "top").Rules["writes"].Writes; n != 3 {
		t.Errorf("%d writes are left of 3", n)
	}
}

// Sub-agents share the budget of the session that started them, also where
// they have an id of their own, and through a chain of parents.
func TestSubAgentsShareTheBudget(t *testing.T) {
	write := args{"command": "touch x"}
	t.Run("copilot", func(t *testing.T) {
		root := repo(t, map[string]string{policy.File: budgets})
		for _, c := range [][2]string{{"top", ""}, {"child", "top"}, {"grandchild", "child"}} {
			if a := ask(t, root, "copilot", "PreToolUse", copilot(c[0], c[1], "PreToolUse", "Bash", write)); decisionOf(a) != "" {
				t.Fatalf("%v: %s", c, a.Stdout)
			}
		}
		for _, c := range [][2]string{{"top", ""}, {"child", "top"}, {"grandchild", "child"}, {"sister", "top"}} {
			if a := ask(t, root, "copilot", "PreToolUse", copilot(c[0], c[1], "PreToolUse", "Bash", write)); decisionOf(a) != "deny" {
				t.Errorf("%v has a budget of its own: %s", c, a.Stdout)
			}
		}
		if n := session.Read(root, "top").Rules["writes"].Writes; n != 3 {
			t.Errorf("%d writes counted", n)
		}
	})
	t.Run("opencode", func(t *testing.T) {
		root := repo(t, map[string]string{policy.File: budgets})
		payload := func(id, parent string) string {
			return fmt.Sprintf(`{"session_id":%q,"parent_session_id":%q,"tool_name":"bash","tool_input":{"command":"touch x"}}`, id, parent)
		}
		for i := range 4 {
			a := ask(t, root, "opencode", "pre_tool_use", payload(fmt.Sprint("child", i), "top"))
			if want := map[bool]string{true: "deny"}[i == 3]; decisionOf(a) != want {
				t.Errorf("call %d: %s", i, a.Stdout)
			}
		}
	})
}

const approvals = `rules:
  - id: push
    verdict_on_match: warn
    tool_pattern: "Bash(git push:*)"
    require_approval: true
`

// A question proves no consent; the tool having run does, for that very action.
func TestApproval(t *testing.T) {
	root := repo(t, map[string]string{policy.File: approvals})
	push := call("s", "PreToolUse", "Bash", args{"command": "git push origin main"})
	for range 2 {
		if a := ask(t, root, "claude", "PreToolUse", push); decisionOf(a) != "ask" {
			t.Fatalf("%s", a.Stdout)
		}
	}
	ask(t, root, "claude", "PostToolUse", strings.Replace(push, `"PreToolUse"`, `"PostToolUse"`, 1))
	if a := ask(t, root, "claude", "PreToolUse", push); decisionOf(a) != "" {
		t.Errorf("asked again: %s", a.Stdout)
	}
	if a := bash(t, root, "git push origin other"); decisionOf(a) != "ask" {
		t.Errorf("another action passes: %s", a.Stdout)
	}
}

// A command that was run and failed was agreed to all the same: its host tells an
// exit code. A call that was turned down, or never begun, has none.
func TestApprovalOfWhatFailed(t *testing.T) {
	push := call("s", "PreToolUse", "Bash", args{"command": "git push origin main"})
	failed := strings.TrimSuffix(strings.Replace(push, `"PreToolUse"`, `"PostToolUseFailure"`, 1), "}")
	for e, want := range map[string]string{
		"Exit code 1\nrejected":                      "",
		"The user does not want to take this action": "ask",
		"hook refused: Exit code 1":                  "ask",
	} {
		root := repo(t, map[string]string{policy.File: approvals})
		ask(t, root, "claude", "PreToolUse", push)
		ask(t, root, "claude", "PostToolUseFailure", failed+`,"error":`+quote(e)+"}")
		if a := ask(t, root, "claude", "PreToolUse", push); decisionOf(a) != want {
			t.Errorf("%s: %q, want %q", e, decisionOf(a), want)
		}
		if a := bash(t, root, "git push origin other"); decisionOf(a) != "ask" {
			t.Errorf("%s: another action passes: %s", e, a.Stdout)
		}
	}
}

// A hook may rewrite the input; the call's id then leads back to the action.
func TestApprovalOfRewrittenInput(t *testing.T) {
	root := repo(t, map[string]string{policy.File: approvals})
	push := call("s", "PreToolUse", "Bash", args{"command": "git push origin main"})
	ask(t, root, "claude", "PreToolUse", push)
	ask(t, root, "claude", "PostToolUse", call("s", "PostToolUse", "Bash", args{"command": "rtk git push origin main"}))
	if a := ask(t, root, "claude", "PreToolUse", push); decisionOf(a) != "" {
		t.Errorf("asked again: %s", a.Stdout)
	}
}

// On a host that cannot ask, the refusal names the way the person can approve.
func TestApprovalWithoutQuestion(t *testing.T) {
	root := repo(t, map[string]string{policy.File: approvals})
	payload := `{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"git push"}}`
	a := ask(t, root, "codex", "PreToolUse", payload)
	_, id, found := strings.Cut(string(a.Stderr), "grimoire policies approve ")
	if a.Exit != 2 || !found {
		t.Fatalf("exit %d: %s", a.Exit, a.Stderr)
	}
	id = strings.Fields(id)[0]
	rules, _ := policy.Load(root)
	if err := session.Update(root, "s", func(s *session.State) error {
		_, err := rules.Approve(s, id)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if a := ask(t, root, "codex", "PreToolUse", payload); a.Exit != 0 {
		t.Errorf("approved and refused: %s", a.Stderr)
	}
}

// No agent approves in the person's place.
func TestAgentCannotApprove(t *testing.T) {
	root := repo(t, map[string]string{policy.File: approvals})
	for _, line := range []string{
		"grimoire policies approve 123456789abc", "cd x; grimoire -o json policies approve 123456", "bash -c 'grimoire policies approve 1'",
		`python3 -c "import pty; pty.spawn(['grimoire','policies','approve','x'])"`, "expect -c 'spawn grimoire policies approve x; send y'",
		"go run ./cmd/grimoire policies approve x", "go run github.com/grimoire-kit/grimoire/cmd/grimoire@latest policies approve x",
		"cp $(which grimoire) g; ./g policies approve x", "grimoire policies $A x", "script -qc 'grimoire policies approve x'", "tmux send-keys 'grimoire policies approve x' Enter",
	} {
		if a := bash(t, root, line); decisionOf(a) != "deny" {
			t.Errorf("%s: %s", line, a.Stdout)
		}
	}
	for _, line := range []string{`git commit -m "say how policies approve works"`, "echo grimoire policies approve x > notes", "grimoire policies status; touch x", "grimoire policies explain 'touch x'"} {
		if a := bash(t, root, line); decisionOf(a) == "deny" {
			t.Errorf("%s: %s", line, a.Stdout)
		}
	}
}

// A spent budget that only warns asks where the host can ask, else the call
// passes, said aloud.
func TestWarningBudget(t *testing.T) {
	rules := strings.Replace(strings.Replace(budgets, "block", "warn", 1), "max_writes: 3", "max_writes: 0", 1)
	root := repo(t, map[string]string{policy.File: rules})
	if a := bash(t, root, "touch x"); decisionOf(a) != "ask" {
		t.Errorf("claude: %s", a.Stdout)
	}
	a := ask(t, root, "codex", "PreToolUse", `{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"touch x"}}`)
	if a.Exit != 0 || !strings.Contains(string(a.Stdout), "session budget reached") {
		t.Errorf("codex: exit %d %s", a.Exit, a.Stdout)
	}
}

// Rules written in one host's words hold for the others.
func TestRulesOfEveryHost(t *testing.T) {
	root := repo(t, map[string]string{policy.File: "rules:\n  - {id: no-make, verdict_on_match: block, tool_pattern: \"Bash(make:*)\"}\n"})
	for host, payload := range map[string]string{
		"claude":   call("s", "PreToolUse", "Bash", args{"command": "make x"}),
		"copilot":  `{"sessionId":"s","timestamp":1,"toolName":"bash","toolArgs":{"command":"make x"}}`,
		"opencode": `{"session_id":"s","tool_name":"bash","tool_input":{"command":"make x"}}`,
		"codex":    `{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"shell","tool_input":{"command":["bash","-lc","make x"]}}`,
		"gemini":   `{"session_id":"s","hook_event_name":"BeforeTool","tool_name":"run_shell_command","tool_input":{"command":"make x"}}`,
	} {
		if a := ask(t, root, host, "pre_tool_use", payload); decisionOf(a) != "deny" || !strings.Contains(string(a.Stdout)+string(a.Stderr), "no-make") {
			t.Errorf("%s: exit %d %s%s", host, a.Exit, a.Stdout, a.Stderr)
		}
	}
}

// Copilot also runs Claude Code's hook file. That call is silent only where
// our own entry for Copilot decides the same event, and else answers as
// Copilot expects.
func TestTwoSurfaces(t *testing.T) {
	payload := copilot("s", "", "PreToolUse", "Bash", args{"command": "rm -rf x"})
	const file = ".github/hooks/grimoire-pre-tool-use.json"
	for name, tt := range map[string]struct {
		text   string
		silent bool
	}{
		"ours":               {`{"version":1,"hooks":{"PreToolUse":[{"type":"command","command":"PATH=\"$PATH:/x\"; if a=$(grimoire-hook --host copilot --event PreToolUse); then printf %s \"$a\"; fi"}]}}`, true},
		"ours, other case":   {`{"hooks":{"preToolUse":[{"type":"command","bash":"grimoire-hook --host copilot --event preToolUse"}]}}`, true},
		"another event":      {`{"hooks":{"Stop":[{"type":"command","command":"grimoire-hook --host copilot --event Stop"}]}}`, false},
		"called for another": {`{"hooks":{"PreToolUse":[{"type":"command","command":"grimoire-hook --host copilot --event Stop"}]}}`, false},
		"another host":       {`{"hooks":{"PreToolUse":[{"type":"command","command":"grimoire-hook --host claude --event PreToolUse"}]}}`, false},
		"only named":         {`{"hooks":{"PreToolUse":[{"type":"command","command":"echo grimoire-hook --host copilot --event PreToolUse"}]}}`, false},
		"in a comment":       {`{"hooks":{"PreToolUse":[{"type":"command","command":"true # grimoire-hook --host copilot --event PreToolUse"}]}}`, false},
		"broken":             {`{"hooks":{"PreToolUse":[{"command":"grimoire-hook --host copilot --event PreToolUse"}]}`, false},
		"empty":              {`{}`, false},
		"switched off":       {`{"version":1,"disableAllHooks":true,"hooks":{"PreToolUse":[{"command":"grimoire-hook --host copilot --event PreToolUse"}]}}`, false},
		"another version":    {`{"version":2,"hooks":{"PreToolUse":[{"command":"grimoire-hook --host copilot --event PreToolUse"}]}}`, false},
		"version a text":     {`{"version":"1","hooks":{"PreToolUse":[{"command":"grimoire-hook --host copilot --event PreToolUse"}]}}`, false},
		"off elsewhere":      {`{"version":1,"hooks":{"PreToolUse":[{"command":"grimoire-hook --host copilot --event PreToolUse"}]}}`, false},
		"on elsewhere":       {`{"version":1,"hooks":{"PreToolUse":[{"command":"grimoire-hook --host copilot --event PreToolUse"}]}}`, true},
	} {
		root := repo(t, map[string]string{file: tt.text, ".github/copilot/settings.json": `{"disableAllHooks":` + strconv.FormatBool(name == "off elsewhere") + `}`})
		a := ask(t, root, "claude", "PreToolUse", payload)
		if silent := len(a.Stdout) == 0; silent != tt.silent {
			t.Errorf("%s: %s", name, a.Stdout)
		}
		if !tt.silent && !strings.HasPrefix(string(a.Stdout), `{"permissionDecision":"deny"`) {
			t.Errorf("%s: not in Copilot's words: %s", name, a.Stdout)
		}
		own := ask(t, root, "copilot", "PreToolUse", payload)
		want := 2
		if tt.silent {
			want = 1
		}
		if e := entries(t, root); decisionOf(own) != "deny" || len(e) != want || e[0].Host != "host-github-copilot" {
			t.Errorf("%s: %d traces, %s", name, len(e), own.Stdout)
		}
	}
}

func TestOpenShell(t *testing.T) {
	root := repo(t, nil)
	for line, want := range map[string]int{"bash": 2, "python3": 2, "bash -c 'ls'": 0, "python3 x.py": 0} {
		a := ask(t, root, "codex", "PreToolUse", `{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":`+quote(line)+`}}`)
		if a.Exit != want {
			t.Errorf("codex %q: exit %d %s", line, a.Exit, a.Stderr)
		}
		if a := bash(t, root, line); decisionOf(a) == "deny" {
			t.Errorf("claude %q: %s", line, a.Stdout)
		}
	}
}

func TestContextIsCut(t *testing.T) {
	root := repo(t, map[string]string{directiveFile: strings.Repeat("é", 20000)})
	a := ask(t, root, "claude", "SessionStart", `{"session_id":"s","permission_mode":"x","hook_event_name":"SessionStart"}`)
	if n := strings.Count(string(a.Stdout), "é"); n < 9000 || n > 9990 || !strings.Contains(string(a.Stdout), "the rest: `.claude/activation-context.md`") {
		t.Errorf("%d characters: …%s", n, a.Stdout[len(a.Stdout)-80:])
	}
}

// What the model is not told before a tool runs, it is told after it.
func TestToldAfter(t *testing.T) {
	root := repo(t, map[string]string{policy.File: "rules: [{id: soft, verdict_on_match: warn, tool_pattern: Bash, per_session: {max_tool_calls: 1}}]\n"})
	payload := func(line string) string {
		return `{"session_id":"s","cwd":` + quote(root) + `,"tool_use_id":"t","tool_name":"bash","tool_input":{"command":` + quote(line) + `}}`
	}
	for i, want := range []string{"", "1/1"} {
		if a := ask(t, root, "opencode", "pre_tool_use", payload("touch x")); decisionOf(a) != "" {
			t.Fatalf("call %d: %s", i, a.Stdout)
		}
		a := ask(t, root, "opencode", "post_tool_use", payload("touch x"))
		if said := strings.Contains(string(a.Stdout), "soft"); said != (want != "") || !strings.Contains(string(a.Stdout), want) {
			t.Errorf("call %d: %s", i, a.Stdout)
		}
	}
	a := ask(t, root, "opencode", "post_tool_use", payload("$(x) y"))
	if !strings.Contains(string(a.Stdout), "cannot be known beforehand") {
		t.Errorf("opaque: %s", a.Stdout)
	}
	bare := repo(t, nil)
	gemini := `{"session_id":"s","hook_event_name":"AfterTool","tool_name":"run_shell_command","tool_input":{"command":"$(x) y"}}`
	if a := ask(t, bare, "gemini", "AfterTool", gemini); !strings.Contains(string(a.Stdout), `"additionalContext":"[Grimoire policy]`) {
		t.Errorf("gemini: %s", a.Stdout)
	}
	if a := ask(t, bare, "claude", "PostToolUse", call("s", "PostToolUse", "Bash", args{"command": "$(x) y"})); len(a.Stdout) > 0 {
		t.Errorf("said twice: %s", a.Stdout)
	}
}
