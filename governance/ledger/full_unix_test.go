//go:build unix

package ledger

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestAFullDisk appends in a process whose files cannot grow past a limit,
// which the system answers as it answers a full disk: a part is written, then
// nothing. The event that did not fit is not there, what was there is, and with
// room again the ledger goes on.
func TestAFullDisk(t *testing.T) {
	if root := os.Getenv("LEDGER_DISK_FULL"); root != "" {
		var size uint64
		fmt.Sscan(os.Getenv("LEDGER_DISK_SIZE"), &size)
		limit := syscall.Rlimit{Cur: size, Max: size}
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
			t.Fatal(err)
		}
		l := Open(root, "")
		err := l.Update(t.Context(), func(tx *Tx) error { return turn(tx, "GAO-a-001", "x") })
		var r *Refusal
		if !errors.As(err, &r) || !strings.Contains(r.Text().FR, "Le disque est plein") {
			t.Fatalf("%v", err)
		}
		if got := statuses(t, l); got != "GAO-a-001 ready\n" {
			t.Fatal(got) // readers go on
		}
		return
	}
	for _, room := range []int{0, 1, 40, 300} {
		root := fresh(t)
		path := filepath.Join(root, filepath.FromSlash(Dir), LogName)
		before := read(t, path)
		cmd := exec.Command(os.Args[0], "-test.run=^TestAFullDisk$")
		cmd.Env = append(os.Environ(), "LEDGER_DISK_FULL="+root, fmt.Sprintf("LEDGER_DISK_SIZE=%d", len(before)+room))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("room for %d bytes: %v\n%s", room, err, out)
		}
		if got := read(t, path); !strings.HasPrefix(got, before) || len(got) != len(before)+room {
			t.Fatalf("room for %d bytes: %q", room, got[len(before):])
		}
		l := again(path)
		update(t, l, func(tx *Tx) error { return turn(tx, "GAO-a-001", "x") })
		if got := statuses(t, again(path)); got != "GAO-a-001 claimed\n" {
			t.Fatal(got)
		}
		r, err := Verify(root, "")
		if err != nil || !r.Sound() || len(r.Problems) != min(room, 1) {
			t.Fatalf("room for %d bytes: %+v %v", room, r, err)
		}
	}
}

// A folder that may not be written is read all the same.
func TestAReadOnlyFolder(t *testing.T) {
	root := fresh(t)
	dir := filepath.Join(root, filepath.FromSlash(Dir))
	if os.Getenv("LEDGER_READ_ONLY") == "" && os.Getuid() == 0 {
		runAsNobody(t)
		return
	}
	path := filepath.Join(dir, LogName)
	os.Remove(filepath.Join(dir, heldName))
	os.Remove(filepath.Join(dir, lockName))
	for _, mode := range []struct{ dir, log os.FileMode }{{0o555, 0o444}, {0o755, 0o444}} {
		if err := errors.Join(os.Chmod(path, mode.log), os.Chmod(dir, mode.dir)); err != nil {
			t.Fatal(err)
		}
		before := read(t, path)
		l := Open(root, "")
		l.images.minGrowth = 1
		if got := statuses(t, l); got != "GAO-a-001 ready\n" {
			t.Fatal(got)
		}
		if err := l.ViewHeld(func(*State) error { return nil }); err != nil {
			t.Fatal(err)
		}
		err := l.Update(t.Context(), func(tx *Tx) error { return turn(tx, "GAO-a-001", "x") })
		var r *Refusal
		if !errors.As(err, &r) || !errors.Is(err, os.ErrPermission) || !strings.Contains(r.Text().FR, "droits") || read(t, path) != before {
			t.Errorf("%v: %v", mode, err)
		}
		_ = os.Chmod(dir, 0o755)
	}
}

// runAsNobody runs the calling test again as a user whom rights bind.
func runAsNobody(t *testing.T) {
	t.Helper()
	tmp, err := os.MkdirTemp("", "nobody")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(tmp)
	binary := filepath.Join(tmp, "test")
	data, err := os.ReadFile(os.Args[0])
	if err := errors.Join(err, os.WriteFile(binary, data, 0o755), os.Chmod(tmp, 0o777)); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary, "-test.run=^"+t.Name()+"$")
	cmd.Dir = tmp
	cmd.Env = append(os.Environ(), "LEDGER_READ_ONLY=1", "TMPDIR="+tmp)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
