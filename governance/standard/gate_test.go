package standard_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/surface"
)

// A task owes more from column to column.
func TestGateByColumn(t *testing.T) {
	for _, tt := range []struct {
		state   string
		profile surface.Profile
		want    string
	}{
		{"proposed", "production", ""},
		{"blocked", "production", ""},
		{"archived", "production", ""},
		{"ready", "starter", "task_board task_envelope"},
		{"in_progress", "starter", "task_board task_envelope context_bundle"},
		{"in_progress", "orchestrated", "task_board task_envelope evidence_gates context_bundle memory_policy"},
		{"review", "governed", "task_board task_envelope evidence_gates context_bundle memory_policy evidence_pack decision_trace"},
		{"accepted", "controlled", "task_board task_envelope context_bundle evidence_pack decision_trace"},
		{"released", "production", "task_board task_envelope evidence_gates context_bundle memory_policy evidence_pack decision_trace compliance_score"},
	} {
		f := open(t, t.TempDir())
		g, err := f.CheckGate(&standard.Board{}, standard.GateOptions{Options: standard.Options{Profile: tt.profile, Task: "T-1"}, Target: tt.state})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(g.Missing, " "); got != tt.want || g.OK() != (tt.want == "") || g.Task != "T-1" {
			t.Errorf("%s, %s: owes %q, want %q", tt.state, tt.profile, got, tt.want)
		}
		for _, c := range g.Checks {
			if !strings.Contains(c.Text.EN, "`grimoire ") || !strings.Contains(c.Text.EN, c.Path) {
				t.Errorf("%s names no remedy: %s", c.ID, c.Text.EN)
			}
		}
	}
}

// A gates file that blocks every move is red in every column and under every
// profile, with its place.
func TestGateOfABrokenGatesFile(t *testing.T) {
	for text, want := range map[string]string{
		"x: 1\ntransition: []\n":     "gates.transitions_missing 2",
		"transitions: [":             "yaml.invalid 1",
		strings.Repeat("#", 1<<20+1): "yaml.invalid 0",
	} {
		for _, state := range []string{"proposed", "review", "archived"} {
			dir := t.TempDir()
			put(t, dir, standard.GatesFile, text)
			f := open(t, dir)
			g, err := f.CheckGate(&standard.Board{}, standard.GateOptions{Options: standard.Options{Profile: "starter", Task: "T-1"}, Target: state})
			if err != nil {
				t.Fatal(err)
			}
			at := slices.IndexFunc(g.Checks, func(c standard.Check) bool { return c.Path == standard.GatesFile })
			if at < 0 || fmt.Sprint(g.Checks[at].ID, " ", g.Checks[at].Line) != want || g.OK() {
				t.Errorf("%.20q, %s: %+v", text, state, g.Checks)
			}
			var wrong *standard.FileError
			if !errors.As(f.GatesProblem(), &wrong) || wrong.Path != standard.GatesFile {
				t.Errorf("%.20q: no problem", text)
			}
		}
	}
}

// What later versions of the kit added is owed where the project requires it.
func TestGateOwesWhatTheProjectRequires(t *testing.T) {
	for _, tt := range []struct {
		profile         surface.Profile
		state, required string
		want            string
	}{
		{"governed", "accepted", "[]", ""},
		{"governed", "in_progress", "[claim_ledger, acceptance_record]", ""},
		{"governed", "review", "[claim_ledger, acceptance_record]", "claim_ledger"},
		{"governed", "accepted", "[claim_ledger, acceptance_record]", "claim_ledger acceptance_record"},
		{"starter", "accepted", "[claim_ledger, acceptance_record]", "claim_ledger"}, // fix would not write the other
	} {
		dir := t.TempDir()
		put(t, dir, standard.ProfileFile, "profile: "+string(tt.profile)+"\nrequired_artifacts: "+tt.required+"\n")
		g, err := open(t, dir).CheckGate(&standard.Board{}, standard.GateOptions{Options: standard.Options{Task: "T-1"}, Target: tt.state})
		if err != nil {
			t.Fatal(err)
		}
		later := slices.DeleteFunc(g.Missing, func(kind string) bool { return kind != "claim_ledger" && kind != "acceptance_record" })
		if got := strings.Join(later, " "); got != tt.want {
			t.Errorf("%s, %s, %s: owes %q, want %q", tt.profile, tt.state, tt.required, got, tt.want)
		}
	}
}

