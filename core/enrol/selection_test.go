package enrol_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/core/enrol"
	"github.com/grimoire-kit/grimoire/core/tree"
	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/surface"
)

const lane = standard.Dir + "/merge-lane.yaml"

func selecting(patterns ...string) standard.Selection { return standard.Selection{Patterns: patterns} }

// A pattern follows the rules of the record of generation like any file.
func TestPatternFollowsTheRecord(t *testing.T) {
	dir := t.TempDir()
	_, out := run(t, dir, enrol.Options{Selection: selecting("merge_lane")})
	if !slices.Contains(out.Written, lane) || !slices.Contains(out.Written, standard.SelectionFile) {
		t.Fatalf("written %v", out.Written)
	}
	if slices.Index(out.Written, standard.SelectionFile) > slices.Index(out.Written, lane) {
		t.Errorf("the choice is recorded after what it leads to: %v", out.Written)
	}
	// Nobody's change: it follows the project's name.
	if _, out := run(t, dir, enrol.Options{Project: "renamed"}); !slices.Contains(out.Written, lane) {
		t.Errorf("written %v", out.Written)
	}
	mine := edit(t, dir, lane, func(s string) string { return s + "x-ours: 1\n" })
	p, _ := run(t, dir, enrol.Options{Project: "again"})
	if read(t, dir, lane) != mine || !slices.ContainsFunc(p.Kept(), func(f enrol.File) bool { return f.Path == lane }) {
		t.Errorf("kept %v:\n%s", p.Kept(), read(t, dir, lane))
	}
	if run(t, dir, enrol.Options{MissingOnly: true}); read(t, dir, lane) != mine {
		t.Error("fix touched it")
	}
	if run(t, dir, enrol.Options{Force: true}); read(t, dir, lane) == mine {
		t.Error("force left it")
	}
	// One that was there first is the team's.
	council := standard.Dir + "/decision-council.yaml"
	if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(council)), []byte("quorum: 1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if run(t, dir, enrol.Options{Selection: selecting("decision_council")}); read(t, dir, council) != "quorum: 1\n" {
		t.Error(read(t, dir, council))
	}
}

// To prepare writes nothing, whatever is asked for.
func TestPrepareWritesNothing(t *testing.T) {
	dir := t.TempDir()
	var all standard.Selection
	for _, n := range standard.Needs() {
		all.Needs = append(all.Needs, n.ID)
	}
	p, err := enrol.Prepare(dir, enrol.Options{Selection: all, Force: true, Now: day})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if p.Profile != surface.ProfileGoverned || p.From != enrol.FromNeeds || len(p.Pending()) < 40 {
		t.Errorf("%s from %s, %d files", p.Profile, p.From, len(p.Pending()))
	}
	if names, _ := os.ReadDir(dir); len(names) > 0 {
		t.Errorf("written: %v", names)
	}
}

// Needs raise a profile where none is named, and lower none.
func TestNeedsAndProfile(t *testing.T) {
	for _, tt := range []struct {
		has, asked, want surface.Profile
		need             string
		from             enrol.ProfileSource
	}{
		{"", "", surface.ProfileOrchestrated, "multi-agent", enrol.FromNeeds},
		{"", surface.ProfileControlled, surface.ProfileControlled, "multi-agent", enrol.FromOption},
		{surface.ProfileProduction, "", surface.ProfileProduction, "web-ui", enrol.FromProject},
		{surface.ProfileStarter, "", surface.ProfileGoverned, "kubernetes", enrol.FromNeeds},
	} {
		dir := t.TempDir()
		if tt.has != "" {
			run(t, dir, enrol.Options{Profile: tt.has})
		}
		p, _ := run(t, dir, enrol.Options{Profile: tt.asked, Selection: standard.Selection{Needs: []string{tt.need}}})
		if p.Profile != tt.want || p.From != tt.from {
			t.Errorf("%+v: %s from %s", tt, p.Profile, p.From)
		}
		// A recorded need raises nothing later on.
		if p, out := run(t, dir, enrol.Options{}); p.Profile != tt.want || len(out.Written) > 0 {
			t.Errorf("%+v: again: %s, %v", tt, p.Profile, out.Written)
		}
	}
}

// A name out of a project forges no key of a pattern, and words that only
// someone else knows stay words.
func TestHostileSelection(t *testing.T) {
	dir := t.TempDir()
	var all []string
	for _, c := range standard.Patterns() {
		all = append(all, c.Type)
	}
	run(t, dir, enrol.Options{Selection: selecting(all...), Project: "x'\nlanes: []\n\x1b[2J\"#z: " + strings.Repeat("é", 300)})
	edit(t, dir, standard.SelectionFile, func(string) string {
		return "needs: [\"../../x\\nprofile: production\", \"\\x1b[2J\"]\npatterns: [../../../etc/passwd]\nmemory: [\"a\\nb\"]\n"
	})
	p, _ := run(t, dir, enrol.Options{Selection: selecting("merge_lane"), Force: true})
	if len(p.Warnings) != 1 || strings.ContainsAny(p.Warnings[0].EN, "\x1b\n") {
		t.Errorf("%q", p.Warnings)
	}
	f, err := standard.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if v := f.Verify(standard.Options{}); !v.OK() || v.Profile != surface.ProfileStarter {
		t.Errorf("%s: %v", v.Profile, v.Checks)
	}
	s, err := f.Selection()
	if err != nil || len(s.Strangers()) != 4 || len(s.Controls()) != 1 {
		t.Errorf("%q, %v", s, err)
	}
}

