package task_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/observe"
	"github.com/grimoire-kit/grimoire/governance/task"
)

// linked is a project in a repository with a remote that has its commit, and
// the desk of a linked worktree of it, on a branch of another name than the
// task's.
func linked(t *testing.T) (d *task.Desk, now *time.Time, git func(dir string, args ...string)) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	d, now = project(t)
	root, err := filepath.EvalSymlinks(d.Root)
	if err != nil {
		t.Fatal(err)
	}
	d.Root = root
	put(t, d, "_grimoire/standard/task-board.yaml", "")
	put(t, d, "a.go", "1")
	git = func(dir string, args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@b", "-c", "core.autocrlf=false"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v %s", args, err, out)
		}
	}
	base := filepath.Dir(root)
	git(root, "init", "-q", "-b", "main")
	git(root, "add", "a.go", "_grimoire")
	git(root, "commit", "-q", "-m", "x")
	git(base, "init", "-q", "--bare", "remote")
	git(root, "remote", "add", "origin", filepath.Join(base, "remote"))
	git(root, "push", "-q", "origin", "main")
	d.Tree = filepath.Join(base, "wt")
	git(root, "worktree", "add", "-q", d.Tree, "-b", "feature")
	return d, now, git
}

func in(t *testing.T, dir, name, text string) {
	t.Helper()
	put(t, &task.Desk{Root: dir}, name, text)
}

// Work that the hook saw done in a linked worktree of any name is not given away
// with the task.
func TestReapOfWorkInALinkedWorktree(t *testing.T) {
	for name, tt := range map[string]struct {
		prepare func(d *task.Desk, git func(dir string, args ...string))
		tree    string // of the entry; "" is the worktree
		want    ledger.Status
		said    string
	}{
		"modified": {prepare: func(d *task.Desk, git func(string, ...string)) { in(t, d.Tree, "a.go", "2") }, want: ledger.Waiting, said: "its working tree is modified"},
		"committed, and on no remote": {prepare: func(d *task.Desk, git func(string, ...string)) {
			in(t, d.Tree, "a.go", "2")
			git(d.Tree, "commit", "-q", "-a", "-m", "y")
		}, want: ledger.Waiting, said: "commits that no remote branch has"},
		"pushed": {prepare: func(d *task.Desk, git func(string, ...string)) {
			in(t, d.Tree, "a.go", "2")
			git(d.Tree, "commit", "-q", "-a", "-m", "y")
			git(d.Tree, "push", "-q", "origin", "feature")
		}, want: ledger.Ready},
		"another's tree is modified": {prepare: func(d *task.Desk, git func(string, ...string)) { in(t, d.Root, "a.go", "2") }, want: ledger.Ready},
		"gone":                       {prepare: func(d *task.Desk, git func(string, ...string)) { git(d.Root, "worktree", "remove", d.Tree) }, want: ledger.Ready},
		"a tree of nobody's":         {prepare: func(d *task.Desk, git func(string, ...string)) { in(t, d.Tree, "a.go", "2") }, tree: "/", want: ledger.Ready},
		"unreadable": {prepare: func(d *task.Desk, git func(string, ...string)) {
			in(t, d.Root, ".git/worktrees/wt/HEAD", "nonsense")
		}, want: ledger.Waiting, said: "git cannot tell"},
	} {
		t.Run(name, func(t *testing.T) {
			d, now, git := linked(t)
			id := ready(t, d, "one", "")
			if _, err := d.Claim(bg, id, task.NewClaim{Actor: "ada"}); err != nil {
				t.Fatal(err)
			}
			e := observe.Entry{At: observe.Stamp(now.Add(time.Hour)), Type: observe.Write, Path: "a.go", Tree: tt.tree}
			if tt.tree == "" {
				e.Tree = d.Tree
			}
			if err := observe.Append(d.Root, id, e); err != nil {
				t.Fatal(err)
			}
			tt.prepare(d, git)
			*now = now.Add(2 * ledger.LeaseTTL)
			out, err := d.Reap(bg, "")
			if err != nil {
				t.Fatal(err)
			}
			x, _ := d.Find(id)
			if x.Status != tt.want {
				t.Fatalf("%s, want %s: %+v", x.Status, tt.want, out)
			}
			if tt.want == ledger.Waiting && (!strings.Contains(x.Wait.Question, tt.said) || tt.said != "git cannot tell" && x.Wait.Branch != "feature") {
				t.Errorf("%+v", x.Wait)
			}
		})
	}
}

// A task that is parked in a linked worktree is left on what is checked out there.
func TestWaitInALinkedWorktree(t *testing.T) {
	d, _, git := linked(t)
	id := ready(t, d, "one", "")
	if _, err := d.Claim(bg, id, task.NewClaim{Actor: "ada"}); err != nil {
		t.Fatal(err)
	}
	out, err := d.Wait(bg, id, task.NewWait{Reason: ledger.WaitCI, Holder: task.Holder{Actor: "ada"}})
	if err != nil || out.Task.Wait.Branch != "feature" {
		t.Fatalf("%+v, %v", out, err)
	}
	if _, err := d.Resume(bg, id, task.Holder{Epoch: 1}); err != nil {
		t.Fatal(err)
	}
	temp := t.TempDir()
	for _, name := range []string{"TMPDIR", "TEMP", "TMP"} {
		t.Setenv(name, temp)
	}
	d.Tree = filepath.Join(temp, "wt")
	git(d.Root, "worktree", "add", "-q", d.Tree, "-b", "other")
	before := log(t, d)
	_, err = d.Wait(bg, id, task.NewWait{Reason: ledger.WaitCI, Holder: task.Holder{Actor: "ada"}})
	refused(t, d, before, err, "wait", "worktree")
}