// The last run that was seen counts in a strict gate.
func TestGateChecksTheRun(t *testing.T) {
	yes, no, failed, none := true, false, 1, 5
	for _, tt := range []struct {
		name, state string
		profile     surface.Profile
		run         standard.Run
		record      string
		want        string
	}{
		{"it passed", "review", "governed", standard.Run{Command: "go test", Passed: &yes}, "", ""},
		{"nobody knows", "review", "governed", standard.Run{Command: "go test"}, "", ""},
		{"it failed", "review", "starter", standard.Run{Command: "go test", Passed: &no, Exit: &failed}, "", "error acceptance.test_run_failed"},
		{"no tests yet", "in_progress", "governed", standard.Run{Command: "pytest -q", Passed: &no, Exit: &none}, "", "warning acceptance.no_tests_collected"},
		{"no tests at the end", "review", "governed", standard.Run{Command: "pytest -q", Passed: &no, Exit: &none}, "", "error acceptance.no_tests_collected"},
		{"a weaker profile", "review", "orchestrated", standard.Run{Command: "pytest -q", Passed: &no, Exit: &none}, "", "warning acceptance.no_tests_collected"},
		{"justified", "review", "governed", standard.Run{Command: "pytest -q", Passed: &no, Exit: &none}, "## No check\n\nA diagram.\n", ""},
		{"the template's own text", "review", "governed", standard.Run{Command: "pytest -q", Passed: &no, Exit: &none},
			"## Contrôle absent\n\n_Si aucun test…_\n\n## Suite\n\ntexte\n", "error acceptance.no_tests_collected"},
		{"five of another program", "review", "governed", standard.Run{Command: "go test", Passed: &no, Exit: &none}, "", "error acceptance.test_run_failed"},
	} {
		dir := t.TempDir()
		if tt.record != "" {
			put(t, dir, standard.EvidenceDir+"/T-1/acceptance-record.md", tt.record)
		}
		g := &standard.Gate{Task: "T-1", Profile: tt.profile, State: tt.state}
		tt.run.Path = "journal"
		open(t, dir).CheckRun(g, tt.run)
		var got []string
		for _, c := range g.Checks {
			got = append(got, string(c.Severity)+" "+c.ID)
		}
		if strings.Join(got, ", ") != tt.want {
			t.Errorf("%s: %v, want %q", tt.name, got, tt.want)
		}
	}
}

// Without a board a task that the ledger does not know is none: a misspelt one
// would be green.
func TestGateOfAMisspeltTask(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, ledger.Dir+"/"+ledger.LogName, "")
	for task, want := range map[string]string{"GAO-serch-001": "gate.task_not_on_board", "bootstrap": "", "": ""} {
		f := open(t, dir)
		tasks, err := f.Tasks()
		if err != nil {
			t.Fatal(err)
		}
		g, err := f.CheckGate(tasks, standard.GateOptions{Options: standard.Options{Task: task}})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, c := range g.Checks {
			got += c.ID
		}
		if got != want {
			t.Errorf("%q: %q, want %q", task, got, want)
		}
	}
}

// The section of a pack that is the hook's is no text of a person.
func TestLogSection(t *testing.T) {
	const begin, end = standard.LogBegin + "\n", standard.LogEnd + "\n"
	for _, tt := range []struct {
		pack     string
		from, to int
		ok       bool
		line     int
	}{
		{"a\n", -1, -1, true, 0},
		{"a\n" + begin + "x\n" + end + "b\n", 2, 2 + len(begin) + 2 + len(end), true, 2},
		{begin + strings.TrimSuffix(end, "\n"), 0, len(begin) + len(end) - 1, true, 1},
		{"see " + begin + "and " + end, -1, -1, true, 0}, // in the middle of a line
		{"a\n" + begin, -1, -1, false, 2},
		{end + begin, -1, -1, false, 1},
		{begin + begin + end, -1, -1, false, 1},
		{begin + end + end, -1, -1, false, 3},
	} {
		from, to, line, ok := standard.LogSection([]byte(tt.pack))
		if from != tt.from || to != tt.to || ok != tt.ok || line != tt.line {
			t.Errorf("%q: %d %d line %d %v", tt.pack, from, to, line, ok)
		}
	}
	dir := enrolled(t, surface.ProfileStarter, surface.English)
	for after, want := range map[string]int{"": 0, "pending\n": 6} {
		put(t, dir, evidence+"evidence-pack.md", "# Evidence\n- Outcome: x\n"+begin+"`pytest -k pending`\n"+end+after)
		line := 0
		for _, c := range open(t, dir).Verify(standard.Options{}).Checks {
			if c.ID == "evidence.pending_gate" {
				line = c.Line
			}
		}
		if line != want {
			t.Errorf("%q: line %d, want %d", after, line, want)
		}
	}
}

// What is owed is green once it is there.
func TestGateTurnsGreen(t *testing.T) {
	dir := enrolled(t, surface.ProfileGoverned, surface.English)
	put(t, dir, "_grimoire-output/context/bootstrap/context-bundle.yaml", "x: 1\n")
	put(t, dir, "_grimoire-output/decisions/bootstrap/decision-trace.yaml", "x: 1\n")
	f := open(t, dir)
	o := standard.GateOptions{Options: standard.Options{Task: "bootstrap"}, Target: "review"}
	board, err := f.Board()
	if err != nil {
		t.Fatal(err)
	}
	if g, err := f.CheckGate(board, o); err != nil || !g.OK() {
		t.Errorf("%+v, %v", g, err)
	}
	// A memory policy that drifted is red too, under a profile that refuses.
	damage(t, dir, memory, "hot_memory: redis", "hot_memory: paper")
	if g, err := f.CheckGate(board, o); err != nil || g.OK() || len(g.Missing) > 0 {
		t.Errorf("%+v, %v", g, err)
	}
}

