package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/grimoire-kit/grimoire/emitters/bundled"
	"github.com/grimoire-kit/grimoire/governance/policy"
	"github.com/grimoire-kit/grimoire/governance/session"
	"github.com/grimoire-kit/grimoire/pluginsdk"
)

func profiles() []pluginsdk.Profile {
	var out []pluginsdk.Profile
	for _, e := range bundled.Emitters() {
		out = append(out, e.Profile())
	}
	return out
}

// terminal opens a pseudo-terminal: what a person types and sees, and what the
// program is given.
func terminal(t *testing.T) (person, program *os.File) {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("this sandbox has no pseudo-terminals: %v", err)
	}
	t.Cleanup(func() { _ = person.Close() })
	if err := unix.IoctlSetPointerInt(int(person.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(person.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return person, program
}

// approve runs `grimoire policies approve` at a terminal. reply makes the line
// that is typed of the code that is shown.
func approve(t *testing.T, root, id string, env []string, reply func(code string) string) error {
	t.Helper()
	person, program := terminal(t)
	cmd := &exec.Cmd{
		Path: os.Args[0], Args: []string{"grimoire", "-C", root, "policies", "approve", id},
		Env:   append([]string{"HOME=" + t.TempDir(), "LANG=en_US.UTF-8", "PATH=" + os.Getenv("PATH")}, env...),
		Stdin: program, Stdout: program, Stderr: program,
		SysProcAttr: &syscall.SysProcAttr{Setsid: true, Setctty: true},
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = program.Close()
	shown := bufio.NewReader(person)
	var text strings.Builder
	code := regexp.MustCompile(`type ([A-Z2-7]{4}):`)
	deadline := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer deadline.Stop()
	for {
		r, _, err := shown.ReadRune()
		if err != nil {
			break // the program ended
		}
		text.WriteRune(r)
		if m := code.FindStringSubmatch(text.String()); m != nil && r == ':' {
			if _, err := person.WriteString(reply(m[1]) + "\n"); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Logf("%s", text.String())
	return cmd.Wait()
}

// Only who reads the code off the terminal approves, and only that action.
func TestApproveInPerson(t *testing.T) {
	if by := heldBy(profiles(), ancestors()); by != "" {
		t.Skip("this test runs under " + by)
	}
	root := t.TempDir()
	file := filepath.Join(root, filepath.FromSlash(policy.File))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("rules: [{id: push, verdict_on_match: warn, tool_pattern: \"Bash(git push:*)\", require_approval: true}]\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	rules, err := policy.Load(root)
	if err != nil {
		t.Fatal(err)
	}
	input := []byte(`{"command":"git push"}`)
	action := &policy.Call{Tool: "Bash", Command: "git push", Input: input, Mutation: policy.Controlled, ToolUseID: "t"}
	judge := func() (v policy.Verdict) {
		if err := session.Update(root, "s", func(s *session.State) error {
			v = rules.JudgeSession(action, s, time.Now(), false).Verdict
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		return v
	}
	if judge() != policy.Warn {
		t.Fatal("the action does not wait")
	}
	id := policy.Fingerprint("Bash", input)[:12]
	for _, word := range []string{"y", "o", "", "AAAAA"} {
		if err := approve(t, root, id, nil, func(string) string { return word }); err == nil || judge() != policy.Warn {
			t.Errorf("%q approved", word)
		}
	}
	if err := approve(t, root, id, []string{"CLAUDECODE=1"}, func(code string) string { return code }); err == nil || judge() != policy.Warn {
		t.Error("approved inside a host")
	}
	if err := approve(t, root, id, nil, strings.ToLower); err != nil || judge() != policy.Allow {
		t.Errorf("not approved: %v", err)
	}
}

func TestHeldBy(t *testing.T) {
	for _, tt := range []struct {
		name string
		of   process
		held bool
	}{
		{"a shell", process{args: []string{"/bin/bash", "claude"}}, false},
		{"an editor", process{args: []string{"/usr/share/code/code"}, env: []string{"TERM_PROGRAM=vscode"}}, false},
		{"a host", process{args: []string{"/home/u/.local/bin/opencode", "run"}}, true},
		{"a host in JavaScript", process{args: []string{"node", "/usr/lib/node_modules/gemini.js"}}, true},
		{"marked", process{args: []string{"/bin/bash"}, env: []string{"A=1", "COPILOT_CLI=1"}}, true},
		{"another program", process{args: []string{"node", "server.js"}}, false},
		{"nothing known", process{}, false},
	} {
		if by := heldBy(profiles(), []process{{args: []string{"sh"}}, tt.of}); (by != "") != tt.held {
			t.Errorf("%s: %q", tt.name, by)
		}
	}
}
