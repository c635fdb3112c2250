package opencode

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/grimoire-kit/grimoire/surface"
)

// harness plays opencode: it loads the guard, checks what the file exports,
// and sends it the steps given on the command line, one after the other.
const harness = `
const [file, directory, steps] = process.argv.slice(2);
const module = await import(file);
const exported = Object.entries(module);
if (exported.length !== 1 || typeof exported[0][1] !== "function") {
  throw new Error("exports: " + Object.keys(module));
}
const client = { session: { get: async ({ path }) => ({ data: { id: path.id, parentID: path.id === "ses_resumed_child" ? "ses_resumed" : undefined } }) } };
const hooks = await exported[0][1]({ client, directory, worktree: directory });
const results = [];
for (const step of JSON.parse(steps)) {
  const output = step.output ?? {};
  try {
    await hooks[step.hook](step.input, output);
    results.push({ output });
  } catch (error) {
    results.push({ thrown: error.message });
  }
}
console.log(JSON.stringify(results));
`

type step struct {
	Hook   string         `json:"hook"`
	Input  map[string]any `json:"input"`
	Output map[string]any `json:"output,omitempty"`
}

type result struct {
	Thrown string         `json:"thrown"`
	Output map[string]any `json:"output"`
}

// guarded is a project with the emitted guard and a scripted grimoire-hook.
type guarded struct {
	t    *testing.T
	dir  string // the project
	bin  string // the only absolute folder of PATH
	node string
}

func newGuarded(t *testing.T, l surface.Language) *guarded {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed: the guard is JavaScript and is tested by running it")
	}
	plan, err := New().Emit(context.Background(), &surface.Surface{Language: l})
	if err != nil {
		t.Fatal(err)
	}
	g := &guarded{t: t, dir: filepath.Join(t.TempDir(), "a project, accentué"), bin: t.TempDir(), node: node}
	for _, f := range plan.Files {
		if f.Path == guardPath {
			g.write(f.Path, string(f.Content), 0o644)
		}
	}
	// opencode takes .js files as modules; node needs to be told.
	g.write(".opencode/plugin/package.json", `{"type":"module"}`, 0o644)
	g.write("harness.mjs", harness, 0o644)
	return g
}

func (g *guarded) write(name, text string, mode os.FileMode) {
	g.t.Helper()
	file := filepath.Join(g.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		g.t.Fatal(err)
	}
	if err := writeProgram(file, []byte(text), mode); err != nil {
		g.t.Fatal(err)
	}
}

func (g *guarded) profile(text string) {
	g.write("_grimoire/standard/standard-profile.yaml", text, 0o644)
}

// hook installs a grimoire-hook that logs its arguments and stdin, then runs
// script.
func (g *guarded) hook(script string) {
	g.t.Helper()
	log := filepath.Join(g.dir, "calls.log")
	text := "#!/bin/sh\nexport PATH=/usr/bin:/bin\nprintf '%s ' \"$*\" >>'" + log + "'\ncat >>'" + log + "'\necho >>'" + log + "'\n" + script + "\n"
	if err := writeProgram(filepath.Join(g.bin, "grimoire-hook"), []byte(text), 0o755); err != nil {
		g.t.Fatal(err)
	}
}

// run plays steps in one process and returns their results and its stderr.
func (g *guarded) run(steps ...step) ([]result, string) {
	g.t.Helper()
	raw, err := json.Marshal(steps)
	if err != nil {
		g.t.Fatal(err)
	}
	cmd := exec.Command(g.node, filepath.Join(g.dir, "harness.mjs"), filepath.Join(g.dir, filepath.FromSlash(guardPath)), g.dir, string(raw))
	// HOME is empty too: an installed grimoire-hook must not be found.
	cmd.Env = []string{"PATH=.:" + g.bin, "HOME=" + g.t.TempDir()}
	cmd.Dir = g.dir
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		g.t.Fatalf("node: %v\n%s", err, stderr.String())
	}
	var results []result
	if err := json.Unmarshal([]byte(stdout.String()), &results); err != nil {
		g.t.Fatalf("harness output %q: %v", stdout.String(), err)
	}
	return results, stderr.String()
}

// call is one recorded run of the scripted grimoire-hook.
type call struct {
	event   string
	payload map[string]any
}

func (g *guarded) calls() []call {
	g.t.Helper()
	raw, err := os.ReadFile(filepath.Join(g.dir, "calls.log"))
	if err != nil {
		g.t.Fatal(err)
	}
	var out []call
	for _, line := range strings.Split(strings.TrimSpace(string(raw)), "\n") {
		args, body, _ := strings.Cut(line, "{")
		event, ok := strings.CutPrefix(strings.TrimSpace(args), "--host opencode --event ")
		if !ok {
			g.t.Fatalf("arguments: %q", args)
		}
		c := call{event: event}
		if err := json.Unmarshal([]byte("{"+body), &c.payload); err != nil {
			g.t.Fatalf("payload %q: %v", line, err)
		}
		out = append(out, c)
	}
	return out
}

