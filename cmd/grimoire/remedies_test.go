package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/grimoire-kit/grimoire/emitters"
	"github.com/grimoire-kit/grimoire/governance/command"
	"github.com/grimoire-kit/grimoire/governance/decide"
	"github.com/grimoire-kit/grimoire/governance/policy"
	"github.com/grimoire-kit/grimoire/pluginsdk/dialect"
)

// A refusal is a situation in which some rule stops a call, with what has to
// happen before it.
type refusal struct {
	name   string
	rules  string
	first  []string // lines that pass and are counted
	line   string   // the one that is stopped
	input  string   // instead of a line: a whole payload
	broken bool     // a host that never ends its payload
}

const always = "verdict_on_match: block\n    tool_pattern: \"*\"\n"

func refusals() []refusal {
	list := []refusal{
		{name: "secret", line: "cat .env"},
		{name: "secret by a tool", input: `{"session_id":"s","permission_mode":"x","hook_event_name":"PreToolUse","tool_name":"Read","tool_input":{"file_path":"id_rsa"}}`},
		{name: "too large", line: "echo " + strings.Repeat("x", command.MaxBytes)},
		{name: "too deep", line: strings.Repeat("(", command.MaxDepth+1)},
		{name: "open shell", line: "bash"},
		{name: "opaque", line: "$TOOL x"},
		{name: "unreadable", line: "fi ) {"},
		{name: "approval by an agent", line: "grimoire policies approve 123456789abc"},
		{name: "deadline", broken: true},
		{name: "calls", rules: "rules:\n  - id: b\n    " + always + "    per_session: {max_tool_calls: 1}\n", first: []string{"touch x"}, line: "touch x"},
		{name: "writes", rules: "rules:\n  - id: b\n    " + always + "    per_session: {max_writes: 0}\n", line: "touch x"},
		{name: "cost", rules: "rules:\n  - id: b\n    " + always + "    per_session: {max_cost_usd: 1}\n    estimated_cost_usd: 2\n", first: []string{"touch x"}, line: "touch x"},
		{name: "duration", rules: "rules:\n  - id: b\n    " + always + "    per_session: {max_duration_min: 0}\n", line: "touch x"},
		{name: "cooldown", rules: "rules:\n  - id: b\n    " + always + "    cooldown_after: {pattern: \"Bash(make:*)\", count: 1, minutes: 5}\n", first: []string{"make"}, line: "make"},
		{name: "approval", rules: "rules:\n  - id: b\n    " + always + "    require_approval: true\n", line: "touch x"},
		{name: "a rule of the project", rules: "rules:\n  - id: b\n    verdict_on_match: block\n    tool_pattern: \"Bash(make:*)\"\n    reason_template: Not here\n", line: "make"},
		{name: "rules that cannot be read", rules: "rules: [", line: "touch x"},
	}
	for label, line := range map[command.Label]string{
		command.RecursiveDelete: "rm -rf x", command.ForcePush: "git push -f", command.HardReset: "git reset --hard", command.ForcedClean: "git clean -fd",
		command.DiscardChanges: "git checkout -- .", command.RawDeviceWrite: "dd if=/dev/zero of=/dev/sda", command.FilesystemFormat: "mkfs.ext4 /dev/sda1",
		command.WorldWritable: "chmod -R 777 .", command.SchemaDrop: "psql -c 'drop table t'", command.InfraDestroy: "terraform destroy",
		command.ClusterDelete: "kubectl delete ns x", command.DockerPrune: "docker system prune -a",
	} {
		list = append(list, refusal{name: string(label), line: line})
	}
	for _, file := range []string{".claude/settings.json", ".github/hooks/grimoire-stop.json", ".opencode/plugins/grimoire-guard.js", ".codex/hooks.json", ".gemini/settings.json", policy.File, "_grimoire/standard/standard-profile.yaml"} {
		list = append(list, refusal{name: "guard " + file, line: "rm -f x; echo > " + file, rules: ""}, refusal{name: "guard " + file, line: "echo > " + file})
	}
	return list
}

// TestRemedies collects every remedy that any refusal names, in every profile,
// language and host, and proves that each is a command there is and that none
// is itself refused.
func TestRemedies(t *testing.T) {
	wayOut := regexp.MustCompile(`(?:Issue|Sortie|Way out|Remède|Remedy) ?: ?`)
	invocation := regexp.MustCompile("grimoire( [a-z][a-z-]+)+")
	inPerson := regexp.MustCompile("(la personne lance|the person runs) `?$")
	seen := map[string]bool{}
	labels := map[string]bool{}
	for _, r := range refusals() {
		for _, profile := range []string{"starter", "governed", "production"} {
			for _, lang := range []string{"fr", "en"} {
				root := t.TempDir()
				write(t, root, "project-context.yaml", "user: {language: "+lang+"}\n")
				write(t, root, "_grimoire/standard/standard-profile.yaml", "profile: "+profile+"\n")
				if r.rules != "" {
					write(t, root, policy.File, r.rules)
				}
				for _, host := range emitters.Dialects() {
					text, _ := r.provoke(root, host)
					if text == "" {
						continue
					}
					labels[r.name] = true
					at := wayOut.FindStringIndex(text)
					if at == nil {
						t.Errorf("%s under %s: no way out: %s", r.name, host, text)
						continue
					}
					for _, found := range invocation.FindAllStringIndex(text, -1) {
						words := strings.Fields(text[found[0]:found[1]])
						person := inPerson.MatchString(text[:found[0]])
						name := remedyIn(t, words)
						seen[name] = true
						if person {
							continue // not the agent's to run
						}
						if text, stopped := (refusal{line: name}).provoke(root, host); stopped {
							t.Errorf("%s under %s, %s: the remedy %q is stopped: %s", r.name, host, profile, name, text)
						}
					}
				}
			}
		}
	}
	for _, r := range refusals() {
		if !labels[r.name] {
			t.Errorf("%s: nothing is stopped anywhere", r.name)
		}
	}
	for _, want := range []string{"grimoire policies reset-session", "grimoire policies approve", "grimoire doctor"} {
		if !seen[want] {
			t.Errorf("no refusal names %q: %v", want, seen)
		}
	}
}

