package sync

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/core/managed"
	"github.com/grimoire-kit/grimoire/pluginsdk"
)

func remove(t testing.TB, root string, opt Options, host HostPlan, remaining ...HostPlan) *Report {
	t.Helper()
	set, err := Remove(root, host, remaining, opt)
	if err != nil {
		t.Fatal(err)
	}
	return apply(t, set)
}

func TestRemoveLeavesNoTrace(t *testing.T) {
	for name, have := range map[string]string{
		"none":    "-",
		"spaces":  "{ \"model\" : \"x\" }",
		"comment": "// top\n{\n\t\"permissions\": { \"deny\": [ \"Read(./**/.env)\" ], }, // mine\n}\n",
		"CRLF":    "{\r\n  \"hooks\": {\"PreToolUse\": [{\"matcher\":\"Bash|Edit\",\"hooks\":[{\"type\":\"command\",\"command\":\"./mine.sh\"}]}]}\r\n}",
		"BOM":     "\ufeff{}\n",
		"empty":   "",
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			write(t, root, "README.md", "mine\n")
			if have != "-" {
				write(t, root, ".one/settings.json", have)
				write(t, root, ".one/agents/mine.md", "mine\n")
			}
			before := snapshot(t, root, false)
			host := one(ours(".one/agents/scribe.md", "x\n"), ours(".one/agents/sub/deep/a.md", "x\n"), entry("ONE.md", "# One\n"))
			if r := run(t, root, Options{}, host); !r.OK() || len(r.Hosts[0].Written) != 4 {
				t.Fatalf("%+v", r)
			}
			if r := remove(t, root, Options{}, host); !r.OK() {
				t.Fatalf("%+v", r)
			}
			sameSnapshot(t, "after removal", before, snapshot(t, root, false))
		})
	}
}

func TestRemoveKeepsWhatOthersHold(t *testing.T) {
	root := t.TempDir()
	shared := ours("shared/s.md", "s\n")
	a, b := one(shared), two(shared, ours(".two/b.md", "b\n"))
	other := settings()
	other.Ops = []pluginsdk.Op{{Kind: pluginsdk.OpEnsureString, Path: []string{"permissions", "deny"}, Value: raw(`"Read(./two)"`)}}
	b.Plan.Merges = []pluginsdk.Merge{other}
	run(t, root, Options{}, a, b)
	r := remove(t, root, Options{}, a, b)
	if notes := r.Hosts[0].Notes; len(notes) != 1 || notes[0].Path != "shared/s.md" || !strings.Contains(notes[0].Reason.EN, "host-two, which is enabled, holds it too") {
		t.Errorf("what stays: %+v", notes)
	}
	got := read(t, root, ".one/settings.json")
	if !exists(root, "shared/s.md") || !strings.Contains(got, "Read(./two)") || strings.Contains(got, "grimoire-hook") || strings.Contains(got, ".env") {
		t.Fatalf("settings %s", got)
	}
	remove(t, root, Options{}, b)
	if names, _ := os.ReadDir(root); len(names) > 0 {
		t.Errorf("left %v, record %s", names, read(t, root, managed.RecordPath))
	}
}

func TestRemoveKeepsEditsAndTheUsersFiles(t *testing.T) {
	root := t.TempDir()
	host := one(ours(".one/agents/a.md", "a\n"), ours(".one/agents/mine.md", "x\n"))
	write(t, root, ".one/agents/mine.md", "mine\n")
	run(t, root, Options{}, host)
	write(t, root, ".one/agents/a.md", read(t, root, ".one/agents/a.md")+"edited\n")
	gone := string(ours(".one/agents/gone.md", "of a persona that is gone\n").Content)
	write(t, root, ".one/agents/gone.md", gone)
	r := remove(t, root, Options{}, host)
	if len(r.Hosts[0].Skipped) != 1 || r.Hosts[0].Skipped[0].Path != ".one/agents/a.md" || exists(root, ".one/agents/gone.md") {
		t.Fatalf("%+v", r)
	}
	r = remove(t, root, Options{Force: true}, host)
	if !r.OK() || exists(root, ".one/agents/a.md") || read(t, root, ".one/agents/mine.md") != "mine\n" || len(r.Hosts[0].Edited) != 1 {
		t.Fatalf("%+v", r)
	}
}