// A record of a person's, or one that cannot be read, stops what would change
// it before anything is written.
func TestSelectionIsNotTaken(t *testing.T) {
	for text, want := range map[string]bool{"patterns: [merge-lane]\n": true, "patterns: []\n": false, "patterns: merge-lane\n": false, "[\n": false} {
		dir := t.TempDir()
		if err := os.MkdirAll(filepath.Join(dir, filepath.FromSlash(standard.Dir)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(standard.SelectionFile)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		p, err := enrol.Prepare(dir, enrol.Options{Selection: selecting("merge_lane"), Now: day})
		if err == nil {
			_ = p.Close()
		}
		var taken *standard.SelectionError
		if (err == nil) != want || err != nil && !errors.As(err, &taken) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// A pattern is never written through a link.
func TestPatternLink(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, filepath.FromSlash(standard.Dir)), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(out, "x"), filepath.Join(dir, filepath.FromSlash(lane))); err != nil {
		t.Skip(err)
	}
	_, err := enrol.Prepare(dir, enrol.Options{Selection: selecting("merge_lane"), Force: true, Now: day})
	var fault *tree.Fault
	if !errors.As(err, &fault) {
		t.Errorf("%v", err)
	}
	if names, _ := os.ReadDir(out); len(names) > 0 {
		t.Errorf("written outside: %v", names)
	}
}

func TestProviderPolicy(t *testing.T) {
	for word, ok := range map[string]bool{"": true, " Local-First ": true, "mixed": true, "cheap": false, "../x\x1b[2J": false} {
		if _, err := enrol.ParseProviderPolicy(word); (err == nil) != ok {
			t.Errorf("%q: %v", word, err)
		}
	}
	dir := t.TempDir()
	p, _ := run(t, dir, enrol.Options{Profile: surface.ProfileControlled, Providers: []string{"anthropic", "local", "openai"}, Policy: enrol.LocalFirst})
	if !slices.Equal(p.Providers, []string{"local", "anthropic", "openai"}) {
		t.Errorf("%v", p.Providers)
	}
	// A word that only a person could have written there is said.
	edit(t, dir, registry, func(s string) string {
		return strings.Replace(s, "provider_policy: local-first", "provider_policy: cheap", 1)
	})
	if p, _ := run(t, dir, enrol.Options{}); p.Policy != enrol.HostedSafe || len(p.Warnings) != 1 {
		t.Errorf("%s, %v", p.Policy, p.Warnings)
	}
	_, err := enrol.Prepare(dir, enrol.Options{Providers: []string{"openai"}, Policy: enrol.LocalFirst, Now: day})
	var policy *enrol.PolicyError
	if !errors.As(err, &policy) {
		t.Errorf("%v", err)
	}
}

// What another kit wrote under the same name is kept, even where its own
// record says that nobody changed it.
func TestAnotherKitsPattern(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, enrol.Options{Selection: selecting("merge_lane")})
	theirs := map[string]string{
		lane:                   "$schema: grimoire-agentic-standard-merge-lane/v1\nlane: fast\n",
		standard.SelectionFile: "$schema: grimoire-agentic-standard-install-manifest/v1\npatterns: [merge-lane]\nextras: [x]\n",
	}
	var record struct {
		Schema    string            `json:"schema"`
		Artifacts map[string]string `json:"artifacts"`
	}
	if err := json.Unmarshal([]byte(read(t, dir, enrol.ManifestPath)), &record); err != nil {
		t.Fatal(err)
	}
	for path, text := range theirs {
		edit(t, dir, path, func(string) string { return text })
		sum := sha256.Sum256([]byte(text))
		record.Artifacts[path] = hex.EncodeToString(sum[:])
	}
	data, err := json.Marshal(record)
	if err != nil {
		t.Fatal(err)
	}
	edit(t, dir, enrol.ManifestPath, func(string) string { return string(data) })
	run(t, dir, enrol.Options{Selection: selecting("merge_lane")})
	for path, text := range theirs {
		if got := read(t, dir, path); got != text {
			t.Errorf("%s was replaced:\n%s", path, got)
		}
	}
	if run(t, dir, enrol.Options{Force: true}); strings.Contains(read(t, dir, lane), "fast") {
		t.Error("force left it")
	}
}
