package decide

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// A stash is asked about when it takes a file of the guard along, and only then.
func TestStashThatTakesTheGuard(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("without git")
	}
	for name, tt := range map[string]struct {
		line    string
		change  func(root string) error
		stopped bool
	}{
		"nothing of the guard":     {"git stash -u", func(root string) error { return os.WriteFile(filepath.Join(root, "new.txt"), nil, 0o644) }, false},
		"a changed guard":          {"git stash", changed(".claude/settings.json"), true},
		"a changed guard, by name": {"git stash push -m wip -- .claude", changed("a.txt"), true},
		"a changed file":           {"git stash push -m wip", changed("a.txt"), false},
		"the old word for it":      {"git stash save wip", changed(".claude/settings.json"), true},
		"an unknown guard":         {"git stash --include-untracked", changed(".codex/hooks.json"), true},
		"an unknown guard stays":   {"git stash", changed(".codex/hooks.json"), false},
		"an ignored guard":         {"git stash -a", changed(".gemini/settings.json"), true},
		"an ignored guard stays":   {"git stash -u", changed(".gemini/settings.json"), false},
		"a changed profile":        {"git stash", changed(profileFile), true},
		"the top of the list":      {"git stash pop", changed(".claude/settings.json"), false},
		"the whole folder":         {"git stash push .", changed(".claude/settings.json"), true},
		"an unknown ledger":        {"git stash -u", changed("_grimoire-runtime-output/ledger/events.jsonl"), true},
		"an unknown ledger stays":  {"git stash", changed("_grimoire-runtime-output/ledger/events.jsonl"), false},
		"beside the ledger":        {"git stash push -u -- a.txt", changed("_grimoire-runtime-output/ledger/events.jsonl"), false},
		"evidence on file":         {"git stash --all", changed("_grimoire-runtime-output/evidence/packs.jsonl"), true},
	} {
		t.Run(name, func(t *testing.T) {
			root := repo(t, map[string]string{profileFile: profile("governed"), ".claude/settings.json": "{}", "a.txt": "", ".gitignore": ".gemini\n_grimoire-output\n"})
			for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-qm", "x"}} {
				if out, err := exec.Command("git", append([]string{"-C", root}, args...)...).CombinedOutput(); err != nil {
					t.Fatalf("%v: %s", err, out)
				}
			}
			if err := tt.change(root); err != nil {
				t.Fatal(err)
			}
			got := decisionOf(ask(t, root, "claude", "pre_tool_use", shellCall("claude", "", tt.line)))
			if stopped := got == "ask" || got == "deny"; stopped != tt.stopped {
				t.Errorf("%s: %q", tt.line, got)
			}
		})
	}
}

// changed makes a file other than it was, or new.
func changed(name string) func(root string) error {
	return func(root string) error {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		text := "{\n}\n"
		if name == profileFile {
			text = profile("governed") + "# changed\n"
		}
		return os.WriteFile(file, []byte(text), 0o644)
	}
}
