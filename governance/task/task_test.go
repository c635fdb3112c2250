package task_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/observe"
	"github.com/grimoire-kit/grimoire/governance/task"
	"github.com/grimoire-kit/grimoire/surface"
)

var bg = context.Background()

// project is an empty project with a desk whose clock is the test's.
func project(t testing.TB) (*task.Desk, *time.Time) {
	t.Helper()
	now := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	d := task.Open(t.TempDir(), "")
	d.Ledger.Now = func() time.Time { return now }
	return d, &now
}

func put(t testing.TB, d *task.Desk, name, text string) {
	t.Helper()
	path := filepath.Join(d.Root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// ready adds a task that can be claimed.
func ready(t testing.TB, d *task.Desk, title, owner string) string {
	t.Helper()
	out, err := d.Add(bg, task.New{Title: title, Acceptance: []string{"the tests pass"}, Owner: owner, Ready: true})
	if err != nil || out.Refusal != nil {
		t.Fatal(err, out.Refusal)
	}
	return out.Task.ID
}

func log(t testing.TB, d *task.Desk) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(d.Root, filepath.FromSlash(ledger.Dir), ledger.LogName))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return string(text)
}

// refused checks a refusal: its kind, that it names a remedy in both
// languages, and that nothing was written.
func refused(t testing.TB, d *task.Desk, before string, err error, transition, evidence string) {
	t.Helper()
	var r *task.Refusal
	if !errors.As(err, &r) {
		t.Fatalf("%v: not a refusal", err)
	}
	if r.Transition != transition || r.Missing[0].Evidence != evidence {
		t.Errorf("refused by %s for %s, want %s for %s", r.Transition, r.Missing[0].Evidence, transition, evidence)
	}
	for _, m := range r.Missing {
		if m.Remedy.FR == "" || m.Remedy.EN == "" || m.Reason.FR == "" || m.Reason.EN == "" {
			t.Errorf("%+v: no reason or no remedy", m)
		}
	}
	if log(t, d) != before {
		t.Error("a refusal was written")
	}
}

func TestVerifiability(t *testing.T) {
	for _, tt := range []struct{ criterion, class, pattern string }{
		{"the search tests pass", "V0", "test"},
		{"Suite verte", "V0", "test"},
		{"mypy sans erreur", "V0", "lint_typage"},
		{"le schéma est valide", "V0", "schema_validation"},
		{"le sche\u0301ma est valide", "V0", "schema_validation"},
		{"schémas", "V0", "schema_validation"},
		{"`grimoire standard gate check` est vert", "V0", "gate"},
		{"exit code 0", "V0", "commande_code_sortie"},
		{"CI verte", "V0", "build_ci"},
		{"le fichier out.txt existe", "V0", "fichier_attendu"},
		{"tests and a code review", "V1", "revue"},
		{"vérifié à la main", "V1", "verification_manuelle"},
		{"validé par Ada", "V1", "validation_humaine"},
		{"Démo au PO", "V1", "verification_manuelle"},
		// Letters are letters whatever their accents: no word ends inside another.
		{"protéstation", "V2", ""},
		{"étests", "V2", ""},
		{"contest", "V2", ""},
		{"testé", "V2", ""},
		{"port", "V2", ""},
		{"validation", "V2", ""},
		{"it is fast", "V2", ""},
	} {
		v := task.Verify(&ledger.Task{Acceptance: []string{tt.criterion}}, surface.English)
		got := ""
		if p := v.Criteria[0].Pattern; p != nil {
			got = *p
		}
		if v.Class != tt.class || got != tt.pattern {
			t.Errorf("%q: %s by %q, want %s by %q", tt.criterion, v.Class, got, tt.class, tt.pattern)
		}
	}
	if v := task.Verify(&ledger.Task{}, surface.French); v.Class != "V2" || v.Criteria == nil {
		t.Errorf("no criterion: %+v", v)
	}
}

