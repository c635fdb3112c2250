package tree

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func open(t testing.TB, dir string) *Tree {
	t.Helper()
	tr, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tr.Close() })
	return tr
}

func put(t testing.TB, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func link(t testing.TB, target, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, path); err != nil {
		t.Skip("no symlinks here: ", err)
	}
}

func TestCheckPath(t *testing.T) {
	for _, p := range []string{
		"a", ".claude/agents/scribe.md", "_grimoire/hosts/ownership.json", "dossier/été.md", "a b/c",
		".github/x", "git/x", ".gitignore", "COM10", "console/a", "a..b",
	} {
		if err := CheckPath(p); err != nil {
			t.Errorf("%q: %v", p, err)
		}
	}
	for _, p := range []string{
		"", ".", "..", "/a", "a/", "a//b", "./a", "a/../b", "../a", `a\b`, `C:\a`, "c:a", "a:stream",
		".git/config", "a/.git/hooks/x", ".GIT/x", "git~1/x", "nul", "a/CON.md", "com1", "a.", "a /b", "a\x00b", "a\nb", "\xff",
		"a*", "a?", strings.Repeat("a", 201), strings.Repeat("a/", 600) + "a",
	} {
		err := CheckPath(p)
		var f *Fault
		if !errors.As(err, &f) || f.Text().FR == "" || f.Text().EN == "" {
			t.Errorf("%q: %v", p, err)
		}
	}
}

func TestFoldPath(t *testing.T) {
	for _, pair := range [][2]string{{"A/B", "a/b"}, {"é", "e\u0301"}, {"ẞ", "ss"}} {
		if FoldPath(pair[0]) != FoldPath(pair[1]) {
			t.Errorf("%q and %q are one file on some disks", pair[0], pair[1])
		}
	}
	if FoldPath("a") == FoldPath("b") {
		t.Error("a and b are two files")
	}
}

func TestLinks(t *testing.T) {
	base, _ := filepath.EvalSymlinks(t.TempDir())
	root := filepath.Join(base, "project")
	put(t, filepath.Join(root, "real/file.md"), "inside\n")
	put(t, filepath.Join(base, "outside/file.md"), "outside\n")
	link(t, "real/file.md", filepath.Join(root, "relative.md"))
	link(t, filepath.Join(root, "real/file.md"), filepath.Join(root, "absolute.md"))
	link(t, "relative.md", filepath.Join(root, "chain.md"))
	link(t, "real", filepath.Join(root, "dir"))
	link(t, filepath.Join(root, "real"), filepath.Join(root, "absdir"))
	link(t, "../../real", filepath.Join(root, "deep/er/up"))
	link(t, "../project/real", filepath.Join(root, "reenters"))
	link(t, "real/new.md", filepath.Join(root, "dangling.md"))
	link(t, "newdir", filepath.Join(root, "danglingdir"))
	link(t, "loop-b", filepath.Join(root, "loop-a"))
	link(t, "loop-a", filepath.Join(root, "loop-b"))
	link(t, "../outside/file.md", filepath.Join(root, "out.md"))
	link(t, filepath.Join(base, "outside"), filepath.Join(root, "outdir"))
	link(t, "out.md", filepath.Join(root, "outchain.md"))
	link(t, "/", filepath.Join(root, "slash"))
	link(t, "nowhere/../real/file.md", filepath.Join(root, "through.md"))
	link(t, ".git", filepath.Join(root, "hidden"))
	link(t, "real/file.md", filepath.Join(root, "filedir"))
	put(t, filepath.Join(root, ".git/config"), "[core]\n")

	tests := []struct {
		path, real, content string
		err                 error
	}{
		{"relative.md", "real/file.md", "inside\n", nil},
		{"absolute.md", "real/file.md", "inside\n", nil},
		{"chain.md", "real/file.md", "inside\n", nil},
		{"dir/file.md", "real/file.md", "inside\n", nil},
		{"absdir/file.md", "real/file.md", "inside\n", nil},
		{"deep/er/up/file.md", "real/file.md", "inside\n", nil},
		{"reenters/file.md", "real/file.md", "inside\n", nil},
		{"dangling.md", "real/new.md", "", nil},
		{"danglingdir/a/b.md", "newdir/a/b.md", "", nil},
		{"absent/a.md", "absent/a.md", "", nil},
		{"loop-a", "", "", ErrLinkLoop},
		{"loop-a/x", "", "", ErrLinkLoop},
		{"out.md", "", "", ErrOutside},
		{"outdir/file.md", "", "", ErrOutside},
		{"outdir/new.md", "", "", ErrOutside},
		{"outchain.md", "", "", ErrOutside},
		{"slash/etc/hostname", "", "", ErrOutside},
		{"through.md", "", "", ErrBrokenLink},
		{"hidden/config", "", "", ErrGitDirectory},
		{"filedir/x", "", "", ErrNotDirectory},
		{"real/file.md/x", "", "", ErrNotDirectory},
		{"real", "", "", ErrDirectory},
		{"dir", "", "", ErrDirectory},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			tr := open(t, root)
			f, err := tr.Read(tt.path)
			if !errors.Is(err, tt.err) {
				t.Fatalf("error %v, want %v", err, tt.err)
			}
			if err != nil {
				return
			}
			if f.Real != tt.real || string(f.Data) != tt.content {
				t.Fatalf("%s is %s with %q", tt.path, f.Real, f.Data)
			}
			if _, err := tr.Replace(f, []byte("written\n")); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(filepath.Join(root, tt.real))
			if err != nil || string(got) != "written\n" {
				t.Fatalf("target holds %q, %v", got, err)
			}
			_ = os.WriteFile(filepath.Join(root, "real/file.md"), []byte("inside\n"), 0o644)
		})
	}
	for _, l := range []string{"relative.md", "chain.md", "dir", "danglingdir", "dangling.md"} {
		if info, err := os.Lstat(filepath.Join(root, l)); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s is no link any more", l)
		}
	}
	if got, _ := os.ReadFile(filepath.Join(base, "outside/file.md")); string(got) != "outside\n" {
		t.Errorf("outside holds %q", got)
	}
}

