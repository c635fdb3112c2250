package sync

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/grimoire-kit/grimoire/core/managed"
	"github.com/grimoire-kit/grimoire/pluginsdk"
)

// raw is JSON in a test.
func raw(s string) json.RawMessage { return json.RawMessage(s) }

func ptr[T any](v T) *T { return &v }

// ours is a whole file of ours.
func ours(path, body string) pluginsdk.File {
	return pluginsdk.File{
		Path: path, Content: pluginsdk.Managed(path, []byte(body)),
		Ownership: pluginsdk.OwnedByMarker, Sources: []string{"_grimoire/kit/agents/scribe.md"},
	}
}

func entry(path, body string) pluginsdk.File {
	f := ours(path, body)
	f.Entry = true
	return f
}

const hookFile = `{
  "hooks": {
    "PreToolUse": [{"hooks": [{"type": "command", "command": "grimoire-hook --host two --event PreToolUse", "timeout": 10}]}]
  }
}
`

// settings is what the first host wants in the user's settings.
func settings() pluginsdk.Merge {
	return pluginsdk.Merge{
		Path: ".one/settings.json",
		Ops: []pluginsdk.Op{
			{Kind: pluginsdk.OpExpect, Path: []string{"permissions"}, Value: raw(`"object"`)},
			{Kind: pluginsdk.OpEnsureHook, Path: []string{"hooks", "PreToolUse"}, Matcher: ptr("Bash|Edit"),
				Value: raw(`{"type":"command","command":"grimoire-hook --host one --event PreToolUse","timeout":10}`)},
			{Kind: pluginsdk.OpEnsureString, Path: []string{"permissions", "deny"}, Value: raw(`"Read(./**/.env)"`)},
		},
		Sources: []string{"project-context.yaml"},
	}
}

// one is a host with agents, an entry file and merged settings.
func one(files ...pluginsdk.File) HostPlan {
	return HostPlan{
		Profile: pluginsdk.Profile{ID: "host-one", Aliases: []string{"one"}, Owns: []string{".one/agents/", "ONE.md"}, Merges: []string{".one/settings.json"}},
		Plan:    &pluginsdk.Plan{Files: files, Merges: []pluginsdk.Merge{settings()}},
		Table:   []pluginsdk.Merge{settings()},
	}
}

// two is a host with files only.
func two(files ...pluginsdk.File) HostPlan {
	return HostPlan{
		Profile: pluginsdk.Profile{ID: "host-two", Aliases: []string{"two"}, Owns: []string{".two/", "shared/"}},
		Plan:    &pluginsdk.Plan{Files: files},
	}
}

func write(t testing.TB, root, path, content string) {
	t.Helper()
	full := filepath.Join(root, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t testing.TB, root, path string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(path)))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func exists(root, path string) bool {
	_, err := os.Lstat(filepath.Join(root, filepath.FromSlash(path)))
	return err == nil
}

// snapshot is every file below root with its content, mode and, when stamped,
// its time.
func snapshot(t testing.TB, root string, stamped bool) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, p)
		info, err := d.Info()
		if err != nil {
			return err
		}
		line := info.Mode().String()
		switch {
		case info.Mode().IsRegular():
			b, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			line += " " + string(b)
			if stamped {
				line += info.ModTime().Format(time.RFC3339Nano)
			}
		case info.Mode()&fs.ModeSymlink != 0:
			target, _ := os.Readlink(p)
			line += " -> " + target
		}
		all[filepath.ToSlash(rel)] = line
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func sameSnapshot(t testing.TB, what string, want, got map[string]string) {
	t.Helper()
	for p, w := range want {
		if g, ok := got[p]; !ok {
			t.Errorf("%s: %s is gone", what, p)
		} else if g != w {
			t.Errorf("%s: %s changed\nwas %q\nis  %q", what, p, w, g)
		}
	}
	for p := range got {
		if _, ok := want[p]; !ok {
			t.Errorf("%s: %s is new", what, p)
		}
	}
}