func TestRemoveWithoutARecord(t *testing.T) {
	root := t.TempDir()
	write(t, root, ".one/settings.json", "{\"a\": 1}\n")
	host := one()
	run(t, root, Options{}, host)
	if err := os.Remove(filepath.Join(root, managed.RecordPath)); err != nil {
		t.Fatal(err)
	}
	remove(t, root, Options{}, host)
	if got := read(t, root, ".one/settings.json"); strings.Contains(got, "grimoire-hook") || !strings.Contains(got, `"a": 1`) {
		t.Errorf("settings %s", got)
	}
}

// What is ours is in a record that cannot be read: nothing of the user's is
// touched, and the record least of all.
func TestRecordThatCannotBeRead(t *testing.T) {
	for _, broken := range []string{"<<<<<<< ours\n", `{"version":2}`, `{"version":1,"merges":{"../x":{"values":{}}}}`, `{"version":1,"directories":["/"]}`, ""} {
		root := t.TempDir()
		write(t, root, ".one/settings.json", "{\"a\": 1}\n")
		host := one(ours(".one/agents/a.md", "a\n"))
		run(t, root, Options{}, host)
		settings := read(t, root, ".one/settings.json")
		write(t, root, managed.RecordPath, broken)
		if err := os.Remove(filepath.Join(root, ".one/agents/a.md")); err != nil {
			t.Fatal(err)
		}

		set := prepare(t, root, Options{Force: true}, host)
		r := apply(t, set)
		if len(set.Warnings) != 1 || r.OK() || len(r.Hosts[0].Skipped) != 1 || !strings.Contains(r.Hosts[0].Skipped[0].Reason.EN, managed.RecordPath) {
			t.Errorf("%q: sync: %+v, %+v", broken, set.Warnings, r)
		}
		if !exists(root, ".one/agents/a.md") {
			t.Errorf("%q: a whole file of ours was not written", broken)
		}
		set, err := Remove(root, host, nil, Options{Force: true})
		if err != nil {
			t.Fatal(err)
		}
		if r := apply(t, set); r.OK() || exists(root, ".one/agents/a.md") {
			t.Errorf("%q: remove: %+v", broken, r)
		}
		if read(t, root, managed.RecordPath) != broken || read(t, root, ".one/settings.json") != settings {
			t.Errorf("%q: record %q, settings %s", broken, read(t, root, managed.RecordPath), read(t, root, ".one/settings.json"))
		}
	}
}

func TestRecordClaimsOnlyWhatOurTablesHold(t *testing.T) {
	root := t.TempDir()
	write(t, root, ".one/settings.json", `{"permissions":{"deny":["Read(./mine)"]},"model":"x"}`)
	write(t, root, managed.RecordPath, `{"version":1,"directories":["docs"],"merges":{".one/settings.json":{"hosts":["host-one"],"values":{"strings":{"/permissions/deny":["Read(./mine)"]},"keys":["/model"]}}}}`)
	write(t, root, "docs/mine.md", "mine\n")
	run(t, root, Options{}, one())
	remove(t, root, Options{}, one())
	if got := read(t, root, ".one/settings.json"); got != `{"permissions":{"deny":["Read(./mine)"]},"model":"x"}` {
		t.Errorf("settings %s", got)
	}
	if !exists(root, "docs/mine.md") {
		t.Error("a directory with a file in it is gone")
	}
}

func TestRemoveIsRefusedWhereTheShapeIsNotUnderstood(t *testing.T) {
	root := t.TempDir()
	write(t, root, ".one/settings.json", `{"hooks": `)
	set, err := Remove(root, one(), nil, Options{Force: true})
	if err != nil {
		t.Fatal(err)
	}
	if c := change(t, set, ".one/settings.json"); c.Action != Refused || !strings.Contains(c.Reason.FR, "ligne 1") {
		t.Fatalf("%s %q", c.Action, c.Reason.FR)
	}
	if r := apply(t, set); r.OK() {
		t.Error("reported as done")
	}
	if _, err := os.Stat(filepath.Join(root, ".one/settings.json")); err != nil {
		t.Error(err)
	}
}

