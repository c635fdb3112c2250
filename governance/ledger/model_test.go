package ledger

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// modelTask is what a task should be, kept by hand.
type modelTask struct {
	status         Status
	actor, session string
	epoch, highest int64
	priority       string
	remarks        int
	neverHadAClaim bool
	waitedOn       string
}

// machine drives ledgers of one project as processes do, one after the other,
// along with what happens to a file beside them.
type machine struct {
	path   string
	l      *Ledger
	tasks  map[string]modelTask
	order  []string
	commit map[string]modelTask // an older state, and its log
	log    string
	corder []string
}

func (m *machine) update(t *rapid.T, change func(*Tx) error) error {
	before, _ := os.ReadFile(m.path)
	err := m.l.Update(context.Background(), change)
	after, _ := os.ReadFile(m.path)
	if !strings.HasPrefix(string(after), string(before)) {
		t.Fatal("the log was rewritten")
	}
	var r *Refusal
	if err != nil && (!errors.As(err, &r) || string(after) != string(before)) {
		t.Fatalf("%v, or a refused change was written", err)
	}
	return err
}

func (m *machine) some(t *rapid.T) string {
	if len(m.order) == 0 {
		t.Skip("no task")
	}
	return rapid.SampledFrom(m.order).Draw(t, "task")
}

func (m *machine) Create(t *rapid.T) {
	if len(m.order) > 12 {
		t.Skip("enough")
	}
	id := fmt.Sprintf("GAO-%s-001", rapid.StringMatching(`[a-z]{1,3}`).Draw(t, "id"))
	err := m.update(t, func(tx *Tx) error { return addTask(tx, id) })
	if _, taken := m.tasks[id]; taken != errors.Is(err, ErrExists) {
		t.Fatalf("%s: %v", id, err)
	}
	if err == nil {
		m.tasks[id] = modelTask{status: Ready, neverHadAClaim: true, priority: "medium"}
		m.order = append(m.order, id)
	}
}

func (m *machine) Move(t *rapid.T) {
	id, to := m.some(t), rapid.SampledFrom(Statuses).Draw(t, "to")
	want := m.tasks[id]
	move := Move{To: to, Reason: "r", Actor: "a"}
	if to == Claimed {
		move.Claim = &Claim{Actor: rapid.SampledFrom([]string{"claude", "gemini"}).Draw(t, "actor"), Epoch: want.highest + 1}
	}
	if to == Waiting {
		move.Wait = &Wait{Reason: rapid.SampledFrom(WaitReasons).Draw(t, "for")}
	}
	err := m.update(t, func(tx *Tx) error { return tx.Move(id, move) })
	if (err == nil) != want.status.MayBecome(to) {
		t.Fatalf("%s: %s → %s: %v", id, want.status, to, err)
	}
	if err != nil {
		return
	}
	want.status, want.waitedOn = to, ""
	if to == Waiting {
		want.waitedOn = string(move.Wait.Reason)
	}
	if to == Claimed {
		want.actor, want.session, want.epoch, want.neverHadAClaim = move.Claim.Actor, "", move.Claim.Epoch, false
		want.highest = want.epoch
	}
	m.tasks[id] = want
}

func (m *machine) Attach(t *rapid.T) {
	id, session := m.some(t), rapid.SampledFrom([]string{"s1", "s2"}).Draw(t, "session")
	want := m.tasks[id]
	err := m.l.UpdateHeld(context.Background(), func(tx *Tx) error { return tx.Attach(id, session, "h", false) })
	ok := !want.neverHadAClaim && !want.status.Ended() && (want.session == "" || want.session == session)
	if ok != (err == nil) {
		t.Fatalf("%+v %s: %v", want, session, err)
	}
	if ok {
		want.session = session
		m.tasks[id] = want
	}
}

func (m *machine) Remark(t *rapid.T) {
	id := m.some(t)
	if err := m.update(t, func(tx *Tx) error { _, err := tx.Direct(id, "comment", "x", "y"); return err }); err != nil {
		t.Fatal(err)
	}
	want := m.tasks[id]
	want.remarks++
	m.tasks[id] = want
}

func (m *machine) Prioritize(t *rapid.T) {
	id, to := m.some(t), rapid.SampledFrom(Priorities).Draw(t, "to")
	if err := m.update(t, func(tx *Tx) error { return tx.Prioritize(id, to, "", "") }); err != nil {
		t.Fatal(err)
	}
	want := m.tasks[id]
	want.priority = to
	m.tasks[id] = want
}

func (m *machine) AnotherProcess(t *rapid.T) { m.l = m.open() }

func (m *machine) open() *Ledger {
	l := again(m.path)
	l.images.minGrowth = 700
	return l
}

