package locate

import (
	"os"
	"path/filepath"
	"testing"
)

func TestProject(t *testing.T) {
	base, err := Physical(t.TempDir())
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
		root, ok := Project(filepath.Join(base, dir))
		if ok != (want != "") || ok && root != filepath.Join(base, want) {
			t.Errorf("Project(%s) = %s, %v; want %q", dir, root, ok, want)
		}
	}
}

// Outside of git a folder that anybody may write to is no place to look for a
// project one is not standing in.
func TestProjectSharedFolder(t *testing.T) {
	shared := filepath.Join(t.TempDir(), "shared")
	inner := filepath.Join(shared, "mine", "src")
	if err := os.MkdirAll(inner, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(shared, ConfigFile), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, ok := Project(inner); !ok {
		t.Error("not found while the folder is ours alone")
	}
	if err := os.Chmod(shared, 0o777); err != nil {
		t.Fatal(err)
	}
	if root, ok := Project(inner); ok {
		t.Errorf("found %s, which anybody may have planted", root)
	}
	if _, ok := Project(shared); !ok {
		t.Error("not found from inside the folder itself")
	}
}

func TestTemporary(t *testing.T) {
	own := filepath.Join(t.TempDir(), "scratch")
	if err := os.Mkdir(own, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"TMPDIR", "TEMP", "TMP"} {
		t.Setenv(name, own)
	}
	for path, want := range map[string]string{
		"/tmp":                    "/tmp",
		"/tmp/wt":                 "/tmp",
		"/home/ada/../../tmp/wt":  "/tmp",
		"/var/tmp/x/y":            "/var/tmp",
		"/dev/shm/wt":             "/dev/shm",
		"/tmpfiles/wt":            "",
		"/home/ada/tmp/wt":        "",
		"/var":                    "",
		"/":                       "",
		filepath.Join(own, "wt"):  filepath.ToSlash(own),
		filepath.Join(own, "..b"): filepath.ToSlash(own),
	} {
		if got := Temporary(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	// A system without any says nothing of all the rest.
	for _, name := range []string{"TMPDIR", "TEMP", "TMP"} {
		t.Setenv(name, "/")
	}
	if got := Temporary("/home/ada/wt"); got != "" {
		t.Errorf("%q", got)
	}
}
