//go:build unix

package sync

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/grimoire-kit/grimoire/pluginsdk"
)

// TestDiskFull syncs in a process whose files cannot grow past 4 KiB, which the
// system answers as it answers a full disk. What fits is written, what does not
// is named, and nothing is left half-way; alone and in a batch.
func TestDiskFull(t *testing.T) {
	plan := func(files int) HostPlan {
		list := []pluginsdk.File{ours(".one/agents/big.md", strings.Repeat("new\n", 4<<10)), ours(".one/agents/new-big.md", strings.Repeat("new\n", 4<<10))}
		for i := range files {
			list = append(list, ours(fmt.Sprintf(".one/agents/%03d.md", i), "small\n"))
		}
		return one(list...)
	}
	if root := os.Getenv("SYNC_DISK_FULL"); root != "" {
		limit := syscall.Rlimit{Cur: 4096, Max: 4096}
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
			t.Fatal(err)
		}
		files := 10
		fmt.Sscan(os.Getenv("SYNC_DISK_FULL_FILES"), &files)
		set := prepare(t, root, Options{}, plan(files))
		l, err := Acquire(context.Background(), root)
		if err != nil {
			t.Fatal(err)
		}
		r, err := set.Apply(context.Background(), l, nil)
		if err != nil {
			t.Fatal(err)
		}
		h := r.Hosts[0]
		if len(h.Failed) != 3 || len(h.Written) != files {
			t.Fatalf("written %d, failed %+v", len(h.Written), h.Failed)
		}
		for _, p := range h.Failed {
			if !strings.Contains(p.Reason.FR, "le disque est plein") {
				t.Errorf("%s: %q", p.Path, p.Reason.FR)
			}
		}
		return
	}
	for _, files := range []int{10, 200} {
		t.Run(fmt.Sprint(files), func(t *testing.T) {
			root := t.TempDir()
			old := string(ours("big.md", "old\n").Content)
			mine := "{\"note\": \"" + strings.Repeat("x", 8<<10) + "\"}\n"
			write(t, root, ".one/agents/big.md", old)
			write(t, root, ".one/settings.json", mine)
			cmd := exec.Command(os.Args[0], "-test.run=^TestDiskFull$")
			cmd.Env = append(os.Environ(), "SYNC_DISK_FULL="+root, fmt.Sprintf("SYNC_DISK_FULL_FILES=%d", files))
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if read(t, root, ".one/agents/big.md") != old || read(t, root, ".one/settings.json") != mine || exists(root, ".one/agents/new-big.md") {
				t.Error("a file that did not fit was touched")
			}
			if left, _ := filepath.Glob(filepath.Join(root, ".one", "*", ".grimoire-*")); len(left) > 0 {
				t.Errorf("left %v", left)
			}
			// With room again, the next run does the rest, and removal all of it.
			if r := run(t, root, Options{}, plan(files)); !r.OK() || len(r.Hosts[0].Written) != 3 {
				t.Errorf("%+v", r)
			}
			remove(t, root, Options{}, plan(files))
			if got := read(t, root, ".one/settings.json"); got != mine {
				t.Errorf("settings are %q", got)
			}
		})
	}
}
