package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

// hostRun is what a real host did with a project that was synced for it
// (governance/contract/testdata/captures/README.md).
type hostRun struct {
	Profile surface.Profile
	Hook    string `json:"grimoire_hook"`
	Calls   []struct {
		Event  string `json:"hook"`
		Stdin  json.RawMessage
		Stdout string
		Exit   int
	}
	ToolRan   bool     `json:"tool_ran"`
	ModelTold []string `json:"model_told"`
	ModelRead string   `json:"model_read"`
}

// TestHostRuns plays each run again: the program, or the command line that
// stands in for it, must decide now what it decided then, in the same form. The
// wording of the program's refusals is held by TestReplay, and free to get better.
func TestHostRuns(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "governance", "contract", "testdata", "captures", "*", "*", "product-*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d runs, %v", len(files), err)
	}
	for _, file := range files {
		host := filepath.Base(filepath.Dir(filepath.Dir(file)))
		t.Run(host+"/"+strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var r hostRun
			if err := json.Unmarshal(data, &r); err != nil {
				t.Fatal(err)
			}
			switch {
			case r.Hook == "works":
				answersAgain(t, host, r)
			case host == "opencode": // its plugin stands in; emitters/opencode runs it
			default:
				standsIn(t, host, r)
			}
		})
	}
}

func answersAgain(t *testing.T, host string, r hostRun) {
	root := repo(t, map[string]string{
		"_grimoire/standard/standard-profile.yaml": "profile: " + string(r.Profile) + "\n",
		"_grimoire/kit/agents/scribe.md":           "---\ndescription: Scribe\ntools: [read, search, edit, execute]\n---\nYou write.\n",
		"project-context.yaml":                     "project: {name: shelf}\nuser: {language: English}\n",
		"build/out":                                "x\n",
		".env":                                     "KEY=1\n",
		"sub/.env":                                 "KEY=1\n",
	})
	for i, c := range r.Calls {
		payload := strings.ReplaceAll(string(c.Stdin), "<PROJECT>", root)
		got := run(t, root, payload, nil, "--host", host, "--event", c.Event)
		if withoutReason(got.stdout) != withoutReason(c.Stdout) || got.exit != c.Exit {
			t.Errorf("call %d: exit %d, answer\n%s\nthe host was told, with exit %d,\n%s", i, got.exit, got.stdout, c.Exit, c.Stdout)
		}
	}
	if last := len(r.Calls) - 1; last >= 0 && !r.ToolRan {
		if why := refusal(r.Calls[last].Stdout); why == "" || !strings.Contains(r.ModelRead, why) {
			t.Errorf("refused for %q, and the model read %q", why, r.ModelRead)
		}
	}
}

// standsIn runs the command lines without the program, or with one that crashes.
func standsIn(t *testing.T, host string, r hostRun) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no POSIX shell")
	}
	home := t.TempDir()
	if r.Hook != "missing" {
		bin := filepath.Join(home, "go", "bin")
		if err := os.MkdirAll(bin, 0o755); err != nil {
			t.Fatal(err)
		}
		crash := "#!/bin/sh\nprintf '{\"hookSpecificOutput\":{\"hookEventNa'\nexit 2\n"
		if err := writeProgram(filepath.Join(bin, "grimoire-hook"), []byte(crash), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	say := func(event surface.HookEvent, wire string) string {
		line := pluginsdk.HookCommand(host, wire, surface.Hook{Event: event, OnFailure: r.Profile.OnFailure()}, surface.English)
		cmd := exec.Command(sh, "-c", line)
		cmd.Env = []string{"HOME=" + home, "PATH=/usr/bin:/bin", "TMPDIR=" + home}
		var out bytes.Buffer
		cmd.Stdout = &out
		if err := cmd.Run(); err != nil {
			t.Errorf("%s: %v", wire, err)
		}
		return out.String()
	}
	if why := refusal(say(surface.PreToolUse, "PreToolUse")); (why == "") != r.ToolRan || !strings.Contains(r.ModelRead, why) {
		t.Errorf("refused for %q, the tool ran: %v, and the model read %q", why, r.ToolRan, r.ModelRead)
	}
	told := gjson.Get(say(surface.SessionStart, "SessionStart"), "hookSpecificOutput.additionalContext").String()
	if len(r.ModelTold) != 1 || r.ModelTold[0] != told {
		t.Errorf("told %q, and the model read %q", told, r.ModelTold)
	}
}

// reasons are the places of an answer that hold one.
var reasons = []string{"hookSpecificOutput.permissionDecisionReason", "permissionDecisionReason", "reason"}

// withoutReason is an answer with another text for each reason it gives.
func withoutReason(stdout string) string {
	for _, path := range reasons {
		if why := gjson.Get(stdout, path); why.String() != "" {
			stdout = strings.ReplaceAll(stdout, why.Raw, `"…"`)
		}
	}
	return stdout
}

// refusal is the reason that an answer gives, in either place, or "".
func refusal(stdout string) string {
	for _, path := range reasons {
		if why := gjson.Get(stdout, path).String(); why != "" {
			return why
		}
	}
	return ""
}

// writeProgram writes a file that is about to be run. No child of this process
// may be started meanwhile: it would inherit the descriptor, and the program
// could not be run ("text file busy").
func writeProgram(path string, content []byte, mode os.FileMode) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	return os.WriteFile(path, content, mode)
}
