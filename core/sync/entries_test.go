package sync

import (
	"fmt"
	"strings"
	"testing"
)

func TestEntriesOfADisabledHost(t *testing.T) {
	root := t.TempDir()
	write(t, root, ".one/settings.json", `{"permissions": {"deny": ["Read(./mine)"]}}`)
	run(t, root, Options{}, one())
	got, err := EntriesOf(root, []HostPlan{one()}, []HostPlan{two()})
	if err != nil || len(got) != 1 || fmt.Sprint(got[0]) != "{.one/settings.json host-one [$.hooks.PreToolUse[0].hooks[0] $.permissions.deny[1]]}" {
		t.Fatalf("%v, %v", got, err)
	}
	e, err := Why(root, ".one/settings.json", []HostPlan{two()}, []HostPlan{one()}, Options{})
	if err != nil || e.State != Orphan || e.Kind != Merged || len(e.Entries) != 2 || !strings.Contains(e.Reason.EN, "`grimoire host remove one`") {
		t.Errorf("%+v, %v", e, err)
	}
	// One that cannot run any more has left its entries in the record alone.
	bare := HostPlan{Profile: one().Profile}
	bare.Profile.Merges = nil
	if got, err := EntriesOf(root, []HostPlan{bare}, nil); err != nil || len(got) != 1 || len(got[0].Entries) != 2 {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := EntriesOf(root, nil, []HostPlan{one()}); err != nil || len(got) != 0 {
		t.Errorf("an enabled host: %v, %v", got, err)
	}
	remove(t, root, Options{}, one())
	if got, err := EntriesOf(root, []HostPlan{one()}, nil); err != nil || len(got) != 0 {
		t.Errorf("removed: %v, %v", got, err)
	}
}

// A change of ours that somebody made by hand is put back, and said; one that
// comes from the project is not an edit.
func TestEditedEntries(t *testing.T) {
	root := t.TempDir()
	write(t, root, ".one/settings.json", `{"permissions": {"deny": ["Read(./mine)"]}}`)
	host := one()
	run(t, root, Options{}, host)
	good := read(t, root, ".one/settings.json")
	for what, tt := range map[string]struct{ old, with, want string }{
		"a time limit":      {`"timeout":10`, `"timeout":1`, "[$.hooks.PreToolUse[0].hooks[0]]"},
		"a matcher":         {"Bash|Edit", "Bash", "[$.hooks.PreToolUse[0].hooks[0]]"},
		"a rule taken out":  {`, "Read(./**/.env)"`, "", "[$.permissions.deny[1]]"},
		"nothing but space": {"{", "{ ", "[]"},
	} {
		t.Run(what, func(t *testing.T) {
			compact := strings.NewReplacer(`": `, `":`)
			edited := strings.Replace(good, tt.old, tt.with, 1)
			if edited == good {
				edited = strings.Replace(compact.Replace(good), tt.old, tt.with, 1)
			}
			write(t, root, ".one/settings.json", edited)
			h := run(t, root, Options{}, host).Hosts[0]
			if got := fmt.Sprint(h.Entries[".one/settings.json"]); got != tt.want {
				t.Errorf("entries %s, want %s: %+v in %s", got, tt.want, h, edited)
			}
			if (len(h.Edited) == 1) != (tt.want != "[]") {
				t.Errorf("edited %v", h.Edited)
			}
		})
	}
	write(t, root, ".one/settings.json", good)
	run(t, root, Options{}, host)
	matcher := "Bash"
	host.Plan.Merges[0].Ops[1].Matcher = &matcher
	if h := run(t, root, Options{}, host).Hosts[0]; len(h.Written) != 1 || len(h.Edited) != 0 {
		t.Errorf("a new matcher: %+v", h)
	}
}

func TestReplacedFilesAreNamed(t *testing.T) {
	root := t.TempDir()
	write(t, root, ".one/agents/mine.md", "mine\n")
	host := one(ours(".one/agents/mine.md", "ours\n"), ours(".one/agents/new.md", "ours\n"))
	set := prepare(t, root, Options{Force: true}, host)
	for what, r := range map[string]*Report{"would be": set.Preview(), "were": apply(t, set)} {
		if fmt.Sprint(r.Hosts[0].Replaced) != "[.one/agents/mine.md]" {
			t.Errorf("%s replaced: %+v", what, r)
		}
	}
	if r := run(t, root, Options{Force: true}, host); len(r.Hosts[0].Replaced) != 0 {
		t.Errorf("again: %+v", r)
	}
}
