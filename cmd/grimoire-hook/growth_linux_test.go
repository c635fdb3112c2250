package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// What a call costs does not grow with what was traced before: the same bytes
// are read and written, by as many system calls, after 0, 10,000 and 100,000
// lines.
func TestCostDoesNotGrow(t *testing.T) {
	for _, line := range []string{"touch PROOF && rm -rf build", "git status", "touch x"} {
		var first traffics
		for _, n := range []int{0, 10_000, 100_000} {
			root := repo(t, governed)
			grow(t, root, n)
			// The runtime wakes itself through a pipe now and then; the least
			// of several runs is the program's own.
			got := traffic(t, root, "PreToolUse", bash("s0", line))
			for i := range 15 {
				got = least(got, traffic(t, root, "PreToolUse", bash(fmt.Sprintf("s%d", i%10), line)))
			}
			if n == 0 {
				first = got
			}
			if got != first {
				t.Errorf("%s after %d lines: %+v, without any: %+v", line, n, got, first)
			}
		}
		t.Logf("%s: %+v", line, first)
	}
}

// traffics is what the kernel counted of a process's reads and writes.
type traffics struct{ bytesRead, reads, writes int }

func least(a, b traffics) traffics {
	return traffics{min(a.bytesRead, b.bytesRead), min(a.reads, b.reads), min(a.writes, b.writes)}
}

// traffic runs the program once and returns what the kernel counted.
func traffic(t *testing.T, root, event, payload string) traffics {
	t.Helper()
	cmd := exec.Command(hook, "--host", "claude", "--event", event)
	cmd.Dir, cmd.Stdout = root, io.Discard
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1") // else the runtime reads its limits, at moments of its own
	in, err := os.CreateTemp(t.TempDir(), "payload")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }()
	if _, err := in.WriteString(payload); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	cmd.Stdin = in
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// Ended, but not yet waited for: its numbers are still there.
	var info unix.Siginfo
	if err := unix.Waitid(unix.P_PID, cmd.Process.Pid, &info, unix.WEXITED|unix.WNOWAIT, nil); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/io", cmd.Process.Pid))
	if waited := cmd.Wait(); waited != nil {
		t.Fatal(waited)
	}
	if err != nil {
		t.Skipf("this kernel counts no I/O per process (CONFIG_TASK_IO_ACCOUNTING): %v", err)
	}
	var got traffics
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		n, err := strconv.Atoi(value)
		if err != nil {
			t.Fatal(err)
		}
		switch name {
		case "rchar":
			got.bytesRead = n
		case "syscr":
			got.reads = n
		case "syscw":
			got.writes = n
		}
	}
	return got
}
