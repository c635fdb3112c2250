// Command grimoire-hook is what the emitted configurations of hosts run at
// every tool call and at the other moments of a session. It reads the host's
// payload from stdin and answers in the host's words:
//
//	grimoire-hook --host claude --event PreToolUse
//
// Options it does not know are ignored, and it always ends in a way the host
// understands: an older program must not break a newer configuration. No
// variable of the environment can loosen what it decides, since a project may
// set them.
//
// `grimoire host hook` is the same for people. This program stays apart and
// small because it starts once a call.
package main

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/grimoire-kit/grimoire/governance/current"
	"github.com/grimoire-kit/grimoire/governance/decide"
	"github.com/grimoire-kit/grimoire/pluginsdk/dialect"
)

func main() {
	r := request(os.Args[1:])
	r.Payload, r.Getenv, r.Now = os.Stdin, os.Getenv, time.Now
	r.Dir, _ = os.Getwd()
	r.Ledger = current.NewHook(os.Getenv)
	a := decide.Run(r)
	os.Exit(give(a))
}

// holds is the exit code that every host takes for a refusal, or at least not
// for leave.
const holds = 2

// give hands the answer to the host and returns the exit code. A refusal that
// cannot be written would be no answer, and the tool would run.
func give(a dialect.Answer) int {
	if len(a.Stdout) > 0 {
		if _, err := os.Stdout.Write(a.Stdout); err != nil && a.Held != "" {
			a.Stderr, a.Exit = []byte(a.Held), holds
		}
	}
	if len(a.Stderr) > 0 {
		_, _ = os.Stderr.Write(a.Stderr)
	}
	return a.Exit
}

// request reads the command line.
func request(args []string) decide.Request {
	var r decide.Request
	for i := 0; i < len(args); i++ {
		name, value, glued := strings.Cut(args[i], "=")
		var to *string
		switch name {
		case "--host":
			to = &r.Host
		case "--event":
			to = &r.Event
		case "--project-root":
			to = &r.Root
		default:
			continue
		}
		if !glued && i+1 < len(args) {
			i++
			value = args[i]
		}
		*to = value
	}
	if r.Root != "" {
		if abs, err := filepath.Abs(r.Root); err == nil {
			r.Root = abs
		}
	}
	return r
}
