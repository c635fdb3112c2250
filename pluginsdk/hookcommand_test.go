package pluginsdk

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/grimoire-kit/grimoire/surface"
)

// shells are those a host may use; every one that is installed runs the line.
var shells = [][]string{
	{"sh"}, {"dash"}, {"bash"}, {"bash", "--posix"}, {"zsh"}, {"mksh"}, {"busybox", "sh"},
}

// hookPrograms are the ways grimoire-hook can be on a machine.
var hookPrograms = map[string]string{
	"missing":        "",
	"not executable": "",
	"exit 1":         "#!/bin/sh\nexit 1\n",
	"exit 2":         "#!/bin/sh\necho 'half an answ'\nexit 2\n",
	"panic":          "#!/bin/sh\necho 'panic: runtime error' >&2\nexit 2\n",
	"killed":         "#!/bin/sh\nkill -SEGV $$\n",
	"silent":         "#!/bin/sh\nexit 0\n",
	"answers":        "#!/bin/sh\nread -r payload\nprintf '%s|%s' \"$*\" \"$payload\"\n",
}

type outcome struct {
	stdout, stderr string
	code           int
}

// runLine runs the line as a host would: an odd working folder, a home with
// spaces that holds the hook in go/bin, and a PATH that does not name it.
func runLine(t *testing.T, shell []string, line, program string) outcome {
	t.Helper()
	return runLineIn(t, t.TempDir(), shell, line, program)
}

