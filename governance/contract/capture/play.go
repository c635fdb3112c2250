package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/grimoire-kit/grimoire/governance/contract"
)

// limit is how long one start of a host may take.
const limit = 3 * time.Minute

// play makes the project, runs the scenario's turns and returns what happened.
func play(h host, s scenario, bin string, keep bool) (*contract.Run, string, error) {
	base, err := os.MkdirTemp("", "grimoire-run")
	if err != nil {
		return nil, "", err
	}
	if base, err = filepath.EvalSymlinks(base); err != nil {
		return nil, "", err
	}
	if !keep {
		defer func() { _ = os.RemoveAll(base) }()
	}
	st := &stage{base: base, project: filepath.Join(base, "shelf"), home: filepath.Join(base, "home"), bin: bin}
	st.cwd = filepath.Join(st.project, s.cwd)
	tap := filepath.Join(base, "tap")
	for _, dir := range []string{st.project, st.home, tap} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, base, err
		}
	}
	golang, err := exec.LookPath("go")
	if err != nil {
		return nil, base, err
	}
	st.path = strings.Join([]string{filepath.Join(bin, "bin"), filepath.Dir(golang), "/usr/local/bin", "/usr/bin", "/bin"}, ":")
	if s.hook != contract.Missing {
		if err := os.Link(filepath.Join(bin, "recorder"), filepath.Join(tap, "grimoire-hook")); err != nil {
			return nil, base, err
		}
		for name, text := range map[string]string{"state": string(s.hook), "real": filepath.Join(bin, "real", "grimoire-hook")} {
			if err := os.WriteFile(filepath.Join(tap, name), []byte(text), 0o644); err != nil {
				return nil, base, err
			}
		}
		st.path = tap + ":" + st.path
	}

	run := &contract.Run{Proves: s.proves, Profile: s.profile, Hook: s.hook, From: s.from}
	m := &model{stage: st, host: h, tap: tap, keep: keep, acts: map[string][]act{}, taken: map[string]int{}, counts: map[string]map[string]int{}, sizes: map[string]int{}, asked: map[string]*contract.Ask{}}
	for _, line := range slices.Concat(contract.MadeBy(h.name(), s.profile), s.person) {
		if err := person(st, m, line); err != nil {
			return nil, base, err
		}
	}
	listen, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, base, err
	}
	server := &http.Server{Handler: m}
	go func() { _ = server.Serve(listen) }()
	defer func() { _ = server.Close() }()
	st.model = "http://" + listen.Addr().String()
	if err := h.prepare(st); err != nil {
		return nil, base, err
	}

	for i, t := range s.turns {
		for _, line := range t.person {
			if err := person(st, m, line); err != nil {
				return nil, base, err
			}
		}
		if d := t.directive; d != nil {
			m.note(contract.Step{Directive: d})
			// It is a person's to say: it wants a terminal.
			line := fmt.Sprintf("grimoire task comment %s '%s' --kind directive --actor %s", d.Task, d.Text, d.From)
			if out, err := st.shell("script -qec \"" + line + "\" /dev/null"); err != nil {
				return nil, base, fmt.Errorf("%s: %w\n%s", line, err, out)
			}
		}
		m.mu.Lock()
		m.acts = map[string][]act{"": t.acts, subAgent: t.sub}
		m.taken = map[string]int{}
		m.mu.Unlock()
		prompt := t.prompt
		if prompt == "" {
			prompt = markMain + " go on"
		}
		m.note(contract.Step{Prompt: prompt})
		if err := st.start(h, prompt, i > 0); err != nil {
			return nil, base, err
		}
	}

	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range calls(tap) {
		if !json.Valid([]byte(c.Stdin)) || c.Stderr != "" {
			return nil, base, fmt.Errorf("%s was called with %q and said %q on stderr", c.Event, c.Stdin, c.Stderr)
		}
		m.steps = append(m.steps, timed{c.At, contract.Step{Call: &contract.Call{Event: c.Event, Stdin: json.RawMessage(c.Stdin), Stdout: c.Stdout, Exit: c.Exit}}})
	}
	if len(m.egress) > 0 {
		fmt.Fprintf(os.Stderr, "%s %s: tried to reach %s\n", h.name(), s.name, strings.Join(m.egress, ", "))
	}
	slices.SortStableFunc(m.steps, func(a, b timed) int { return a.at.Compare(b.at) })
	for _, step := range m.steps {
		run.Steps = append(run.Steps, step.Step)
	}
	run.ToolRan = ran(st, run, s.ran)
	if run.Ledger, err = contract.Ledger(st.project); err != nil {
		return nil, base, err
	}
	return scrub(st, run), base, nil
}