// A hook file of ours in which somebody put a hook of theirs still runs ours: ours
// leaves it, and every byte of theirs stays. Where it cannot, the file is named,
// never left behind in silence.
func TestOursLeavesAHookFileThatIsShared(t *testing.T) {
	file := pluginsdk.File{Path: ".two/grimoire-stop.json", Content: []byte(hookFile), Ownership: pluginsdk.OwnedByHooks}
	host := two(file)
	mixed := strings.Replace(hookFile, `"hooks": [{`, `"hooks": [{"type": "command", "command": "./mine.sh"}, {`, 1)
	theirs := strings.Replace(hookFile, `"hooks": [{"type": "command", "command": "grimoire-hook --host two --event PreToolUse", "timeout": 10}]`, `"hooks": [{"type": "command", "command": "./mine.sh"}]`, 1)
	entangled := strings.Replace(hookFile, `"timeout"`, `"powershell": "./mine.ps1", "timeout"`, 1)
	for have, want := range map[string]string{mixed: theirs, entangled: ""} {
		for what, take := range map[string]func(root string) *Report{
			"prune": func(root string) *Report {
				orphans, err := Orphans(root, []HostPlan{host}, nil)
				if err != nil || len(orphans) != 1 || !orphans[0].Edited {
					t.Errorf("orphans %+v, %v", orphans, err)
				}
				set, err := Prune(root, orphans, nil, Options{})
				if err != nil {
					t.Fatal(err)
				}
				return apply(t, set)
			},
			"remove": func(root string) *Report { return remove(t, root, Options{}, host) },
		} {
			root := t.TempDir()
			run(t, root, Options{}, host)
			write(t, root, file.Path, have)
			write(t, root, ".two/mine.json", have) // the user's own by its name
			if r := run(t, root, Options{}, host); len(r.Hosts[0].Skipped) != 1 {
				t.Errorf("sync: %+v", r)
			}
			h := take(root).Hosts[0]
			switch {
			case want == "" && (len(h.Skipped) != 1 || h.Skipped[0].Path != file.Path || !strings.Contains(h.Skipped[0].Reason.EN, "they still run")):
				t.Errorf("%s: %+v", what, h)
			case want != "" && (len(h.Skipped)+len(h.Edited) != 0 || len(h.Written) != 1 || len(h.Notes) != 1):
				t.Errorf("%s: %+v", what, h)
			}
			if got := read(t, root, file.Path); got != cmp.Or(want, have) || read(t, root, ".two/mine.json") != have {
				t.Errorf("%s: the file is\n%s", what, got)
			}
			if orphans, _ := Orphans(root, []HostPlan{host}, nil); want != "" && len(orphans) != 0 {
				t.Errorf("%s: left behind %+v", what, orphans)
			}
		}
	}
}

func TestBlankSettings(t *testing.T) {
	settings := func() HostPlan {
		h := one()
		h.Plan.Merges = []pluginsdk.Merge{{Path: ".one/settings.json", Ops: []pluginsdk.Op{{Kind: pluginsdk.OpEnsureString, Path: []string{"instructions"}, Value: raw(`"X.md"`)}}}}
		return h
	}()
	for _, have := range []string{"", "\n", " \t\r\n", "\ufeff", "\ufeff\n"} {
		root := t.TempDir()
		write(t, root, ".one/settings.json", have)
		if r := run(t, root, Options{}, settings); !r.OK() || len(r.Hosts[0].Written) != 1 {
			t.Fatalf("%q: %+v", have, r)
		}
		if set := prepare(t, root, Options{}, settings); set.Drift() {
			t.Errorf("%q: the second run: %+v", have, set.Preview())
		}
		remove(t, root, Options{}, settings)
		if got := read(t, root, ".one/settings.json"); got != "" {
			t.Errorf("%q: after removal %q", have, got)
		}
	}
	root := t.TempDir()
	write(t, root, ".one/settings.json", "\n")
	before := snapshot(t, root, true)
	remove(t, root, Options{}, settings)
	sameSnapshot(t, "a removal with nothing to remove", before, snapshot(t, root, true))
	for _, have := range []string{"// later\n", "/* later */"} {
		write(t, root, ".one/settings.json", have)
		r := run(t, root, Options{}, settings)
		if p := r.Hosts[0].Skipped; len(p) != 1 || !p[0].Refused || !strings.Contains(p[0].Reason.EN, "comment") {
			t.Errorf("%q: %+v", have, r)
		}
	}
}
