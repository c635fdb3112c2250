package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/tidwall/gjson"
)

// hookDir is where the hook is built for the scripts.
var hookDir string

// shippedHook is grimoire-hook, built as it is shipped when a script first asks
// for it.
var shippedHook = sync.OnceValues(func() (string, error) {
	path := filepath.Join(hookDir, "grimoire-hook")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	return path, exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", path, "../grimoire-hook").Run()
})

// captures are what hosts were observed to send.
const captures = "../../governance/contract/testdata/captures"

// host sends what a host was observed to send to the real hook, from the
// project, in a session. What the hook answers is stdout and stderr.
//
//	[!] host <host>/<version>/<capture> <session>
func hostCall(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: host <host>/<version>/<capture> <session>")
	}
	program, err := shippedHook()
	if err != nil {
		ts.Fatalf("build grimoire-hook: %v", err)
	}
	text, err := os.ReadFile(filepath.Join(captures, filepath.FromSlash(args[0])+".json"))
	ts.Check(err)
	capture := gjson.ParseBytes(text)
	event := capture.Get("hook").Str
	if event == "" {
		event = capture.Get("stdin.hook_event_name").Str
	}
	project, err := filepath.EvalSymlinks(ts.Getenv("REPO"))
	ts.Check(err)
	payload := strings.NewReplacer("<SESSION_ID>", args[1], "<PROJECT>", filepath.ToSlash(project), "<HOME>", filepath.ToSlash(ts.Getenv("HOME"))).Replace(capture.Get("stdin").Raw)
	name, _, _ := strings.Cut(args[0], "/")
	ts.Check(os.WriteFile(filepath.Join(ts.Getenv("WORK"), "payload.json"), []byte(payload), 0o644))
	err = ts.Exec("sh", "-c", `exec "$0" --host "$1" --event "$2" <"$3"`, program, name, event, filepath.Join(ts.Getenv("WORK"), "payload.json"))
	if (err != nil) != neg {
		ts.Fatalf("the hook ended with %v", err)
	}
}
