package task_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/task"
)

// modelTask is what a task should be, kept by hand.
type modelTask struct {
	status   ledger.Status
	actor    string // of the last claim, "" for none
	session  string
	files    []string
	epoch    int64
	expires  time.Time
	priority string
	owner    string
	losses   int       // leases lost in a row
	due      time.Time // of one that is ready after such a loss
}

func (m *modelTask) active() bool { return m.status == ledger.Claimed || m.status == ledger.Running }

// desks are processes of one project that take turns, beside a model of what
// the project's tasks should be.
type desks struct {
	root  string
	now   time.Time
	desks []*task.Desk
	tasks map[string]*modelTask
	order []string
	limit int
	log   string
}

var legal = map[ledger.Status]string{
	ledger.Proposed:          "ready cancelled",
	ledger.Ready:             "claimed blocked cancelled",
	ledger.Claimed:           "running ready waiting cancelled",
	ledger.Running:           "needs_verification waiting blocked failed ready cancelled",
	ledger.Waiting:           "running ready waiting failed cancelled",
	ledger.Blocked:           "ready cancelled",
	ledger.NeedsVerification: "closed running failed",
	ledger.Failed:            "ready cancelled",
}

func (m *modelTask) may(to ledger.Status) bool {
	return slices.Contains(strings.Fields(legal[m.status]), string(to))
}

// check compares an outcome with what the model says must come of it.
func (m *desks) check(t *rapid.T, what string, err error, allowed bool) bool {
	t.Helper()
	text, readErr := os.ReadFile(filepath.Join(m.root, filepath.FromSlash(ledger.Dir), ledger.LogName))
	if readErr != nil && !errors.Is(readErr, os.ErrNotExist) {
		t.Fatal(readErr)
	}
	switch {
	case allowed && err != nil:
		t.Fatalf("%s: %v", what, err)
	case !allowed && err == nil:
		t.Fatalf("%s: it was let through", what)
	case err != nil && string(text) != m.log:
		t.Fatalf("%s: refused, and written: %v", what, err)
	case !strings.HasPrefix(string(text), m.log):
		t.Fatalf("%s: the log was rewritten", what)
	}
	m.log = string(text)
	return err == nil
}

func (m *desks) desk(t *rapid.T) *task.Desk { return rapid.SampledFrom(m.desks).Draw(t, "process") }

func (m *desks) some(t *rapid.T) (string, *modelTask) {
	if len(m.order) == 0 {
		t.Skip("no task")
	}
	id := rapid.SampledFrom(m.order).Draw(t, "task")
	return id, m.tasks[id]
}

func actor(t *rapid.T) string {
	return rapid.SampledFrom([]string{"ada", "bob", "eve"}).Draw(t, "actor")
}

// places counts the tasks under way, but for one.
func (m *desks) places(but string) int {
	n := 0
	for id, x := range m.tasks {
		if id != but && x.active() {
			n++
		}
	}
	return n
}

func (m *desks) reserved(but string, files []string) bool {
	for id, x := range m.tasks {
		if id == but || !x.active() || !m.now.Before(x.expires) {
			continue
		}
		for _, a := range x.files {
			for _, b := range files {
				if a == b || strings.HasPrefix(a, b+"/") || strings.HasPrefix(b, a+"/") {
					return true
				}
			}
		}
	}
	return false
}

func (m *desks) lease(x *modelTask) {
	x.epoch++
	x.expires = m.now.Add(ledger.LeaseTTL)
}

func (m *desks) Add(t *rapid.T) {
	if len(m.order) > 8 {
		t.Skip("enough")
	}
	title := rapid.StringMatching(`[a-c]{1,2}`).Draw(t, "title")
	isReady := rapid.Bool().Draw(t, "ready")
	out, err := m.desk(t).Add(bg, task.New{Title: title, Acceptance: []string{"tests"}, Ready: isReady})
	if m.check(t, "add", err, true) {
		if m.tasks[out.Task.ID] != nil {
			t.Fatalf("the id %s was given twice", out.Task.ID)
		}
		x := &modelTask{status: ledger.Proposed, priority: "medium"}
		if isReady {
			x.status = ledger.Ready
		}
		m.tasks[out.Task.ID] = x
		m.order = append(m.order, out.Task.ID)
	}
}

func (m *desks) Claim(t *rapid.T) {
	id, x := m.some(t)
	who := actor(t)
	files := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "a/b", "c"}), 0, 2).Draw(t, "files")
	_, err := m.desk(t).Claim(bg, id, task.NewClaim{Actor: who, Files: files, Session: task.Session{ID: "s-" + who}})
	if m.check(t, "claim "+id, err, x.status == ledger.Ready && m.places(id) < m.limit && !m.reserved(id, files)) {
		x.status, x.actor, x.session, x.files, x.due = ledger.Claimed, who, "s-"+who, files, time.Time{}
		m.lease(x)
	}
}

