package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// thirdParty are the emitters that scripts may want, each a program of its own,
// built once and only when asked for.
var thirdParty = map[string]func() ([]byte, error){
	"lantern": program("../../pluginsdk/examples/lantern"),
	"crash":   program("../../core/plugin/testdata/plugins/crash"),
	"hang":    program("../../core/plugin/testdata/plugins/hang"),
	"entries": program("../../core/plugin/testdata/plugins/entries"),
	"illegal": program("../../core/plugin/testdata/plugins/illegal"),
}

func program(source string) func() ([]byte, error) {
	return sync.OnceValues(func() ([]byte, error) {
		dir, err := os.MkdirTemp("", "grimoire-emitter-")
		if err != nil {
			return nil, err
		}
		defer func() { _ = os.RemoveAll(dir) }()
		path := filepath.Join(dir, "emitter")
		cmd := exec.Command("go", "build", "-o", path, source)
		cmd.Stderr = os.Stderr
		if err := cmd.Run(); err != nil {
			return nil, err
		}
		return os.ReadFile(path)
	})
}

// emitter puts a third party's program into the project, as tools/<name>.
//
//	emitter lantern
func emitter(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 || thirdParty[args[0]] == nil {
		ts.Fatalf("usage: emitter <name>")
	}
	content, err := thirdParty[args[0]]()
	ts.Check(err)
	path := ts.MkAbs(filepath.Join("tools", args[0]))
	ts.Check(os.MkdirAll(filepath.Dir(path), 0o755))
	// A child started meanwhile would inherit the descriptor, and the program
	// could not be run ("text file busy").
	syscall.ForkLock.RLock()
	err = os.WriteFile(path, content, 0o755)
	syscall.ForkLock.RUnlock()
	ts.Check(err)
}

// The longest a script waits for something to appear, on a busy machine, and the
// longest that something may take to go.
const (
	appears = 30 * time.Second
	goes    = 2 * time.Second
)

// await waits for a file to appear.
//
//	await <file>
func await(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: await <file>")
	}
	path := ts.MkAbs(args[0])
	if !within(appears, func() bool { _, err := os.Stat(path); return err == nil }) {
		ts.Fatalf("%s did not appear", args[0])
	}
}

// gone checks that the processes named in a file, a number a line, end soon.
//
//	gone <file of process ids>
func gone(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: gone <file of process ids>")
	}
	for _, pid := range strings.Fields(ts.ReadFile(args[0])) {
		if !within(goes, func() bool { return !alive(pid) }) {
			ts.Fatalf("process %s is alive after %s", pid, goes)
		}
	}
}

// alive reports whether a process runs; one that ended and that nobody has
// collected yet does not.
func alive(pid string) bool {
	state, err := exec.Command("ps", "-o", "state=", "-p", pid).Output()
	return err == nil && !strings.HasPrefix(strings.TrimSpace(string(state)), "Z")
}

func within(limit time.Duration, happened func() bool) bool {
	for start := time.Now(); !happened(); time.Sleep(20 * time.Millisecond) {
		if time.Since(start) > limit {
			return false
		}
	}
	return true
}