// Without a task named, the gate is about the one that is worked on.
func TestGateFindsTheTask(t *testing.T) {
	card := func(id, state string) string { return "  - {task_id: " + id + ", status: " + state + "}\n" }
	for _, tt := range []struct{ name, cards, named, task, state, check string }{
		{"the only one in progress", card("A", "ready") + card("B", "in_progress"), "", "B", "in_progress", ""},
		{"two in progress", card("A", "in_progress") + card("B", "in_progress"), "", "bootstrap", "", "gate.no_task_to_evaluate"},
		{"none", card("A", "ready"), "", "bootstrap", "", "gate.no_task_to_evaluate"},
		{"the set-up task", card("bootstrap", "proposed"), "", "bootstrap", "proposed", ""},
		{"named", card("A", "proposed"), "A", "A", "proposed", ""},
		{"not on the board", card("A", "ready"), "Z", "Z", "", "gate.task_not_on_board"},
		{"a card that is no path", card("../x", "in_progress"), "", "bootstrap", "", "gate.no_task_to_evaluate"},
	} {
		dir := t.TempDir()
		put(t, dir, standard.BoardFile, "tasks:\n"+tt.cards)
		f := open(t, dir)
		board, err := f.Board()
		if err != nil {
			t.Fatal(err)
		}
		if tt.named == "" {
			if tt.named, err = board.Current(); err != nil {
				t.Fatal(err)
			}
		}
		g, err := f.CheckGate(board, standard.GateOptions{Options: standard.Options{Task: tt.named}})
		if err != nil {
			t.Fatal(err)
		}
		found := tt.check == "" || slices.ContainsFunc(g.Checks, func(c standard.Check) bool { return c.ID == tt.check })
		if g.Task != tt.task || g.State != tt.state || !found {
			t.Errorf("%s: %+v", tt.name, g)
		}
	}
}

func TestGateErrors(t *testing.T) {
	dir := t.TempDir()
	f := open(t, dir)
	var state *standard.StateError
	if _, err := f.CheckGate(&standard.Board{}, standard.GateOptions{Target: "limbo"}); !errors.As(err, &state) {
		t.Errorf("unknown state: %v", err)
	}
	put(t, dir, standard.BoardFile, "tasks: [\n")
	var file *standard.FileError
	if _, err := f.Board(); !errors.As(err, &file) || file.Path != standard.BoardFile {
		t.Errorf("broken board: %v", err)
	}
	if err := os.Remove(filepath.Join(dir, filepath.FromSlash(standard.BoardFile))); err != nil {
		t.Fatal(err)
	}
	if b, err := f.Board(); err != nil || b == nil {
		t.Errorf("no board: %v", err)
	}
}

// The ledger is ahead of the board, which speaks for the tasks it does not
// know.
func TestGateAsksTheLedger(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, standard.BoardFile, "tasks:\n  - {task_id: T, status: proposed}\n  - {task_id: old, status: in_progress}\n")
	l := ledger.Open(dir, "")
	step := func(change func(*ledger.Tx) error) {
		t.Helper()
		if err := l.Update(t.Context(), change); err != nil {
			t.Fatal(err)
		}
	}
	claim := func(id string) {
		step(func(tx *ledger.Tx) error {
			m := ledger.Mission{ID: "M", Title: "M"}
			if _, known := tx.State().Mission("M"); !known {
				if _, err := tx.CreateMission(m); err != nil {
					return err
				}
			}
			if _, err := tx.CreateTask(ledger.Task{ID: id, Mission: "M", Title: id, Acceptance: []string{"it works"}}); err != nil {
				return err
			}
			if err := tx.Move(id, ledger.Move{To: ledger.Ready}); err != nil {
				return err
			}
			lease := tx.Lease(id, ledger.Claim{Actor: "alice"})
			return tx.Move(id, ledger.Move{To: ledger.Claimed, Actor: "alice", Claim: &lease})
		})
	}
	ask := func(named string) *standard.Gate {
		t.Helper()
		f := open(t, dir)
		tasks, err := f.Tasks()
		if err != nil {
			t.Fatal(err)
		}
		g, err := f.CheckGate(tasks, standard.GateOptions{Options: standard.Options{Task: named}})
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	if g := ask("T"); g.State != "proposed" {
		t.Errorf("without a ledger: %+v", g)
	}
	claim("T")
	if g := ask("T"); g.Task != "T" || g.State != "in_progress" {
		t.Errorf("a claim: %+v", g)
	}
	if g := ask("old"); g.State != "in_progress" {
		t.Errorf("a task of the board alone: %+v", g)
	}
}

// Every status of the ledger has its column.
func TestColumns(t *testing.T) {
	for _, s := range ledger.Statuses {
		if !slices.Contains(standard.States, standard.Column(s)) {
			t.Errorf("%s is shown in %q", s, standard.Column(s))
		}
	}
}