func (m *desks) Move(t *rapid.T) {
	id, x := m.some(t)
	to := rapid.SampledFrom(ledger.Statuses).Draw(t, "to")
	if to == ledger.Claimed || to == ledger.Waiting {
		t.Skip("they are moves of their own")
	}
	h, _ := holder(t, x)
	if rapid.Bool().Draw(t, "nobody") {
		h = task.Holder{}
	}
	_, err := m.desk(t).Move(bg, id, task.MoveTo{To: to, Reason: "r"}.By(h))
	if m.check(t, fmt.Sprintf("move %s from %s to %s by %+v", id, x.status, to, h), err, !m.fences(x, h) && x.may(to) && (x.status != ledger.Waiting || to != ledger.Running)) {
		x.status = to
		if x.due = (time.Time{}); to != ledger.Running {
			x.losses = 0 // given back, or ended: work goes on from running alone
		}
	}
}

// fences tells whether a task is another's than h's.
func (m *desks) fences(x *modelTask, h task.Holder) bool {
	if h.Epoch != 0 {
		return h.Epoch != x.epoch || x.status == ledger.Ready
	}
	return x.active() && m.now.Before(x.expires) && (h.Actor != "" && h.Actor != x.actor || h.Session != "" && x.session != "" && h.Session != x.session)
}

// holder draws who speaks, and whether that one may.
func holder(t *rapid.T, x *modelTask) (task.Holder, bool) {
	h := task.Holder{Actor: actor(t)}
	if rapid.Bool().Draw(t, "by session") {
		h.Session = "s-" + actor(t)
	}
	if rapid.Bool().Draw(t, "by lease") {
		h.Epoch = rapid.Int64Range(1, 4).Draw(t, "epoch")
	}
	switch {
	case x.actor == "":
		return h, false
	case h.Epoch != 0:
		return h, h.Epoch == x.epoch
	}
	return h, h.Actor == x.actor || h.Session == x.session
}

func (m *desks) Wait(t *rapid.T) {
	id, x := m.some(t)
	h, may := holder(t, x)
	reason := rapid.SampledFrom(ledger.WaitReasons).Draw(t, "reason")
	_, err := m.desk(t).Wait(bg, id, task.NewWait{Reason: reason, Holder: h})
	if m.check(t, fmt.Sprintf("wait %s", id), err, x.may(ledger.Waiting) && (may || !x.active())) {
		x.status = ledger.Waiting
	}
}

func (m *desks) Resume(t *rapid.T) {
	id, x := m.some(t)
	h, may := holder(t, x)
	_, err := m.desk(t).Resume(bg, id, h)
	switch {
	case x.status == ledger.Waiting:
		if m.check(t, "resume "+id, err, may && m.places(id) < m.limit && !m.reserved(id, x.files)) {
			x.status = ledger.Running
			if h.Session != "" {
				x.session = h.Session
			}
			m.lease(x)
		}
	case m.check(t, "resume "+id, err, may && x.active()):
		x.expires = m.now.Add(ledger.LeaseTTL)
	}
}

func (m *desks) Renew(t *rapid.T) {
	id, x := m.some(t)
	h, may := holder(t, x)
	_, err := m.desk(t).Renew(bg, id, h)
	if m.check(t, "renew "+id, err, may && x.active()) {
		x.expires = m.now.Add(ledger.LeaseTTL)
	}
}

func (m *desks) Attach(t *rapid.T) {
	id, x := m.some(t)
	s := "s-" + actor(t)
	_, err := m.desk(t).Attach(bg, id, task.Session{ID: s})
	if m.check(t, "attach "+id, err, x.actor != "" && (x.session == "" || x.session == s)) {
		x.session = s
	}
}

func (m *desks) Cancel(t *rapid.T) {
	id, x := m.some(t)
	h, _ := holder(t, x)
	force := rapid.Bool().Draw(t, "force")
	_, err := m.desk(t).Cancel(bg, id, "r", h, force)
	if m.check(t, fmt.Sprintf("cancel %s by %+v", id, h), err, x.may(ledger.Cancelled) && (force && h.Epoch == 0 || !m.fences(x, h))) {
		x.status, x.losses, x.due = ledger.Cancelled, 0, time.Time{}
	}
}

