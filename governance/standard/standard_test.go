package standard_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/grimoire-kit/grimoire/core/enrol"
	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/surface"
)

// project makes a project of the files in a txtar archive.
func project(t *testing.T, archive string) *standard.Folder {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		put(t, dir, f.Name, string(f.Data))
	}
	return open(t, dir)
}

func open(t *testing.T, dir string) *standard.Folder {
	t.Helper()
	f, err := standard.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// enrolled is a project as `grimoire standard init` leaves it.
func enrolled(t *testing.T, p surface.Profile, l surface.Language) string {
	t.Helper()
	dir := t.TempDir()
	plan, err := enrol.Prepare(dir, enrol.Options{Profile: p, Project: "demo", Language: l, Now: time.Now()})
	if err != nil {
		t.Fatal(err)
	}
	defer plan.Close()
	if out, err := plan.Apply(); err != nil || len(out.Failed) > 0 {
		t.Fatal(err, out.Failed)
	}
	return dir
}

// A project that was just enrolled follows its profile; what is left are
// warnings about what only people can say.
func TestNewProjectVerifies(t *testing.T) {
	left := []string{
		"providers.none_enabled", "compliance.unknown_status", "compliance.owner_missing",
		"evidence.summary_placeholder", "evidence.inventory_placeholder",
	}
	for _, p := range surface.Profiles {
		for _, l := range []surface.Language{surface.French, surface.English} {
			v := open(t, enrolled(t, p, l)).Verify(standard.Options{})
			if v.Profile != p || !v.OK() {
				t.Errorf("%s, %s: profile %s, missing %v, checks %v", p, l, v.Profile, v.Missing, v.Checks)
			}
			for _, c := range v.Checks {
				if !strings.Contains(strings.Join(left, " "), c.ID) {
					t.Errorf("%s, %s: %s is left: %s", p, l, c.ID, c.Text.EN)
				}
			}
		}
	}
}

// Files as the existing kit writes them, without those that came later and
// with keys that only it knows.
func TestExistingKitsProjectVerifies(t *testing.T) {
	archive, err := os.ReadFile("testdata/existing_kit.txtar")
	if err != nil {
		t.Fatal(err)
	}
	v := project(t, string(archive)).Verify(standard.Options{})
	if v.Profile != surface.ProfileOrchestrated || !v.OK() {
		t.Errorf("profile %s, missing %v, invalid %v, checks %v", v.Profile, v.Missing, v.InvalidYAML, v.Checks)
	}
}

// Any project can be looked at; nothing of it can break the look.
func TestHostileFiles(t *testing.T) {
	secret := t.TempDir()
	put(t, secret, "task-board.yaml", "tasks: [{task_id: secret}]\n")
	for name, make := range map[string]func(dir string) error{
		"a folder in place of a file": func(dir string) error { return os.MkdirAll(filepath.Join(dir, standard.BoardFile), 0o755) },
		"a link out of the project": func(dir string) error {
			return os.Symlink(filepath.Join(secret, "task-board.yaml"), filepath.Join(dir, standard.BoardFile))
		},
		"too large": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, standard.BoardFile), []byte(strings.Repeat("# x\n", 1<<19)), 0o644)
		},
		"anchors that hold themselves": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, standard.BoardFile), []byte("tasks: &a [*a, *a]\nstates: *a\n"), 0o644)
		},
		"a list": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, standard.BoardFile), []byte("- a\n"), 0o644)
		},
		"nothing": func(dir string) error { return os.WriteFile(filepath.Join(dir, standard.BoardFile), nil, 0o644) },
		"no text": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, standard.BoardFile), []byte("\xff\xfe\x00"), 0o644)
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := enrolled(t, surface.ProfileGoverned, surface.English)
			if err := os.Remove(filepath.Join(dir, standard.BoardFile)); err != nil {
				t.Fatal(err)
			}
			if err := make(dir); err != nil {
				t.Fatal(err)
			}
			v := open(t, dir).Verify(standard.Options{})
			if v.OK() {
				t.Error("it verifies")
			}
			for _, c := range v.Checks {
				if strings.Contains(c.Text.EN, "secret") {
					t.Errorf("a file outside was read: %s", c.Text.EN)
				}
			}
			if s := open(t, dir).Score(standard.Options{}); s.OK() || s.Score > 100 || s.Score < 0 {
				t.Errorf("score %d", s.Score)
			}
		})
	}
}

func TestCheckTask(t *testing.T) {
	for id, ok := range map[string]bool{
		"bootstrap": true, "GAO-a.b_c-001": true, "7": true, strings.Repeat("a", 128): true,
		"": false, ".": false, "..": false, "../x": false, "a/b": false, `a\b`: false, "-a": false, "a b": false, "é": false,
		strings.Repeat("a", 129): false,
	} {
		if err := standard.CheckTask(id); (err == nil) != ok {
			t.Errorf("%q: %v", id, err)
		}
	}
}

