package sync

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/pluginsdk"
)

func paths(list []Leftover) string {
	var out []string
	for _, l := range list {
		p := l.Host + ":" + l.Path
		if l.Edited {
			p += "*"
		}
		out = append(out, p)
	}
	return strings.Join(out, " ")
}

func TestOrphansAndPrune(t *testing.T) {
	root := t.TempDir()
	shared := ours("shared/s.md", "s\n")
	gone := two(shared, entry("TWO.md", "two\n"), ours(".two/mine.md", "x\n"), ours(".two/edited.md", "x\n"),
		pluginsdk.File{Path: ".two/hooks.json", Content: []byte(hookFile), Ownership: pluginsdk.OwnedByHooks})
	gone.Plan.Merges = []pluginsdk.Merge{{Path: "two.json", Ops: []pluginsdk.Op{{Kind: pluginsdk.OpEnsureString, Path: []string{"instructions"}, Value: raw(`"X.md"`)}}}}
	stays := one(shared)
	write(t, root, ".two/mine.md", "mine\n")
	run(t, root, Options{}, stays, gone)
	write(t, root, ".two/edited.md", read(t, root, ".two/edited.md")+"by hand\n")

	orphans, err := Orphans(root, []HostPlan{gone}, []HostPlan{stays})
	if err != nil || paths(orphans) != "host-two:TWO.md host-two:.two/edited.md* host-two:.two/hooks.json" {
		t.Fatalf("%v %s", err, paths(orphans))
	}
	before := snapshot(t, root, true)
	set, err := Prune(root, orphans, []HostPlan{stays}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if p := set.Preview().Hosts[0]; fmt.Sprint(p.Deleted) != "[.two/hooks.json TWO.md]" || len(p.Skipped) != 1 {
		t.Errorf("preview %+v", p)
	}
	sameSnapshot(t, "preview", before, snapshot(t, root, true))
	if r := apply(t, set); fmt.Sprint(r.Hosts[0].Deleted) != "[.two/hooks.json TWO.md]" || r.OK() {
		t.Errorf("%+v", r)
	}
	for _, p := range []string{"shared/s.md", ".two/mine.md", ".two/edited.md", "two.json"} {
		if !exists(root, p) {
			t.Errorf("%s is gone", p)
		}
	}
	set, _ = Prune(root, orphans, []HostPlan{stays}, Options{Force: true})
	if r := apply(t, set); fmt.Sprint(r.Hosts[0].Deleted) != "[.two/edited.md]" || !r.OK() {
		t.Errorf("%+v", r)
	}
}

func TestPruneBelievesNoList(t *testing.T) {
	root := t.TempDir()
	stays := one(ours(".one/agents/a.md", "a\n"))
	run(t, root, Options{}, stays)
	write(t, root, "mine.md", "mine\n")
	link(t, root, ".one/agents/a.md", "alias.md")
	var list []Leftover
	for _, p := range []string{"mine.md", ".one/agents/a.md", ".ONE/agents/A.md", "alias.md", "../x.md", "absent.md", ".one/settings.json"} {
		list = append(list, Leftover{Path: p, Host: "host-two"})
	}
	set, err := Prune(root, list, []HostPlan{stays}, Options{Force: true})
	if err != nil || len(set.Changes) != 0 {
		t.Fatalf("%v %+v", err, set.Changes)
	}
}

func TestWhatAFailedHostMayHoldStays(t *testing.T) {
	root := t.TempDir()
	gone := one(ours("shared/s.md", "s\n"))
	gone.Profile.Owns = append(gone.Profile.Owns, "shared/")
	failed := two()
	failed.Plan = nil
	run(t, root, Options{}, gone)
	write(t, root, "shared/t.md", string(ours("shared/t.md", "t\n").Content))
	orphans, err := Orphans(root, []HostPlan{gone}, []HostPlan{failed})
	if err != nil || len(orphans) != 0 {
		t.Errorf("orphans %v, %s", err, paths(orphans))
	}
	if stale, err := Stale(root, []HostPlan{gone, failed}); err != nil || len(stale) != 0 {
		t.Errorf("stale %v, %s", err, paths(stale))
	}
	remove(t, root, Options{}, gone, failed)
	if !exists(root, "shared/s.md") || !exists(root, "shared/t.md") {
		t.Error("a shared file is gone")
	}
}

func TestStale(t *testing.T) {
	root := t.TempDir()
	host := one(ours(".one/agents/a.md", "a\n"), ours(".one/agents/b/c.md", "c\n"))
	run(t, root, Options{}, host)
	write(t, root, ".one/agents/gone.md", string(ours(".one/agents/gone.md", "g\n").Content))
	write(t, root, ".one/agents/edited.md", string(ours(".one/agents/edited.md", "g\n").Content)+"more\n")
	write(t, root, ".one/agents/old.json", hookFile)
	write(t, root, ".one/agents/mine.md", "mine\n")
	write(t, root, ".one/elsewhere.md", string(ours(".one/elsewhere.md", "g\n").Content))
	write(t, root, ".one/agents/tree/.git", "gitdir: x\n")
	write(t, root, ".one/agents/tree/gone.md", string(ours("gone.md", "g\n").Content))
	stale, err := Stale(root, []HostPlan{host})
	if err != nil || paths(stale) != "host-one:.one/agents/edited.md* host-one:.one/agents/gone.md host-one:.one/agents/old.json" {
		t.Fatalf("%v %s", err, paths(stale))
	}
}

func TestWhy(t *testing.T) {
	root := t.TempDir()
	host := one(ours(".one/agents/a.md", "a\n"), ours(".one/agents/new.md", "n\n"), ours(".one/agents/edited.md", "e\n"),
		ours(".one/agents/old.md", "o\n"), ours(".one/agents/mine.md", "x\n"), entry("ONE.md", "one\n"))
	run(t, root, Options{}, one(host.Plan.Files[0]))
	write(t, root, ".one/agents/edited.md", string(ours("x.md", "e\n").Content)+"more\n")
	write(t, root, ".one/agents/old.md", string(ours("x.md", "older\n").Content))
	write(t, root, ".one/agents/mine.md", "mine\n")
	write(t, root, ".one/agents/gone.md", string(ours("x.md", "g\n").Content))
	write(t, root, "ONE.md", "mine\n")
	write(t, root, "README.md", "mine\n")
	link(t, root, ".one/agents/a.md", "alias.md")
	tests := []struct {
		path  string
		state State
		kind  Kind
	}{
		{".one/agents/a.md", InSync, WholeFile},
		{"./.one/agents/../agents/a.md", InSync, WholeFile},
		{filepath.Join(root, ".one/agents/a.md"), InSync, WholeFile},
		{"alias.md", InSync, WholeFile},
		{".one/agents/new.md", Missing, WholeFile},
		{".one/agents/edited.md", Edited, WholeFile},
		{".one/agents/old.md", Outdated, WholeFile},
		{".one/agents/mine.md", Theirs, WholeFile},
		{".one/agents/gone.md", Orphan, WholeFile},
		{".one/settings.json", InSync, Merged},
		{"ONE.md", Theirs, WholeFile},
		{"README.md", Theirs, ""},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			e, err := Why(root, tt.path, []HostPlan{host}, nil, Options{Force: true})
			if err != nil || e.State != tt.state || e.Kind != tt.kind {
				t.Fatalf("%+v, %v", e, err)
			}
			switch {
			case tt.kind == Merged && fmt.Sprint(e.Entries) != "[$.hooks.PreToolUse[0].hooks[0] $.permissions.deny[0]]":
				t.Errorf("entries %v", e.Entries)
			case tt.state == Orphan && fmt.Sprint(e.Hosts) != "[host-one]":
				t.Errorf("hosts %v", e.Hosts)
			case tt.kind == WholeFile && tt.state != Orphan && fmt.Sprint(e.Sources) != "[_grimoire/kit/agents/scribe.md]":
				t.Errorf("sources %v", e.Sources)
			}
		})
	}
	if e, err := Why(root, "ONE.md", []HostPlan{host}, nil, Options{EntrySections: true}); err != nil || e.State != Outdated || e.Kind != Section {
		t.Errorf("section: %+v, %v", e, err)
	}
	for _, p := range []string{"absent.md", "/etc/passwd", "../x", ".git/config"} {
		if e, err := Why(root, p, []HostPlan{host}, nil, Options{}); err == nil {
			t.Errorf("%s: %+v", p, e)
		}
	}
}

func TestCaseOnlyRename(t *testing.T) {
	root := t.TempDir()
	run(t, root, Options{}, one(ours(".one/agents/Scribe.md", "old\n")))
	renamed := []HostPlan{one(ours(".one/agents/scribe.md", "new\n"))}
	want := ""
	if !exists(root, ".one/agents/scribe.md") { // a disk that tells case apart
		want = "host-one:.one/agents/Scribe.md"
	}
	for _, when := range []string{"before the sync", "after it"} {
		stale, err := Stale(root, renamed)
		if err != nil || paths(stale) != want {
			t.Errorf("%s: %v, stale %q, want %q", when, err, paths(stale), want)
		}
		run(t, root, Options{}, renamed...)
	}
	stale, err := Stale(root, renamed)
	if err != nil {
		t.Fatal(err)
	}
	set, err := Prune(root, stale, renamed, Options{})
	if err != nil {
		t.Fatal(err)
	}
	apply(t, set)
	if got := read(t, root, ".one/agents/scribe.md"); !strings.Contains(got, "new") {
		t.Errorf("file is %q", got)
	}
	if want != "" && exists(root, ".one/agents/Scribe.md") {
		t.Error("the old spelling is still there")
	}
}
