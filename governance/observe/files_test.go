package observe_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/grimoire-kit/grimoire/governance/observe"
	"github.com/grimoire-kit/grimoire/governance/standard"
)

// repository is a folder of a git repository, as a project in a larger one is.
type repository struct {
	t    *testing.T
	root string
}

func newRepository(t *testing.T) repository {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("without git")
	}
	r := repository{t, filepath.Join(t.TempDir(), "app")}
	r.write("a.go", "a")
	r.git("init", "-q", "..")
	return r
}

func (r repository) git(args ...string) {
	r.t.Helper()
	cmd := exec.Command("git", append([]string{"-C", r.root, "-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "core.autocrlf=false"}, args...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		r.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func (r repository) commit() {
	r.t.Helper()
	r.git("add", "-A", ".")
	r.git("commit", "-q", "-m", "x")
}

func (r repository) write(name, text string) {
	r.t.Helper()
	path := filepath.Join(r.root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

func (r repository) remove(name string) {
	r.t.Helper()
	if err := os.Remove(filepath.Join(r.root, name)); err != nil {
		r.t.Fatal(err)
	}
}

func TestFilesThatChangeAfterALook(t *testing.T) {
	for name, tt := range map[string]struct {
		before, after func(r repository)
		want          string
	}{
		"nothing": {after: func(r repository) {}},
		"what was written about it": {before: func(r repository) { r.write(standard.ManifestFile, "a") }, after: func(r repository) {
			for _, name := range []string{standard.ManifestFile, standard.BoardFile, "_grimoire-output/x", "_grimoire-runtime-output/x"} {
				r.write(name, "b")
			}
		}},
		"a commit of what was checked": {after: func(r repository) { r.commit() }},
		"an amended commit": {after: func(r repository) {
			r.git("commit", "-q", "--amend", "-m", "y")
		}},
		"a file like the commit's": {after: func(r repository) { r.write("same.go", "2") }, want: "same.go"},
		"changed and committed":    {after: func(r repository) { r.write("same.go", "2"); r.commit() }, want: "same.go"},
		"a file that had changed":  {after: func(r repository) { r.write("a.go", "a3") }, want: "a.go"},
		"back to the commit":       {after: func(r repository) { r.write("a.go", "a") }, want: "a.go"},
		"a file new to git":        {after: func(r repository) { r.write("new.go", "2") }, want: "new.go"},
		"staged, nothing else":     {after: func(r repository) { r.git("add", "-A", ".") }},
		"a file is gone":           {after: func(r repository) { r.remove("same.go") }, want: "same.go"},
		"a file becomes a folder":  {after: func(r repository) { r.remove("new.go"); r.write("new.go/x", "x") }, want: "new.go"},
		"a file that git gets to know": {
			after: func(r repository) { r.write("late.go", "x"); r.git("add", "late.go") }, want: "late.go"},
		"a file that git never knew": {after: func(r repository) { r.write("late_test.go", "x") }, want: "late_test.go"},
		"a file that git ignores":    {after: func(r repository) { r.write("ignored", "y") }},
		"grimoire's records": {after: func(r repository) {
			r.write(standard.BoardFile, "tasks: []\n")
			r.write("_grimoire-output/x", "x")
			r.git("add", "-A", ".")
		}},
		"files beside the project": {after: func(r repository) { r.write("../other/x", "x"); r.git("add", "-A", "..") }},
		"a name that is an option": {
			before: func(r repository) { r.write("--output=x\n", "x") },
			after:  func(r repository) { r.write("--output=x\n", "y") }, want: "--output=x\n"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepository(t)
			r.write("same.go", "1")
			r.write(".gitignore", "ignored\n")
			r.commit()
			r.write("a.go", "a2")
			r.write("new.go", "1")
			r.write("ignored", "x")
			if tt.before != nil {
				tt.before(r)
			}
			then := observe.Look(r.root)
			if then.Unknown != "" || then.Digest == "" {
				t.Fatalf("%+v", then)
			}
			tt.after(r)
			if got, err := observe.ChangedSince(t.Context(), r.root, then); err != nil || got != tt.want {
				t.Errorf("%q, %v; want %q", got, err, tt.want)
			}
			if now := observe.Look(r.root); tt.want != "" && now.Digest == then.Digest {
				t.Errorf("the same digest: %+v", now)
			}
		})
	}
}

func TestFilesBeforeTheFirstCommit(t *testing.T) {
	r := newRepository(t)
	then := observe.Look(r.root)
	if then.Unknown != "" || len(then.Changed) != 1 {
		t.Fatalf("%+v", then)
	}
	r.commit()
	if got, err := observe.ChangedSince(t.Context(), r.root, then); err != nil || got != "" {
		t.Errorf("%q, %v", got, err)
	}
	r.write("a.go", "b")
	if got, err := observe.ChangedSince(t.Context(), r.root, then); err != nil || got != "a.go" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestFilesThatCannotBeTold(t *testing.T) {
	unknown := func(root, want string) {
		t.Helper()
		f := observe.Look(root)
		if !strings.Contains(f.Unknown, want) || f.Digest != "" || f.Base != "" || f.Changed != nil {
			t.Errorf("%+v, want %q", f, want)
		}
	}
	unknown(t.TempDir(), "no git repository")

	many := newRepository(t)
	for i := range 201 {
		many.write(fmt.Sprintf("f%d", i), "x")
	}
	unknown(many.root, "more than 200 files")

	large := newRepository(t)
	large.write("large", "")
	if err := os.Truncate(filepath.Join(large.root, "large"), 33<<20); err != nil {
		t.Fatal(err)
	}
	unknown(large.root, "more than 32 MiB")

	r := newRepository(t)
	then := observe.Look(r.root)
	t.Setenv("PATH", t.TempDir())
	unknown(r.root, "executable file not found")
	if _, err := observe.ChangedSince(t.Context(), r.root, then); err == nil {
		t.Error("compared without git")
	}
}

// A git that does not answer costs the hook its bound, whatever it has started.
func TestFilesOfASlowGit(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the slow git is a shell script")
	}
	r := newRepository(t)
	r.write("bin/git", "#!/bin/sh\nsleep 60\n")
	if err := os.Chmod(filepath.Join(r.root, "bin/git"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", filepath.Join(r.root, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	start := time.Now()
	if f := observe.LookWithin(r.root, 50*time.Millisecond); f.Unknown != "git did not answer within 50ms" {
		t.Errorf("%+v", f)
	}
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("it took %s", took)
	}
}

// The journal is a file of the project: a commit in it is no option of git.
func TestFilesOfAHostileJournal(t *testing.T) {
	r := newRepository(t)
	r.commit()
	for _, base := range []string{"", "HEAD", "--output=stolen", strings.Repeat("0", 40)} {
		if _, err := observe.ChangedSince(t.Context(), r.root, &observe.Files{Base: base}); err == nil {
			t.Errorf("%q was compared", base)
		}
	}
	outside := &observe.Files{Base: observe.Look(r.root).Base, Changed: map[string]string{"../../x": "absent"}}
	if _, err := observe.ChangedSince(t.Context(), r.root, outside); err == nil {
		t.Error("it was looked for outside of the project")
	}
}
