package sync

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/core/managed"
	"github.com/grimoire-kit/grimoire/pluginsdk"
)

func link(t *testing.T, root, target, path string) {
	t.Helper()
	full := filepath.Join(root, path)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, full); err != nil {
		t.Skip("no symlinks here: ", err)
	}
}

func TestTwoHostsOnePath(t *testing.T) {
	shared := ours("shared/s.md", "s\n")
	t.Run("same bytes", func(t *testing.T) {
		root := t.TempDir()
		r := run(t, root, Options{}, one(shared), two(shared))
		if !r.OK() || fmt.Sprint(r.Hosts[1].Written) != "[shared/s.md]" || len(r.Hosts[0].Written) != 2 {
			t.Errorf("%+v", r)
		}
	})
	tests := []struct {
		name  string
		first pluginsdk.File
		later pluginsdk.File
		want  string
	}{
		{"other bytes", shared, ours("shared/s.md", "other\n"), "also asked for, with other content, by host-one"},
		{"other case", shared, ours("Shared/S.md", "s\n"), "collides with shared/s.md (host-one)"},
		{"other normalisation", ours("shared/é.md", "s\n"), ours("shared/e\u0301.md", "s\n"), "collides with"},
		{"file where a directory is needed", shared, ours("shared", "s\n"), "collides with shared/s.md"},
		{"directory where a file is", shared, ours("shared/S.md/x.md", "s\n"), "collides with shared/s.md"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			r := run(t, root, Options{}, one(tt.first), two(tt.later, ours(".two/fine.md", "x\n")))
			if got := r.Hosts[1]; len(got.Skipped) != 1 || !strings.Contains(got.Skipped[0].Reason.EN, tt.want) || len(got.Written) != 1 || len(r.Hosts[0].Skipped) > 0 {
				t.Fatalf("%+v", r)
			}
			if read(t, root, tt.first.Path) != string(tt.first.Content) {
				t.Error("the first plan's file is not the one that was written")
			}
		})
	}
}

func TestIllegalPathsAreRefused(t *testing.T) {
	base := t.TempDir()
	root := filepath.Join(base, "project")
	if err := os.Mkdir(root, 0o755); err != nil {
		t.Fatal(err)
	}
	paths := []string{managed.RecordPath, "../out.md", "/tmp/grimoire-out.md", ".git/hooks/x.md", "a/../../out.md", ".GIT/config.md", "nul.md", ""}
	var files []pluginsdk.File
	for _, p := range paths {
		files = append(files, ours(p, "x\n"))
	}
	host := two(append(files, ours(".two/fine.md", "x\n"))...)
	host.Plan.Merges = []pluginsdk.Merge{{Path: "../../m.json", Ops: settings().Ops}, {Path: "m.json", Alternates: []string{"../x.jsonc"}, Ops: settings().Ops}}
	r := run(t, root, Options{Force: true}, host)
	if len(r.Hosts[0].Skipped) != len(paths)+2 || fmt.Sprint(r.Hosts[0].Written) != "[.two/fine.md]" {
		t.Fatalf("%+v", r)
	}
	if names, _ := os.ReadDir(base); len(names) != 1 {
		t.Errorf("outside: %v", names)
	}
}

