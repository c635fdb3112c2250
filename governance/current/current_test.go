package current_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/grimoire-kit/grimoire/governance/current"
	"github.com/grimoire-kit/grimoire/governance/decide"
	"github.com/grimoire-kit/grimoire/governance/ledger"
)

// a task of a test's ledger.
type task struct {
	id, status, actor, session, attached string
	lost                                 bool
}

// project is a project whose ledger holds these tasks, as its log would say it.
func project(t testing.TB, tasks ...task) string {
	t.Helper()
	root := t.TempDir()
	l := ledger.Open(root, "")
	err := l.Update(context.Background(), func(tx *ledger.Tx) error {
		m, err := tx.CreateMission(ledger.Mission{Title: "m"})
		if err != nil {
			return err
		}
		for _, x := range tasks {
			if _, err := tx.CreateTask(ledger.Task{ID: x.id, Title: x.id, Mission: m, Acceptance: []string{"tests"}}); err != nil {
				return err
			}
			if x.status == "proposed" {
				continue
			}
			if err := tx.Move(x.id, ledger.Move{To: ledger.Ready}); err != nil {
				return err
			}
			if x.status == "ready" {
				continue
			}
			c := tx.Lease(x.id, ledger.Claim{Actor: x.actor, Session: x.session, AttachedAt: x.attached})
			if x.lost {
				c.Expires = "2026-01-01T00:00:00+00:00"
			}
			if err := tx.Move(x.id, ledger.Move{To: ledger.Claimed, Claim: &c}); err != nil {
				return err
			}
			for _, next := range strings.Fields(map[string]string{"running": "running", "waiting": "waiting", "needs_verification": "running needs_verification", "closed": "running needs_verification closed"}[x.status]) {
				if err := tx.Move(x.id, ledger.Move{To: ledger.Status(next), Wait: &ledger.Wait{Reason: ledger.WaitCI}}); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func env(kv ...string) func(string) string {
	return func(name string) string {
		for i := 0; i+1 < len(kv); i += 2 {
			if kv[i] == name {
				return kv[i+1]
			}
		}
		return ""
	}
}

func TestFind(t *testing.T) {
	a := task{id: "A", status: "claimed", actor: "ada"}
	b := task{id: "B", status: "running", actor: "bob"}
	mine := func(x task, s string) task { x.session = s; return x }
	lost := func(x task) task { x.lost = true; return x }
	for _, tt := range []struct {
		name  string
		tasks []task
		env   []string
		want  string
	}{
		{"nothing", nil, nil, "bootstrap "},
		{"proposed and ready", []task{{id: "P", status: "proposed"}, {id: "R", status: "ready"}}, nil, "bootstrap "},
		{"the only claim", []task{a}, nil, "ledger_claim A"},
		{"another session's", []task{mine(a, "other")}, nil, "ledger_claim A"},
		{"handed over", []task{{id: "A", status: "needs_verification", actor: "ada", session: "s"}}, nil, "bootstrap  review [A]"},
		{"handed over by another", []task{{id: "A", status: "needs_verification", actor: "ada", session: "other"}}, nil, "bootstrap "},
		{"handed over, and another's claim", []task{{id: "A", status: "needs_verification", actor: "ada", session: "s"}, b}, nil, "ledger_claim B review [A]"},
		{"handed over, by the environment", []task{{id: "A", status: "needs_verification", actor: "ada", session: "s"}, b}, []string{"GRIMOIRE_TASK_ID", "B"}, "env B review [A]"},
		{"handed over, and another of mine", []task{{id: "A", status: "needs_verification", actor: "ada", session: "s"}, mine(b, "s")}, nil, "session_claim B"},
		{"two claims", []task{a, b}, nil, "ambiguous  [A B]"},
		{"two claims, one mine", []task{a, mine(b, "s")}, nil, "session_claim B"},
		{"two claims, an actor", []task{a, b}, []string{"GRIMOIRE_ACTOR", "bob"}, "ledger_claim B"},
		{"a stranger", []task{a, b}, []string{"GRIMOIRE_ACTOR", "eve"}, "bootstrap "},
		{"two of mine", []task{mine(a, "s"), mine(b, "s")}, nil, "ambiguous  [A B] own"},
		{"two of mine, and another's", []task{mine(a, "s"), mine(b, "s"), {id: "C", status: "running", actor: "eve"}}, nil, "ambiguous  [A B] own"},
		{"two of mine, an actor", []task{mine(a, "s"), mine(b, "s")}, []string{"GRIMOIRE_ACTOR", "ada"}, "session_claim A"},
		{"two of mine, one by name", []task{{id: "A", status: "running", session: "s", attached: "2026-11-30T09:00:00+00:00"}, mine(b, "s")}, nil, "session_claim A"},
		{"the last by name", []task{{id: "A", status: "running", session: "s", attached: "2026-11-30T09:00:00+00:00"}, {id: "B", status: "running", session: "s", attached: "2026-11-30T08:00:00+00:00"}}, nil, "session_claim A"},
		{"a lost lease", []task{lost(mine(a, "s"))}, nil, "bootstrap  lost A"},
		{"a lost lease beside another", []task{lost(a), b}, nil, "ledger_claim B lost A"},
		{"parked", []task{{id: "W", status: "waiting", session: "s"}, b}, nil, "ledger_claim B parked W"},
		{"parked by another", []task{{id: "W", status: "waiting", session: "other"}}, nil, "bootstrap "},
		{"parked beyond its lease", []task{{id: "W", status: "waiting", session: "s", lost: true}}, nil, "bootstrap  parked W fenced"},
		{"parked beyond its lease, another's claim", []task{{id: "W", status: "waiting", session: "s", lost: true}, b}, nil, "ledger_claim B parked W fenced"},
		{"parked beyond its lease, one under way", []task{{id: "W", status: "waiting", session: "s", lost: true}, mine(a, "s")}, nil, "session_claim A parked W"},
		{"parked beyond its lease, whatever the environment", []task{{id: "W", status: "waiting", session: "s", lost: true}, a}, []string{"GRIMOIRE_TASK_ID", "A"}, "env A parked W fenced"},
		{"by the environment", []task{a, b}, []string{"GRIMOIRE_TASK_ID", " A "}, "env A"},
		{"a lost lease, by the environment", []task{lost(a)}, []string{"GRIMOIRE_TASK_ID", "A"}, "env A lost A"},
		{"ready, by the environment", []task{{id: "R", status: "ready"}}, []string{"GRIMOIRE_TASK_ID", "R"}, "env R"},
		// The environment takes nothing away.
		{"mine, whatever the environment", []task{a, mine(b, "s")}, []string{"GRIMOIRE_TASK_ID", "A"}, "session_claim B"},
		{"unknown", []task{a}, []string{"GRIMOIRE_TASK_ID", "Z"}, "ledger_claim A"},
		{"proposed", []task{a, {id: "P", status: "proposed"}}, []string{"GRIMOIRE_TASK_ID", "P"}, "ledger_claim A"},
		{"closed", []task{{id: "C", status: "closed"}}, []string{"GRIMOIRE_TASK_ID", "C"}, "bootstrap "},
		{"no id", []task{a}, []string{"GRIMOIRE_TASK_ID", "../x"}, "ledger_claim A"},
	} {
		root := project(t, tt.tasks...)
		f, err := current.Find(current.Asking{Root: root, Ledger: ledger.Open(root, ""), Session: "s", Getenv: env(tt.env...)})
		if err != nil {
			t.Fatal(err)
		}
		got := string(f.Source) + " " + f.ID
		if f.Candidates != nil {
			got += " " + fmt.Sprint(f.Candidates)
		}
		if f.Own {
			got += " own"
		}
		if f.Review != nil {
			got += " review " + fmt.Sprint(f.Review)
		}
		for _, e := range f.Expired {
			got += " lost " + e.Task
		}
		for _, p := range f.Parked {
			if got += " parked " + p.Task; p.Fenced {
				got += " fenced"
			}
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// A board says what is in progress only where there is no ledger yet.
func TestBoardWithoutLedger(t *testing.T) {
	board := "tasks:\n  - {task_id: T-1, status: in_progress}\n"
	for _, root := range []string{t.TempDir(), project(t)} {
		path := filepath.Join(root, "_grimoire", "standard")
		if err := os.MkdirAll(path, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(path, "task-board.yaml"), []byte(board), 0o644); err != nil {
			t.Fatal(err)
		}
		_, noLedger := os.Stat(filepath.Join(root, filepath.FromSlash(ledger.Dir), ledger.LogName))
		f, err := current.Find(current.Asking{Root: root, Ledger: ledger.Open(root, ""), Getenv: env()})
		if err != nil || (f.Source == current.BoardCard) != (noLedger != nil) {
			t.Errorf("%+v, %v; no ledger: %v", f, err, noLedger)
		}
	}
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, "_grimoire", "standard"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "_grimoire", "standard", "task-board.yaml"), []byte("tasks: ["), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := current.NewHook(env()).Task(root, "s"); err == nil {
		t.Error("a broken board went unnoticed")
	}
}

func events(t testing.TB, root string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(ledger.Dir), ledger.LogName))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// A session is attached once, and nobody's task is stolen.
func TestAttachOnce(t *testing.T) {
	root := project(t, task{id: "A", status: "claimed", actor: "ada"})
	n := len(events(t, root))
	attach := func(session string) {
		t.Helper()
		h := current.NewHook(env())
		x, err := h.Task(root, session)
		if err != nil || x.ID != "A" {
			t.Fatal(x, err)
		}
		if err := h.Attach(root, x, session, "host-x"); err != nil {
			t.Fatal(err)
		}
	}
	attach("s")
	attach("s")
	attach("other")
	all := events(t, root)
	if len(all) != n+1 || !strings.Contains(all[n], `"task.session_attached"`) || !strings.Contains(all[n], `"actor_id": "ada"`) ||
		!strings.Contains(all[n], `{"task_id": "A", "session_id": "s", "session_host": "host-x"}`) {
		t.Errorf("%d events more: %v", len(all)-n, all[n:])
	}
}

// A session at work keeps its lease, without an event at each call.
func TestHeartbeat(t *testing.T) {
	root := project(t, task{id: "A", status: "running", actor: "ada", session: "s"})
	l := ledger.Open(root, "")
	l.Now = func() time.Time { return time.Now().Add(-time.Hour) }
	if err := l.Update(context.Background(), func(tx *ledger.Tx) error { return tx.Renew("A", 1, "ada") }); err != nil {
		t.Fatal(err)
	}
	n := len(events(t, root))
	for range 3 {
		h := current.NewHook(env())
		x, err := h.Task(root, "s")
		if err == nil {
			err = h.Attach(root, x, "s", "host-x")
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if all := events(t, root); len(all) != n+1 || !strings.Contains(all[n], `"task.lease_renewed"`) {
		t.Errorf("%v", all[n:])
	}
}

// A ledger whose lock another holds does not hold the session up.
func TestLocked(t *testing.T) {
	root := project(t, task{id: "A", status: "claimed", actor: "ada"})
	if err := ledger.Open(root, "").Update(context.Background(), func(tx *ledger.Tx) error {
		_, err := tx.Direct("A", "directive", "stop", "ada")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	unlock, err := ledger.NewFile(root, "").Lock(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	h := current.NewHook(env())
	x, err := h.Task(root, "s")
	if err != nil || x.ID != "A" {
		t.Fatal(x, err)
	}
	if err := h.Attach(root, x, "s", "host-x"); err != nil {
		t.Error(err)
	}
	// It waited once, for whatever it would write.
	unlock()
	if list, err := h.Directives(root, x, "s"); err != nil || len(list) > 0 {
		t.Error(list, err)
	}
	if list, err := current.NewHook(env()).Directives(root, x, "s"); err != nil || len(list) != 1 {
		t.Error(list, err)
	}
}

func TestDirectivesAreShownOnce(t *testing.T) {
	for name, tt := range map[string]struct {
		attached string   // the session that the claim is attached to
		asking   []string // the sessions that ask, in turn
		want     []int
	}{
		"to the session at work": {"s", []string{"s", "s"}, []int{1, 0}},
		"to no other":            {"s", []string{"other", "", "s", "other"}, []int{0, 0, 1, 0}},
		"of a claim without one": {"", []string{"other", "s"}, []int{1, 0}},
	} {
		root := project(t, task{id: "A", status: "running", actor: "ada", session: tt.attached})
		if err := ledger.Open(root, "").Update(context.Background(), func(tx *ledger.Tx) error {
			_, err := tx.Direct("A", "directive", "stop", "ada")
			return err
		}); err != nil {
			t.Fatal(err)
		}
		for i, session := range tt.asking {
			list, err := current.NewHook(env()).Directives(root, decide.Task{ID: "A"}, session)
			if err != nil || len(list) != tt.want[i] {
				t.Errorf("%s, turn %d, session %q: %v, %v", name, i, session, list, err)
			}
		}
	}
}

// What a task owes in its column is what the standard says; a board or a gates
// file that is broken is an error, which lets the session go.
func TestGates(t *testing.T) {
	root := project(t, task{id: "A", status: "running", actor: "ada", session: "s"})
	h := current.NewHook(env())
	x, err := h.Task(root, "s")
	if err != nil {
		t.Fatal(err)
	}
	g, err := h.Gates(root, x)
	if err != nil || g.OK || len(g.Missing) != 3 || !strings.Contains(g.Missing[2].EN, "`grimoire task context A`") {
		t.Fatalf("%+v, %v", g, err)
	}
	if g, err := h.Gates(root, decide.Task{ID: "A", State: "proposed"}); err != nil || !g.OK {
		t.Errorf("%+v, %v", g, err)
	}
	if err := os.MkdirAll(filepath.Join(root, "_grimoire", "standard"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "_grimoire", "standard", "task-board.yaml"), []byte("tasks: ["), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Gates(root, x); err == nil {
		t.Error("a broken board went unnoticed")
	}
	if err := os.Remove(filepath.Join(root, "_grimoire", "standard", "task-board.yaml")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "_grimoire", "standard", "evidence-gates.yaml"), []byte("\ntransition: []\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Gates(root, x); err == nil || !strings.Contains(err.Error(), "evidence-gates.yaml: line 2: the key transitions is missing") {
		t.Errorf("of a broken gates file: %v", err)
	}
}

// An actor out of a log is no part of a command that an agent copies, unless it
// is a plain word.
func TestHostileActor(t *testing.T) {
	for actor, want := range map[string]string{"ada": "--actor ada`", "ada@x-1.org": "--actor ada@x-1.org`", "x; rm -rf ~": "--actor <actor_id>`",
		"a`b": "--actor <actor_id>`", "a\nb": "--actor <actor_id>`", "--force": "--actor <actor_id>`", "": "--actor <actor_id>`"} {
		root := t.TempDir()
		if err := ledger.Open(root, "").Update(context.Background(), func(tx *ledger.Tx) error {
			m, err := tx.CreateMission(ledger.Mission{Title: "m"})
			if err == nil {
				_, err = tx.CreateTask(ledger.Task{ID: "A", Title: "A", Mission: m, Acceptance: []string{"tests"}})
			}
			if err == nil {
				err = tx.Move("A", ledger.Move{To: ledger.Ready})
			}
			if err == nil {
				err = tx.Move("A", ledger.Move{To: ledger.Claimed, Claim: &ledger.Claim{Actor: actor, Expires: "2026-01-01T00:00:00+00:00"}})
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
		x, err := current.NewHook(env()).Task(root, "s")
		if err != nil || len(x.Expired) != 1 || !strings.Contains(x.Expired[0].EN, want) {
			t.Errorf("%q: %+v, %v", actor, x.Expired, err)
		}
	}
}
