package ledger

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// traffic is what the kernel counted of this process's reads and writes.
type traffic struct{ bytesRead, bytesWritten, reads, writes int64 }

func trafficNow(t *testing.T) (now traffic) {
	t.Helper()
	text, err := os.ReadFile("/proc/self/io")
	if err != nil {
		t.Skipf("this kernel counts no I/O per process (CONFIG_TASK_IO_ACCOUNTING): %v", err)
	}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		switch name {
		case "rchar":
			now.bytesRead = n
		case "wchar":
			now.bytesWritten = n
		case "syscr":
			now.reads = n
		case "syscw":
			now.writes = n
		}
	}
	return now
}

// trafficOf is the least that do cost in several runs: the runtime wakes itself
// through a pipe now and then. What counting costs is taken off.
func trafficOf(t *testing.T, do func()) (least traffic) {
	t.Helper()
	measure := func(do func()) (least traffic) {
		for i := range 10 {
			before := trafficNow(t)
			do()
			after := trafficNow(t)
			d := traffic{after.bytesRead - before.bytesRead, after.bytesWritten - before.bytesWritten, after.reads - before.reads, after.writes - before.writes}
			if i == 0 {
				least = d
			}
			least = traffic{min(least.bytesRead, d.bytesRead), min(least.bytesWritten, d.bytesWritten), min(least.reads, d.reads), min(least.writes, d.writes)}
		}
		return least
	}
	none, some := measure(func() {}), measure(do)
	return traffic{some.bytesRead - none.bytesRead, some.bytesWritten - none.bytesWritten, some.reads - none.reads, some.writes - none.writes}
}

// about allows for numbers in /proc/self/io that have more digits later.
func about(a, b int64) bool { return a-b <= 64 && b-a <= 64 }

// One write of one line, and of the log no more than its first and last 4 KiB,
// however long it is.
func TestTheTrafficOfAnAppend(t *testing.T) {
	line, _ := ptr(sample()).encode()
	var first traffic
	for _, n := range []int{0, 1_000, 30_000} {
		f := NewFile(logOf(t, n), "")
		at, err := f.Read(Version{}, func(Line) {})
		if err != nil {
			t.Fatal(err)
		}
		got := trafficOf(t, func() {
			if at, err = f.Append(at, line); err != nil {
				t.Fatal(err)
			}
		})
		t.Logf("%d events: %+v", n, got)
		if got.writes != 1 || got.bytesWritten != int64(len(line))+1 {
			t.Errorf("%d events: %d writes of %d bytes, for a line of %d", n, got.writes, got.bytesWritten, len(line)+1)
		}
		if n == 1_000 {
			first = got
		}
		if got.bytesRead > 4*tailSize+64 || n > 1_000 && (got.reads != first.reads || !about(got.bytesRead, first.bytesRead)) {
			t.Errorf("%d events: %+v, after 1000: %+v", n, got, first)
		}
	}
}

// A command that looks at every task reads the snapshot, the log that is newer,
// and writes nothing; it does not read the whole log.
func TestTheTrafficOfAColdLook(t *testing.T) {
	root := logOf(t, 30_000)
	look := func() {
		if err := Open(root, "").View(func(*State) error { return nil }); err != nil {
			t.Fatal(err)
		}
	}
	look() // writes the snapshot
	dir := filepath.Join(root, filepath.FromSlash(Dir))
	size := func(name string) int64 {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	snapshot, log := size(snapshotName), size(LogName)
	got := trafficOf(t, look)
	what := fmt.Sprintf("%+v, a snapshot of %d bytes, a log of %d", got, snapshot, log)
	t.Log(what)
	if got.writes != 0 || got.bytesRead > snapshot+4*tailSize || snapshot > log/2 {
		t.Error(what)
	}
}
