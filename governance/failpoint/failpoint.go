// Package failpoint lets a test end a real process at a named step of the
// shipped code, as a power cut or `kill -9` would.
//
// A step calls Hit with its name. A program that called Arm, with
// GRIMOIRE_FAILPOINT set to "<name>" or "<name>:<n>", kills itself at the first,
// or the n-th, hit of that name. Nothing is deferred, flushed or caught. With
// "stop@" before the name it stops there, as if it were very slow, until it is
// sent SIGCONT (on Linux; elsewhere it is killed). Several are separated by
// commas. In any other program a hit is one comparison.
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

// Variable is the environment variable that names the fail points.
const Variable = "GRIMOIRE_FAILPOINT"

var armed []*point

// point is an armed fail point; remaining counts the hits left before it fires.
type point struct {
	name      string
	stops     bool
	remaining atomic.Int64
}

// Arm arms the fail points that the environment names. It is called once,
// before anything else runs.
func Arm() { armed = parse(os.Getenv(Variable)) }

func parse(value string) (points []*point) {
	if value == "" {
		return nil
	}
	for _, one := range strings.Split(value, ",") {
		name, count, _ := strings.Cut(one, ":")
		p := &point{}
		p.name, p.stops = strings.CutPrefix(name, "stop@")
		p.remaining.Store(1)
		if n, err := strconv.ParseInt(count, 10, 64); err == nil && n > 0 {
			p.remaining.Store(n)
		}
		points = append(points, p)
	}
	return points
}

// Hit marks a step. It does not return when the step is an armed one and its
// turn has come.
func Hit(name string) {
	if armed == nil {
		return
	}
	for _, p := range armed {
		switch {
		case !p.fires(name):
		case p.stops:
			stop()
		default:
			kill()
		}
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
