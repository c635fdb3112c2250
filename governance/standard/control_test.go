package standard_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/surface"
)

// Every check of every control counts in the score, and no control's checks
// are taken for another one's.
func TestControlsCount(t *testing.T) {
	if n := len(standard.Patterns()); n != 21 {
		t.Errorf("%d patterns", n)
	}
	families := map[string]bool{}
	for _, c := range standard.Controls() {
		if families[c.Family] || c.About.FR == "" || c.About.EN == "" {
			t.Errorf("%+v", c)
		}
		families[c.Family] = true
		for _, id := range c.Checks() {
			if !standard.Counts(id) {
				t.Errorf("%s counts in no dimension of the score", id)
			}
		}
	}
	for _, n := range standard.Needs() {
		if n.About.FR == "" || n.About.EN == "" || n.Profile.Rank() < 0 || len(n.Patterns) == 0 {
			t.Errorf("%+v", n)
		}
		for _, p := range n.Patterns {
			if _, ok := standard.FindPattern(p); !ok {
				t.Errorf("%s: there is no pattern %s", n.ID, p)
			}
		}
	}
	// Each pattern answers a need.
	var all standard.Selection
	for _, n := range standard.Needs() {
		all.Needs = append(all.Needs, n.ID)
	}
	if len(all.Controls()) != len(standard.Patterns()) {
		t.Errorf("the needs lead to %d patterns of %d", len(all.Controls()), len(standard.Patterns()))
	}
}

func TestSelect(t *testing.T) {
	s, err := standard.Select([]string{" Multi_Agent", "multi-agent", ""}, []string{"K8S-agent-manifest"}, []string{"redis"})
	if err != nil || !slices.Equal(s.Needs, []string{"multi-agent"}) || !slices.Equal(s.Patterns, []string{"k8s_agent_manifest"}) || !slices.Equal(s.Memory, []string{"redis"}) {
		t.Errorf("%+v, %v", s, err)
	}
	if s.Profile() != surface.ProfileOrchestrated || len(s.Controls()) != 4 {
		t.Errorf("%s, %v", s.Profile(), s.Controls())
	}
	for _, word := range []string{"../../etc/passwd", "tool_registry", "mission_brief", "x\n- Selected profile: `production`", "\x1b[2J", "$(rm -rf .)", strings.Repeat("a", 1<<16)} {
		for i := range 3 {
			var words [3][]string
			words[i] = []string{word}
			_, err := standard.Select(words[0], words[1], words[2])
			var unknown *standard.WordError
			if !errors.As(err, &unknown) {
				t.Fatalf("%q: %v", word, err)
			}
			if text := unknown.Text(); strings.ContainsAny(text.EN+text.FR, "\x1b\n") {
				t.Errorf("%q", text.EN)
			}
		}
	}
}

// What was selected and is gone is missing; what a record of someone else's
// names leads nowhere.
func TestSelectionIsVerified(t *testing.T) {
	dir := enrolled(t, surface.ProfileStarter, surface.English)
	put(t, dir, standard.SelectionFile, "needs: [web-ui, ../../etc]\npatterns: [merge-lane, tool_registry]\nmemory: [paper]\n")
	v := open(t, dir).Verify(standard.Options{})
	var missing []string
	for _, name := range []string{"merge-lane", "visual-evidence", "browser-tool-contract"} {
		missing = append(missing, standard.Dir+"/"+name+".yaml")
	}
	if !slices.Equal(v.Missing, missing) {
		t.Errorf("missing %v", v.Missing)
	}
	strange := 0
	for _, c := range v.Checks {
		if c.ID == "manifest.selection_unknown" {
			strange++
		}
	}
	if strange != 3 {
		t.Errorf("%v", v.Checks)
	}
}

// A file of a control is hostile like any other.
func TestHostileControls(t *testing.T) {
	many := "&m [" + strings.Repeat("fly, ", 1_000) + "read]"
	for name, text := range map[string]string{
		"aliases":       "x-many: " + many + "\nboundaries: [" + strings.Repeat("&b {role: a, may: *m}, ", 1) + strings.Repeat("*b, ", 1_000) + "]\n",
		"more aliases":  "x-many: " + many + "\nboundaries:\n" + strings.Repeat("  - {role: a, may: *m}\n", 1_000),
		"holds itself":  "boundaries: &a [*a, *a]\n",
		"a cycle":       "boundaries: &a [{role: a, may: [*a]}]\n",
		"a list":        "- a\n",
		"keys twice":    "default: read\ndefault: none\n",
		"keys that are": "? [a]\n: b\n? {c: d}\n: e\n",
		"binary":        "\xff\xfe\x00",
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			put(t, dir, standard.Dir+"/privilege-boundary.yaml", text)
			v := open(t, dir).Verify(standard.Options{})
			found := 0
			for _, c := range v.Checks {
				if strings.HasSuffix(c.Path, "privilege-boundary.yaml") {
					found++
				}
			}
			if found == 0 || found > 10_000 {
				t.Errorf("%d findings", found)
			}
		})
	}
}

// A selection that is broken is named with its line, and is not taken for
// none.
func TestBrokenSelection(t *testing.T) {
	for text, want := range map[string]string{
		"needs: [\n":                       "line",
		"metadata: {}\nneeds: multi-agent": "install-manifest.yaml:2: needs must be a list",
		"- a\n":                            "a mapping was expected",
	} {
		dir := t.TempDir()
		put(t, dir, standard.SelectionFile, text)
		_, err := open(t, dir).Selection()
		var broken *standard.SelectionError
		if !errors.As(err, &broken) || !strings.Contains(broken.Why.EN, want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, filepath.FromSlash(standard.SelectionFile)), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := open(t, dir).Selection(); err == nil {
		t.Error("a folder is taken for no selection")
	}
}

// What another kit wrote under these names weighs nothing: its format is its
// own, and its record binds to nothing.
func TestAnotherKitsControls(t *testing.T) {
	dir := enrolled(t, surface.ProfileGoverned, surface.English)
	before := open(t, dir).Score(standard.Options{})
	for _, c := range standard.Controls() {
		put(t, dir, c.Path(), "$schema: grimoire-agentic-standard-"+c.Name()+"/v1\nrules: [{surprise: true}]\n")
	}
	if err := os.Remove(filepath.Join(dir, filepath.FromSlash(standard.Dir+"/merge-lane.yaml"))); err != nil {
		t.Fatal(err)
	}
	put(t, dir, standard.SelectionFile, "$schema: grimoire-agentic-standard-install-manifest/v1\nneeds: [multi-agent, theirs]\npatterns: {a: b}\n")
	f := open(t, dir)
	after := f.Score(standard.Options{})
	if v := after.Verification; !v.OK() || after.Score != before.Score || v.Warnings() != before.Verification.Warnings() {
		t.Errorf("score %d, was %d: %v, %v", after.Score, before.Score, v.Missing, v.Checks)
	}
	said := 0
	for _, c := range after.Verification.Checks {
		if c.Severity == standard.Info {
			said++
		}
	}
	if want := len(standard.Controls()) - 1 + 3; said != want {
		t.Errorf("%d remarks, want %d: %v", said, want, after.Verification.Checks)
	}
	if s, err := f.Selection(); err != nil || len(s.Controls()) != 3 {
		t.Errorf("%+v, %v", s, err)
	}
}