// Of many sessions that claim one task, one gets it, and every other is told
// who has it.
func TestOneClaimWins(t *testing.T) {
	d, _ := project(t)
	id := ready(t, d, "one", "ada")
	var wg sync.WaitGroup
	var mu sync.Mutex
	won := 0
	for i := range 8 {
		wg.Go(func() {
			other := task.Open(d.Root, "") // as another process
			_, err := other.Claim(bg, id, task.NewClaim{Actor: string(rune('a' + i))})
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				won++
			} else if !errors.Is(err, ledger.ErrHeld) && !errors.Is(err, ledger.ErrChanged) {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if won != 1 {
		t.Errorf("%d sessions got the task", won)
	}
}

func TestReservedFiles(t *testing.T) {
	for _, tt := range []struct {
		theirs, mine string
		free         bool
	}{
		{"a/b.go", "a/b.go", false},
		{"a/b.go", "./a//x/../b.go", false},
		{"a", "a/b.go", false},
		{"a/b.go", "a/", false},
		{"a/b.go", `a\b.go`, false},
		{"A/b.go", "a/B.go", false},
		{".", "z", false},
		{"a", "ab", true},
		{"a/b.go", "a/c.go", true},
	} {
		d, _ := project(t)
		one, two := ready(t, d, "one", ""), ready(t, d, "two", "")
		if _, err := d.Claim(bg, one, task.NewClaim{Actor: "ada", Files: []string{tt.theirs}}); err != nil {
			t.Fatal(err)
		}
		before := log(t, d)
		_, err := d.Claim(bg, two, task.NewClaim{Actor: "bob", Files: []string{tt.mine}})
		if tt.free {
			if err != nil {
				t.Errorf("%s beside %s: %v", tt.mine, tt.theirs, err)
			}
			continue
		}
		var r *task.Refusal
		if !errors.As(err, &r) {
			t.Fatalf("%s beside %s: %v", tt.mine, tt.theirs, err)
		}
		refused(t, d, before, err, "exclusive_files", r.Missing[0].Evidence)
		if text := r.Text().EN; !strings.Contains(text, one) || !strings.Contains(text, "ada") {
			t.Errorf("it does not say who: %s", text)
		}
	}
	d, now := project(t)
	one, two := ready(t, d, "one", ""), ready(t, d, "two", "")
	for _, bad := range []string{"../x", "/etc/passwd", ""} {
		if _, err := d.Claim(bg, one, task.NewClaim{Files: []string{bad}}); err == nil {
			t.Errorf("%q was reserved", bad)
		}
	}
	if _, err := d.Claim(bg, one, task.NewClaim{Actor: "ada", Files: []string{"x"}}); err != nil {
		t.Fatal(err)
	}
	*now = now.Add(ledger.LeaseTTL)
	if _, err := d.Claim(bg, two, task.NewClaim{Actor: "bob", Files: []string{"x"}}); err != nil {
		t.Errorf("a lost lease reserves nothing: %v", err)
	}
}

func TestLimits(t *testing.T) {
	for _, tt := range []struct {
		name, capacity, policy string
		want                   string // evidence of the refusal of a second claim, "" for none
		first                  bool   // the first is refused already
	}{
		{"none", "", "", "", false},
		{"global", "version: 1\nwip: {limit_global: 1}\n", "", "wip_limit", false},
		{"per owner", "version: 1\nwip: {limit_per_role: 1}\n", "", "wip_limit", false},
		{"room", "version: 1\nwip: {limit_global: 2, limit_per_role: 2}\n", "", "", false},
		{"the policy's", "", "wip: {limit_global: 1}\n", "wip_limit", false},
		{"the policy of the existing kit", "", "wip: {limit_per_role: 2, limit_global: 1, open_delegation: forbidden}\n", "wip_limit", false},
		{"the policy of the existing kit, with room", "", "wip: {limit_per_role: 2, limit_global: 5, open_delegation: forbidden}\n", "", false},
		{"the policy's, misspelt", "", "wip: {limit_globall: 1}\n", "_grimoire/standard/orchestration-policy.yaml", true},
		{"capacity first", "version: 1\nwip: {limit_global: 5}\n", "wip: {limit_global: 1}\n", "", false},
		{"capacity without wip", "version: 1\n", "wip: {limit_global: 1}\n", "wip_limit", false},
		{"zero", "version: 1\nwip: {limit_global: 0}\n", "", "_grimoire/standard/capacity.yaml", true},
		{"a word", "version: 1\nwip: {limit_global: many}\n", "", "_grimoire/standard/capacity.yaml", true},
		{"misspelt", "version: 1\nwip: {limit: 1}\n", "", "_grimoire/standard/capacity.yaml", true},
		{"no version", "wip: {limit_global: 1}\n", "", "_grimoire/standard/capacity.yaml", true},
		{"broken", "version: 1\nwip: [", "", "_grimoire/standard/capacity.yaml", true},
		{"a list", "version: 1\nwip: []\n", "", "_grimoire/standard/capacity.yaml", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, _ := project(t)
			if tt.capacity != "" {
				put(t, d, "_grimoire/standard/capacity.yaml", tt.capacity)
			}
			if tt.policy != "" {
				put(t, d, "_grimoire/standard/orchestration-policy.yaml", tt.policy)
			}
			one, two := ready(t, d, "one", "ada"), ready(t, d, "two", "ada")
			before := log(t, d)
			_, err := d.Claim(bg, one, task.NewClaim{Actor: "ada"})
			if tt.first {
				refused(t, d, before, err, "wip", tt.want)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			before = log(t, d)
			_, err = d.Claim(bg, two, task.NewClaim{Actor: "bob"})
			if tt.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			refused(t, d, before, err, "wip", tt.want)
			// A task that waits gives its place away, and must ask for it again.
			if _, err := d.Move(bg, one, task.MoveTo{To: ledger.Running}); err != nil {
				t.Fatal(err)
			}
			if _, err := d.Wait(bg, one, task.NewWait{Reason: ledger.WaitCI, Holder: task.Holder{Actor: "ada"}}); err != nil {
				t.Fatal(err)
			}
			if _, err := d.Claim(bg, two, task.NewClaim{Actor: "bob"}); err != nil {
				t.Fatal(err)
			}
			before = log(t, d)
			_, err = d.Resume(bg, one, task.Holder{Actor: "ada"})
			refused(t, d, before, err, "wip", "wip_limit")
			if text := err.(*task.Refusal).Text().FR; !strings.Contains(text, "Reprise refusée") || !strings.Contains(text, "elle attend une place") {
				t.Error(text)
			}
			if x, _ := d.Find(one); x.Status != ledger.Waiting {
				t.Error(x.Status)
			}
		})
	}
}

func TestWhoMayResume(t *testing.T) {
	d, now := project(t)
	id := ready(t, d, "one", "ada")
	if _, err := d.Claim(bg, id, task.NewClaim{Actor: "ada", Session: task.Session{ID: "s-1"}}); err != nil {
		t.Fatal(err)
	}
	before := log(t, d)
	if _, err := d.Renew(bg, id, task.Holder{Actor: "bob", Session: "s-2"}); err == nil || log(t, d) != before {
		t.Errorf("another renewed it: %v", err)
	}
	if _, err := d.Renew(bg, id, task.Holder{Epoch: 7}); !errors.Is(err, ledger.ErrEpoch) {
		t.Error(err)
	}
	*now = now.Add(time.Hour)
	for _, h := range []task.Holder{{Actor: "ada"}, {Session: "s-1"}, {Epoch: 1}} {
		out, err := d.Renew(bg, id, h)
		if err != nil || out.Task.Claim.Expires != ledger.FormatTime(now.Add(ledger.LeaseTTL)) {
			t.Fatalf("%+v: %v, %+v", h, err, out)
		}
	}
	if _, err := d.Wait(bg, id, task.NewWait{Reason: ledger.WaitPaused, Holder: task.Holder{Session: "s-1"}}); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Renew(bg, id, task.Holder{Epoch: 1}); err == nil {
		t.Error("a lease was renewed during a wait")
	}
	out, err := d.Resume(bg, id, task.Holder{Epoch: 1})
	if err != nil || out.Task.Claim.Epoch != 2 || out.Task.Status != ledger.Running {
		t.Fatalf("%v, %+v", err, out)
	}
	if _, err := d.Renew(bg, id, task.Holder{Epoch: 1}); !errors.Is(err, ledger.ErrEpoch) {
		t.Errorf("the old lease still counts: %v", err)
	}
}

func TestQueue(t *testing.T) {
	now := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	row := func(id, priority string, days int) ledger.Row {
		at := now.Add(-time.Duration(days) * 24 * time.Hour)
		return ledger.Row{ID: id, Priority: priority, Since: at, ReadySince: at}
	}
	rows := []ledger.Row{row("new-low", "low", 0), row("old-low", "low", 2), row("high", "high", 0), row("medium", "medium", 0), row("critical", "critical", 0), row("ancient-low", "low", 90)}
	task.Queue(rows, now, 24*time.Hour)
	var got []string
	for _, r := range rows {
		got = append(got, r.ID)
	}
	if s := strings.Join(got, " "); s != "ancient-low critical old-low high medium new-low" {
		t.Error(s)
	}
}

// A lost lease gives no local work away.
func TestReap(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	for _, tt := range []struct {
		name    string
		prepare string // in sh, with $ID
		want    ledger.Status
		said    string
	}{
		{"no branch", "", ledger.Ready, ""},
		{"pushed", "git branch task/$ID", ledger.Ready, ""},
		{"commits nobody has", "git worktree add -q wt -b task/$ID && cd wt && git commit -q --allow-empty -m x", ledger.Waiting, "commits that no remote branch has"},
		{"a branch without a worktree", "git checkout -q -b task/$ID && git commit -q --allow-empty -m x && git checkout -q main", ledger.Waiting, "commits that no remote branch has"},
		{"a modified tree", "git worktree add -q wt -b task/$ID && touch wt/new", ledger.Waiting, "working tree is modified"},
		{"unreadable", "git worktree add -q wt -b task/$ID && rm -rf wt", ledger.Waiting, "git cannot tell"},
		{"no repository any more", "echo nonsense > .git/HEAD", ledger.Waiting, "git cannot tell"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, now := project(t)
			id := ready(t, d, "one", "")
			if _, err := d.Claim(bg, id, task.NewClaim{Actor: "ada"}); err != nil {
				t.Fatal(err)
			}
			sh := exec.Command("sh", "-ec", "git init -q -b main .; git commit -q --allow-empty -m first; git init -q --bare ../remote-$$; git remote add origin ../remote-$$; git push -q origin main; "+tt.prepare)
			sh.Dir = d.Root
			sh.Env = append(os.Environ(), "ID="+id, "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
			if out, err := sh.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			if out, err := d.Reap(bg, ""); err != nil || len(out.Ready)+len(out.Waiting) > 0 {
				t.Fatalf("a live lease was reaped: %+v, %v", out, err)
			}
			*now = now.Add(ledger.LeaseTTL)
			out, err := d.Reap(bg, "")
			if err != nil {
				t.Fatal(err)
			}
			x, _ := d.Find(id)
			if x.Status != tt.want {
				t.Fatalf("%s, want %s: %+v", x.Status, tt.want, out)
			}
			if tt.want == ledger.Waiting {
				if w := x.Wait; w.Reason != ledger.WaitHuman || w.Branch != "task/"+id || !strings.Contains(w.Question, tt.said) {
					t.Errorf("%+v", w)
				}
			}
			if again, err := d.Reap(bg, ""); err != nil || len(again.Ready)+len(again.Waiting) > 0 {
				t.Errorf("reaped twice: %+v, %v", again, err)
			}
		})
	}
}

// Work that was done in the project's own tree is not given away with the task,
// where the hook saw it. What was there before the claim, and grimoire's own
// records, hold nothing back.
func TestReapOfWorkInTheProjectsTree(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	write := func(at time.Duration) observe.Entry {
		return observe.Entry{At: observe.Stamp(time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC).Add(at)), Type: observe.Write, Path: "a.go"}
	}
	bash, check := write(time.Hour), write(time.Hour)
	bash.Type, check.Type = observe.Bash, observe.Check
	for _, tt := range []struct {
		name    string
		prepare string
		seen    []observe.Entry
		want    ledger.Status
	}{
		{"seen, and modified", "echo 2 > a.go", []observe.Entry{write(time.Hour)}, ledger.Waiting},
		{"seen by a command, and new", "echo 2 > b.go", []observe.Entry{bash}, ledger.Waiting},
		{"seen, a branch without a worktree", "git branch task/$ID; echo 2 > a.go", []observe.Entry{write(time.Hour)}, ledger.Waiting},
		{"seen, and committed", "echo 2 > a.go; git commit -qam x", []observe.Entry{write(time.Hour)}, ledger.Ready},
		{"seen, and grimoire's records alone", "mkdir -p _grimoire-output _grimoire/standard; echo 2 > _grimoire-output/x; echo 2 > _grimoire/standard/task-board.yaml", []observe.Entry{write(time.Hour)}, ledger.Ready},
		{"unseen", "echo 2 > a.go", nil, ledger.Ready},
		{"a check alone", "echo 2 > a.go", []observe.Entry{check}, ledger.Ready},
		{"seen before the claim", "echo 2 > a.go", []observe.Entry{write(-time.Hour)}, ledger.Ready},
		{"a clean worktree of its own", "git worktree add -q ../wt-$ID-$$ -b task/$ID; echo 2 > a.go", []observe.Entry{write(time.Hour)}, ledger.Ready},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, now := project(t)
			put(t, d, "_grimoire/standard/task-board.yaml", "")
			id := ready(t, d, "one", "")
			if _, err := d.Claim(bg, id, task.NewClaim{Actor: "ada"}); err != nil {
				t.Fatal(err)
			}
			for _, e := range tt.seen {
				if err := observe.Append(d.Root, id, e); err != nil {
					t.Fatal(err)
				}
			}
			sh := exec.Command("sh", "-ec", "git init -q -b main .; echo 1 > a.go; git add a.go _grimoire; git commit -q -m first; git init -q --bare ../remote-$$; git remote add origin ../remote-$$; git push -q origin main; "+tt.prepare)
			sh.Dir = d.Root
			sh.Env = append(os.Environ(), "ID="+id, "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
			if out, err := sh.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			*now = now.Add(2 * ledger.LeaseTTL)
			out, err := d.Reap(bg, "")
			if err != nil {
				t.Fatal(err)
			}
			x, _ := d.Find(id)
			if x.Status != tt.want {
				t.Fatalf("%s, want %s: %+v", x.Status, tt.want, out)
			}
			if tt.want == ledger.Waiting && (x.Wait.Branch != "main" || x.Wait.Head == "" || !strings.Contains(x.Wait.Question, "in the project's own tree, which is modified")) {
				t.Errorf("%+v", x.Wait)
			}
		})
	}
}

// Work is not left where it may be gone at its return.
func TestWaitInATemporaryWorktree(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	d, _ := project(t)
	temp := t.TempDir()
	for _, name := range []string{"TMPDIR", "TEMP", "TMP"} {
		t.Setenv(name, temp)
	}
	id := ready(t, d, "one", "")
	if _, err := d.Claim(bg, id, task.NewClaim{Actor: "ada"}); err != nil {
		t.Fatal(err)
	}
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", d.Root, "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v %s", args, err, out)
		}
	}
	git("init", "-q")
	git("commit", "-q", "--allow-empty", "-m", "first")
	git("worktree", "add", "-q", filepath.Join(temp, "wt"), "-b", "task/"+id)
	leave := task.NewWait{Reason: ledger.WaitPaused, Holder: task.Holder{Actor: "ada"}}
	before := log(t, d)
	_, err := d.Wait(bg, id, leave)
	refused(t, d, before, err, "wait", "worktree")
	git("worktree", "move", filepath.Join(temp, "wt"), filepath.Join(d.Root, "wt")) // the remedy
	out, err := d.Wait(bg, id, leave)
	if err != nil || out.Task.Wait == nil || out.Task.Wait.Branch != "task/"+id {
		t.Errorf("%+v, %v", out, err)
	}
}