func (m *model) note(step contract.Step) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.steps = append(m.steps, timed{time.Now(), step})
}

// person runs a line that somebody types in the project.
func person(st *stage, m *model, line string) error {
	m.note(contract.Step{Person: line})
	if out, err := st.shell(line); err != nil {
		return fmt.Errorf("%s: %w\n%s", line, err, out)
	}
	return nil
}

func (st *stage) env() []string {
	return []string{"PATH=" + st.path, "HOME=" + st.home, "LANG=C.UTF-8", "TERM=dumb", "USER=ada", "TMPDIR=" + st.base,
		"GOCACHE=" + filepath.Join(os.TempDir(), "grimoire-capture-go"), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOTOOLCHAIN=local"}
}

func (st *stage) shell(line string) (string, error) {
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir, cmd.Env = st.project, st.env()
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// start runs the host once, until it ends.
func (st *stage) start(h host, prompt string, again bool) error {
	args, env := h.command(st, prompt, again)
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir = st.cwd
	dead := []string{"HTTP_PROXY=" + st.model, "HTTPS_PROXY=" + st.model, "NO_PROXY=127.0.0.1,localhost"}
	cmd.Env = slices.Concat(st.env(), dead, env)
	cmd.WaitDelay = 5 * time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	log, openErr := os.OpenFile(filepath.Join(st.base, "host.log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if openErr == nil {
		_, _ = log.Write(out.Bytes())
		_ = log.Close()
	}
	if ctx.Err() != nil {
		return fmt.Errorf("the host did not end in %s\n%s", limit, out.String())
	}
	if err != nil {
		return fmt.Errorf("the host ended with %w\n%s", err, out.String())
	}
	return nil
}

// ran reports whether the tool that the run is about had its effect.
func ran(st *stage, run *contract.Run, proof string) bool {
	if text, ok := strings.CutPrefix(proof, "="); ok {
		return slices.ContainsFunc(run.Steps, func(s contract.Step) bool { return s.Asks != nil && strings.Contains(s.Asks.Result, text) })
	}
	name, gone := strings.CutPrefix(proof, "!")
	_, err := os.Stat(filepath.Join(st.project, name))
	return (err == nil) != gone
}

// maxResult bounds what is kept of a tool's result, in bytes.
const maxResult = 1500

func scrub(st *stage, run *contract.Run) *contract.Run {
	s := st.scrubber()
	for i := range run.Steps {
		step := &run.Steps[i]
		if step.Asks != nil {
			if r := step.Asks.Result; len(r) > maxResult {
				step.Asks.Result = strings.ToValidUTF8(r[:maxResult], "") + " …"
			}
		}
		for _, text := range []*string{&step.Person, &step.Prompt, &step.Says} {
			*text = s.Scrub(*text)
		}
		if step.Call != nil {
			step.Stdin, step.Stdout = json.RawMessage(s.Scrub(string(step.Stdin))), s.Scrub(step.Stdout)
		}
		if step.Read != nil {
			step.Read.As, step.Read.Text = s.Scrub(step.Read.As), s.Scrub(step.Read.Text)
		}
		if step.Asks != nil {
			step.Asks.Input, step.Asks.Result = json.RawMessage(s.Scrub(string(step.Asks.Input))), s.Scrub(step.Asks.Result)
			step.Asks.Does.Runs = s.Scrub(step.Asks.Does.Runs)
		}
	}
	return run
}

func save(path string, run *contract.Run) error {
	data, err := run.Bytes()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}
