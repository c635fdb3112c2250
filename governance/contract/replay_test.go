package contract

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/emitters"
	"github.com/grimoire-kit/grimoire/pluginsdk/dialect"
	"github.com/grimoire-kit/grimoire/surface"
)

var update = flag.Bool("update", false, "rewrite testdata/decoded/*.txt from what the dialects make of the captures")

// everyCapture names a folder <host>/<version>/*.json of raw captures, more
// than the repository holds: any JSON with hook payloads somewhere in it.
const everyCapture = "GRIMOIRE_CAPTURES"

// TestReplay decodes one payload of every event, tool and shape each host was
// seen to send, and compares what the dialect makes of it with the record.
func TestReplay(t *testing.T) {
	for _, host := range emitters.Dialects() {
		t.Run(host, func(t *testing.T) {
			d := load(t, host)
			var got bytes.Buffer
			for _, c := range read(t, filepath.Join("testdata", "captures", host)) {
				call := d.Decode(c.Stdin, c.Event)
				complain(t, c, call)
				fmt.Fprintf(&got, "%s\n%s\n", c.File, describe(call))
			}
			record := filepath.Join("testdata", "decoded", host+".txt")
			if *update {
				if err := os.WriteFile(record, got.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(record)
			if err != nil {
				t.Fatal(err)
			}
			if diff := firstDifference(got.String(), string(want)); diff != "" {
				t.Errorf("decoded otherwise than %s (run with -update to accept):\n%s", record, diff)
			}
		})
	}
}

// TestReplayEvery does the same, less the record, for every capture in a
// folder.
func TestReplayEvery(t *testing.T) {
	root := os.Getenv(everyCapture)
	if root == "" {
		t.Skip("set " + everyCapture + " to a folder <host>/<version>/*.json of raw captures")
	}
	for _, host := range emitters.Dialects() {
		t.Run(host, func(t *testing.T) {
			d := load(t, host)
			all := read(t, filepath.Join(root, host))
			if len(all) == 0 {
				t.Fatalf("no payload found below %s", filepath.Join(root, host))
			}
			evaluated, ignored := 0, map[string]int{}
			for _, c := range all {
				call := d.Decode(c.Stdin, c.Event)
				complain(t, c, call)
				if call.NotEvaluated == "" {
					evaluated++
				} else {
					ignored[call.Detail]++
				}
			}
			t.Logf("%d payloads: %d evaluated, ignored by reason: %v", len(all), evaluated, ignored)
		})
	}
}

// complain fails the test for a capture that the dialect cannot read.
func complain(t *testing.T, c Capture, call dialect.Call) {
	t.Helper()
	switch {
	case call.NotEvaluated == dialect.IgnoredEvent && call.Detail != "":
		return // it stands on a list, with its reason
	case call.NotEvaluated != "":
		t.Errorf("%s: not evaluated: %s %s\n%s", c.File, call.NotEvaluated, call.Detail, c.Stdin)
		return
	case call.Event == "" || call.Session == "":
		t.Errorf("%s: event %q, session %q", c.File, call.Event, call.Session)
	}
	switch call.Event {
	case surface.PreToolUse, surface.PostToolUse, surface.PostToolUseFailure, surface.PermissionRequest:
	case surface.UserPromptSubmit:
		if call.Prompt == "" {
			t.Errorf("%s: no prompt", c.File)
		}
		return
	default:
		return
	}
	switch call.Family {
	case surface.FamilyExecute:
		if len(call.Values(dialect.Command)) == 0 {
			t.Errorf("%s: %s runs no command\n%s", c.File, call.Tool, c.Stdin)
		}
	case surface.FamilyRead:
		if len(call.Values(dialect.Path))+len(call.Values(dialect.Pattern))+len(call.Values(dialect.Text)) == 0 {
			t.Errorf("%s: %s reads nothing\n%s", c.File, call.Tool, c.Stdin)
		}
	case surface.FamilyWrite:
		if len(call.Values(dialect.Path)) == 0 {
			t.Errorf("%s: %s writes no file\n%s", c.File, call.Tool, c.Stdin)
		}
	}
}

// describe says what was decoded, a line a fact, absent ones left out.
func describe(c dialect.Call) string {
	var b strings.Builder
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "  %-8s %s\n", name, value)
		}
	}
	line("event", string(c.Event))
	line("skipped", strings.TrimSpace(string(c.NotEvaluated)+" "+c.Detail))
	line("session", c.Session)
	line("parent", c.ParentSession)
	line("agent", strings.TrimSpace(c.Agent+" "+c.AgentType))
	if c.Tool != "" {
		line("tool", fmt.Sprintf("%s = %s (%s)", c.Tool, c.Canonical, c.Family))
	}
	line("call", c.ToolUseID)
	for _, a := range c.Args {
		line(string(a.Kind), fmt.Sprintf("%s %q", a.Key, a.Value))
	}
	for _, ch := range c.Changes {
		line("change", fmt.Sprintf("%q %q -> %q whole=%t removed=%t", ch.Path, ch.Old, ch.New, ch.Whole, ch.Removed))
	}
	if c.Prompt != "" {
		line("prompt", fmt.Sprintf("%q", c.Prompt))
	}
	line("source", c.Source)
	if c.StopActive {
		line("again", "true")
	}
	return b.String()
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		at := func(s []string) string {
			if i < len(s) {
				return s[i]
			}
			return "(nothing)"
		}
		if at(g) != at(w) {
			return fmt.Sprintf("line %d\n got %s\nwant %s", i+1, at(g), at(w))
		}
	}
	return ""
}

func load(t *testing.T, host string) *dialect.Dialect {
	t.Helper()
	data, ok := emitters.Dialect(host)
	if !ok {
		t.Fatalf("no dialect for %s", host)
	}
	d, err := dialect.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func read(t *testing.T, dir string) []Capture {
	t.Helper()
	all, err := Captures(dir)
	if err != nil {
		t.Fatal(err)
	}
	return all
}
