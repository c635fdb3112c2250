//go:build unix

package tree

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func systemObstacles() []obstacle {
	target := func(t *testing.T, dir string) string {
		p := filepath.Join(dir, "sub/target.md")
		put(t, p, "old\n")
		return p
	}
	return []obstacle{
		{"read-only file", func(t *testing.T, dir string) {
			if err := os.Chmod(target(t, dir), 0o444); err != nil {
				t.Fatal(err)
			}
		}, ErrReadOnly},
		{"read-only directory", func(t *testing.T, dir string) {
			sub := filepath.Dir(target(t, dir))
			if err := os.Chmod(sub, 0o555); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.Chmod(sub, 0o755) })
		}, ErrReadOnlyDirectory},
		{"new file under a read-only directory", func(t *testing.T, dir string) {
			if err := os.Chmod(dir, 0o555); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.Chmod(dir, 0o755) })
		}, ErrReadOnlyDirectory},
		{"foreign owner", func(t *testing.T, dir string) {
			p := target(t, dir)
			if os.Geteuid() != 0 {
				t.Skip("only root can give a file away")
			}
			if err := os.Chown(p, 4242, 4242); err != nil {
				t.Fatal(err)
			}
		}, ErrForeignOwner},
		{"FIFO", func(t *testing.T, dir string) {
			put(t, filepath.Join(dir, "sub/other"), "")
			if err := syscall.Mkfifo(filepath.Join(dir, "sub/target.md"), 0o644); err != nil {
				t.Fatal(err)
			}
		}, ErrNotRegular},
		{"device", func(t *testing.T, dir string) {
			link(t, os.DevNull, filepath.Join(dir, "sub/target.md"))
		}, ErrOutside},
	}
}

// TestDiskFull writes in a process whose files cannot grow past 4 KiB: the
// system's answer to a full disk, one byte after the other.
func TestDiskFull(t *testing.T) {
	if dir := os.Getenv("TREE_DISK_FULL"); dir != "" {
		limit := syscall.Rlimit{Cur: 4096, Max: 4096}
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
			t.Fatal(err)
		}
		tr := open(t, dir)
		for _, name := range []string{"old.md", "new.md"} {
			f, err := tr.Read(name)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := tr.Replace(f, []byte(strings.Repeat("x", 64<<10))); !errors.Is(err, ErrDiskFull) {
				t.Errorf("%s: %v", name, err)
			}
		}
		return
	}
	dir := t.TempDir()
	put(t, filepath.Join(dir, "old.md"), "old\n")
	cmd := exec.Command(os.Args[0], "-test.run=^TestDiskFull$")
	cmd.Env = append(os.Environ(), "TREE_DISK_FULL="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got, _ := os.ReadFile(filepath.Join(dir, "old.md")); string(got) != "old\n" {
		t.Errorf("old.md holds %d bytes", len(got))
	}
	if names := strings.Join(open(t, dir).Names("."), " "); names != "old.md" {
		t.Errorf("the directory holds %s", names)
	}
}