func TestLinkedFiles(t *testing.T) {
	t.Run("settings shared by a link", func(t *testing.T) {
		root := t.TempDir()
		write(t, root, "config/claude.json", "{}\n")
		link(t, root, "../config/claude.json", ".one/settings.json")
		before := snapshot(t, root, false)
		if r := run(t, root, Options{}, one()); !r.OK() {
			t.Fatalf("%+v", r)
		}
		if got := read(t, root, "config/claude.json"); !strings.Contains(got, "grimoire-hook") {
			t.Errorf("target %s", got)
		}
		if prepare(t, root, Options{}, one()).Drift() {
			t.Error("the second run drifts")
		}
		remove(t, root, Options{}, one())
		sameSnapshot(t, "removed", before, snapshot(t, root, false))
	})
	t.Run("outside", func(t *testing.T) {
		root, out := t.TempDir(), t.TempDir()
		write(t, out, "settings.json", "{}\n")
		link(t, root, filepath.Join(out, "settings.json"), ".one/settings.json")
		link(t, root, out, ".one/agents")
		r := run(t, root, Options{Force: true}, one(ours(".one/agents/a.md", "a\n")))
		if len(r.Hosts[0].Skipped) != 2 || !strings.Contains(r.Hosts[0].Skipped[1].Reason.FR, "hors du projet") || read(t, out, "settings.json") != "{}\n" || exists(out, "a.md") {
			t.Errorf("%+v", r)
		}
	})
	t.Run("record outside", func(t *testing.T) {
		root, out := t.TempDir(), t.TempDir()
		link(t, root, out, "_grimoire/hosts")
		set := prepare(t, root, Options{}, one(ours(".one/agents/a.md", "a\n")))
		l, err := Acquire(context.Background(), root)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Release()
		r, err := set.Apply(context.Background(), l, nil)
		if h := r.Hosts[0]; err != nil || len(h.Written) != 1 || len(h.Skipped) != 1 || !strings.Contains(h.Skipped[0].Reason.FR, "ownership.json") || exists(root, ".one/settings.json") || exists(out, "ownership.json") {
			t.Errorf("%v, %+v", err, r)
		}
	})
	t.Run("two entry files that are one", func(t *testing.T) {
		root := t.TempDir()
		link(t, root, "AGENTS.md", "ONE.md")
		a, b := one(entry("ONE.md", "one\n")), two(entry("AGENTS.md", "agents\n"))
		r := run(t, root, Options{}, a, b)
		if !r.OK() || len(r.Hosts[0].Notes) != 1 || r.Hosts[0].Notes[0].Reason.EN != "is AGENTS.md by a link: it carries what host-two gets, not the shorter text of host-one" || len(r.Hosts[1].Written) != 1 {
			t.Fatalf("%+v", r)
		}
		if got := read(t, root, "ONE.md"); !strings.Contains(got, "agents") {
			t.Errorf("file is %q", got)
		}
		before := snapshot(t, root, true)
		for what, alone := range map[string]bool{"both": false, "the other alone": true} {
			plans, opt := []HostPlan{a, b}, Options{}
			if alone {
				plans, opt.Alongside = plans[:1], plans[1:]
			}
			if set := prepare(t, root, opt, plans...); set.Drift() {
				t.Errorf("%s: %+v", what, set.Preview())
			}
			if r := run(t, root, opt, plans...); !r.OK() || len(r.Hosts[0].Notes) != 1 {
				t.Errorf("%s: %+v", what, r)
			}
			sameSnapshot(t, what, before, snapshot(t, root, true))
		}
	})
	t.Run("the longest text is another's", func(t *testing.T) {
		root := t.TempDir()
		link(t, root, "ONE.md", "AGENTS.md")
		a, b := one(entry("ONE.md", "one\n")), two(entry("AGENTS.md", "agents\n"))
		for range 2 {
			r := run(t, root, Options{}, a, b)
			if n := r.Hosts[0].Notes; !r.OK() || len(n) != 1 || n[0].Reason.EN != "is AGENTS.md too, by a link: it carries what host-two gets, not the shorter text of host-one" {
				t.Fatalf("%+v", r)
			}
			if n := r.Hosts[1].Notes; len(n) != 1 || n[0].Reason.EN != "is ONE.md by a link: it carries what host-two gets" {
				t.Fatalf("%+v", r)
			}
		}
		before := snapshot(t, root, true)
		if r := run(t, root, Options{Alongside: []HostPlan{b}}, a); !r.OK() || len(r.Hosts[0].Written) != 0 {
			t.Errorf("one alone: %+v", r)
		}
		if got := read(t, root, "AGENTS.md"); !strings.Contains(got, "agents") {
			t.Errorf("file is %q", got)
		}
		sameSnapshot(t, "one alone", before, snapshot(t, root, true))
	})
	t.Run("two entry files that are one, written by hand", func(t *testing.T) {
		root := t.TempDir()
		write(t, root, "AGENTS.md", "mine\n")
		link(t, root, "AGENTS.md", "ONE.md")
		a, b := one(entry("ONE.md", "one\n")), two(entry("AGENTS.md", "agents\n"))
		if r := run(t, root, Options{}, a, b); len(r.Hosts[0].Skipped) != 1 || len(r.Hosts[1].Skipped) != 1 {
			t.Errorf("%+v", r)
		}
		if r := run(t, root, Options{Alongside: []HostPlan{b}}, a); len(r.Hosts[0].Skipped) != 1 || len(r.Hosts[0].Notes) != 0 {
			t.Errorf("one alone: %+v", r)
		}
		if r := run(t, root, Options{EntrySections: true}, a, b); !r.OK() {
			t.Errorf("%+v", r)
		}
		if got := read(t, root, "ONE.md"); strings.Count(got, sectionBegin) != 1 || !strings.Contains(got, "agents") {
			t.Errorf("file is %q", got)
		}
	})
}