func TestProjectThatIsALink(t *testing.T) {
	base := t.TempDir()
	put(t, filepath.Join(base, "data/project/a.md"), "a\n")
	link(t, "data/project", filepath.Join(base, "link"))
	link(t, filepath.Join(base, "link", "a.md"), filepath.Join(base, "data/project/b.md"))
	tr := open(t, filepath.Join(base, "link"))
	if f, err := tr.Read("b.md"); err != nil || f.Real != "a.md" {
		t.Fatalf("%+v, %v", f, err)
	}
	if p, err := tr.Rel(filepath.Join(base, "link", "a.md")); err != nil || p != "a.md" {
		t.Fatalf("%q, %v", p, err)
	}
}

func TestReplaceKeepsTheMode(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no mode bits")
	}
	root := t.TempDir()
	put(t, filepath.Join(root, "a"), "old\n")
	for _, mode := range []os.FileMode{0o600, 0o666, 0o755, 0o640} {
		if err := os.Chmod(filepath.Join(root, "a"), mode); err != nil {
			t.Fatal(err)
		}
		tr := open(t, root)
		f, err := tr.Read("a")
		if err != nil {
			t.Fatal(err)
		}
		if changed, err := tr.Replace(f, []byte(mode.String())); err != nil || !changed {
			t.Fatal(changed, err)
		}
		if info, _ := os.Stat(filepath.Join(root, "a")); info.Mode().Perm() != mode {
			t.Errorf("mode %v became %v", mode, info.Mode().Perm())
		}
	}
}

// obstacle prepares a project in which target.md cannot be replaced.
type obstacle struct {
	name string
	make func(t *testing.T, dir string)
	want error
}

func obstacles() []obstacle {
	return append(systemObstacles(),
		obstacle{"directory", func(t *testing.T, dir string) {
			put(t, filepath.Join(dir, "sub/target.md/inner"), "x")
		}, ErrDirectory},
		obstacle{"file for a directory", func(t *testing.T, dir string) {
			put(t, filepath.Join(dir, "sub"), "x")
		}, ErrNotDirectory},
		obstacle{"too large", func(t *testing.T, dir string) {
			put(t, filepath.Join(dir, "sub/target.md"), "")
			if err := os.Truncate(filepath.Join(dir, "sub/target.md"), maxFile+1); err != nil {
				t.Fatal(err)
			}
		}, ErrTooLarge},
	)
}

