package standard_test

import (
	"errors"
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
		{"in_progress", "orchestrated", "task_board task_envelope context_bundle memory_policy"},
		{"review", "governed", "task_board task_envelope context_bundle memory_policy evidence_pack decision_trace"},
		{"accepted", "controlled", "task_board task_envelope context_bundle evidence_pack decision_trace"},
		{"released", "production", "task_board task_envelope context_bundle memory_policy evidence_pack decision_trace compliance_score"},
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
	if g := ask(""); g.Task != "old" || g.State != "in_progress" {
		t.Errorf("without a ledger: %+v", g)
	}
	claim("T")
	if g := ask(""); g.Task != "T" || g.State != "in_progress" {
		t.Errorf("one claim: %+v", g)
	}
	if g := ask("old"); g.State != "in_progress" {
		t.Errorf("a task of the board alone: %+v", g)
	}
	claim("U")
	if g := ask(""); !slices.ContainsFunc(g.Checks, func(c standard.Check) bool { return c.ID == "gate.no_task_to_evaluate" }) {
		t.Errorf("two claims: %+v", g)
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
