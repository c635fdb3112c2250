package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// A refusal that cannot be written is still one.
func TestAnswerCannotBeWritten(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skipf("this sandbox has no device that is always full: %v", err)
	}
	defer func() { _ = full.Close() }()
	for line, want := range map[string]int{"rm -rf d": 2, "ls": 0} {
		cmd := exec.Command(hook, "--host", "claude", "--event", "PreToolUse")
		cmd.Dir = t.TempDir()
		cmd.Stdin = strings.NewReader(`{"hook_event_name":"PreToolUse","permission_mode":"default","tool_name":"Bash","tool_input":{"command":"` + line + `"}}`)
		var said bytes.Buffer
		cmd.Stdout, cmd.Stderr = full, &said
		var exit *exec.ExitError
		if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		if code := cmd.ProcessState.ExitCode(); code != want || want == 2 && !strings.Contains(said.String(), "[Grimoire policy]") {
			t.Errorf("%s: exit %d, %s", line, code, said.String())
		}
	}
}
