package project

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/grimoire-kit/grimoire/governance/locate"
)

// A real worktree has a root of its own, and says the same as the clone.
func TestWorktree(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	clone := write(t, map[string]string{
		"app/project-context.yaml":           "project: {name: demo}\n",
		"app/_grimoire/kit/agents/scribe.md": "---\nname: scribe\n---\n",
	})
	tree := filepath.Join(t.TempDir(), "elsewhere")
	for _, args := range [][]string{
		{"init", "-q"}, {"add", "."},
		{"-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "-m", "x"},
		{"worktree", "add", "-q", "-b", "w", tree},
	} {
		cmd := exec.Command("git", append([]string{"-C", clone}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	var texts []string
	for _, top := range []string{clone, tree} {
		root, ok := FindRoot(filepath.Join(top, "app", "_grimoire"))
		if !ok {
			t.Fatalf("no project in %s", top)
		}
		p, err := Load(root, hosts)
		if err != nil {
			t.Fatal(err)
		}
		top, err = locate.Physical(top)
		if err != nil {
			t.Fatal(err)
		}
		if p.GitRoot != top || p.Root != filepath.Join(top, "app") {
			t.Errorf("root %s, git root %s; want %s", p.Root, p.GitRoot, top)
		}
		texts = append(texts, describe(p, nil))
	}
	if texts[0] != texts[1] {
		t.Errorf("clone:\n%s\nworktree:\n%s", texts[0], texts[1])
	}
}
