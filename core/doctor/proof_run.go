package doctor

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/grimoire-kit/grimoire/core/project"
	"github.com/grimoire-kit/grimoire/governance/decide"
)

const (
	// proofTimeout bounds one call; it is the time-out of an emitted hook.
	proofTimeout = 10 * time.Second
	// proofGrace is how long the pipes stay open for what outlives a program.
	proofGrace = time.Second
	// maxOutput bounds what is kept of a program's output, in bytes.
	maxOutput = 1 << 20
)

// standardFolder holds what the person declares about governance.
const standardFolder = "_grimoire/standard"

// start is a program to start, with what it reads.
type start struct {
	argv  []string
	env   []string // besides the person's own environment
	stdin string
}

// outcome is how a program ended.
type outcome struct {
	stdout, stderr string
	exit           int // -1 where a signal ended it
	late           bool
}

// whatDecides reads the files of the project that a decision depends on:
// profile, rules, language. Sessions, traces and the mission's ledger are not
// among them, so that a reached budget does not pass for a broken hook. A file
// that cannot be read has a check of its own.
func (e *examination) whatDecides() map[string][]byte {
	const most = 100
	files := map[string][]byte{}
	for _, file := range append(e.tree.Files(standardFolder, most), project.ConfigFile) {
		if ext := path.Ext(file); ext != ".yaml" && ext != ".yml" {
			continue
		}
		if f, err := e.tree.Read(file); err == nil && f.Exists() {
			files[file] = bytes.Clone(f.Data)
		}
	}
	return files
}

// rehearsal makes a throwaway project of what decides. The person's own stays
// as it is: no session, trace or counter of a proof ends up in it.
func rehearsal(files map[string][]byte) (dir string, remove func(), err error) {
	top, err := os.MkdirTemp("", "grimoire-doctor-")
	if err != nil {
		return "", nil, fmt.Errorf("make a throwaway project: %w", err)
	}
	remove = func() { _ = os.RemoveAll(top) }
	if top, err = filepath.EvalSymlinks(top); err != nil {
		remove()
		return "", nil, fmt.Errorf("make a throwaway project: %w", err)
	}
	dir = filepath.Join(top, "project")
	// The folder makes it a project whatever else there is: without it, one
	// around the temporary folder would be taken.
	for _, d := range []string{filepath.Join(dir, filepath.FromSlash(standardFolder)), filepath.Join(top, "tmp")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			remove()
			return "", nil, fmt.Errorf("make a throwaway project: %w", err)
		}
	}
	if err := writeBelow(dir, files); err != nil {
		remove()
		return "", nil, err
	}
	return dir, remove, nil
}

func writeBelow(dir string, files map[string][]byte) error {
	for name, data := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return fmt.Errorf("copy %s: %w", name, err)
		}
		if err := os.WriteFile(file, data, 0o600); err != nil {
			return fmt.Errorf("copy %s: %w", name, err)
		}
	}
	return nil
}

// ask runs a drill for one command in a project of its own: the line says once
// in each temporary folder that the hook is missing, and counters start at 0.
func (e *examination) ask(d *drill, command string, copied map[string][]byte) (answer, error) {
	dir, remove, err := rehearsal(copied)
	if err != nil {
		return answer{}, err
	}
	defer remove()
	if err := writeBelow(filepath.Dir(dir), d.beside); err != nil {
		return answer{}, err
	}
	ran, err := e.run(dir, d.start(dir, command))
	if err != nil {
		return answer{}, err
	}
	if ran.late {
		return answer{late: true}, nil
	}
	return d.read(ran), nil
}

// run runs one program as a host would, in dir, with all it starts.
func (e *examination) run(dir string, s start) (outcome, error) {
	ctx, cancel := context.WithTimeout(e.ctx, e.patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, s.argv[0], s.argv[1:]...)
	cmd.Dir = dir
	cmd.Env = append(append(append([]string{}, e.Environ...), "TMPDIR="+filepath.Join(filepath.Dir(dir), "tmp")), s.env...)
	cmd.Stdin = strings.NewReader(s.stdin)
	stdout, stderr := &output{}, &output{}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	cmd.WaitDelay = proofGrace
	endTogether(cmd)
	err := cmd.Run()
	if cmd.ProcessState == nil {
		return outcome{}, fmt.Errorf("start %s: %w", s.argv[0], err)
	}
	return outcome{
		stdout: stdout.String(), stderr: stderr.String(),
		exit: cmd.ProcessState.ExitCode(),
		late: errors.Is(ctx.Err(), context.DeadlineExceeded),
	}, nil
}

// output keeps the beginning of what is written to it.
type output struct{ bytes.Buffer }

func (o *output) Write(p []byte) (int, error) {
	if room := maxOutput - o.Len(); room > 0 {
		o.Buffer.Write(p[:min(len(p), room)])
	}
	return len(p), nil
}

// ruledOut reports whether this grimoire, with the same rules, stops the
// harmless call too: then it is the project that wants it so.
func (e *examination) ruledOut(host string, copied map[string][]byte) bool {
	dir, remove, err := rehearsal(copied)
	if err != nil {
		return false
	}
	defer remove()
	d := decide.Run(decide.Request{
		Host: host, Event: toolEvents[host], Root: dir, Dir: dir,
		Payload: strings.NewReader(payloads[host](dir, harmless)),
		Getenv:  e.Getenv, Now: time.Now,
	})
	return answers[host](outcome{stdout: string(d.Stdout), exit: d.Exit}).stops
}
