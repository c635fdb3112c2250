package bench

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// maxMemory is the bound on any one process, with 1,000 personas × 6 hosts.
const maxMemory = 200 << 20 // bytes

// TestMemory runs the real program on growing projects and prints the peak
// resident memory of core and of each plugin. The kernel's figure for the
// largest process of all is exact; the figures by process are the last seen
// while it ran, a little lower.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs the program")
	}
	program := filepath.Join(t.TempDir(), "grimoire")
	if out, err := exec.Command("go", "build", "-o", program, "../../cmd/grimoire").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, n := range sizes {
		root := t.TempDir()
		if err := writeProject(root, n); err != nil {
			t.Fatal(err)
		}
		for _, run := range []string{"first", "no-op"} {
			largest, each := peaks(t, program, root)
			t.Logf("%4d personas, %-5s sync: largest process %s; %s", n, run, mib(largest), strings.Join(each, ", "))
			if n == 1000 && largest > maxMemory {
				t.Errorf("a process took %s, more than %s", mib(largest), mib(maxMemory))
			}
		}
	}
}

// peaks runs one sync. It returns the peak memory of the largest process in it,
// and what was seen of each.
func peaks(t *testing.T, program, root string) (largest int64, each []string) {
	t.Helper()
	cmd := exec.Command(program, "host", "sync", "--project-root", root)
	cmd.Env = append(os.Environ(), "XDG_CONFIG_HOME="+t.TempDir())
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	seen := map[string]int64{}
	for {
		select {
		case err := <-ended:
			if err != nil {
				t.Fatal(err)
			}
			for name, peak := range seen {
				each = append(each, name+" "+mib(peak))
			}
			slices.Sort(each)
			// wait4 counts the process and those it waited for; Linux gives KiB.
			return cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10, each
		case <-time.After(2 * time.Millisecond):
			look(cmd.Process.Pid, seen)
		}
	}
}

// look notes the peak memory of core and of the processes it started.
func look(core int, seen map[string]int64) {
	if peak := highWater(core); peak > 0 {
		seen["core"] = peak
	}
	children, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", core))
	for _, list := range children {
		pids, _ := os.ReadFile(list)
		for _, word := range strings.Fields(string(pids)) {
			pid, _ := strconv.Atoi(word)
			line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
			args := strings.Split(strings.TrimRight(string(line), "\x00"), "\x00")
			name, _ := strings.CutPrefix(args[len(args)-1], "host-")
			if len(args) == 3 && args[1] == "__supervise" {
				name = "supervisor"
			}
			if peak := highWater(pid); peak > 0 && len(args) == 3 {
				seen[name] = peak
			}
		}
	}
}

// highWater is the peak resident memory of a process in bytes, 0 where it is
// gone.
func highWater(pid int) int64 {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	kib, _, _ := strings.Cut(strings.TrimSpace(after), " ")
	n, _ := strconv.ParseInt(kib, 10, 64)
	return n << 10
}

func mib(bytes int64) string { return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20)) }
