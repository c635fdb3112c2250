package decide

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// worktree is a project in a repository, and a linked worktree of its commit.
func worktree(t testing.TB, files map[string]string) (main, wt string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("without git")
	}
	main = repo(t, files)
	wt = filepath.Join(filepath.Dir(main), "wt")
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"commit", "-q", "--allow-empty", "-m", "x"}, {"worktree", "add", "-q", wt}} {
		cmd := exec.Command("git", append([]string{"-C", main, "-c", "user.name=t", "-c", "user.email=t@example.org"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	if err := os.MkdirAll(filepath.Join(wt, "_grimoire"), 0o755); err != nil {
		t.Fatal(err)
	}
	return main, wt
}

// rooted is a ledger that notes where it is asked for.
type rooted struct {
	ledger
	roots map[string]bool
}

func (r *rooted) Task(root, session string) (Task, error) {
	r.roots[root] = true
	return r.ledger.Task(root, session)
}

func (r *rooted) Gates(root string, t Task) (Gates, error) {
	r.roots[root] = true
	return r.ledger.Gates(root, t)
}

func (r *rooted) Attach(root string, t Task, session, host string) error {
	r.roots[root] = true
	return r.ledger.Attach(root, t, session, host)
}

// The tasks of a linked worktree are those of the main one; its counters and
// traces are its own.
func TestTasksOfALinkedWorktree(t *testing.T) {
	main, wt := worktree(t, map[string]string{profileFile: profile("governed")})
	for _, dir := range []string{main, wt} {
		l := &rooted{ledger{task: Task{ID: "GAO-1", State: "running"}, gates: Gates{OK: true}}, map[string]bool{}}
		with := func(r *Request) { r.Ledger = l }
		a := ask(t, dir, "claude", "UserPromptSubmit", event("UserPromptSubmit", `,"prompt":"go"`), with)
		where := ""
		if dir == wt {
			where = main + "/"
		}
		if !strings.Contains(string(a.Stdout), "evidence in "+where+"_grimoire-output/evidence/GAO-1/") {
			t.Errorf("%s: %s", dir, a.Stdout)
		}
		ask(t, dir, "claude", "PostToolUse", call("s", "PostToolUse", "Write", args{"file_path": filepath.Join(dir, "a.go"), "content": "x"}), with)
		ask(t, dir, "claude", "Stop", event("Stop", ""), with)
		if len(l.roots) != 1 || !l.roots[main] {
			t.Errorf("%s: asked at %v", dir, l.roots)
		}
		if _, err := os.Stat(filepath.Join(dir, "_grimoire-output", "traces", "traces.jsonl")); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(filepath.Join(wt, "_grimoire-output", ".runs", "evidence")); !os.IsNotExist(err) {
		t.Errorf("a journal of its own: %v", err)
	}
	journal, err := os.ReadFile(filepath.Join(main, "_grimoire-output", ".runs", "evidence", "GAO-1", "evidence-log.jsonl"))
	if lines := strings.Split(string(journal), "\n"); err != nil || len(lines) != 3 || strings.Contains(lines[0], "worktree") || !strings.Contains(lines[1], `"worktree":"`+wt+`"`) {
		t.Errorf("%s, %v", journal, err)
	}
}

// A worktree whose commit has no standard yet is held to what its tasks are.
func TestALinkedWorktreeWithoutTheStandard(t *testing.T) {
	main, wt := worktree(t, nil)
	path := filepath.Join(main, filepath.FromSlash(profileFile))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(profile("governed")), 0o644); err != nil {
		t.Fatal(err)
	}
	l := &ledger{}
	with := func(r *Request) { r.Ledger = l }
	ask(t, wt, "claude", "PostToolUse", call("s", "PostToolUse", "Write", args{"file_path": filepath.Join(wt, "a.go"), "content": "x"}), with)
	if got := decisionOf(ask(t, wt, "claude", "Stop", event("Stop", ""), with)); got != "block" {
		t.Errorf("%q", got)
	}
}

// The records of the tasks are kept from the tools of a linked worktree too, and
// so are the gates they are judged by.
func TestRecordsOfTheMainWorktreeAreGuarded(t *testing.T) {
	main, wt := worktree(t, map[string]string{profileFile: profile("governed")})
	up := "../" + filepath.Base(main)
	for line, want := range map[string]string{
		"echo x >> " + main + "/_grimoire-runtime-output/ledger/events.jsonl":          "deny",
		"echo x >> " + up + "/_grimoire-runtime-output/ledger/events.jsonl":            "deny",
		"sed -i d " + up + "/_grimoire-output/.runs/evidence/GAO-1/evidence-log.jsonl": "deny",
		"rm " + up + "/_grimoire/standard/evidence-gates.yaml":                         "ask",
		"touch " + up + "/a.go": "",
		"touch a.go":            "",
		"echo x >> /elsewhere/_grimoire-runtime-output/ledger/events.jsonl":        "",
		"cd " + up + " && echo x >> _grimoire-runtime-output/evidence/packs.jsonl": "deny",
	} {
		if got := decisionOf(ask(t, wt, "claude", "PreToolUse", call("s", "PreToolUse", "Bash", args{"command": line}))); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
	write := func(path string) string {
		return decisionOf(ask(t, wt, "claude", "PreToolUse", call("s", "PreToolUse", "Write", args{"file_path": path, "content": "x"})))
	}
	if got := write(filepath.Join(main, "_grimoire-runtime-output", "ledger", "events.jsonl")); got != "deny" {
		t.Errorf("%q", got)
	}
}

// A .git file that leads nowhere, or to another's worktree, leads to nobody's
// tasks; where there is none the session is told why.
func TestABrokenLinkIsTold(t *testing.T) {
	main, wt := worktree(t, map[string]string{profileFile: profile("governed")})
	copied := filepath.Join(filepath.Dir(main), "copied")
	if err := os.CopyFS(copied, os.DirFS(wt)); err != nil {
		t.Fatal(err)
	}
	l := &rooted{ledger{}, map[string]bool{}}
	a := ask(t, copied, "claude", "UserPromptSubmit", event("UserPromptSubmit", `,"prompt":"go"`), func(r *Request) { r.Ledger = l })
	if text := string(a.Stdout); !strings.Contains(text, "the tasks of this folder are its own: "+copied+"/.git: it names ") || !strings.Contains(text, "git worktree repair") || l.roots[main] {
		t.Errorf("%s, asked at %v", text, l.roots)
	}
}
