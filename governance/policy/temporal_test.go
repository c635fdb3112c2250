package policy

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/grimoire-kit/grimoire/governance/session"
	"github.com/grimoire-kit/grimoire/surface"
)

var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

func newSession() *session.State { return session.New("s", noon) }

// judge evaluates on a host that can ask.
func judge(r *Rules, s *session.State, c *Call, after time.Duration) Decision {
	return r.JudgeSession(c, s, noon.Add(after), true)
}

func TestBudgetIsRefusedAtTheNextCall(t *testing.T) {
	r := mustParse(t, `rules: [{id: b, tool_pattern: Bash, verdict_on_match: block, reason_template: "Assez", per_session: {max_tool_calls: 3}}]`)
	s := newSession()
	for i := range 3 {
		if d := judge(r, s, bash("make"), 0); d.Verdict != Allow {
			t.Fatalf("call %d: %s", i+1, d.Verdict)
		}
	}
	d := judge(r, s, bash("make"), 0)
	checkReason(t, d)
	if d.Verdict != Block || !slices.Equal(d.Rules, []string{"b"}) || s.Rule("b").Calls != 3 {
		t.Fatalf("got %+v, %d calls", d, s.Rule("b").Calls)
	}
	for _, w := range []string{"3/3", "Assez", "grimoire policies reset-session ou relever per_session dans _grimoire/standard/policies.yaml"} {
		if !strings.Contains(d.Reason.FR, w) {
			t.Errorf("%q does not say %q", d.Reason.FR, w)
		}
	}
	if d := judge(r, s, write("Write", "a"), 0); d.Verdict != Allow {
		t.Errorf("another tool: %s", d.Verdict)
	}
}

func TestBudgetDimensions(t *testing.T) {
	tests := []struct {
		budget string
		spend  func(s *session.State)
		after  time.Duration
		words  string
	}{
		{"max_tool_calls: 2", func(s *session.State) { s.Rule("b").Calls = 2 }, 0, "calls: 2/2"},
		{"max_writes: 2", func(s *session.State) { s.Rule("b").Writes = 2 }, 0, "writes: 2/2"},
		{"max_cost_usd: 0.5", func(s *session.State) { s.Rule("b").CostUSD = 0.5 }, 0, "cost: 0.50/0.50 USD"},
		{"max_duration_min: 60", func(*session.State) {}, time.Hour, "duration: 60/60 min"},
	}
	for _, tt := range tests {
		for _, verdict := range []string{"block", "warn", "allow"} {
			t.Run(tt.budget+" "+verdict, func(t *testing.T) {
				r := mustParse(t, `rules: [{id: b, verdict_on_match: `+verdict+`, estimated_cost_usd: 0.25, per_session: {`+tt.budget+`}}]`)
				s := newSession()
				if d := judge(r, s, bash("make"), tt.after-time.Second); d.Verdict != Allow {
					t.Fatalf("before: %+v", d)
				}
				tt.spend(s)

				asking := r.JudgeSession(bash("make"), s, noon.Add(tt.after), true)
				silent := r.JudgeSession(bash("make"), s, noon.Add(tt.after), false)
				want := map[string][2]Verdict{"block": {Block, Block}, "warn": {Warn, Allow}, "allow": {Allow, Allow}}[verdict]
				if asking.Verdict != want[0] || silent.Verdict != want[1] {
					t.Fatalf("got %s where the host asks, %s where not; want %v", asking.Verdict, silent.Verdict, want)
				}
				checkReason(t, asking)
				text := asking.Reason.EN
				if asking.Verdict == Allow {
					if len(asking.Alerts) != 1 {
						t.Fatalf("no alert: %+v", asking)
					}
					text = asking.Alerts[0].EN
				}
				if verdict == "warn" && (len(silent.Alerts) != 1 || !strings.Contains(silent.Alerts[0].EN, tt.words)) {
					t.Errorf("no alert where the host cannot ask: %+v", silent)
				}
				if !strings.Contains(text, tt.words) || !strings.Contains(text, "reset-session") {
					t.Errorf("text %q", text)
				}

				// What changes nothing, and the ways out, are never stopped.
				for _, c := range []*Call{
					read("Read", "a"), reading(bash("cat a")),
					write("Write", File), write("Edit", testRoot+"/"+File), write("Write", "_grimoire-output/.runs/session-x.json"),
					bash("grimoire policies status"), bash("grimoire policies reset-session --json"),
					bash(".venv/bin/grimoire policies reset-session"), bash("python -m grimoire policies status"),
					bash("python3 -m grimoire policies reset-session"), bash("grimoire policies explain x"),
					bash("grimoire -o json policies status"), bash("cd sub && grimoire policies status"),
				} {
					before := *s.Rule("b")
					if d := judge(r, s, c, tt.after); d.Verdict != Allow || len(d.Alerts) > 0 {
						t.Errorf("exempt %q: %+v", c.Detail(), d)
					}
					if verdict == "block" && (s.Rule("b").Calls != before.Calls || s.Rule("b").Writes != before.Writes) && tt.budget != "max_writes: 2" {
						t.Errorf("exempt %q was counted", c.Detail())
					}
				}
				if verdict != "block" {
					return
				}
				for _, c := range []*Call{
					bash("echo grimoire policies status"), bash("rm grimoire policies"), bash("grimoire standard verify"),
					bash("grimoire policies status && make"), bash("make; grimoire policies reset-session"),
					bash("grimoire policies status | sh"), bash("grimoire policies status > Makefile"),
					bash("cat _grimoire/standard/policies.yaml > x"), bash("make _grimoire/standard/policies.yaml"),
					bash("python -m other grimoire policies"), bash("cd sub"), bash("grimoire policies approve abcdef"),
					write("Write", "src/_grimoire/standard/policies.yaml"), write("Write", "/elsewhere/"+File),
					write("Write", "_grimoire-output/.runs/session-x.txt"), write("Write", "session-x.json"),
				} {
					if d := judge(r, s, c, tt.after); d.Verdict != Block {
						t.Errorf("look-alike %q: %s", c.Detail(), d.Verdict)
					}
				}
				patch := write("apply_patch", File)
				patch.Changes = append(patch.Changes, Change{Path: "src/a.go"})
				if d := judge(r, s, patch, tt.after); d.Verdict != Block {
					t.Errorf("a patch of policies.yaml and more: %s", d.Verdict)
				}
				unresolved := bash("grimoire policies status")
				unresolved.Unresolved = true
				if d := judge(r, s, unresolved, tt.after); d.Verdict != Block {
					t.Errorf("something unknown beside a repair: %s", d.Verdict)
				}
			})
		}
	}
}