// runLineIn is runLine in a folder that a second run can find again.
func runLineIn(t *testing.T, root string, shell []string, line, program string) outcome {
	t.Helper()
	home := filepath.Join(root, "my home; $(touch PWNED)")
	cwd := filepath.Join(root, "odd 'cwd' & co")
	bin := filepath.Join(home, "go", "bin")
	tmp := filepath.Join(root, "my tmp; $(touch PWNED)")
	for _, dir := range []string{bin, cwd, tmp} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	script, mode := hookPrograms[program], os.FileMode(0o755)
	if program == "not executable" {
		script, mode = "#!/bin/sh\nexit 0\n", 0o644
	}
	if program != "missing" {
		if err := writeProgram(filepath.Join(bin, "grimoire-hook"), []byte(script), mode); err != nil {
			t.Fatal(err)
		}
	}
	// A program of that name in the current folder must never be picked up.
	if err := writeProgram(filepath.Join(cwd, "grimoire-hook"), []byte("#!/bin/sh\necho TRAP\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	exe, err := exec.LookPath(shell[0])
	if err != nil {
		t.Skipf("%s is not installed", shell[0])
	}
	var stdout, stderr bytes.Buffer
	cmd := exec.Command(exe, append(append([]string{}, shell[1:]...), "-c", line)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = cwd, &stdout, &stderr
	cmd.Stdin = strings.NewReader(`{"k":1}` + "\n")
	cmd.Env = []string{"HOME=" + home, "PATH=", "TMPDIR=" + tmp}
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(cwd, "PWNED")); err == nil {
		t.Error("the home's name was run as a command")
	}
	return outcome{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

func hookWith(e surface.HookEvent, f surface.FailureMode) surface.Hook {
	return surface.Hook{Event: e, OnFailure: f, Timeout: 10}
}

func broken(program string) bool { return program != "silent" && program != "answers" }

func TestHookCommandInEveryShell(t *testing.T) {
	for _, shell := range shells {
		for program := range hookPrograms {
			t.Run(strings.Join(shell, " ")+"/"+program, func(t *testing.T) {
				t.Parallel()
				for _, l := range []surface.Language{surface.French, surface.English} {
					refuse := runLine(t, shell, HookCommand("claude", "PreToolUse", hookWith(surface.PreToolUse, surface.FailRefuse), l), program)
					allow := runLine(t, shell, HookCommand("claude", "PreToolUse", hookWith(surface.PreToolUse, surface.FailAllow), l), program)
					start := runLine(t, shell, HookCommand("copilot", "SessionStart", hookWith(surface.SessionStart, surface.FailAllow), l), program)
					stop := runLine(t, shell, HookCommand("claude", "Stop", hookWith(surface.Stop, surface.FailRefuse), l), program)

					if allow.code != 0 || stop.code != 0 || start.code != 0 {
						t.Errorf("allow, stop and start end with %d, %d, %d; only a governed tool call may fail", allow.code, stop.code, start.code)
					}
					if !broken(program) {
						want := ""
						if program == "answers" {
							want = `--host claude --event PreToolUse|{"k":1}`
						}
						if refuse.code != 0 || refuse.stdout != want || refuse.stderr != "" || allow.stdout != want {
							t.Errorf("a hook that works is changed by the line: %+v, %+v", refuse, allow)
						}
						if stop.stdout != strings.Replace(want, "PreToolUse", "Stop", 1) {
							t.Errorf("the answer at Stop is lost: %+v", stop)
						}
						continue
					}
					if refuse.code != 0 {
						t.Errorf("exit code %d: Claude Code puts the command line before the reason", refuse.code)
					}
					if strings.Contains(refuse.stdout+allow.stdout+start.stdout, "TRAP") {
						t.Error("a program of the current folder was run")
					}
					if stop.stdout != "" {
						t.Errorf("half an answer reaches the host at Stop: %q", stop.stdout)
					}
					// Exactly one JSON object, whatever the crash left on stdout.
					for _, outer := range []string{"", "hookSpecificOutput."} {
						if decision := field(t, refuse.stdout, outer+"permissionDecision"); decision != "deny" {
							t.Errorf("%spermissionDecision = %q", outer, decision)
						}
						if reason := field(t, refuse.stdout, outer+"permissionDecisionReason"); !strings.HasSuffix(reason, toolRefused.In(l)+hookRemedy.In(l)) {
							t.Errorf("%spermissionDecisionReason = %q", outer, reason)
						}
					}
					if name := field(t, refuse.stdout, "hookSpecificOutput.hookEventName"); name != "PreToolUse" {
						t.Errorf("the refusal is for %q: Claude Code would run the tool", name)
					}
					for event, got := range map[string]outcome{"SessionStart": start, "PreToolUse": allow} {
						for _, key := range []string{"systemMessage", "additionalContext", "hookSpecificOutput.additionalContext"} {
							if warning := field(t, got.stdout, key); !strings.HasSuffix(warning, nothingIsChecked.In(l)+hookRemedy.In(l)) {
								t.Errorf("%s: %s = %q", event, key, warning)
							}
						}
						if name := field(t, got.stdout, "hookSpecificOutput.hookEventName"); name != event {
							t.Errorf("answer of %s says %q", event, name)
						}
						if field(t, got.stdout, "permissionDecision") != "" {
							t.Errorf("%s decides something: %q", event, got.stdout)
						}
					}
				}
			})
		}
	}
}

// field reads one string of a stdout that must be one JSON object.
func field(t *testing.T, stdout, path string) string {
	t.Helper()
	if !gjson.Valid(stdout) {
		t.Fatalf("stdout is no JSON: %q", stdout)
	}
	return gjson.Get(stdout, path).String()
}

// A shell that cannot print its refusal still refuses.
func TestRefusalThatCannotBePrinted(t *testing.T) {
	line := HookCommand("claude", "PreToolUse", hookWith(surface.PreToolUse, surface.FailRefuse), surface.English)
	for _, shell := range shells {
		if shell[0] == "zsh" { // its printf ends well whatever became of the text
			continue
		}
		t.Run(strings.Join(shell, " "), func(t *testing.T) {
			if got := runLine(t, shell, "exec >&-; "+line, "missing"); got.code != 2 {
				t.Errorf("exit code %d, 2 refuses under every host", got.code)
			}
		})
	}
}

// The shell's parent is the same here for every run, as the host is in a
// session: it is told once, when it starts, else at its first tool.
func TestMissingHookIsSaidOnce(t *testing.T) {
	start := HookCommand("claude", "SessionStart", hookWith(surface.SessionStart, surface.FailAllow), surface.English)
	tool := HookCommand("claude", "PreToolUse", hookWith(surface.PreToolUse, surface.FailAllow), surface.English)
	for _, shell := range shells {
		for name, session := range map[string][]struct {
			line string
			told bool
		}{
			"a session":              {{start, true}, {tool, false}, {tool, false}},
			"no start seen":          {{tool, true}, {tool, false}},
			"a new session":          {{start, true}, {start, true}, {tool, false}},
			"a start after a tool's": {{tool, true}, {start, true}, {tool, false}},
		} {
			t.Run(strings.Join(shell, " ")+"/"+name, func(t *testing.T) {
				root := t.TempDir()
				for i, step := range session {
					got := runLineIn(t, root, shell, step.line, "missing")
					if told := strings.Contains(got.stdout, hookRemedy.EN); told != step.told || got.code != 0 {
						t.Errorf("step %d: told %v, want %v: %+v", i, told, step.told, got)
					}
				}
			})
		}
	}
}

func TestHookCommandNamesTheExitCode(t *testing.T) {
	line := HookCommand("claude", "PreToolUse", hookWith(surface.PreToolUse, surface.FailRefuse), surface.English)
	for _, shell := range shells {
		t.Run(strings.Join(shell, " "), func(t *testing.T) {
			for program, code := range map[string]int{"missing": 127, "exit 1": 1, "exit 2": 2, "killed": 139} {
				if got := runLine(t, shell, line, program); !strings.Contains(got.stdout, fmt.Sprintf("(code %d)", code)) {
					t.Errorf("%s: stdout %q does not name %d", program, got.stdout, code)
				}
			}
		})
	}
}

func TestHookCommandIsOneStableLine(t *testing.T) {
	for _, e := range surface.HookEvents {
		for _, f := range []surface.FailureMode{surface.FailAllow, surface.FailRefuse} {
			for _, l := range []surface.Language{surface.French, surface.English} {
				line := HookCommand("claude", "X", hookWith(e, f), l)
				if strings.ContainsAny(line, "\n\r\t") || line != HookCommand("claude", "X", hookWith(e, f), l) {
					t.Errorf("%s/%s/%s: %q", e, f, l, line)
				}
			}
		}
	}
}

// The texts are pasted between double quotes of a shell and of JSON.
func TestHookTextsNeedNoEscape(t *testing.T) {
	for _, text := range []surface.Text{hookIsAbsent, toolRefused, toolsWillBeRefused, nothingIsChecked, hookRemedy} {
		for _, s := range []string{text.FR, text.EN} {
			if rest := strings.Replace(s, "$?", "", 1); s == "" || strings.ContainsAny(rest, "\"\\$`%!\n") {
				t.Errorf("%q", s)
			}
		}
	}
}

// The hook is found where people install it, and the user's own PATH decides
// first.
func TestHookCommandFindsTheHook(t *testing.T) {
	line := HookCommand("claude", "PreToolUse", hookWith(surface.PreToolUse, surface.FailRefuse), surface.English)
	for _, shell := range shells {
		exe, err := exec.LookPath(shell[0])
		if err != nil {
			continue
		}
		root := t.TempDir()
		put := func(dir string) {
			t.Helper()
			dir = filepath.Join(root, dir)
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			script := "#!/bin/sh\nprintf %s '" + filepath.Base(filepath.Dir(dir)) + "'\n"
			if err := writeProgram(filepath.Join(dir, "grimoire-hook"), []byte(script), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		run := func(env ...string) string {
			cmd := exec.Command(exe, append(append([]string{}, shell[1:]...), "-c", line)...)
			cmd.Env = append([]string{"HOME=" + filepath.Join(root, "h")}, env...)
			out, _ := cmd.Output()
			return string(out)
		}
		put("h/.local/bin")
		if got := run(); got != ".local" {
			t.Errorf("%v: no PATH at all: %q", shell, got)
		}
		put("h/go/bin")
		if got := run("PATH=/usr/bin:/bin"); got != "go" {
			t.Errorf("%v: ~/go/bin: %q", shell, got)
		}
		put("my gobin/bin")
		gobin := "GOBIN=" + filepath.Join(root, "my gobin/bin")
		if got := run("PATH=/usr/bin:/bin", gobin); got != "my gobin" {
			t.Errorf("%v: GOBIN: %q", shell, got)
		}
		put("mine/bin")
		if got := run("PATH="+filepath.Join(root, "mine/bin")+":/usr/bin:/bin", gobin); got != "mine" {
			t.Errorf("%v: PATH: %q", shell, got)
		}
	}
}

// writeProgram writes a file that is about to be run. No child of this process
// may be started meanwhile: it would inherit the descriptor, and the program
// could not be run ("text file busy").
func writeProgram(path string, content []byte, mode os.FileMode) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	return os.WriteFile(path, content, mode)
}