// A file that names no profile is the weakest one's; one that was meant to name
// another, or cannot be read, is held to be governed and says why.
func TestFollowed(t *testing.T) {
	for text, want := range map[string]string{
		"profile: governed\n":                            "governed true",
		"profile: \" production \"\n":                    "production true",
		"x: &p starter\nprofile: *p\n":                   "starter true",
		"<<: {profile: production}\n":                    "production true",
		"options: {}\nprofile_note: x\n":                 "starter false",
		"profile:\n":                                     "starter false",
		"a: b\nprofile: nope\n":                          "governed false line 2: Unknown profile: \"nope\" (expected one of: starter, controlled, orchestrated, governed, production)",
		"profile: [governed]\n":                          "governed false line 1: profile: one word was expected (starter, controlled, orchestrated, governed, production)",
		"a: b\nProfil: governed\n":                       "governed false line 2: the key profile is missing (is the key \"Profil\" misspelt?)",
		"profile: [\n":                                   "governed false line 1: invalid YAML: a value is missing",
		"profile: starter\nprofile: governed\n":          "governed false line 2: invalid YAML: the key profile is written twice, first on line 1",
		"profile: starter\n---\nprofile: governed\n":     "governed false line 3: invalid YAML: a second YAML document begins here, one was expected: it would not be read",
		"a: b\n<<<<<<< us\nprofile: production\n=======": "governed false line 2: invalid YAML: a git conflict was left here",
		"- profile: starter\n":                           "governed false a mapping was expected",
		"":                                               "governed false empty document",
		"folder":                                         "governed false it is not a regular file",
		"none":                                           "starter false",
	} {
		dir := t.TempDir()
		switch text {
		case "folder":
			put(t, dir, standard.ProfileFile+"/x", "")
		case "none":
		default:
			put(t, dir, standard.ProfileFile, text)
		}
		w := open(t, dir).Followed()
		if got := strings.TrimSpace(fmt.Sprint(w.Profile, " ", w.Declared, " ", w.Placed().EN)); got != want {
			t.Errorf("%q: %s\nwant %s", text, got, want)
		}
	}
}

// Weights add up to 124. An error costs its dimension and no other; a journal that is broken costs
// its own, and the project still follows its profile.
func TestScore(t *testing.T) {
	for _, tt := range []struct {
		name, path, old, new string
		dimension            string
		earned, score        int
		ok                   bool
	}{
		{"as it is", "", "", "", "provider_policy", 10, 100, true},
		{"a warning", providers, "require_data_policy_match: true", "", "provider_policy", 5, 95, true},
		{"an error", standard.BoardFile, "status: proposed", "status: done", "task_board", 0, 91, false},
		{"a missing file", "", "", "", "artifacts", 0, 91, false},
		{"a broken journal", standard.JournalFile, "", "{\n", "runtime_journal", 0, 96, true},
		{"own weights", score, "", "dimensions: {runtime_journal: 4, other: 6}\nthresholds: {governed: {fail_below: 100}}\n", "runtime_journal", 4, 100, true},
	} {
		dir := enrolled(t, surface.ProfileGoverned, surface.English)
		put(t, dir, standard.JournalFile, `{"event_type":"x","timestamp":"y"}`+"\n")
		put(t, dir, evidence+"evidence-pack.md", "- Outcome: x\n")
		put(t, dir, declared, "environment workspace telemetry\n")
		damage(t, dir, providers, "enabled: false\n    provider_type: local", "enabled: true\n    provider_type: local")
		damage(t, dir, providers, "default_models: []\n    data_policy:\n      allowed_data_classes: [public, internal, confidential]", "default_models: [m]\n    data_policy: {}")
		damage(t, dir, providers, "      forbidden_data_classes: [secrets, credentials]\n", "")
		damage(t, dir, providers, "default_provider: ''", "default_provider: local")
		if tt.path != "" {
			damage(t, dir, tt.path, tt.old, tt.new)
		} else if tt.score < 100 {
			if err := os.Remove(filepath.Join(dir, filepath.FromSlash(brief))); err != nil {
				t.Fatal(err)
			}
		}
		s := open(t, dir).Score(standard.Options{})
		earned := -1
		for _, d := range s.Dimensions {
			if d.Name == tt.dimension {
				earned = d.Earned
			}
		}
		if earned != tt.earned || s.Score != tt.score || s.OK() != tt.ok {
			t.Errorf("%s: %s earned %d, score %d, ok %t; want %d, %d, %t: %+v", tt.name, tt.dimension, earned, s.Score, s.OK(), tt.earned, tt.score, tt.ok, s.Verification.Checks)
		}
	}
}