func (m *machine) LoseAnImage(t *rapid.T) {
	os.Remove(besides(m.path, rapid.SampledFrom([]string{snapshotName, heldName}).Draw(t, "image")))
}

func (m *machine) DamageAnImage(t *rapid.T) {
	path := besides(m.path, rapid.SampledFrom([]string{snapshotName, heldName}).Draw(t, "image"))
	data, err := os.ReadFile(path)
	if err != nil || len(data) == 0 {
		t.Skip("none")
	}
	data[rapid.IntRange(0, len(data)-1).Draw(t, "at")]++
	_ = os.WriteFile(path, data, 0o644)
}

func (m *machine) Tear(t *rapid.T) {
	m.append(t, rapid.SampledFrom([]string{`{"id": "evt-`, `{"id": "evt-0123456789ab", "schema`, "\x00\x00\x00", "{"}).Draw(t, "rest"))
}

func (m *machine) AddABadLine(t *rapid.T) {
	m.append(t, rapid.SampledFrom([]string{"\n", "\nhello\n", "\n{}\n", "\n[]\n\n", "\n\xff\n"}).Draw(t, "line"))
}

func (m *machine) append(t *rapid.T, s string) {
	f, err := os.OpenFile(m.path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no log")
	}
	defer f.Close()
	if _, err := f.WriteString(s); err != nil {
		t.Fatal(err)
	}
}

func (m *machine) Commit(t *rapid.T) {
	data, err := os.ReadFile(m.path)
	if err != nil {
		t.Skip("no log")
	}
	m.log, m.commit, m.corder = string(data), map[string]modelTask{}, slices.Clone(m.order)
	for id, task := range m.tasks {
		m.commit[id] = task
	}
}

func (m *machine) Checkout(t *rapid.T) {
	if m.commit == nil {
		t.Skip("no commit")
	}
	tmp := filepath.Join(filepath.Dir(m.path), "checkout")
	if err := errors.Join(os.WriteFile(tmp, []byte(m.log), 0o644), os.Rename(tmp, m.path)); err != nil {
		t.Fatal(err)
	}
	m.tasks, m.order = map[string]modelTask{}, slices.Clone(m.corder)
	for id, task := range m.commit {
		m.tasks[id] = task
	}
}

// Check holds all ways to read the ledger against the model.
func (m *machine) Check(t *rapid.T) {
	for _, l := range []*Ledger{m.l, m.open(), OpenStore(NewFile(project(m.path), ""))} {
		err := l.View(func(s *State) error {
			if !slices.Equal(s.order, m.order) {
				t.Fatalf("tasks %v, want %v", s.order, m.order)
			}
			for _, id := range m.order {
				m.checkTask(t, s, id)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		var held []string
		for _, id := range m.order {
			if w := m.tasks[id]; !w.neverHadAClaim && !w.status.Ended() {
				held = append(held, id)
			}
		}
		err = l.ViewHeld(func(s *State) error {
			var got []string
			for _, task := range s.Held() {
				got = append(got, task.ID)
				m.checkTask(t, s, task.ID)
			}
			slices.Sort(got)
			if slices.Sort(held); !slices.Equal(got, held) {
				t.Fatalf("held %v, want %v", got, held)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	r, err := Verify(project(m.path), "")
	if err != nil || slices.ContainsFunc(r.Problems, func(p Problem) bool { return FaultKind(p.Kind).Text().EN == "" && p.Kind != ProblemTorn }) {
		t.Fatalf("%+v %v", r, err)
	}
}

func (m *machine) checkTask(t *rapid.T, s *State, id string) {
	want := m.tasks[id]
	got, ok := s.Task(id)
	if !ok || got.Status != want.status || got.Priority() != want.priority || len(got.Directives) != want.remarks || got.Epoch != want.highest ||
		(got.Claim == nil) != want.neverHadAClaim || (got.Wait != nil) != (want.waitedOn != "") {
		t.Fatalf("%s: %+v, want %+v", id, got, want)
	}
	if c := got.Claim; c != nil && (c.Actor != want.actor || c.Session != want.session || c.Epoch != want.epoch) {
		t.Fatalf("%s: %+v, want %+v", id, c, want)
	}
}

func TestTheLedgerAsAMachine(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp("", "ledger-model")
		if err != nil {
			rt.Fatal(err)
		}
		defer os.RemoveAll(dir)
		m := &machine{path: filepath.Join(dir, filepath.FromSlash(Dir), LogName), tasks: map[string]modelTask{}}
		m.l = m.open()
		rt.Repeat(rapid.StateMachineActions(m))
	})
}