func TestReadsDoNotSpendWrites(t *testing.T) {
	r := mustParse(t, `rules: [{id: w, verdict_on_match: block, per_session: {max_writes: 1}}]`)
	s := newSession()
	for range 10 {
		if d := judge(r, s, reading(bash("cat a")), 0); d.Verdict != Allow {
			t.Fatalf("read: %s", d.Verdict)
		}
	}
	if d := judge(r, s, write("Write", "a"), 0); d.Verdict != Allow {
		t.Fatalf("first write: %s", d.Verdict)
	}
	if d := judge(r, s, write("Write", "a"), 0); d.Verdict != Block {
		t.Fatalf("second write: %s", d.Verdict)
	}
	if d := judge(r, s, reading(bash("cat a")), 0); d.Verdict != Allow {
		t.Fatalf("read after: %s", d.Verdict)
	}
	if k := s.Rule("w"); k.Calls != 12 || k.Writes != 1 {
		t.Errorf("got %d calls, %d writes", k.Calls, k.Writes)
	}
}

func TestUnknownStartNeverSpendsDuration(t *testing.T) {
	r := mustParse(t, `rules: [{id: d, verdict_on_match: block, per_session: {max_duration_min: 1}}]`)
	s := newSession()
	s.StartedAt = time.Time{}
	if d := judge(r, s, bash("make"), 100*time.Hour); d.Verdict != Allow {
		t.Errorf("got %s", d.Verdict)
	}
	s.StartedAt = noon.Add(time.Hour) // in the future
	if d := judge(r, s, bash("make"), 0); d.Verdict != Allow {
		t.Errorf("future: got %s", d.Verdict)
	}
}