func TestOneBadPathCostsOnlyItself(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("mode bits")
	}
	root := t.TempDir()
	write(t, root, ".one/settings.json", `{"permissions": []}`)
	write(t, root, ".one/agents/locked.md", string(ours(".one/agents/locked.md", "old\n").Content))
	if err := os.Chmod(filepath.Join(root, ".one/agents/locked.md"), 0o444); err != nil {
		t.Fatal(err)
	}
	write(t, root, ".one/agents/dir.md/inner", "x")
	set := prepare(t, root, Options{Force: true}, one(ours(".one/agents/locked.md", "new\n"), ours(".one/agents/dir.md", "x\n"), ours(".one/agents/a.md", "a\n")))
	var diff strings.Builder
	if err := set.Diff(&diff); err != nil || !strings.Contains(diff.String(), "--- /dev/null\n+++ b/.one/agents/a.md\n") || strings.Contains(diff.String(), "locked") {
		t.Errorf("diff %v\n%s", err, diff.String())
	}
	// A file that changes after the decision fails alone, too.
	write(t, root, ".one/agents/late.md", "mine\n")
	late := prepare(t, root, Options{Force: true}, one(ours(".one/agents/late.md", "x\n"), ours(".one/agents/b.md", "b\n")))
	write(t, root, ".one/agents/late.md", "mine, changed\n")

	r := apply(t, set).Hosts[0]
	reasons := map[string]string{".one/agents/dir.md": "is a folder", ".one/agents/locked.md": "read-only", ".one/settings.json": "file left alone: line 1, column 17, $.permissions: want object, got array"}
	if len(r.Skipped) != len(reasons) || fmt.Sprint(r.Written) != "[.one/agents/a.md]" {
		t.Fatalf("%+v", r)
	}
	for _, p := range r.Skipped {
		if want := reasons[p.Path]; want == "" || !strings.Contains(p.Reason.EN, want) || p.Reason.FR == p.Reason.EN {
			t.Errorf("%s: %q, want %q", p.Path, p.Reason.EN, want)
		}
	}
	r = apply(t, late).Hosts[0]
	if len(r.Failed) != 1 || !strings.Contains(r.Failed[0].Reason.FR, "a changé") || fmt.Sprint(r.Written) != "[.one/agents/b.md]" || read(t, root, ".one/agents/late.md") != "mine, changed\n" {
		t.Fatalf("%+v", r)
	}
}