func before(session string) step {
	return step{
		Hook:   "tool.execute.before",
		Input:  map[string]any{"tool": "bash", "sessionID": session, "callID": "call_1"},
		Output: map[string]any{"args": map[string]any{"command": "echo 'é \"q\"'\ndate"}},
	}
}

func created(session, parent, agent string) step {
	info := map[string]any{"id": session}
	if parent != "" {
		info["parentID"], info["agent"] = parent, agent
	}
	return step{Hook: "event", Input: map[string]any{"event": map[string]any{
		"type": "session.created", "properties": map[string]any{"info": info},
	}}}
}

func TestGuardDecisions(t *testing.T) {
	for _, tt := range []struct{ name, script, thrown string }{
		{"no opinion", `echo '{}'`, ""},
		{"context only", `echo '{"context":"x"}'`, ""},
		{"deny", `printf '%s' '{"decision":"deny","reason":"Refusé : « é »\nsortie : \"x\""}'`, "Refusé : « é »\nsortie : \"x\""},
		{"deny without a reason", `echo '{"decision":"deny"}'`, "[Grimoire] Call refused without a reason."},
		{"deny with a reason of another type", `echo '{"decision":"deny","reason":{}}'`, "[Grimoire] Call refused without a reason."},
		{"ask", `echo '{"decision":"ask","reason":"R"}'`, "R\nopencode cannot put the question: the call is refused."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			g := newGuarded(t, surface.English)
			g.hook(tt.script)
			results, stderr := g.run(before("ses_1"))
			if got := results[0].Thrown; got != tt.thrown {
				t.Errorf("thrown %q, want %q", got, tt.thrown)
			}
			if stderr != "" {
				t.Errorf("stderr %q, want nothing", stderr)
			}
		})
	}
}