func TestOrigin(t *testing.T) {
	env := func(kv ...string) func(string) string {
		return func(name string) string {
			for i := 0; i < len(kv); i += 2 {
				if kv[i] == name {
					return kv[i+1]
				}
			}
			return ""
		}
	}
	for _, tt := range []struct {
		name string
		o    task.Origin
		want bool
	}{
		{"a person", task.Origin{Terminal: true, Getenv: env()}, true},
		{"a pipe", task.Origin{Getenv: env()}, false},
		{"under a host", task.Origin{Terminal: true, Host: "host-x", Getenv: env()}, false},
		{"in a session", task.Origin{Terminal: true, Getenv: env("CLAUDE_CODE_SESSION_ID", "s")}, false},
		{"unattended", task.Origin{Terminal: true, Getenv: env("GRIMOIRE_UNATTENDED", "1")}, false},
	} {
		if got := tt.o.Person(); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
		d, _ := project(t)
		id := ready(t, d, "one", "")
		before := log(t, d)
		_, _, err := d.Comment(bg, id, "directive", "stop", "ada", tt.o)
		if tt.want != (err == nil) {
			t.Errorf("%s: %v", tt.name, err)
		}
		if !tt.want {
			refused(t, d, before, err, "comment", "human_origin")
		}
	}
}

