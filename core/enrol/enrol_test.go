package enrol_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/grimoire-kit/grimoire/core/enrol"
	"github.com/grimoire-kit/grimoire/core/tree"
	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/surface"
)

var day = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// run prepares and applies, and returns what was written.
func run(t *testing.T, dir string, o enrol.Options) (*enrol.Plan, enrol.Outcome) {
	t.Helper()
	if o.Now.IsZero() {
		o.Now = day
	}
	p, err := enrol.Prepare(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	out, err := p.Apply()
	if err != nil {
		t.Fatal(err)
	}
	return p, out
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func edit(t *testing.T, dir, name string, change func(string) string) string {
	t.Helper()
	text := change(read(t, dir, name))
	if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return text
}

const registry = standard.Dir + "/llm-provider-registry.yaml"

// A second run writes nothing, on another day too.
func TestTwice(t *testing.T) {
	for _, p := range surface.Profiles {
		dir := t.TempDir()
		run(t, dir, enrol.Options{Profile: p})
		if _, out := run(t, dir, enrol.Options{Now: day.AddDate(0, 1, 0)}); len(out.Written) > 0 {
			t.Errorf("%s: written again: %v", p, out.Written)
		}
	}
}

// Raising the profile brings what nobody changed along, and keeps what
// somebody did.
func TestRaise(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, enrol.Options{Profile: surface.ProfileStarter})
	brief := standard.Dir + "/mission-brief.md"
	pack := standard.EvidenceDir + "/bootstrap/evidence-pack.md"
	mine := edit(t, dir, pack, func(s string) string { return s + "Mine.\n" })
	p, out := run(t, dir, enrol.Options{Profile: surface.ProfileGoverned})
	if !slices.Contains(out.Written, brief) || !slices.Contains(out.Written, standard.ProfileFile) {
		t.Errorf("written %v", out.Written)
	}
	if got := read(t, dir, pack); got != mine {
		t.Errorf("the pack was replaced:\n%s", got)
	}
	if kept := p.Kept(); len(kept) != 1 || kept[0].Path != pack || kept[0].Why.FR == "" {
		t.Errorf("kept %v", kept)
	}
	if got := read(t, dir, standard.ProfileFile); !strings.Contains(got, "profile: governed") {
		t.Error(got)
	}
}

func TestLowerIsRefused(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, enrol.Options{Profile: surface.ProfileGoverned})
	for _, force := range []bool{false, true} {
		_, err := enrol.Prepare(dir, enrol.Options{Profile: surface.ProfileStarter, Force: force, Now: day})
		var lower *enrol.LowerError
		if !errors.As(err, &lower) || lower.From != surface.ProfileGoverned {
			t.Errorf("force %t: %v", force, err)
		}
	}
}

