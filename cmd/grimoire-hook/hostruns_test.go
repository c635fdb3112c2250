package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/grimoire-kit/grimoire/governance/contract"
	"github.com/grimoire-kit/grimoire/governance/task"
	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

// TestHostRuns plays each run of a real host again, in a project that is made
// by the same lines: the program, or the command line that stands in for it,
// must say now, byte for byte, what it said then, and what the model read must
// be among that. With -update another wording is accepted for an answer of the
// same form: the run is then marked as reworded.
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
			var r contract.Run
			if err := json.Unmarshal(data, &r); err != nil {
				t.Fatal(err)
			}
			switch {
			case r.Hook == contract.Works:
				playAgain(t, host, &r)
			case host == "opencode": // its plugin stands in; emitters/opencode runs it
				return
			default:
				standsIn(t, host, &r)
			}
			if again, err := r.Bytes(); err != nil {
				t.Fatal(err)
			} else if *update && !bytes.Equal(again, data) {
				if err := os.WriteFile(file, again, 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// shelf is a project whose run is played again.
type shelf struct {
	root string
	env  []string
	// fill gives placeholders the values that they have here, clean takes
	// them out again.
	fill  *strings.Replacer
	clean func(string) string
	// session is what the host's shell is told of it.
	session string
}

func newShelf(t *testing.T) *shelf {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &shelf{root: filepath.Join(base, "shelf")}
	home := filepath.Join(base, "home")
	for _, dir := range []string{s.root, home} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	places := []string{"<PROJECT>", s.root, "<HOME>", home, "<BASE>", base}
	for i, name := range []string{"<SESSION_ID>", "<SESSION_ID_2>", "<SESSION_ID_3>", "<SESSION_ID_4>", "<SESSION_ID_5>", "<SESSION_ID_6>", "<SESSION_ID_7>", "<SESSION_ID_8>"} {
		places = append(places, name, fmt.Sprintf("%08d-0000-4000-8000-000000000000", i+1))
	}
	places = append(places, "<AGENT_ID>", "a0000000000000001", "<AGENT_ID_2>", "a0000000000000002")
	s.fill = strings.NewReplacer(places...)
	for i := 0; i < len(places); i += 2 {
		places[i], places[i+1] = places[i+1], places[i]
	}
	s.clean = contract.NewScrubber(places...).Scrub
	s.env = []string{
		"PATH=" + filepath.Dir(grimoire(t)) + string(os.PathListSeparator) + os.Getenv("PATH"),
		"HOME=" + home, "LANG=C.UTF-8", "USER=ada", "TMPDIR=" + base, "GOFLAGS=-mod=mod", "GOPROXY=off", "GOTOOLCHAIN=local",
		"GOCACHE=" + cache(t),
	}
	return s
}

// cache is where Go keeps what it compiled: a check of a run compiles again.
func cache(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// grimoire is the other program of the product, built once.
func grimoire(t *testing.T) string {
	t.Helper()
	program, err := buildGrimoire()
	if err != nil {
		t.Fatal(err)
	}
	return program
}

var buildGrimoire = sync.OnceValues(func() (string, error) {
	program := filepath.Join(filepath.Dir(hook), "bin", "grimoire")
	out, err := exec.Command("go", "build", "-o", program, "../grimoire").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build grimoire: %w\n%s", err, out)
	}
	return program, nil
})

// line runs a command line in the project; mayFail is for a model's.
func (s *shelf) line(t *testing.T, line string, mayFail bool, env ...string) {
	t.Helper()
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir, cmd.Env = s.root, append(slices.Clone(s.env), env...)
	if out, err := cmd.CombinedOutput(); err != nil && !mayFail {
		t.Fatalf("%s: %v\n%s", line, err, out)
	}
}

// made are projects by the lines that made them: most runs begin with the same.
var made = map[string]string{}

// make begins a project with lines, if steps begin so, and returns how many of
// the steps it took.
func (s *shelf) make(t *testing.T, lines []string, steps []contract.Step) int {
	t.Helper()
	for i, line := range lines {
		if i >= len(steps) || steps[i].Person != line {
			return 0
		}
	}
	key := strings.Join(lines, "\n")
	if made[key] == "" {
		for _, line := range lines {
			s.line(t, line, false)
		}
		dir, err := os.MkdirTemp(filepath.Dir(hook), "made")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.CopyFS(dir, os.DirFS(s.root)); err != nil {
			t.Fatal(err)
		}
		made[key] = dir
	} else if err := os.CopyFS(s.root, os.DirFS(made[key])); err != nil {
		t.Fatal(err)
	}
	return len(lines)
}

// do has a tool's effect.
func (s *shelf) do(t *testing.T, host string, e contract.Effect) {
	t.Helper()
	switch {
	case e.Runs != "":
		var env []string
		if host == "claude" { // the only one that tells its shell (observed 2.1.332)
			env = []string{"CLAUDECODE=1", "CLAUDE_CODE_SESSION_ID=" + s.session}
		}
		s.line(t, s.fill.Replace(e.Runs), true, env...)
	case e.Writes != "":
		if err := os.WriteFile(filepath.Join(s.root, e.Writes), []byte(e.Text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func playAgain(t *testing.T, host string, r *contract.Run) {
	if _, err := exec.LookPath("sh"); err != nil || runtime.GOOS == "windows" {
		t.Skip("no POSIX shell, in which the lines of a run were typed")
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	s := newShelf(t)
	var said []string               // by the program, now
	var pending contract.Effect     // of the tool that was asked for last
	reworded := map[string]string{} // a text of then, and what is said instead
	made := s.make(t, contract.MadeBy(host, r.Profile), r.Steps)
	for i := range r.Steps {
		switch step := &r.Steps[i]; {
		case i < made:
		case step.Person != "":
			s.line(t, step.Person, false)
		case step.Directive != nil:
			d := step.Directive
			person := task.Origin{Terminal: true, Getenv: func(string) string { return "" }}
			if _, _, err := task.Open(s.root, "").Comment(t.Context(), d.Task, "directive", d.Text, d.From, person); err != nil {
				t.Fatal(err)
			}
		case step.Asks != nil:
			pending = step.Asks.Does
		case step.Call != nil:
			c := step.Call
			if strings.HasPrefix(strings.ReplaceAll(strings.ToLower(c.Event), "_", ""), "posttool") {
				if c.Event != "PostToolUseFailure" || pending.Writes == "" { // a command that fails has run
					s.do(t, host, pending)
				}
				pending = contract.Effect{}
			}
			payload := s.fill.Replace(string(c.Stdin))
			if id := gjson.Get(payload, "session_id").String(); s.session == "" {
				s.session = id
			}
			got := run(t, s.root, payload, s.env, "--host", host, "--event", c.Event)
			got.stdout = s.clean(got.stdout)
			now, then := contract.Texts(got.stdout), contract.Texts(c.Stdout)
			said = append(said, now...)
			switch sameForm := contract.Form(got.stdout) == contract.Form(c.Stdout) && got.exit == c.Exit; {
			case sameForm && *update:
				for i := range now {
					if now[i] != then[i] {
						reworded[then[i]] = now[i]
					}
				}
				c.Stdout = got.stdout
			case !sameForm || got.stdout != c.Stdout:
				t.Errorf("step %d, %s: exit %d, answer\n%s\nthe host was told, with exit %d,\n%s\n(where the words alone changed: -update; else see CONTRIBUTING, Real hosts)", i, c.Event, got.exit, got.stdout, c.Exit, c.Stdout)
			}
		case step.Read != nil:
			if now, ok := reworded[step.Read.Text]; ok {
				step.Read.Text, r.Reworded = now, true
			}
			if !slices.Contains(said, step.Read.Text) {
				t.Errorf("step %d: the model read what the program does not say:\n%s\nit says\n%s", i, step.Read.Text, strings.Join(said, "\n"))
			}
		}
	}
	r.Reworded = r.Reworded || len(reworded) > 0
	if got, err := contract.Ledger(s.root); err != nil || !maps.Equal(got, r.Ledger) {
		t.Errorf("%v: the ledger holds %v, then it held %v", err, got, r.Ledger)
	}
}

// standsIn runs the command lines without the program, or with one that crashes.
func standsIn(t *testing.T, host string, r *contract.Run) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no POSIX shell")
	}
	home := t.TempDir()
	if r.Hook != contract.Missing {
		bin := filepath.Join(home, "go", "bin")
		if err := os.MkdirAll(bin, 0o755); err != nil {
			t.Fatal(err)
		}
		crash := "#!/bin/sh\nprintf %s '" + contract.HalfAnswer + "'\nexit 2\n"
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
	read := r.Read()
	if why := refusal(say(surface.PreToolUse, "PreToolUse")); (why == "") != r.ToolRan || why != "" && !slices.Contains(read, why) {
		t.Errorf("refused for %q, the tool ran: %v, and the model read %q", why, r.ToolRan, read)
	}
	if told := gjson.Get(say(surface.SessionStart, "SessionStart"), "hookSpecificOutput.additionalContext").String(); !slices.Contains(read, told) {
		t.Errorf("told %q, and the model read %q", told, read)
	}
}

// reasons are the places of an answer that hold one.
var reasons = []string{"hookSpecificOutput.permissionDecisionReason", "permissionDecisionReason", "reason"}

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