func TestCooldown(t *testing.T) {
	r := mustParse(t, `rules: [{id: c, tool_pattern: Bash, verdict_on_match: warn, cooldown_after: {pattern: "Bash(rm:*)", count: 2, minutes: 10}}]`)
	s := newSession()
	for range 5 { // calls of the rule that the cooldown is not about
		judge(r, s, bash("make"), 0)
	}
	for i := range 2 {
		if d := judge(r, s, bash("rm a"), time.Duration(i)*time.Minute); d.Verdict != Allow {
			t.Fatalf("rm %d: %s", i, d.Verdict)
		}
	}
	d := r.JudgeSession(bash("rm a"), s, noon.Add(2*time.Minute), false)
	checkReason(t, d)
	if d.Verdict != Block || s.Rule("c").Calls != 7 || len(s.Rule("c").Hits) != 3 {
		t.Fatalf("got %+v, %+v", d, s.Rule("c"))
	}
	if d := judge(r, s, bash("make"), 2*time.Minute); d.Verdict != Allow {
		t.Errorf("unrelated: %s", d.Verdict)
	}
	if d := judge(r, s, bash("rm a"), 11*time.Minute+time.Second); d.Verdict != Allow {
		t.Errorf("after the window: %s", d.Verdict)
	}
	for range 5000 {
		judge(r, s, bash("rm a"), 11*time.Minute)
	}
	if n := len(s.Rule("c").Hits); n > keptHits {
		t.Errorf("%d hits kept", n)
	}
}

const askRM = `rules: [{id: rm, tool_pattern: "Bash(rm:*)", verdict_on_match: warn, reason_template: "Suppression", require_approval: true}]`

func withID(c *Call, id string) *Call {
	c.ToolUseID = id
	return c
}

func TestApproval(t *testing.T) {
	r := mustParse(t, askRM)
	s := newSession()
	for range 3 { // asking proves nothing
		d := judge(r, s, withID(bash("rm a"), "t1"), 0)
		checkReason(t, d)
		if d.Verdict != Warn {
			t.Fatalf("got %s", d.Verdict)
		}
	}
	r.RecordRun(withID(bash("rm a"), "t1"), s)
	if d := judge(r, s, withID(bash("rm  a"), "t2"), 0); d.Verdict != Allow {
		t.Errorf("the same action: %s", d.Verdict)
	}
	if d := judge(r, s, bash("rm b"), 0); d.Verdict != Warn {
		t.Errorf("another action: %s", d.Verdict)
	}
	if d := judge(r, newSession(), bash("rm a"), 0); d.Verdict != Warn {
		t.Errorf("a new session: %s", d.Verdict)
	}
	if d := judge(r, s, bash("rmdir a"), 0); d.Verdict != Allow || len(d.Rules) > 0 {
		t.Errorf("another command: %+v", d)
	}
}

func TestApprovalFollowsTheActionThatWasAsked(t *testing.T) {
	r := mustParse(t, askRM)
	s := newSession()
	judge(r, s, withID(bash("rm a"), "t1"), 0)
	r.RecordRun(withID(bash("rtk rm a"), "t1"), s) // rewritten by another hook
	if d := judge(r, s, bash("rm a"), 0); d.Verdict != Allow {
		t.Errorf("the action asked: %s", d.Verdict)
	}
	// Another id falls back to what ran, never to what was asked.
	judge(r, s, withID(bash("rm b"), "t2"), 0)
	r.RecordRun(withID(bash("rm c"), "t3"), s)
	if d := judge(r, s, bash("rm b"), 0); d.Verdict != Warn {
		t.Errorf("not run: %s", d.Verdict)
	}
	if d := judge(r, s, bash("rm c"), 0); d.Verdict != Allow {
		t.Errorf("run: %s", d.Verdict)
	}
}

func TestApprovalOfARemovedRule(t *testing.T) {
	s := newSession()
	judge(mustParse(t, askRM), s, withID(bash("rm a"), "t1"), 0)
	(&Rules{}).RecordRun(withID(bash("rm a"), "t1"), s)
	if k := s.Rule("rm"); len(k.Approved) > 0 {
		t.Errorf("approved for a rule that is gone: %v", k.Approved)
	}
}

func TestLegacyApprovalAsksAgain(t *testing.T) {
	root := t.TempDir()
	writeFile(t, session.Path(root, "s"), `{"schema_version":1,"session_id":"s","rules":{"rm":{"approved":true}}}`)
	s := session.Read(root, "s")
	r := mustParse(t, askRM)
	if d := judge(r, s, bash("rm a"), 0); d.Verdict != Warn {
		t.Errorf("got %s", d.Verdict)
	}
	if st := r.Status(s, noon, surface.English); st[0].Approved || !strings.Contains(st[0].Summary, "nothing approved yet") {
		t.Errorf("status: %+v", st)
	}
}