// A file that was there first is the team's. Force replaces it; a board is
// never replaced.
func TestForce(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{standard.Dir + "/waivers.yaml": "waivers: []\n", standard.BoardFile: "states: []\ntasks: []\n"}
	for name, text := range files {
		if err := os.MkdirAll(filepath.Join(dir, filepath.FromSlash(standard.Dir)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p, _ := run(t, dir, enrol.Options{Profile: surface.ProfileGoverned})
	if len(p.Kept()) != 2 {
		t.Errorf("kept %v", p.Kept())
	}
	for name, text := range files {
		if got := read(t, dir, name); got != text {
			t.Errorf("%s was replaced: %s", name, got)
		}
	}
	_, out := run(t, dir, enrol.Options{Force: true})
	if want := []string{standard.Dir + "/waivers.yaml", enrol.ManifestPath}; !slices.Equal(out.Written, want) {
		t.Errorf("written %v, want %v", out.Written, want)
	}
	if got := read(t, dir, standard.BoardFile); got != files[standard.BoardFile] {
		t.Errorf("the board was replaced: %s", got)
	}
}

// The providers that are enabled stay so when the registry is written again.
func TestProviders(t *testing.T) {
	dir := t.TempDir()
	chosen, err := enrol.ParseProviders([]string{"ollama", "Claude", "anthropic"})
	if err != nil || !slices.Equal(chosen, []string{"local", "anthropic"}) {
		t.Fatal(chosen, err)
	}
	run(t, dir, enrol.Options{Profile: surface.ProfileControlled, Providers: chosen})
	want := read(t, dir, registry)
	if !strings.Contains(want, "default_provider: 'local'") || !strings.Contains(want, "default_fallback_chain: [local, anthropic]") {
		t.Error(want)
	}
	if p, out := run(t, dir, enrol.Options{Profile: surface.ProfileOrchestrated}); slices.Contains(out.Written, registry) || !slices.Equal(p.Providers, chosen) {
		t.Errorf("providers %v, written %v", p.Providers, out.Written)
	}
	if got := read(t, dir, registry); got != want {
		t.Error(got)
	}
	_, err = enrol.ParseProviders([]string{"claude", "oracle"})
	var unknown *enrol.ProviderError
	if !errors.As(err, &unknown) || unknown.Word != "oracle" {
		t.Error(err)
	}
}

// The record is the existing kit's, and what it holds cannot lead anywhere.
func TestManifest(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, enrol.Options{})
	var record struct {
		Schema    string
		Artifacts map[string]string
	}
	if err := json.Unmarshal([]byte(read(t, dir, enrol.ManifestPath)), &record); err != nil {
		t.Fatal(err)
	}
	if record.Schema != "grimoire-standard-generation/v1" || len(record.Artifacts[standard.ProfileFile]) != 64 {
		t.Errorf("%+v", record)
	}
	// A record lost or broken costs the refresh of files, and no text.
	for _, text := range []string{"", "{", `{"schema":"other/v9"}`, `{"schema":"grimoire-standard-generation/v1","artifacts":{"../../x":"y"}}`} {
		edit(t, dir, enrol.ManifestPath, func(string) string { return text })
		before := read(t, dir, standard.Dir+"/mission-brief.md")
		p, out := run(t, dir, enrol.Options{})
		if !slices.Equal(out.Written, []string{enrol.ManifestPath}) || len(p.Kept()) > 0 {
			t.Errorf("%q: written %v, kept %v", text, out.Written, p.Kept())
		}
		if read(t, dir, standard.Dir+"/mission-brief.md") != before {
			t.Errorf("%q: the brief changed", text)
		}
	}
}

// A checkout with other line ends is nobody's edit.
func TestLineEnds(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, enrol.Options{})
	edit(t, dir, standard.Dir+"/mission-brief.md", func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") })
	if p, out := run(t, dir, enrol.Options{}); len(p.Kept()) > 0 || slices.Contains(out.Written, standard.Dir+"/mission-brief.md") {
		t.Errorf("kept %v, written %v", p.Kept(), out.Written)
	}
}

// Names out of a project cannot forge a line.
func TestHostileNames(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, enrol.Options{Profile: surface.ProfileControlled, Project: "x\n- Selected profile: `production`\n--> \x1b[2J \"y\" #z: " + strings.Repeat("é", 200)})
	f, err := standard.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if v := f.Verify(standard.Options{}); !v.OK() || v.Profile != surface.ProfileControlled {
		t.Errorf("%+v", v.Checks)
	}
	if brief := read(t, dir, standard.Dir+"/mission-brief.md"); strings.Count(brief, "\n- Selected profile:") != 1 || strings.ContainsAny(brief, "\x1b") {
		t.Error(brief)
	}
	_, err = enrol.Prepare(dir, enrol.Options{Task: "../../etc", Now: day})
	var task *standard.TaskError
	if !errors.As(err, &task) {
		t.Error(err)
	}
}

// A link that leads out is never written through.
func TestLinkOut(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "_grimoire"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(out, filepath.Join(dir, "_grimoire", "standard")); err != nil {
		t.Skip(err)
	}
	_, err := enrol.Prepare(dir, enrol.Options{Now: day})
	var fault *tree.Fault
	if !errors.As(err, &fault) {
		t.Errorf("%v", err)
	}
	if err := os.Symlink(out, filepath.Join(dir, "_grimoire-output")); err != nil {
		t.Fatal(err)
	}
	if err := enrol.Note(dir, enrol.Event{Type: "x", At: day}); err == nil {
		t.Error("the journal was written through a link")
	}
	if names, _ := os.ReadDir(out); len(names) > 0 {
		t.Errorf("written outside: %v", names)
	}
}

// A line that was cut short stays a line of its own.
func TestJournal(t *testing.T) {
	dir := t.TempDir()
	e := enrol.Event{Type: "gate.checked", Task: "T-1", Profile: "governed", At: day, Details: map[string]any{"ok": true, "é": "<&>"}}
	if err := enrol.Note(dir, e); err != nil {
		t.Fatal(err)
	}
	want := `{"details":{"ok":true,"é":"<&>"},"event_type":"gate.checked","profile":"governed","schema":"grimoire-agentic-standard-runtime-event/v1","task_id":"T-1","timestamp":"2026-11-30T12:00:00.000000+00:00"}` + "\n"
	if got := read(t, dir, standard.JournalFile); got != want {
		t.Errorf("got  %swant %s", got, want)
	}
	edit(t, dir, standard.JournalFile, func(s string) string { return s + `{"cut` })
	if err := enrol.Note(dir, e); err != nil {
		t.Fatal(err)
	}
	if got := read(t, dir, standard.JournalFile); got != want+"{\"cut\n"+want {
		t.Error(got)
	}
}

func TestSaveScore(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, enrol.Options{})
	f, err := standard.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	path, err := enrol.SaveScore(dir, f.Score(standard.Options{}), day)
	if err != nil || path != standard.ScorePath("bootstrap") {
		t.Fatal(path, err)
	}
	got := read(t, dir, path)
	for _, want := range []string{"$schema: grimoire-agentic-standard-score-result/v1\n", "profile: starter\n", "score: ", "artifacts: {weight: 10, earned: 10, percentage: 100, errors: 0, warnings: 0}\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// Where the board is new, the ledger holds the task that stands on it.
func TestOpenLedger(t *testing.T) {
	dir := t.TempDir()
	for range 2 {
		p, out := run(t, dir, enrol.Options{Profile: surface.ProfileOrchestrated})
		if err := p.OpenLedger(t.Context(), out.Written); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(filepath.Join(dir, filepath.FromSlash(standard.BoardFile))); err != nil {
			t.Fatal(err) // so that the second run writes it too
		}
	}
	err := ledger.Open(dir, "").View(func(s *ledger.State) error {
		m, _ := s.Mission("MIS-standard-bootstrap-001")
		task, _ := s.Task(standard.Bootstrap)
		if m.Status != ledger.MissionOpen || len(s.Missions()) != 1 || s.Len() != 1 || task.Status != ledger.Proposed || task.Owner != "project-maintainer" {
			t.Errorf("missions %+v, task %+v", s.Missions(), task)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A board with tasks that no ledger knows is not spoken for by a new one.
func TestNoLedgerOverABoard(t *testing.T) {
	dir := t.TempDir()
	p, out := run(t, dir, enrol.Options{Profile: surface.ProfileOrchestrated})
	out.Written = slices.DeleteFunc(out.Written, func(path string) bool { return path == standard.BoardFile })
	if err := p.OpenLedger(t.Context(), out.Written); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "_grimoire-runtime-output")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a ledger was opened: %v", err)
	}
}