func TestCancel(t *testing.T) {
	d, now := project(t)
	id := ready(t, d, "one", "")
	before := log(t, d)
	_, err := d.Cancel(bg, id, " ", task.Holder{Actor: "ada"}, true)
	refused(t, d, before, err, "cancel", "reason")
	if _, err := d.Claim(bg, id, task.NewClaim{Actor: "ada"}); err != nil {
		t.Fatal(err)
	}
	before = log(t, d)
	_, err = d.Cancel(bg, id, "no", task.Holder{Actor: "bob"}, false)
	refused(t, d, before, err, "cancel", "claim")
	if !strings.Contains(err.Error(), "held by ada") {
		t.Error(err)
	}
	if _, err = d.Cancel(bg, id, "no", task.Holder{Actor: "bob"}, true); err != nil {
		t.Fatal(err)
	}
	if last := log(t, d); !strings.Contains(last, `"forced": true`) || !strings.Contains(last, `"cancelled_by": "bob"`) {
		t.Error("how it was cancelled is not in the log")
	}
	two := ready(t, d, "two", "")
	if _, err := d.Claim(bg, two, task.NewClaim{Actor: "ada"}); err != nil {
		t.Fatal(err)
	}
	*now = now.Add(ledger.LeaseTTL)
	if _, err := d.Cancel(bg, two, "gone", task.Holder{Actor: "bob"}, false); err != nil {
		t.Errorf("a lost lease holds nothing: %v", err)
	}
}

