package ledger

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var morning = time.Date(2026, 9, 28, 10, 0, 0, 0, time.UTC)

// open is a ledger of a project with that log, whose clock ticks a second per
// transaction from morning on.
func open(t testing.TB, log string) (*Ledger, string) {
	t.Helper()
	root := t.TempDir()
	l := Open(root, "")
	path := filepath.Join(root, filepath.FromSlash(Dir), LogName)
	if log != "" {
		write(t, path, log)
	}
	now := morning
	l.Now = func() time.Time { now = now.Add(time.Second); return now }
	return l, path
}

func write(t testing.TB, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func update(t testing.TB, l *Ledger, change func(*Tx) error) {
	t.Helper()
	if err := l.Update(context.Background(), change); err != nil {
		t.Fatal(err)
	}
}

// addTask creates a mission, if need be, and a task that is ready.
func addTask(tx *Tx, id string) error {
	if _, ok := tx.State().Mission("MIS-m-001"); !ok {
		if _, err := tx.CreateMission(Mission{ID: "MIS-m-001", Title: "m"}); err != nil {
			return err
		}
	}
	if _, err := tx.CreateTask(Task{ID: id, Mission: "MIS-m-001", Title: "Titre de " + id, Acceptance: []string{"done"}, Owner: "dev"}); err != nil {
		return err
	}
	return tx.Move(id, Move{To: Ready})
}

func claim(tx *Tx, id, actor string) error {
	c := tx.Lease(id, Claim{Actor: actor, Host: "local"})
	return tx.Move(id, Move{To: Claimed, From: Ready, Actor: actor, Claim: &c})
}

func statuses(t testing.TB, l *Ledger) string {
	t.Helper()
	var b strings.Builder
	err := l.View(func(s *State) error {
		for r := range s.Rows() {
			fmt.Fprintf(&b, "%s %s\n", r.ID, r.Status)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func task(t testing.TB, l *Ledger, id string) Task {
	t.Helper()
	var found Task
	err := l.View(func(s *State) error {
		var ok bool
		if found, ok = s.Task(id); !ok {
			return fmt.Errorf("no task %s", id)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestTheLifeOfATask(t *testing.T) {
	l, path := open(t, "")
	if got := statuses(t, l); got != "" {
		t.Fatalf("a ledger that does not exist has %q", got)
	}
	if _, err := os.Stat(filepath.Dir(path)); !errors.Is(err, os.ErrNotExist) {
		t.Fatal("reading created something")
	}
	update(t, l, func(tx *Tx) error { return addTask(tx, "GAO-a-001") })
	update(t, l, func(tx *Tx) error { return claim(tx, "GAO-a-001", "claude") })
	for _, to := range []Status{Running, NeedsVerification, Running, Blocked, Ready} {
		update(t, l, func(tx *Tx) error { return tx.Move("GAO-a-001", Move{To: to, Reason: string("to " + to)}) })
	}
	got := task(t, l, "GAO-a-001")
	if got.Status != Ready || got.Reason != "to ready" || got.Claim == nil || got.Claim.Actor != "claude" || got.Epoch != 1 {
		t.Fatalf("%+v", got)
	}
	if n := strings.Count(read(t, path), "\n"); n != 9 {
		t.Fatalf("%d lines", n)
	}
	update(t, l, func(tx *Tx) error { return claim(tx, "GAO-a-001", "gemini") })
	if got := task(t, l, "GAO-a-001"); got.Claim.Epoch != 2 || got.Claim.Actor != "gemini" {
		t.Fatalf("%+v", got.Claim)
	}
	r, err := Verify(filepath.Dir(filepath.Dir(filepath.Dir(path))), "")
	if err != nil || !r.Sound() || len(r.Problems) != 0 {
		t.Fatalf("%+v, %v", r, err)
	}
}

func TestEveryMoveOfTheTableAndNoOther(t *testing.T) {
	t.Parallel()
	table := map[Status]string{
		Proposed:          "ready cancelled",
		Ready:             "claimed blocked cancelled",
		Claimed:           "running ready waiting cancelled",
		Running:           "needs_verification blocked failed cancelled waiting ready",
		Waiting:           "running ready waiting failed cancelled",
		Blocked:           "ready cancelled",
		NeedsVerification: "closed running failed",
		Failed:            "ready cancelled",
	}
	for _, from := range Statuses {
		for _, to := range append([]Status{"sleeping"}, Statuses...) {
			l, path := open(t, "")
			update(t, l, func(tx *Tx) error {
				if err := addTask(tx, "GAO-a-001"); err != nil {
					return err
				}
				tx.state.tasks["GAO-a-001"].full().Status = from
				return nil
			})
			l.all.state.tasks["GAO-a-001"].task.Status = from
			before := read(t, path)
			err := l.Update(context.Background(), func(tx *Tx) error {
				m := Move{To: to}
				if to == Claimed {
					m.Claim = &Claim{Actor: "x"}
				}
				if to == Waiting {
					m.Wait = &Wait{Reason: WaitCI}
				}
				return tx.Move("GAO-a-001", m)
			})
			if allowed := slices.Contains(strings.Fields(table[from]), string(to)); allowed != (err == nil) {
				t.Errorf("%s → %s: %v", from, to, err)
			}
			if err != nil && (!errors.Is(err, ErrIllegal) || read(t, path) != before) {
				t.Errorf("%s → %s: %v, or something was written", from, to, err)
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	l, path := open(t, "")
	update(t, l, func(tx *Tx) error { return addTask(tx, "GAO-a-001") })
	update(t, l, func(tx *Tx) error { return claim(tx, "GAO-a-001", "claude") })
	update(t, l, func(tx *Tx) error { return tx.Attach("GAO-a-001", "s1", "host-claude-code-cli", false) })
	good := Task{Mission: "MIS-m-001", Title: "t", Acceptance: []string{"a"}}
	with := func(change func(*Task)) func(*Tx) error {
		task := good
		change(&task)
		return func(tx *Tx) error { _, err := tx.CreateTask(task); return err }
	}
	tests := []struct {
		name   string
		change func(*Tx) error
		why    error
	}{
		{"claimed twice", func(tx *Tx) error { return tx.Move("GAO-a-001", Move{To: Claimed, Claim: &Claim{Actor: "gemini"}}) }, ErrHeld},
		{"judged on another state", func(tx *Tx) error { return tx.Move("GAO-a-001", Move{To: Running, From: Ready}) }, ErrChanged},
		{"too long", func(tx *Tx) error {
			_, err := tx.Direct("GAO-a-001", "comment", strings.Repeat("x", MaxLine), "x")
			return err
		}, ErrTooLong},
		{"no task", func(tx *Tx) error { return tx.Move("GAO-b-001", Move{To: Ready}) }, ErrUnknownTask},
		{"claim without a claim", func(tx *Tx) error {
			if err := addTask(tx, "GAO-b-001"); err != nil {
				return err
			}
			return tx.Move("GAO-b-001", Move{To: Claimed})
		}, ErrIncomplete},
		{"waiting for nothing", func(tx *Tx) error { return tx.Move("GAO-a-001", Move{To: Waiting}) }, ErrIncomplete},
		{"another session", func(tx *Tx) error { return tx.Attach("GAO-a-001", "s2", "h", true) }, ErrHeld},
		{"stale lease", func(tx *Tx) error { return tx.Renew("GAO-a-001", 7, "claude") }, ErrEpoch},
		{"no acceptance", with(func(t *Task) { t.Acceptance = []string{" "} }), ErrIncomplete},
		{"no mission", with(func(t *Task) { t.Mission = "MIS-x-001" }), ErrUnknownMission},
		{"no title", with(func(t *Task) { t.Title = " " }), ErrIncomplete},
		{"a path", with(func(t *Task) { t.ID = "../x" }), ErrID},
		{"twice", with(func(t *Task) { t.ID = "GAO-a-001" }), ErrExists},
		{"unknown priority", func(tx *Tx) error { return tx.Prioritize("GAO-a-001", "urgent", "", "") }, ErrIncomplete},
		{"unknown directive", func(tx *Tx) error { return tx.Acknowledge("GAO-a-001", "dir-0", "") }, ErrIncomplete},
		{"empty comment", func(tx *Tx) error { _, err := tx.Direct("GAO-a-001", "comment", " ", ""); return err }, ErrIncomplete},
		{"link to nothing", func(tx *Tx) error { return tx.Link("GAO-a-001", Dependency{"blocks", "GAO-z-001"}, "") }, ErrUnknownTask},
		{"mission", func(tx *Tx) error { return tx.MoveMission("MIS-m-001", MissionClosed, "", "") }, ErrIllegal},
	}
	before := read(t, path)
	for _, tt := range tests {
		err := l.Update(context.Background(), tt.change)
		var r *Refusal
		if !errors.Is(err, tt.why) || !errors.As(err, &r) || r.Text().FR == "" || r.Text().EN == "" {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.why)
		}
		if read(t, path) != before {
			t.Fatalf("%s: something was written", tt.name)
		}
	}
	if err := l.Update(context.Background(), func(tx *Tx) error {
		return tx.Move("GAO-a-001", Move{To: Running, Extra: map[string]string{"claim": "{}"}})
	}); err == nil {
		t.Error("a reserved key was taken")
	}
	if got := statuses(t, l); got != "GAO-a-001 claimed\n" {
		t.Fatal("a refused change left a trace in the state: " + got)
	}
}

func TestAChangeThatPanics(t *testing.T) {
	l, _ := open(t, "")
	update(t, l, func(tx *Tx) error { return addTask(tx, "GAO-a-001") })
	func() {
		defer func() { _ = recover() }() // as the hook's layers do
		_ = l.Update(t.Context(), func(tx *Tx) error {
			_ = claim(tx, "GAO-a-001", "claude")
			panic("gate")
		})
	}()
	if got := statuses(t, l); got != "GAO-a-001 ready\n" {
		t.Fatal("what was never written is believed: " + got)
	}
	update(t, l, func(tx *Tx) error { return claim(tx, "GAO-a-001", "claude") }) // the lock is free
}

func TestAProjectOfTheExistingKit(t *testing.T) {
	old, err := os.ReadFile("testdata/python-kit.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	l, path := open(t, string(old))
	got := task(t, l, "GAO-exposer-les-001")
	c := got.Claim
	if got.Status != Claimed || got.Priority() != "high" || got.Extra != `{"sprint": 12}` || c == nil ||
		c.Expires != "" || c.Epoch != 0 || c.Session != "efd1-77" || c.AttachedAt != "2026-08-02T09:17:00.500000+00:00" {
		t.Fatalf("%+v %+v", got, c)
	}
	if expired, _ := c.Expired(morning); expired {
		t.Error("a claim without an end has ended")
	}
	if s := string(got.encode()); !strings.Contains(s, `"futur": {"clé": [1, 2.50, null]}`) || !strings.Contains(s, `"created_at": "2026-08-02T09:15:01.123400+00:00"`) {
		t.Error("not kept as it was: " + s)
	}
	boot := task(t, l, "bootstrap")
	if len(boot.DependsOn) != 2 || boot.DependsOn[1] != (Dependency{"blocks", "GAO-exposer-les-001"}) {
		t.Errorf("task.linked is not projected: %+v", boot.DependsOn)
	}
	root := filepath.Dir(filepath.Dir(filepath.Dir(path)))
	r, err := Verify(root, "")
	if err != nil || len(r.Problems) != 0 || r.Unknown != 1 || r.Events != 9 || r.Lines != 10 {
		t.Fatalf("%+v, %v", r, err)
	}

	// It moves, the task's next lease is a new one, and what was there stays.
	update(t, l, func(tx *Tx) error { return tx.Move("GAO-exposer-les-001", Move{To: Running}) })
	update(t, l, func(tx *Tx) error { return tx.Move("GAO-exposer-les-001", Move{To: Ready}) })
	update(t, l, func(tx *Tx) error { return claim(tx, "GAO-exposer-les-001", "gemini") })
	if got := task(t, l, "GAO-exposer-les-001"); got.Claim.Epoch != 2 {
		t.Fatalf("epoch %d after an old claim", got.Claim.Epoch)
	}
	if !bytes.HasPrefix([]byte(read(t, path)), old) {
		t.Fatal("old lines changed")
	}
	for i, line := range strings.Split(strings.TrimSpace(strings.TrimPrefix(read(t, path), string(old))), "\n") {
		for _, key := range []string{"id", "schema_version", "event_type", "entity_id", "entity_kind", "actor_id", "created_at", "payload"} {
			if !strings.Contains(line, `"`+key+`": `) {
				t.Errorf("new line %d lacks %s, without which the existing kit fails: %s", i, key, line)
			}
		}
	}
}

func TestLeases(t *testing.T) {
	l, _ := open(t, "")
	update(t, l, func(tx *Tx) error { return addTask(tx, "GAO-a-001") })
	update(t, l, func(tx *Tx) error { return claim(tx, "GAO-a-001", "claude") })
	c := task(t, l, "GAO-a-001").Claim
	if c.Epoch != 1 || c.Expires != "2026-09-28T14:00:02+00:00" || c.Beat != "2026-09-28T10:00:02+00:00" {
		t.Fatalf("%+v", c)
	}
	update(t, l, func(tx *Tx) error { return tx.Renew("GAO-a-001", 1, "claude") })
	if c = task(t, l, "GAO-a-001").Claim; c.Beat != "2026-09-28T10:00:03+00:00" || c.Expires != "2026-09-28T14:00:03+00:00" {
		t.Fatalf("%+v", c)
	}
	ready := task(t, l, "GAO-a-001").ReadySince
	wait := Wait{Reason: WaitHuman, Branch: "task/GAO-a-001", Head: "abc", Question: "keep it?"}
	update(t, l, func(tx *Tx) error { return tx.Move("GAO-a-001", Move{To: Waiting, Wait: &wait}) })
	if got := task(t, l, "GAO-a-001"); *got.Wait.named() != *wait.named() || got.Claim.Epoch != 1 {
		t.Fatalf("%+v", got.Wait)
	}
	if err := l.Update(context.Background(), func(tx *Tx) error { return tx.Renew("GAO-a-001", 1, "") }); !errors.Is(err, ErrIllegal) {
		t.Fatalf("the lease of a waiting task was renewed: %v", err)
	}
	update(t, l, func(tx *Tx) error { return tx.Move("GAO-a-001", Move{To: Ready}) })
	if got := task(t, l, "GAO-a-001"); !got.ReadySince.Equal(ready) || got.Wait != nil {
		t.Fatalf("a wait cost the task its place: %v, was %v", got.ReadySince, ready)
	}
	for _, tt := range []struct {
		expires           string
		expired, readable bool
	}{
		{"", false, true}, {"soon", true, false}, {"2026-09-28T10:00:00", true, true},
		{"2026-09-28T10:00:00.000001+00:00", false, true}, {"2026-09-28T12:00:01+02:00", false, true}, {"2026-09-28T09:59:59Z", true, true},
	} {
		c := Claim{Expires: tt.expires}
		if expired, readable := c.Expired(morning); expired != tt.expired || readable != tt.readable {
			t.Errorf("%q: expired %v, readable %v", tt.expires, expired, readable)
		}
	}
}

// named is the wait's comparable part.
func (w *Wait) named() *[4]string {
	return &[4]string{string(w.Reason), w.Branch, w.Head, w.Question}
}

func TestAStaleSignOfLifeChangesNothing(t *testing.T) {
	l, _ := open(t, "")
	update(t, l, func(tx *Tx) error { return addTask(tx, "GAO-a-001") })
	update(t, l, func(tx *Tx) error { return claim(tx, "GAO-a-001", "claude") })
	before := *task(t, l, "GAO-a-001").Claim
	update(t, l, func(tx *Tx) error {
		return tx.Note(TaskLeaseRenewed, KindTask, "GAO-a-001", "x", `{"task_id":"GAO-a-001","epoch":9,"expires_at":"2099-01-01T00:00:00+00:00"}`)
	})
	if got := *task(t, l, "GAO-a-001").Claim; got.Expires != before.Expires {
		t.Fatalf("%+v", got)
	}
}

func TestDirectives(t *testing.T) {
	l, _ := open(t, "")
	update(t, l, func(tx *Tx) error { return addTask(tx, "GAO-a-001") })
	var id string
	update(t, l, func(tx *Tx) error {
		d, err := tx.Direct("GAO-a-001", "directive", "ligne une\nligne\u2028deux", "ana")
		id = d.ID
		return err
	})
	update(t, l, func(tx *Tx) error { return tx.Deliver("GAO-a-001", []string{id, "dir-x"}, "") })
	update(t, l, func(tx *Tx) error { return tx.Deliver("GAO-a-001", []string{id}, "") })
	update(t, l, func(tx *Tx) error { return tx.Acknowledge("GAO-a-001", id, "claude") })
	update(t, l, func(tx *Tx) error { return tx.Acknowledge("GAO-a-001", id, "claude") })
	d := task(t, l, "GAO-a-001").Directives[0]
	if d.Text != "ligne une\nligne\u2028deux" || d.DeliveredAt != "2026-09-28T10:00:03+00:00" || d.AcknowledgedAt != "2026-09-28T10:00:05+00:00" {
		t.Fatalf("%+v", d)
	}
}

func TestIds(t *testing.T) {
	for _, tt := range []struct{ title, want string }{
		{"Exposer les tâches à l'API", "exposer-les"}, {"", "task"}, {"../../etc", "etc"}, {"日本", "task"}, {"A  b__c", "a-b__c"}, {"a.b", "a.b"},
	} {
		if got := slug(tt.title, 12); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.title, got, tt.want)
		}
	}
	l, _ := open(t, "")
	update(t, l, func(tx *Tx) error {
		for _, id := range []string{"GAO-x-001", "GAO-x-003", "GAO-xy-001"} {
			if err := addTask(tx, id); err != nil {
				return err
			}
		}
		if got := tx.State().NewTaskID("X"); got != "GAO-x-004" { // counted with its longer cousins, as the existing kit does
			t.Errorf("%s", got)
		}
		if got := tx.State().NewTaskID("XY"); got != "GAO-xy-002" {
			t.Errorf("%s", got)
		}
		if got := tx.State().NewMissionID("Travaux courants et plus encore"); got != "MIS-travaux-courants-et-002" {
			t.Errorf("%s", got)
		}
		return nil
	})
	for _, id := range []string{"", ".", "..", "a/b", "-a", "é", strings.Repeat("a", 129), "a b"} {
		if CheckID(id) == nil {
			t.Errorf("%q passes", id)
		}
	}
}