// provoke brings the situation about on a host. It returns what is said, and
// whether the call is stopped rather than only spoken of.
func (r refusal) provoke(root, host string) (text string, stopped bool) {
	ask := func(payload string) dialect.Answer {
		req := decide.Request{Host: host, Event: "pre_tool_use", Payload: strings.NewReader(payload), Dir: root, Now: time.Now, Getenv: func(string) string { return "" }}
		if r.broken {
			block, unblock, err := os.Pipe()
			if err != nil {
				panic(err)
			}
			defer func() { _, _ = block.Close(), unblock.Close() }()
			req.Payload, req.Deadline = block, time.Millisecond
		}
		return decide.Run(req)
	}
	for _, line := range r.first {
		ask(shellCall(host, line))
	}
	payload := r.input
	if payload == "" {
		payload = shellCall(host, r.line)
	}
	a := ask(payload)
	if len(a.Stderr) > 0 {
		return string(a.Stderr), true
	}
	var doc map[string]any
	if json.Unmarshal(a.Stdout, &doc) != nil {
		return "", false
	}
	if text = textIn(doc, "permissionDecisionReason", "reason"); text != "" {
		return text, true
	}
	return textIn(doc, "additionalContext", "systemMessage", "context"), false
}

// textIn finds a text of an answer under one of its keys, wherever its host
// wants it.
func textIn(doc map[string]any, keys ...string) string {
	for _, key := range keys {
		if s, ok := doc[key].(string); ok {
			return s
		}
	}
	if nested, ok := doc["hookSpecificOutput"].(map[string]any); ok {
		return textIn(nested, keys...)
	}
	return ""
}

func shellCall(host, line string) string {
	input := map[string]any{"command": line}
	doc := map[string]any{"session_id": "s-" + host, "tool_name": "Bash", "tool_input": input}
	switch host {
	case "claude":
		doc["hook_event_name"], doc["permission_mode"] = "PreToolUse", "default"
	case "gemini":
		doc["hook_event_name"], doc["tool_name"] = "BeforeTool", "run_shell_command"
	case "opencode":
		doc["tool_name"] = "bash"
	case "copilot":
		doc["hook_event_name"], doc["timestamp"] = "PreToolUse", "2026-11-30T22:52:46.162Z"
	default:
		doc["hook_event_name"] = "PreToolUse"
	}
	payload, _ := json.Marshal(doc)
	return string(payload)
}

// remedyIn is the command that words start with.
func remedyIn(t *testing.T, words []string) string {
	t.Helper()
	root := newRoot(newApp(nil))
	for n := len(words); n > 1; n-- {
		cmd, rest, err := root.Find(words[1:n])
		if err == nil && len(rest) == 0 && cmd != root && !cmd.HasSubCommands() {
			return strings.Join(words[:n], " ")
		}
	}
	t.Errorf("%q is no command of grimoire", strings.Join(words, " "))
	return ""
}

func write(t *testing.T, root, name, text string) {
	t.Helper()
	path := filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// What a budget stops, passes after the command that its refusal
// names, typed word for word.
func TestABudgetsRemedyIsFollowed(t *testing.T) {
	invocation := regexp.MustCompile("grimoire policies reset-session")
	for _, r := range refusals() {
		if r.name != "calls" && r.name != "cost" {
			continue
		}
		root, home := t.TempDir(), t.TempDir()
		write(t, root, "project-context.yaml", "user: {language: en}\n")
		write(t, root, "_grimoire/standard/standard-profile.yaml", "profile: governed\n")
		write(t, root, policy.File, r.rules)
		text, stopped := r.provoke(root, "claude")
		found := invocation.FindString(text)
		if !stopped || found == "" {
			t.Errorf("%s: stopped %t: %s", r.name, stopped, text)
			continue
		}
		cmd := exec.Command("sh", "-c", found)
		cmd.Dir, cmd.Env = root, append(os.Environ(), "HOME="+home)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %s: %s", r.name, found, out)
		}
		r.first = nil
		if text, stopped := r.provoke(root, "claude"); stopped {
			t.Errorf("%s: after %s: %s", r.name, found, text)
		}
	}
}