func prepare(t testing.TB, root string, opt Options, plans ...HostPlan) *ChangeSet {
	t.Helper()
	set, err := Prepare(root, plans, opt)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func apply(t testing.TB, set *ChangeSet) *Report {
	t.Helper()
	l, err := Acquire(context.Background(), set.root)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Release()
	r, err := set.Apply(context.Background(), l, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func run(t testing.TB, root string, opt Options, plans ...HostPlan) *Report {
	t.Helper()
	return apply(t, prepare(t, root, opt, plans...))
}

// change finds a path's decision.
func change(t testing.TB, set *ChangeSet, path string) Change {
	t.Helper()
	for _, c := range set.Changes {
		if c.Path == path {
			return c
		}
	}
	t.Fatalf("%s is not in the set", path)
	return Change{}
}

func TestSyncTwiceWritesOnce(t *testing.T) {
	root := t.TempDir()
	write(t, root, ".one/settings.json", "{\n  // mine\n  \"model\": \"x\",\n}\n")
	plans := []HostPlan{
		one(ours(".one/agents/scribe.md", "scribe\n"), entry("ONE.md", "# One\n")),
		two(ours(".two/a.md", "a\n"), pluginsdk.File{Path: ".two/hooks.json", Content: []byte(hookFile), Ownership: pluginsdk.OwnedByHooks}),
	}
	r := run(t, root, Options{}, plans...)
	if got := fmt.Sprint(r.Hosts[0].Written, r.Hosts[1].Written); got != "[.one/agents/scribe.md .one/settings.json ONE.md] [.two/a.md .two/hooks.json]" || !r.OK() {
		t.Fatalf("written %s, %+v", got, r)
	}
	if got := read(t, root, ".one/settings.json"); !strings.Contains(got, "// mine") || !strings.Contains(got, "grimoire-hook --host one") {
		t.Fatalf("settings: %s", got)
	}
	before := snapshot(t, root, true)
	set := prepare(t, root, Options{}, plans...)
	if set.Drift() || len(set.Changes) != 5 {
		t.Fatalf("the second run drifts: %+v", set.Changes)
	}
	r = apply(t, set)
	if len(r.Hosts[0].Unchanged) != 3 || len(r.Hosts[1].Unchanged) != 2 {
		t.Fatalf("%+v", r)
	}
	sameSnapshot(t, "second run", before, snapshot(t, root, true))
}

func TestWholeFileDecisions(t *testing.T) {
	want := ours("A.md", "new\n")
	entryFile := entry("A.md", "new\n")
	old := string(pluginsdk.Managed("A.md", []byte("old\n")))
	longOld := string(pluginsdk.Managed("A.md", []byte("---\ndescription: '"+strings.Repeat("x", 9000)+"'\n---\nold\n")))
	hooks := pluginsdk.File{Path: "A.json", Content: []byte(hookFile), Ownership: pluginsdk.OwnedByHooks}
	staleHooks := strings.ReplaceAll(hookFile, "timeout\": 10", "timeout\": 5")
	tests := []struct {
		name   string
		file   pluginsdk.File
		have   string // "-" for no file
		opt    Options
		want   Action
		edited bool
	}{
		{"absent", want, "-", Options{}, Write, false},
		{"equal", want, string(want.Content), Options{}, Unchanged, false},
		{"equal but for CRLF", want, strings.ReplaceAll(string(want.Content), "\n", "\r\n"), Options{}, Unchanged, false},
		{"ours, older", want, old, Options{}, Write, false},
		{"ours, behind 9000 characters of frontmatter", want, longOld, Options{}, Write, false},
		{"ours, edited", want, old + "by hand\n", Options{}, Write, true},
		{"of the Python kit", want, "<!-- grimoire:managed - regenerated -->\nold\n", Options{}, Write, false},
		{"hand-written", want, "mine\n", Options{}, Conflict, false},
		{"hand-written, empty", want, "", Options{}, Conflict, false},
		{"quotes the marker", want, "# Notes\n\n" + old, Options{}, Conflict, false},
		{"hand-written, forced", want, "mine\n", Options{Force: true}, Write, false},
		{"entry by hand", entryFile, "mine\n", Options{}, Conflict, false},
		{"entry by hand, forced", entryFile, "mine\n", Options{Force: true}, Write, false},
		{"hooks of ours, older", hooks, staleHooks, Options{}, Write, false},
		{"hooks with one of the user's", hooks, strings.Replace(staleHooks, "grimoire-hook --host two", "./log.sh; grimoire-hook", 1), Options{}, Conflict, false},
		{"hooks and another key", hooks, strings.Replace(staleHooks, "{", `{"mine":1,`, 1), Options{}, Conflict, false},
		{"no hook at all", hooks, `{"hooks":{}}`, Options{}, Conflict, false},
		{"not JSON", hooks, "grimoire-hook", Options{}, Conflict, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			if tt.have != "-" {
				write(t, root, tt.file.Path, tt.have)
			}
			set := prepare(t, root, tt.opt, two(tt.file))
			c := change(t, set, tt.file.Path)
			if c.Action != tt.want || c.Edited != tt.edited {
				t.Fatalf("action %s, edited %v, reason %v; want %s, %v", c.Action, c.Edited, c.Reason, tt.want, tt.edited)
			}
			if tt.want == Conflict && tt.file.Entry != strings.Contains(c.Reason.EN, "hosts.entry_sections: true") {
				t.Errorf("reason %q", c.Reason.EN)
			}
			r := apply(t, set)
			got := ""
			if exists(root, tt.file.Path) {
				got = read(t, root, tt.file.Path)
			}
			switch tt.want {
			case Write:
				if got != string(tt.file.Content) || r.OK() != true || len(r.Hosts[0].Edited) > 0 != tt.edited {
					t.Errorf("wrote %q, report %+v", got, r)
				}
			case Unchanged, Conflict:
				if got != tt.have || r.OK() != (tt.want == Unchanged) {
					t.Errorf("file is %q, report %+v", got, r)
				}
			}
		})
	}
}

func TestRecordIsWrittenOnlyWhenNeeded(t *testing.T) {
	root := t.TempDir()
	write(t, root, ".two/mine.md", "x")
	run(t, root, Options{}, two(ours(".two/a.md", "a\n")))
	if exists(root, managed.RecordPath) {
		t.Errorf("a record of nothing: %s", read(t, root, managed.RecordPath))
	}
	run(t, root, Options{}, two(ours(".two/b/c/d.md", "a\n")))
	want := "{\n  \"version\": 1,\n  \"directories\": [\n    \".two/b\",\n    \"_grimoire\"\n  ]\n}\n"
	if got := read(t, root, managed.RecordPath); got != want {
		t.Errorf("record %s, want %s", got, want)
	}
}