func TestInterruptedRunSaysWhatItDidNotDo(t *testing.T) {
	root := t.TempDir()
	var files []pluginsdk.File
	for i := range 50 {
		files = append(files, ours(fmt.Sprintf(".one/agents/%02d.md", i), "x\n"))
	}
	set := prepare(t, root, Options{}, one(files...))
	l, err := Acquire(context.Background(), root)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	last := 0
	r, err := set.Apply(ctx, l, func(done, total int) {
		if done != last+1 || total != 51 {
			t.Errorf("progress %d of %d after %d", done, total, last)
		}
		if last = done; done == 10 {
			stop()
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Release(); err != nil {
		t.Fatal(err)
	}
	h := r.Hosts[0]
	if len(h.Written)+len(h.Failed) != 51 || len(h.Written) < 10 || len(h.Failed) == 0 || last != 51 {
		t.Fatalf("written %d, failed %d, progress %d", len(h.Written), len(h.Failed), last)
	}
	for _, p := range h.Written {
		if !exists(root, p) {
			t.Errorf("%s is said to be written", p)
		}
	}
	for _, p := range h.Failed {
		if exists(root, p.Path) {
			t.Errorf("%s is said not to be written", p.Path)
		}
	}
	if r := run(t, root, Options{}, one(files...)); !r.OK() || len(r.Hosts[0].Written) != len(h.Failed) {
		t.Errorf("the next run: %+v", r)
	}
}

func TestAlternateSpelling(t *testing.T) {
	m := settings()
	m.Path, m.Alternates = "one.json", []string{"one.jsonc"}
	host := one()
	host.Plan.Merges, host.Table = []pluginsdk.Merge{m}, []pluginsdk.Merge{m}
	root := t.TempDir()
	run(t, root, Options{}, host)
	if !exists(root, "one.json") {
		t.Fatal("one.json is not there")
	}
	// The team moves to the other spelling: ours follows, and what we created goes.
	write(t, root, "one.jsonc", "{ /* mine */ }\n")
	if r := run(t, root, Options{}, host); !r.OK() || exists(root, "one.json") || !strings.Contains(read(t, root, "one.jsonc"), "grimoire-hook") {
		t.Fatalf("%+v", r)
	}
	if prepare(t, root, Options{}, host).Drift() {
		t.Error("the second run drifts")
	}
	remove(t, root, Options{}, host)
	if got := read(t, root, "one.jsonc"); got != "{ /* mine */ }\n" || exists(root, managed.RecordPath) {
		t.Errorf("after removal %q", got)
	}
}

func TestSharedMergeIsNotTakenFromAnEnabledHost(t *testing.T) {
	root := t.TempDir()
	a, b := one(), two()
	other := settings()
	other.Ops = []pluginsdk.Op{{Kind: pluginsdk.OpEnsureString, Path: []string{"permissions", "deny"}, Value: raw(`"Read(./two)"`)}}
	b.Plan.Merges, b.Table = []pluginsdk.Merge{other}, []pluginsdk.Merge{other}
	enabled := Options{Enabled: []string{a.ID(), b.ID()}}
	if r := run(t, root, enabled, a, b); !r.OK() {
		t.Fatalf("%+v", r)
	}
	set := prepare(t, root, enabled, a)
	if c := change(t, set, ".one/settings.json"); c.Action != Refused || !strings.Contains(c.Reason.EN, "entries of host-two") {
		t.Errorf("%s %q", c.Action, c.Reason.EN)
	}
	// Once the other host is disabled, the file is the first one's alone.
	a.Table = append(a.Table, other)
	if r := run(t, root, Options{Enabled: []string{a.ID()}}, a); !r.OK() || strings.Contains(read(t, root, ".one/settings.json"), "Read(./two)") {
		t.Errorf("%+v", r)
	}
}

func TestMalformedOperationIsRefused(t *testing.T) {
	for name, op := range map[string]pluginsdk.Op{
		"unknown kind":        {Kind: "erase", Path: []string{"a"}},
		"string that is none": {Kind: pluginsdk.OpEnsureString, Path: []string{"a"}, Value: raw(`3`)},
		"hook elsewhere":      {Kind: pluginsdk.OpEnsureHook, Path: []string{"a"}, Value: raw(`{}`)},
		"foreign hook":        {Kind: pluginsdk.OpEnsureHook, Path: []string{"hooks", "Stop"}, Value: raw(`{"type":"command","command":"./x.sh"}`)},
		"type that is none":   {Kind: pluginsdk.OpExpect, Path: []string{"a"}, Value: raw(`3`)},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			host := two(ours(".two/a.md", "a\n"))
			host.Plan.Merges = []pluginsdk.Merge{{Path: "m.json", Ops: []pluginsdk.Op{op}}}
			r := run(t, root, Options{}, host)
			if len(r.Hosts[0].Skipped) != 1 || len(r.Hosts[0].Written) != 1 || exists(root, "m.json") {
				t.Errorf("%+v", r)
			}
		})
	}
}

func TestTemporariesOfAKilledRunGo(t *testing.T) {
	root := t.TempDir()
	run(t, root, Options{}, one(ours(".one/agents/sub/a.md", "a\n")))
	write(t, root, ".one/agents/sub/.grimoire-0123456789abcdef.tmp", "half")
	write(t, root, ".one/agents/.grimoire-0123456789abcdee.tmp", "half")
	run(t, root, Options{}, one(ours(".one/agents/b.md", "b\n")))
	if exists(root, ".one/agents/sub/.grimoire-0123456789abcdef.tmp") || exists(root, ".one/agents/.grimoire-0123456789abcdee.tmp") {
		t.Error("a temporary is still there")
	}
}

func TestHostWithoutAPlanIsLeftAlone(t *testing.T) {
	root := t.TempDir()
	a := one(ours(".one/agents/a.md", "a\n"))
	run(t, root, Options{}, a)
	before := snapshot(t, root, true)
	failed := a
	failed.Plan = nil
	if r := run(t, root, Options{Enabled: []string{a.ID()}}, failed, two()); !r.OK() || len(r.Hosts) != 2 {
		t.Errorf("%+v", r)
	}
	sameSnapshot(t, "failed emitter", before, snapshot(t, root, true))
}
