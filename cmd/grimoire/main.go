// Command grimoire describes a team's agent setup once and has every agentic
// host run it.
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/grimoire-kit/grimoire/core/plugin"
	"github.com/grimoire-kit/grimoire/emitters/bundled"
	"github.com/grimoire-kit/grimoire/governance/failpoint"
)

func main() {
	// grimoire serves its own bundled emitters by running itself again: that
	// comes before any command is built.
	if plugin.Main(bundled.Emitters()) {
		return
	}
	failpoint.Arm()
	os.Exit(run(os.Args[1:]))
}

// run executes one command line and returns the exit code.
func run(args []string) int {
	a := newApp(args)
	if stdoutClosed() {
		a.out = closed{}
	}
	stdout := &answer{to: a.out}
	a.out = stdout
	root := newRoot(a)
	root.SetArgs(args)
	if wantsJSON(a, args) {
		root.SetVersionTemplate("{\n  \"version\": {{printf \"%q\" .Version}}\n}\n")
	}
	err := missingFlags(a, root.Execute())
	if failed := stdout.failed(); failed != nil {
		err = failed
	}
	if err != nil && !errors.Is(err, errReported) {
		if wantsJSON(a, args) && !a.answered {
			_ = a.printJSON(errorAnswer(err, a.lang)) // stderr and the exit code say it too
		}
		fmt.Fprintln(a.err, "grimoire: "+printableLines(message(err, a.lang)))
	}
	return exitCode(err)
}

// wantsJSON holds also where the command line could not be understood up to
// its -o.
func wantsJSON(a *app, args []string) bool {
	if form := flagValue(args, "--output", "-o"); form == "json" || form == "text" {
		return form == "json"
	}
	return a.json()
}