func TestResumeCommand(t *testing.T) {
	for _, tt := range []struct{ id, host, want string }{
		{"4f1c-2a", "host-claude-code-cli", "claude --resume 4f1c-2a"},
		{"4f1c-2a", "host-cursor", ""},
		{"x; rm -rf .", "host-claude-code-cli", ""},
		{"--help", "host-claude-code-cli", ""},
		{"", "host-claude-code-cli", ""},
	} {
		if got := task.ResumeCommand(task.Session{ID: tt.id, Host: tt.host}); got != tt.want {
			t.Errorf("%+v: %q", tt, got)
		}
	}
}

// A task that is parked notes where its work was left.
func TestWaitNotesTheBranch(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	for _, tt := range []struct{ name, prepare, branch string }{
		{"no repository", "", ""},
		{"the project's branch", "git init -q -b feature . && git commit -q --allow-empty -m x", "feature"},
		{"its own", "git init -q -b main . && git commit -q --allow-empty -m x && git branch task/$ID", "task/"},
		{"nothing committed", "git init -q -b main .", "main"},
	} {
		d, _ := project(t)
		id := ready(t, d, "one", "")
		if _, err := d.Claim(bg, id, task.NewClaim{Actor: "ada"}); err != nil {
			t.Fatal(err)
		}
		sh := exec.Command("sh", "-ec", tt.prepare)
		sh.Dir = d.Root
		sh.Env = append(os.Environ(), "ID="+id, "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
		if out, err := sh.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		out, err := d.Wait(bg, id, task.NewWait{Reason: ledger.WaitPaused, Holder: task.Holder{Actor: "ada"}})
		if err != nil {
			t.Fatal(err)
		}
		w, want := out.Task.Wait, tt.branch
		if want == "task/" {
			want += id
		}
		committed := strings.Contains(tt.prepare, "commit")
		if w.Branch != want || (len(w.Head) == 40) != committed {
			t.Errorf("%s: %+v", tt.name, w)
		}
	}
}

// A task that waits for another is due after all others, until that is closed.
func TestBlockedTasksComeLast(t *testing.T) {
	d, now := project(t)
	first := ready(t, d, "first", "")
	second := ready(t, d, "second", "")
	*now = now.Add(time.Minute)
	third := ready(t, d, "third", "")
	if _, err := d.Link(bg, first, third, "blocks", ""); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Link(bg, second, third, "relates", ""); err != nil {
		t.Fatal(err)
	}
	order := func() string {
		t.Helper()
		rows, err := d.Rows(task.Filter{Status: ledger.Ready})
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, r := range rows {
			ids = append(ids, r.ID)
		}
		return strings.Join(ids, " ")
	}
	if got := order(); got != second+" "+third+" "+first {
		t.Error(got)
	}
	if _, err := d.Claim(bg, third, task.NewClaim{Actor: "ada"}); err != nil {
		t.Fatal(err)
	}
	for _, to := range []ledger.Status{ledger.Running, ledger.NeedsVerification, ledger.Closed} {
		if _, err := d.Move(bg, third, task.MoveTo{To: to}); err != nil {
			t.Fatal(err)
		}
	}
	if got := order(); got != first+" "+second {
		t.Error(got)
	}
}
