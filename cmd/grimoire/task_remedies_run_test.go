//go:build unix

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// A task command that is refused says how to go on. Each of these is refused,
// what its remedy names is typed into a shell word for word, and the command
// is then accepted.
func TestTaskRemediesAreFollowed(t *testing.T) {
	const (
		governed = "profile: governed\n"
		gates    = "transitions:\n" +
			"  - {id: proposed_to_ready, from: proposed, to: ready, required_evidence: [owner_or_agent_role]}\n" +
			"  - {id: ready_to_in_progress, from: ready, to: in_progress, required_evidence: [context_bundle, decision_trace]}\n" +
			"  - {id: in_progress_to_review, from: in_progress, to: review, required_evidence: [evidence_pack]}\n" +
			"  - {id: review_to_accepted, from: review, to: accepted, required_evidence: [review_gate, evidence_gate]}\n"
		add   = "grimoire task add 'The one' -a 'tests pass' -a \"it's written\" --owner ada --ready"
		claim = "grimoire task claim GAO-the-one-001 --actor \"O'Neil\""
	)
	standard := map[string]string{"_grimoire/standard/standard-profile.yaml": governed, "_grimoire/standard/evidence-gates.yaml": gates}
	running := []string{add, "grimoire task context GAO-the-one-001", claim, "grimoire task move GAO-the-one-001 --to running"}
	for _, tt := range []struct {
		name    string
		files   map[string]string
		first   []string
		refused string
		want    string // of the answer once the remedy was followed; "" where it is not for a command to solve
	}{
		{"nobody's", standard, []string{"grimoire task add 'The one' -a x"}, "grimoire task move GAO-the-one-001 --to ready", "done"},
		{"no context", standard, []string{add}, claim, "claimed"},
		{"no evidence", standard, running, "grimoire task move GAO-the-one-001 --to needs_verification", "needs_verification"},
		{"no provider", map[string]string{"_grimoire/standard/standard-profile.yaml": governed,
			"_grimoire/standard/evidence-gates.yaml": "transitions: [{id: g, from: ready, to: in_progress, required_evidence: [provider_policy]}]\n"}, []string{add}, claim, "claimed"},
		{"no such evidence", map[string]string{"_grimoire/standard/standard-profile.yaml": governed,
			"_grimoire/standard/evidence-gates.yaml": "transitions: [{id: g, from: ready, to: in_progress, required_evidence: [of nobodys making]}]\n"}, []string{add}, claim, ""},
		{"broken gates", map[string]string{"_grimoire/standard/evidence-gates.yaml": "transitions: ["}, []string{"grimoire task add 'The one' -a x"}, "grimoire task move GAO-the-one-001 --to ready", ""},
		{"unreadable limit", map[string]string{"_grimoire/standard/capacity.yaml": "version: 2\n"}, []string{add}, claim, ""},
		{"no place", map[string]string{"_grimoire/standard/capacity.yaml": "version: 1\nwip: {limit_global: 1}\n"}, []string{add, claim, "grimoire task add Two -a x --ready"}, "grimoire task claim GAO-two-001", ""},
		{"a reserved file", nil, []string{add, claim + " --file a", "grimoire task add Two -a x --ready"}, "grimoire task claim GAO-two-001 --file a", ""},
		{"another's wait", nil, append(running[:len(running):len(running)], "grimoire task wait GAO-the-one-001 --reason ci --actor \"O'Neil\""), "grimoire task resume GAO-the-one-001 --actor eve", "done"},
		{"another's lease", nil, running, "grimoire task renew GAO-the-one-001 --actor eve", "done"},
		{"another's task", nil, running, "grimoire task cancel GAO-the-one-001 --reason x --actor eve", "done"},
		{"another's work", nil, running, "grimoire task move GAO-the-one-001 --to failed --reason \"it's red\" --actor eve", "done"},
		{"another's work, in a session", nil, []string{add, "GRIMOIRE_SESSION_ID=s-one " + claim, "grimoire task move GAO-the-one-001 --to running"},
			"export GRIMOIRE_SESSION_ID=s-two; grimoire task block GAO-the-one-001 --reason \"it's down\" --actor \"O'Neil\"", "done"},
		{"no reason", nil, running, "grimoire task block GAO-the-one-001 --reason ''", "done"},
		{"proposed", nil, []string{"grimoire task add 'The one' -a x"}, claim, "claimed"},
		{"nobody has it", nil, []string{add}, "grimoire task attach GAO-the-one-001 --session-id s", "claimed"},
		{"a wait needs no sign of life", nil, append(running[:len(running):len(running)], "grimoire task wait GAO-the-one-001 --reason ci --actor \"O'Neil\"", "grimoire task show GAO-the-one-001"),
			"grimoire task renew GAO-the-one-001 --epoch 1", ""},
		{"another's park", nil, running, "grimoire task wait GAO-the-one-001 --reason human --question \"it's what?\" --actor eve", "done"},
		{"a wait resumed by another name", nil, append(running[:len(running):len(running)], "grimoire task wait GAO-the-one-001 --reason ci --actor \"O'Neil\""), "grimoire task move GAO-the-one-001 --to running", ""},
		{"a wait by another name", nil, running, "grimoire task move GAO-the-one-001 --to waiting --actor \"O'Neil\"", ""},
		{"unknown", nil, nil, "grimoire task show GAO-none-001", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root, home := t.TempDir(), t.TempDir()
			write(t, root, "project-context.yaml", "user: {language: en}\n")
			write(t, root, "out.txt", "ok\n")
			for name, text := range tt.files {
				write(t, root, name, text)
			}
			sh := func(line string) (string, error) {
				cmd := exec.Command("sh", "-c", line)
				cmd.Dir = root
				cmd.Env = append(os.Environ(), "HOME="+home, "USER=ada", "CLAUDE_CODE_SESSION_ID=", "GRIMOIRE_SESSION_ID=")
				out, err := cmd.CombinedOutput()
				return string(out), err
			}
			for _, line := range tt.first {
				if out, err := sh(line); err != nil {
					t.Fatalf("%s: %s", line, out)
				}
			}
			asJSON := func(line string) (string, error) {
				return sh(strings.Replace(line, "grimoire ", "grimoire -o json ", 1) + " 2>err.txt")
			}
			out, err := asJSON(tt.refused)
			if err == nil {
				t.Fatalf("%s is not refused: %s", tt.refused, out)
			}
			commands := remediesOf(t, out)
			if len(commands) == 0 {
				t.Fatalf("no command in %s", out)
			}
			for _, line := range commands {
				line = strings.ReplaceAll(line, "<file>", "out.txt") // which file it is, nobody else knows
				said, err := sh(line)
				if err != nil && !strings.HasPrefix(line, "grimoire standard verify") { // which says what is wrong
					t.Errorf("the remedy %q is refused: %s", line, said)
				}
			}
			if tt.want == "" {
				return
			}
			if out, err = asJSON(tt.refused); tt.want != "done" && (err != nil || !strings.Contains(out, `"status": "`+tt.want+`"`)) && !strings.Contains(out, "is held by O'Neil") {
				t.Errorf("after %q, %q still is: %s", commands, tt.refused, out)
			}
		})
	}
}

// remediesOf are the commands that a refused command's answer names.
func remediesOf(t *testing.T, answer string) []string {
	t.Helper()
	var doc struct {
		Refusals []struct{ Remedy string }
		Error    struct{ Message string }
	}
	if err := json.Unmarshal([]byte(answer), &doc); err != nil {
		t.Fatalf("%v: %s", err, answer)
	}
	texts := []string{doc.Error.Message}
	for _, r := range doc.Refusals {
		texts = append(texts, r.Remedy)
	}
	var out []string
	for _, text := range texts {
		for _, m := range regexp.MustCompile("`(grimoire [^`]+)`").FindAllStringSubmatch(text, -1) {
			out = append(out, m[1])
		}
	}
	return out
}