func TestPendingApprovalsAreBounded(t *testing.T) {
	r := mustParse(t, askRM)
	s := newSession()
	for i := range 80 {
		judge(r, s, withID(bash(fmt.Sprintf("rm %d", i)), fmt.Sprint(i)), 0)
	}
	if len(s.Pending) != 64 || s.Pending[0].Key != "16" || s.Pending[63].Key != "79" {
		t.Errorf("got %d, %+v", len(s.Pending), s.Pending[0])
	}
	for i := range 80 {
		r.RecordRun(bash(fmt.Sprintf("rm %d", i)), s)
	}
	if n := len(s.Rule("rm").Approved); n != 64 {
		t.Errorf("%d fingerprints", n)
	}
	if d := judge(r, s, bash("rm 15"), 0); d.Verdict != Warn {
		t.Errorf("the oldest: %s", d.Verdict)
	}
}

// A host that cannot ask refuses, and the person approves at a terminal. The
// model's next try has another id, or none.
func TestApproveAtTheTerminal(t *testing.T) {
	for _, id := range []string{"", "toolu_1", "1" + strings.Repeat("x", 1000)} {
		r := mustParse(t, askRM)
		s := newSession()
		d := r.JudgeSession(withID(bash("rm secret-name"), id), s, noon, false)
		waiting := r.Waiting(s)
		if d.Verdict != Warn || len(waiting) != 1 || waiting[0].Tool != "Bash" || !slices.Equal(waiting[0].Rules, []string{"rm"}) {
			t.Fatalf("got %+v, %+v", d, waiting)
		}
		w := waiting[0]
		if !strings.Contains(d.Reason.FR, "grimoire policies approve "+w.ID) {
			t.Errorf("the refusal does not name the id %s: %q", w.ID, d.Reason.FR)
		}
		if text, _ := json.Marshal(w); strings.Contains(string(text)+w.Summary().FR, "secret-name") {
			t.Errorf("the summary quotes the command: %s", text)
		}
		for _, wrong := range []string{"", "zzzzzzzzzzzz", w.ID[:5], w.ID + "0"} {
			if _, err := r.Approve(s, wrong); !errors.Is(err, ErrNotWaiting) {
				t.Errorf("%q: %v", wrong, err)
			}
		}
		if got, err := r.Approve(s, strings.ToUpper(w.ID)); err != nil || got.ID != w.ID {
			t.Fatalf("approve: %+v, %v", got, err)
		}
		if k := s.Rule("rm"); len(k.ByPerson) != 1 || len(r.Waiting(s)) != 0 {
			t.Errorf("recorded %+v, waiting %v", k, r.Waiting(s))
		}
		if _, err := r.Approve(s, w.ID); !errors.Is(err, ErrNotWaiting) {
			t.Errorf("twice: %v", err)
		}
		if d := r.JudgeSession(withID(bash("rm secret-name"), strings.Replace(id, "1", "2", 1)), s, noon, false); d.Verdict != Allow {
			t.Errorf("repeated: %s", d.Verdict)
		}
		if id == "" && len(s.Pending) > 0 {
			t.Errorf("an approved action without an id is kept: %+v", s.Pending)
		}
		if d := r.JudgeSession(bash("rm other"), s, noon, false); d.Verdict != Warn {
			t.Errorf("another action: %s", d.Verdict)
		}
	}
}

func TestWaitingTrustsNoFile(t *testing.T) {
	root := t.TempDir()
	good := Fingerprint("Bash", []byte(`{}`))
	writeFile(t, session.Path(root, "s"), fmt.Sprintf(`{"schema_version":1,"pending_approvals":{
		"a":{"fingerprint":"$(touch x)   ","rules":["rm"]},"b":{"fingerprint":"ab","rules":["rm"]},"c":{"fingerprint":%q,"rules":["gone"]},
		"d":{"fingerprint":%q,"rules":["rm","gone"],"tool":"Bash\n\u001b[2J"}}}`, good, good))
	waiting := mustParse(t, askRM).Waiting(session.Read(root, "s"))
	if len(waiting) != 1 || waiting[0].ID != good[:12] || !slices.Equal(waiting[0].Rules, []string{"rm"}) {
		t.Fatalf("got %+v", waiting)
	}
	if text := waiting[0].Summary().EN; text != "Bash [2J (rules: rm)" {
		t.Errorf("summary %q", text)
	}
}