func TestObstacles(t *testing.T) {
	for _, o := range obstacles() {
		t.Run(o.name, func(t *testing.T) {
			dir := t.TempDir()
			o.make(t, dir)
			tr := open(t, dir)
			f, err := tr.Read("sub/target.md")
			if err == nil {
				if planned := tr.Obstacle(f); !errors.Is(planned, o.want) {
					t.Errorf("seen beforehand: %v, want %v", planned, o.want)
				}
				_, err = tr.Replace(f, []byte("new\n"))
			}
			if !errors.Is(err, o.want) {
				t.Fatalf("error %v, want %v", err, o.want)
			}
			if left, _ := filepath.Glob(filepath.Join(dir, "sub", ".grimoire-*")); len(left) > 0 {
				t.Errorf("left %v", left)
			}
		})
	}
}

func TestChangedSinceItWasRead(t *testing.T) {
	tests := []struct {
		name   string
		change func(t *testing.T, path string)
		want   error
		same   bool
	}{
		{"other bytes", func(t *testing.T, p string) { put(t, p, "else\n") }, ErrChanged, false},
		{"gone", func(t *testing.T, p string) { _ = os.Remove(p) }, ErrChanged, false},
		{"another file with the same bytes", func(t *testing.T, p string) {
			_ = os.Rename(p, p+".old")
			put(t, p, "old\n")
		}, ErrChanged, false},
		{"a link in its place", func(t *testing.T, p string) {
			_ = os.Rename(p, p+".old")
			link(t, filepath.Base(p)+".old", p)
		}, ErrChanged, false},
		{"its directory swapped for a link", func(t *testing.T, p string) {
			dir := filepath.Dir(p)
			_ = os.Rename(dir, dir+".old")
			link(t, filepath.Base(dir)+".old", dir)
		}, ErrChanged, false},
		{"its directory swapped for a link to the outside", func(t *testing.T, p string) {
			dir, out := filepath.Dir(p), t.TempDir()
			put(t, filepath.Join(out, "target.md"), "old\n")
			_ = os.Rename(dir, dir+".old")
			link(t, out, dir)
		}, ErrOutside, false},
		{"already what is wanted", func(t *testing.T, p string) { put(t, p, "new\n") }, nil, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "sub/target.md")
			put(t, path, "old\n")
			reader := open(t, dir)
			f, err := reader.Read("sub/target.md")
			if err != nil {
				t.Fatal(err)
			}
			tt.change(t, path)
			tr := open(t, dir)
			changed, err := tr.Replace(f, []byte("new\n"))
			if !errors.Is(err, tt.want) || (err == nil) != (tt.want == nil) || changed {
				t.Fatalf("changed %v, error %v; want %v", changed, err, tt.want)
			}
			if tt.same {
				return
			}
			if err := tr.Delete(f); err == nil && tt.name != "gone" {
				t.Error("deleted it all the same")
			}
			if got, err := os.ReadFile(path); err == nil && string(got) == "new\n" {
				t.Error("written all the same")
			}
			if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".grimoire-*")); len(left) > 0 {
				t.Errorf("left %v", left)
			}
		})
	}
}

func TestSweepTemporaries(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"sub/.grimoire-0123456789abcdef.tmp", "sub/.grimoire-notours.tmp", "sub/x.tmp", "sub/.grimoire-0123456789abcdef.tmp.md"} {
		put(t, filepath.Join(dir, name), "x")
	}
	if err := os.MkdirAll(filepath.Join(dir, "sub", ".grimoire-ffffffffffffffff.tmp"), 0o755); err != nil {
		t.Fatal(err)
	}
	tr := open(t, dir)
	tr.SweepTemporaries("sub")
	tr.SweepTemporaries("absent")
	if got := strings.Join(tr.Names("sub"), " "); got != ".grimoire-0123456789abcdef.tmp.md .grimoire-ffffffffffffffff.tmp .grimoire-notours.tmp x.tmp" {
		t.Error(got)
	}
}

func TestFilesEntersNoOtherRepository(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, ".one/a.md"), "x")
	put(t, filepath.Join(dir, ".one/sub/b.md"), "x")
	put(t, filepath.Join(dir, ".one/worktrees/w/.git"), "gitdir: elsewhere")
	put(t, filepath.Join(dir, ".one/worktrees/w/c.md"), "x")
	link(t, "..", filepath.Join(dir, ".one/up"))
	tr := open(t, dir)
	if got := strings.Join(tr.Files(".one/", 10), " "); got != ".one/a.md .one/sub/b.md" {
		t.Error(got)
	}
	if got := tr.Files(".one", 1); len(got) != 1 {
		t.Error(got)
	}
}
