// Package failpoint lets a test end a real process at a named step of the
// shipped code, as a power cut or `kill -9` would.
//
// A step calls Hit with its name. A program that called Arm, with
// GRIMOIRE_FAILPOINT set to "<name>" or "<name>:<n>", kills itself at the first,
// or the n-th, hit of that name. Nothing is deferred, flushed or caught. In any
// other program a hit is one comparison.
//
// It is for steps where an interrupted run must leave the old or the new file;
// core and governance import it. grimoire-hook links such steps and never calls
// Arm: a host may load a project's .env into the hook's environment, and a
// variable must not be able to end it.
package failpoint

import (
	"os"
	"strconv"
	"strings"
	"sync/atomic"
)

// Variable is the environment variable that names one fail point.
const Variable = "GRIMOIRE_FAILPOINT"

var armed *point

// point is the armed fail point; remaining counts the hits left before it fires.
type point struct {
	name      string
	remaining atomic.Int64
}

// Arm arms the fail point that the environment names, if it names one. It is
// called once, before anything else runs.
func Arm() { armed = parse(os.Getenv(Variable)) }

func parse(value string) *point {
	if value == "" {
		return nil
	}
	name, count, found := strings.Cut(value, ":")
	p := &point{name: name}
	p.remaining.Store(1)
	if n, err := strconv.ParseInt(count, 10, 64); found && err == nil && n > 0 {
		p.remaining.Store(n)
	}
	return p
}

// Hit marks a step. It does not return when the step is the armed one and its
// turn has come.
func Hit(name string) {
	if armed == nil {
		return
	}
	if armed.fires(name) {
		kill()
	}
}

func (p *point) fires(name string) bool {
	return p.name == name && p.remaining.Add(-1) == 0
}

// kill ends the process with no chance to clean up: SIGKILL on Unix,
// TerminateProcess on Windows.
func kill() {
	if p, err := os.FindProcess(os.Getpid()); err == nil {
		_ = p.Kill()
	}
	select {} // the signal is on its way
}