// The remedy that a budget names is not itself put to the person.
func TestRepairNeedsNoApproval(t *testing.T) {
	r := mustParse(t, `rules: [{id: a, tool_pattern: Bash, verdict_on_match: warn, require_approval: true}]`)
	s := newSession()
	if d := judge(r, s, bash("grimoire policies reset-session"), 0); d.Verdict != Allow {
		t.Errorf("got %s", d.Verdict)
	}
	if d := judge(r, s, bash("make && grimoire policies reset-session"), 0); d.Verdict != Warn {
		t.Errorf("compound: got %s", d.Verdict)
	}
}

func TestMostSevereRuleWins(t *testing.T) {
	r := mustParse(t, `rules:
  - {id: ask, tool_pattern: Bash, verdict_on_match: warn, require_approval: true}
  - {id: none-left, tool_pattern: Bash, verdict_on_match: block, per_session: {max_tool_calls: 0}}
  - {id: elsewhere, tool_pattern: Write, verdict_on_match: block, per_session: {max_tool_calls: 0}}
`)
	d := judge(r, newSession(), bash("make"), 0)
	if d.Verdict != Block || !slices.Equal(d.Rules, []string{"ask", "none-left"}) || !strings.Contains(d.Reason.EN, "none-left") {
		t.Errorf("got %+v", d)
	}
}

func TestStatus(t *testing.T) {
	r := mustParse(t, `rules:
  - {id: calls, verdict_on_match: warn, per_session: {max_tool_calls: 11}}
  - {id: time, verdict_on_match: warn, per_session: {max_duration_min: 60}}
  - {id: plain, verdict_on_match: warn}
`)
	for used, want := range map[int]string{
		0:  "calls 0/11, 11 left",
		9:  "calls 9/11, 2 left",
		10: "calls 10/11, 1 left, ATTENTION",
		11: "calls 11/11, reached",
		12: "calls 12/11, reached",
	} {
		s := newSession()
		s.Rule("calls").Calls = used
		s.Rule("gone").Calls = 3
		st := r.Status(s, noon.Add(56*time.Minute), surface.English)
		if len(st) != 3 || st[0].Summary != want || st[1].Summary != "duration 56/60 min, 4 left, ATTENTION" || st[2].Rule != "gone" || st[2].Calls != 3 {
			t.Errorf("%d used: got %+v", used, st)
		}
	}
	out, err := json.Marshal(r.Status(newSession(), noon, surface.French)[0])
	if want := `{"rule_id":"calls","calls":0,"writes":0,"cost_usd":0,"approved":false,"approved_fingerprints":[],"hits":0,"summary":"appels 0/11, reste 11"}`; err != nil || string(out) != want {
		t.Errorf("got %s, %v", out, err)
	}
}

func TestDoctorGuards(t *testing.T) {
	tests := []struct {
		rule               string
		any, broad, shorts bool
	}{
		{"verdict_on_match: block, per_session: {max_tool_calls: 5}", true, true, false},
		{"verdict_on_match: block, per_session: {max_duration_min: 2879}", true, true, true},
		{"verdict_on_match: block, per_session: {max_duration_min: 2880}", true, true, false},
		{"verdict_on_match: warn, per_session: {max_duration_min: 10}", true, false, false},
		{"verdict_on_match: block, tool_pattern: Write, per_session: {max_duration_min: 10}", true, false, false},
		{"verdict_on_match: block, require_approval: true", false, false, false},
	}
	for _, tt := range tests {
		r := mustParse(t, "rules: [{id: a, "+tt.rule+"}]")
		if r.HasBudgets() != tt.any || (len(r.BroadBlockingBudgets()) > 0) != tt.broad || (len(r.ShortBlockingBudgets()) > 0) != tt.shorts {
			t.Errorf("%s: %v %v %v", tt.rule, r.HasBudgets(), r.BroadBlockingBudgets(), r.ShortBlockingBudgets())
		}
	}
}

func BenchmarkLoadAndJudge(b *testing.B) {
	root := b.TempDir()
	writeFile(b, root+"/"+File, seedFile)
	c := bash("rm a")
	s := newSession()
	for b.Loop() {
		r, err := Load(root)
		if err != nil {
			b.Fatal(err)
		}
		Judge(c, surface.ProfileGoverned, r)
		r.JudgeSession(c, s, noon, true)
	}
}