func (m *desks) Prioritize(t *rapid.T) {
	id, x := m.some(t)
	to := rapid.SampledFrom(append([]string{"asap"}, ledger.Priorities...)).Draw(t, "priority")
	_, err := m.desk(t).Prioritize(bg, id, to, "", "ada")
	if m.check(t, "prioritize", err, to != "asap") {
		x.priority = to
	}
}

func (m *desks) Assign(t *rapid.T) {
	id, x := m.some(t)
	who := rapid.SampledFrom([]string{"", "ada", "bob"}).Draw(t, "owner")
	_, err := m.desk(t).Assign(bg, id, who, "", "ada")
	if m.check(t, "assign", err, who != "" && !x.status.Ended()) {
		x.owner = who
	}
}

func (m *desks) Reap(t *rapid.T) {
	out, err := m.desk(t).Reap(bg, "")
	m.check(t, "reap", err, true)
	var want []string
	for _, id := range m.order {
		if x := m.tasks[id]; x.active() && !m.now.Before(x.expires) {
			x.status = ledger.Ready
			x.losses++
			x.due = m.now.Add(min(ledger.MaxBackoff, ledger.Backoff<<min(x.losses-1, 10)))
			want = append(want, id)
		}
	}
	if len(out.Waiting) > 0 || !slices.Equal(out.Ready, append([]string{}, want...)) {
		t.Fatalf("reaped %v, want %v", out.Ready, want)
	}
}

func (m *desks) TimePasses(t *rapid.T) {
	m.now = m.now.Add(time.Duration(rapid.IntRange(1, 180).Draw(t, "minutes")) * time.Minute)
}

// A process ends, and another begins.
func (m *desks) Restart(t *rapid.T) {
	m.desks[rapid.IntRange(0, len(m.desks)-1).Draw(t, "process")] = m.open()
}

func (m *desks) open() *task.Desk {
	d := task.Open(m.root, "")
	d.Ledger.Now = func() time.Time { return m.now }
	return d
}

// Check compares everything, and what must hold whatever happened.
func (m *desks) Check(t *rapid.T) {
	for _, d := range m.desks {
		var tasks []ledger.Task
		err := d.Ledger.View(func(s *ledger.State) error {
			for r := range s.Rows() {
				t, _ := s.Task(r.ID)
				tasks = append(tasks, t)
			}
			return nil
		})
		if err != nil || len(tasks) != len(m.order) {
			t.Fatalf("%d tasks, want %d: %v", len(tasks), len(m.order), err)
		}
		for _, got := range tasks {
			x := m.tasks[got.ID]
			if got.Status != x.status || got.Priority() != x.priority || (got.Claim == nil) != (x.actor == "") {
				t.Fatalf("%s: %s %s %+v, want %+v", got.ID, got.Status, got.Priority(), got.Claim, x)
			}
			losses := int64(0)
			if got.Readmission != nil {
				losses = got.Readmission.Losses
			}
			if got.Owner != x.owner || losses != int64(x.losses) {
				t.Fatalf("%s: of %q, %d leases lost, want %+v", got.ID, got.Owner, losses, x)
			}
			if c := got.Claim; c != nil && (c.Actor != x.actor || c.Session != x.session || c.Epoch != x.epoch || c.Expires != ledger.FormatTime(x.expires)) {
				t.Fatalf("%s: claim %+v, want %+v", got.ID, c, x)
			}
		}
	}
	queue, err := m.desks[0].Rows(task.Filter{Status: ledger.Ready})
	if err != nil {
		t.Fatal(err)
	}
	late := false
	for _, r := range queue {
		x := m.tasks[r.ID]
		if later := m.now.Before(x.due); later != (r.Outside != nil) || late && !later {
			t.Fatalf("%s is out of the queue: %v, in its place: %v; want %+v", r.ID, r.Outside, !late || later, x)
		}
		late = late || r.Outside != nil
	}
	if n := m.places(""); n > m.limit {
		t.Fatalf("%d tasks under way, the limit is %d", n, m.limit)
	}
}

// Whatever processes do in turns, tasks are what the model says, and what is
// refused leaves the log as it was.
func TestModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		root, err := os.MkdirTemp("", "desks")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = os.RemoveAll(root) }()
		m := &desks{root: root, now: time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC), tasks: map[string]*modelTask{}, limit: 2}
		m.desks = []*task.Desk{m.open(), m.open()}
		dir := filepath.Join(root, "_grimoire", "standard")
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "capacity.yaml"), []byte("version: 1\nwip: {limit_global: 2}\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		t.Repeat(rapid.StateMachineActions(m))
		r, err := ledger.Verify(root, "")
		if err != nil || !r.Sound() {
			t.Fatalf("%+v, %v", r, err)
		}
	})
}
