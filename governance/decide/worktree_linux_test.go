package decide

import (
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// A call that only reads opens nothing of git's to learn whose worktree this
// is; only what is about tasks does.
func TestReadOnlyDoesNotLookForTheMainWorktree(t *testing.T) {
	main, wt := worktree(t, map[string]string{profileFile: profile("governed")})
	watch, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	if err != nil {
		t.Skip(err)
	}
	defer unix.Close(watch)
	for _, path := range []string{filepath.Join(wt, ".git"), filepath.Join(main, ".git", "worktrees", "wt"), main} {
		if _, err := unix.InotifyAddWatch(watch, path, unix.IN_OPEN); err != nil {
			t.Fatal(err)
		}
	}
	opened := func() bool {
		n, err := unix.Read(watch, make([]byte, 4096))
		return err == nil && n > 0
	}
	with := func(r *Request) { r.Ledger = &ledger{} }
	for _, line := range []string{"git status", "cat README.md | grep x", "ls -la"} {
		ask(t, wt, "claude", "PreToolUse", call("s", "PreToolUse", "Bash", args{"command": line}), with)
	}
	ask(t, wt, "claude", "PreToolUse", call("s", "PreToolUse", "Read", args{"file_path": filepath.Join(wt, "a.go")}), with)
	ask(t, wt, "claude", "PreToolUse", call("s", "PreToolUse", "Grep", args{"pattern": "x"}), with)
	if opened() {
		t.Error("a read-only call looked for the main worktree")
	}
	ask(t, wt, "claude", "UserPromptSubmit", event("UserPromptSubmit", `,"prompt":"go"`), with)
	if !opened() {
		t.Error("the watch sees nothing")
	}
}
