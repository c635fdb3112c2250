package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/grimoire-kit/grimoire/governance/contract"
)

// recorded is one call of the hook, as a line of calls.jsonl.
type recorded struct {
	At     time.Time
	Event  string
	Stdin  string
	Stdout string
	Stderr string
	Exit   int
}

// record stands before the product's hook: what comes in and goes out is
// passed on unchanged and written down. It is told nothing by the
// environment, which is the host's: what it needs lies beside it.
func record() int {
	at := time.Now()
	self, err := os.Executable()
	if err != nil {
		return 1
	}
	dir := filepath.Dir(self)
	in, _ := io.ReadAll(os.Stdin)
	r := recorded{At: at, Stdin: string(in)}
	if i := slices.Index(os.Args, "--event"); i > 0 && i+1 < len(os.Args) {
		r.Event = os.Args[i+1]
	}
	state, _ := os.ReadFile(filepath.Join(dir, "state"))
	starts := strings.Contains(strings.ToLower(strings.ReplaceAll(r.Event, "_", "")), "sessionstart")
	if s := contract.HookState(state); s == contract.Crashes || s == contract.CrashesLater && !starts {
		r.Stdout, r.Exit = contract.HalfAnswer, 2
	} else {
		real, _ := os.ReadFile(filepath.Join(dir, "real"))
		cmd := exec.Command(string(real), os.Args[1:]...)
		var out, errs bytes.Buffer
		cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(in), &out, &errs
		var exit *exec.ExitError
		if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
			return 1
		}
		r.Stdout, r.Stderr, r.Exit = out.String(), errs.String(), cmd.ProcessState.ExitCode()
	}
	_, _ = os.Stdout.WriteString(r.Stdout)
	_, _ = os.Stderr.WriteString(r.Stderr)
	if line, err := json.Marshal(r); err == nil {
		if f, err := os.OpenFile(filepath.Join(dir, "calls.jsonl"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
			_, _ = f.Write(append(line, '\n'))
			_ = f.Close()
		}
	}
	return r.Exit
}

// calls reads what was recorded in dir.
func calls(dir string) []recorded {
	data, _ := os.ReadFile(filepath.Join(dir, "calls.jsonl"))
	var all []recorded
	for line := range strings.Lines(string(data)) {
		var r recorded
		if json.Unmarshal([]byte(line), &r) == nil {
			all = append(all, r)
		}
	}
	return all
}
