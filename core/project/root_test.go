package project

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func TestFindRoot(t *testing.T) {
	base, err := physical(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{
		"repo/.git", "repo/app/_grimoire/kit/agents", "repo/app/src/deep", "repo/lib/x",
		"clone/.git", "clone/src",
		"_grimoire", // above both repositories: never reached
		"plain/_grimoire", "plain/a/b", "sub/vendor/m/x",
	} {
		if err := os.MkdirAll(filepath.Join(base, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, content := range map[string]string{
		"clone/project-context.yaml": "", "sub/project-context.yaml": "", "sub/vendor/m/.git": "gitdir: ../../.git/modules/m\n",
	} {
		if err := os.WriteFile(filepath.Join(base, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(base, "repo/app/src"), filepath.Join(base, "link")); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{
		"repo/app":                      "repo/app",
		"repo/app/src/deep":             "repo/app",
		"repo/app/_grimoire/kit/agents": "repo/app",
		"repo/lib/x":                    "",
		"repo":                          "",
		"clone/src":                     "clone",
		"clone":                         "clone",
		"plain/a/b":                     "plain",
		"sub/vendor/m/x":                "", // a submodule is a repository of its own
		"link/deep":                     "repo/app",
		"missing":                       "",
	} {
		root, ok := FindRoot(filepath.Join(base, dir))
		if ok != (want != "") || ok && root != filepath.Join(base, want) {
			t.Errorf("FindRoot(%s) = %s, %v; want %q", dir, root, ok, want)
		}
	}
}

// Outside of git a folder that anybody may write to is no place to look for a
// project one is not standing in.
func TestFindRootSharedFolder(t *testing.T) {
	shared := filepath.Join(t.TempDir(), "shared")
	inner := filepath.Join(shared, "mine", "src")
	if err := os.MkdirAll(inner, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(shared, ConfigFile), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, ok := FindRoot(inner); !ok {
		t.Error("not found while the folder is ours alone")
	}
	if err := os.Chmod(shared, 0o777); err != nil {
		t.Fatal(err)
	}
	if root, ok := FindRoot(inner); ok {
		t.Errorf("found %s, which anybody may have planted", root)
	}
	if _, ok := FindRoot(shared); !ok {
		t.Error("not found from inside the folder itself")
	}
}

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
		top, err = physical(top)
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