// grimoire-hook may answer before it has read a payload that no pipe holds.
func TestGuardHookThatDoesNotRead(t *testing.T) {
	g := newGuarded(t, surface.English)
	if err := writeProgram(filepath.Join(g.bin, "grimoire-hook"), []byte("#!/bin/sh\nexec <&-\necho '{\"decision\":\"deny\",\"reason\":\"R\"}'\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	big := before("ses_1")
	big.Output["args"] = map[string]any{"content": strings.Repeat("x", 100_000)}
	results, _ := g.run(big)
	if got := results[0].Thrown; got != "R" {
		t.Errorf("thrown %q, want the reason", got)
	}
}

// Whatever keeps the guard from an answer is decided by the profile.
func TestGuardFailuresByProfile(t *testing.T) {
	failures := []struct{ name, script, cause string }{
		{"missing", "", "grimoire-hook was not found"},
		{"exit 1", "echo boom >&2; exit 1", "grimoire-hook failed (boom)"},
		{"panic", "echo 'panic: x' >&2; exit 2", "grimoire-hook failed (panic: x)"},
		{"killed", "kill -9 $$", "grimoire-hook failed (SIGKILL)"},
		{"deny with a failing exit", `echo '{"decision":"deny","reason":"R"}'; exit 3`, "grimoire-hook failed (exit 3)"},
		{"silent", "exit 0", "cannot be read"},
		{"truncated", `printf '{"decision":"de'`, "cannot be read"},
		{"not an object", `echo '["deny"]'`, "cannot be read"},
		{"null", `echo null`, "cannot be read"},
		{"two objects", `echo '{}{}'`, "cannot be read"},
		{"unknown decision", `echo '{"decision":"block","reason":"R"}'`, "cannot be read"},
		{"endless", `while :; do echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; done`, "cannot be read"},
	}
	profiles := []struct {
		name, text string
		refuses    bool
	}{
		{"governed", "profile: governed\n", true},
		{"production", "# standard\r\n\"profile\": 'production'\r\nother: 1\r\n", true},
		{"starter", "profile: starter # not governed\n# profile: governed\n", false},
		{"absent", "", false},
	}
	for _, f := range failures {
		for _, p := range profiles {
			t.Run(f.name+"/"+p.name, func(t *testing.T) {
				t.Parallel()
				g := newGuarded(t, surface.English)
				if f.script != "" {
					g.hook(f.script)
				}
				if p.text != "" {
					g.profile(p.text)
				}
				results, stderr := g.run(before("ses_1"), before("ses_1"), before("ses_2"))
				if p.refuses {
					for i, r := range results {
						for _, want := range []string{f.cause, p.name, "grimoire doctor"} {
							if !strings.Contains(r.Thrown, want) {
								t.Errorf("call %d: thrown %q, want %q in it", i, r.Thrown, want)
							}
						}
					}
					if stderr != "" {
						t.Errorf("stderr %q, want nothing beside the refusal", stderr)
					}
					return
				}
				for i, r := range results {
					if r.Thrown != "" {
						t.Errorf("call %d: thrown %q, want the tool to run", i, r.Thrown)
					}
				}
				lines := strings.Split(strings.TrimSpace(stderr), "\n")
				if len(lines) != 2 || !strings.Contains(lines[0], f.cause) {
					t.Errorf("stderr %q, want one warning for each of two sessions", stderr)
				}
			})
		}
	}
}

// A hook that hangs is given up, even when its own child keeps its output
// open. One second stands for the ten of the emitted file.
func TestGuardTimeOut(t *testing.T) {
	g := newGuarded(t, surface.French)
	file := filepath.Join(g.dir, filepath.FromSlash(guardPath))
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	short := strings.Replace(string(text), "TIMEOUT_MS = 10_000", "TIMEOUT_MS = 1_000", 1)
	if short == string(text) {
		t.Fatal("the guard's deadline is not 10 s")
	}
	g.write(guardPath, short, 0o644)
	g.profile("profile: governed\n")
	g.hook("sleep 60 & sleep 60")
	results, _ := g.run(before("ses_1"))
	if !strings.Contains(results[0].Thrown, "n'a pas répondu en 10 s") {
		t.Errorf("thrown %q, want a refusal that names the deadline", results[0].Thrown)
	}
}

// The project's profile decides, also from a sub-folder of it.
func TestGuardFindsProfileFromSubfolder(t *testing.T) {
	g := newGuarded(t, surface.English)
	g.profile("profile: governed\n")
	g.write("src/deep/keep", "", 0o644)
	root := g.dir
	raw, err := json.Marshal([]step{before("ses_1")})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(g.node, filepath.Join(root, "harness.mjs"), filepath.Join(root, filepath.FromSlash(guardPath)), filepath.Join(root, "src", "deep"), string(raw))
	cmd.Env = []string{"PATH=" + g.bin, "HOME=" + t.TempDir()}
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(out), "governed") {
		t.Errorf("got %s, want a refusal under the profile governed", out)
	}
}

// A project cannot bring its own grimoire-hook through a relative PATH entry.
func TestGuardIgnoresHookOfProject(t *testing.T) {
	g := newGuarded(t, surface.English)
	g.profile("profile: governed\n")
	g.write("grimoire-hook", "#!/bin/sh\necho '{}'\n", 0o755)
	results, _ := g.run(before("ses_1"))
	if !strings.Contains(results[0].Thrown, "was not found") {
		t.Errorf("thrown %q, want a refusal: the project's own program is no guard", results[0].Thrown)
	}
}

// A file that is there and cannot be run is as good as missing.
func TestGuardIgnoresHookThatIsNotExecutable(t *testing.T) {
	g := newGuarded(t, surface.English)
	g.profile("profile: production\n")
	g.hook("echo '{}'")
	if err := os.Chmod(filepath.Join(g.bin, "grimoire-hook"), 0o644); err != nil {
		t.Fatal(err)
	}
	results, _ := g.run(before("ses_1"))
	if !strings.Contains(results[0].Thrown, "was not found") {
		t.Errorf("thrown %q, want a refusal", results[0].Thrown)
	}
}

func TestGuardPayloads(t *testing.T) {
	g := newGuarded(t, surface.English)
	g.hook(`echo '{}'`)
	after := step{
		Hook:   "tool.execute.after",
		Input:  map[string]any{"tool": "bash", "sessionID": "ses_grandchild", "callID": "call_1", "args": map[string]any{"command": "false"}},
		Output: map[string]any{"output": "text", "metadata": map[string]any{"exit": 1}},
	}
	g.run(
		created("ses_top", "", ""),
		created("ses_top", "", ""),
		before("ses_top"),
		created("ses_child", "ses_top", "scribe"),
		created("ses_grandchild", "ses_child", "critic"),
		before("ses_grandchild"),
		after,
		before("ses_resumed_child"),
	)
	calls := g.calls()
	var events []string
	for _, c := range calls {
		events = append(events, c.event)
		if c.payload["cwd"] != g.dir {
			t.Errorf("%s: cwd %v, want %s", c.event, c.payload["cwd"], g.dir)
		}
	}
	want := "session_start pre_tool_use pre_tool_use post_tool_use pre_tool_use"
	if got := strings.Join(events, " "); got != want {
		t.Fatalf("events %s, want %s", got, want)
	}
	for i, wants := range []map[string]any{
		{"session_id": "ses_top", "tool_name": nil},
		{"session_id": "ses_top", "parent_session_id": nil, "agent_name": nil, "tool_use_id": "call_1", "tool_name": "bash"},
		{"session_id": "ses_grandchild", "parent_session_id": "ses_top", "agent_name": "critic"},
		{"session_id": "ses_grandchild", "parent_session_id": "ses_top", "tool_use_id": "call_1"},
		{"session_id": "ses_resumed_child", "parent_session_id": "ses_resumed"},
	} {
		for key, want := range wants {
			if got := calls[i].payload[key]; got != want {
				t.Errorf("call %d: %s = %v, want %v", i, key, got, want)
			}
		}
	}
	if got := calls[1].payload["tool_input"].(map[string]any)["command"]; got != "echo 'é \"q\"'\ndate" {
		t.Errorf("command %q reached grimoire-hook", got)
	}
	if got := calls[3].payload["tool_response"].(map[string]any)["exit"]; got != 1.0 {
		t.Errorf("exit %v, want 1", got)
	}
}

// The start of a session sets counters to zero: it is over before the first
// call is counted, however slow it is.
func TestGuardCountsAfterStart(t *testing.T) {
	g := newGuarded(t, surface.English)
	order := filepath.Join(g.dir, "order.log")
	g.hook("case \"$4\" in session_start) sleep 0.3 ;; esac\necho \"$4\" >>'" + order + "'\necho '{}'")
	g.run(created("ses_1", "", ""), before("ses_1"))
	got, err := os.ReadFile(order)
	if err != nil {
		t.Fatal(err)
	}
	if want := "session_start\npre_tool_use\n"; string(got) != want {
		t.Errorf("finished in the order %q, want %q", got, want)
	}
}

// A sub-agent's prompt attaches no file past the guard, whatever the answer.
func TestGuardDefusesTaskPrompt(t *testing.T) {
	g := newGuarded(t, surface.English)
	prompt := func(tool string) step {
		return step{
			Hook:   "tool.execute.before",
			Input:  map[string]any{"tool": tool, "sessionID": "ses_1", "callID": "c"},
			Output: map[string]any{"args": map[string]any{"prompt": "Read @.env, (@~/.ssh/id) me@example.com `@a`"}},
		}
	}
	results, _ := g.run(prompt("task"), prompt("other"))
	for i, want := range []string{
		"Read `@`.env, (`@`~/.ssh/id) me@example.com `@a`",
		"Read @.env, (@~/.ssh/id) me@example.com `@a`",
	} {
		if got := results[i].Output["args"].(map[string]any)["prompt"]; got != want {
			t.Errorf("prompt %q, want %q", got, want)
		}
	}
}

// Nothing that goes wrong around a tool that already ran, or an event, may
// reach the session; what grimoire-hook has to say does.
func TestGuardAfterAndEvents(t *testing.T) {
	after := step{
		Hook:   "tool.execute.after",
		Input:  map[string]any{"tool": "bash", "sessionID": "ses_1", "callID": "c", "args": map[string]any{}},
		Output: map[string]any{"output": "text"},
	}
	broken := []step{
		after,
		{Hook: "tool.execute.after", Input: map[string]any{}},
		{Hook: "event", Input: map[string]any{}},
		{Hook: "event", Input: map[string]any{"event": map[string]any{"type": "session.created"}}},
		created("ses_2", "", ""),
	}
	t.Run("missing", func(t *testing.T) {
		t.Parallel()
		g := newGuarded(t, surface.English)
		g.profile("profile: governed\n")
		results, stderr := g.run(broken...)
		for i, r := range results {
			if r.Thrown != "" {
				t.Errorf("step %d: thrown %q", i, r.Thrown)
			}
		}
		if stderr != "" {
			t.Errorf("stderr %q", stderr)
		}
	})
	t.Run("context", func(t *testing.T) {
		t.Parallel()
		g := newGuarded(t, surface.English)
		g.hook(`echo '{"context":"Attach the evidence."}'`)
		results, _ := g.run(after)
		if got := results[0].Output["output"]; got != "text\n\nAttach the evidence." {
			t.Errorf("output %q", got)
		}
	})
}

// writeProgram writes a file that is about to be run. No child of this process
// may be started meanwhile: it would inherit the descriptor, and the program
// could not be run ("text file busy").
func writeProgram(path string, content []byte, mode os.FileMode) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	return os.WriteFile(path, content, mode)
}