// Evidence is read in the worktree where one stands, else in the main one, and
// its place is recorded; a worktree that is not the project's is not looked into.
func TestEvidenceInALinkedWorktree(t *testing.T) {
	d, _, git := linked(t)
	put(t, d, "_grimoire/standard/standard-profile.yaml", "profile: governed\n")
	put(t, d, "_grimoire/standard/evidence-gates.yaml", "transitions: [{id: g, from: in_progress, to: review, required_evidence: [evidence_gate, review_gate]}]\n")
	in(t, d.Tree, "out/test.txt", "here")
	put(t, d, "out/test.txt", "main")
	put(t, d, "out/log.txt", "main")
	id := ready(t, d, "One", "ada")
	if _, err := d.Claim(bg, id, task.NewClaim{Actor: "ada"}); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Move(bg, id, task.MoveTo{To: ledger.Running}); err != nil {
		t.Fatal(err)
	}
	p, err := d.Prove(bg, id, []task.NewItem{{Kind: "test", Path: "out/test.txt"}, {Kind: "log", Path: "out/log.txt"}, {Kind: "log", Path: filepath.Join(d.Root, "out/test.txt")}}, []string{"all"})
	if err != nil || p.Verdict.Verdict != "passed" {
		t.Fatalf("%+v, %v", p, err)
	}
	for i, want := range []string{d.Tree, "", ""} {
		if got := p.Pack.Items[i].Tree; got != want {
			t.Errorf("%d: %q, want %q", i, got, want)
		}
	}
	if p.Pack.Items[0].Digest == p.Pack.Items[2].Digest {
		t.Error("the same file was read twice")
	}
	again := func() error {
		_, err := d.Move(bg, id, task.MoveTo{To: ledger.NeedsVerification})
		return err
	}
	in(t, d.Tree, "out/test.txt", "changed")
	if err := again(); err == nil || !strings.Contains(err.Error(), "out/test.txt has changed since") {
		t.Error(err)
	}
	git(d.Root, "worktree", "remove", "--force", d.Tree)
	if err := again(); err == nil || !strings.Contains(err.Error(), "the worktree "+d.Tree+" is gone") {
		t.Error(err)
	}
	if err := os.MkdirAll(filepath.Join(d.Tree, "out"), 0o755); err != nil { // another folder of that name
		t.Fatal(err)
	}
	in(t, d.Tree, "out/test.txt", "here")
	if err := again(); err == nil || !strings.Contains(err.Error(), "is gone, or is not one of this project") {
		t.Error(err)
	}
	git(d.Root, "worktree", "prune")
	if err := os.RemoveAll(d.Tree); err != nil {
		t.Fatal(err)
	}
	git(d.Root, "worktree", "add", "-q", d.Tree, "feature")
	in(t, d.Tree, "out/test.txt", "here")
	if err := again(); err != nil {
		t.Error(err)
	}
}

// A check holds in the worktree where it ran. A journal that came with a
// repository leads git nowhere else.
func TestAnObservedCheckInALinkedWorktree(t *testing.T) {
	d, now, git := linked(t)
	put(t, d, "_grimoire/standard/standard-profile.yaml", "profile: governed\n")
	put(t, d, "_grimoire/standard/evidence-gates.yaml", "transitions: [{id: g, from: in_progress, to: review, required_evidence: [observed_check]}]\n")
	id := ready(t, d, "One", "ada")
	if _, err := d.Claim(bg, id, task.NewClaim{Actor: "ada"}); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Move(bg, id, task.MoveTo{To: ledger.Running}); err != nil {
		t.Fatal(err)
	}
	checked := func(tree string, files *observe.Files) {
		t.Helper()
		if err := observe.Append(d.Root, id, observe.Entry{At: observe.Stamp(*now), Type: observe.Check, Command: "go test ./...", Outcome: observe.Passed, Tree: tree, Files: files}); err != nil {
			t.Fatal(err)
		}
	}
	refusedFor := func(want string) {
		t.Helper()
		if _, err := d.Move(bg, id, task.MoveTo{To: ledger.NeedsVerification}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	in(t, d.Tree, "a.go", "2")
	checked(d.Tree, observe.Look(d.Tree))
	put(t, d, "a.go", "3") // of another branch
	in(t, d.Tree, "a.go", "4")
	refusedFor("a.go has changed since")
	in(t, d.Tree, "a.go", "2")
	hostile := filepath.Join(d.Root, "evil") // a repository in the repository, with its own configuration
	git(d.Root, "init", "-q", "evil")
	for _, tree := range []string{"/", "evil", hostile, filepath.Dir(d.Root), d.Root + "/../wt/none", "\x00"} {
		checked(tree, observe.Look(d.Tree))
		refusedFor("is gone, or is not one of this project")
		checked(tree, nil)
		refusedFor("is gone, or is not one of this project")
	}
	checked(d.Tree, observe.Look(d.Tree))
	if _, err := d.Move(bg, id, task.MoveTo{To: ledger.NeedsVerification}); err != nil {
		t.Error(err)
	}
}
