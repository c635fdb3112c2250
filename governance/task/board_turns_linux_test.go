package task_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/grimoire-kit/grimoire/governance/failpoint"
	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/governance/task"
)

// start begins a process that adds n tasks, see child.
func start(t *testing.T, root string, n int, points string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d %s", childVariable, n, root), failpoint.Variable+"="+points)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// stopped waits until the process has stopped at its fail point.
func stopped(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(cmd.Process.Pid, &status, syscall.WUNTRACED, nil); err != nil || !status.Stopped() {
		t.Fatal(status, err)
	}
}

func goOn(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
}

// logged waits until the log has that many lines.
func logged(t *testing.T, d *task.Desk, lines int) {
	t.Helper()
	for strings.Count(log(t, d), "\n") < lines {
		time.Sleep(time.Millisecond)
	}
}

// A process that is slow, or dies, between drawing a board and putting it in
// its place does not undo the one that another drew meanwhile.
func TestASlowWriterUndoesNoBoard(t *testing.T) {
	for _, end := range []string{"goes on", "is killed"} {
		t.Run(end, func(t *testing.T) {
			d := task.Open(t.TempDir(), "")
			put(t, d, "_grimoire/standard/.keep", "")
			add := func(points string) *exec.Cmd { return start(t, d.Root, 1, points) }
			points := "stop@task.file-written"
			if end == "is killed" {
				points += ",task.file-replaced"
			}
			slow := add(points)
			stopped(t, slow)
			lines := strings.Count(log(t, d), "\n")
			other := add("")
			done := make(chan error, 1)
			go func() { done <- other.Wait() }()
			logged(t, d, lines+1)
			var err error
			select { // it waits for its turn, or has drawn its board
			case err = <-done:
				done <- err
			case <-time.After(200 * time.Millisecond):
			}
			goOn(t, slow)
			var exit *exec.ExitError
			if err := slow.Wait(); err != nil && !errors.As(err, &exit) {
				t.Fatal(err)
			}
			if err := <-done; err != nil {
				t.Fatal(err)
			}
			if n := len(readBoard(t, d)); n != 2 || onDisk(t, d) != drawn(t, d) {
				t.Errorf("%d cards of 2", n)
			}
			left, err := filepath.Glob(filepath.Join(d.Root, standard.Dir, ".*.tmp"))
			if err != nil || len(left) != 0 {
				t.Error(left, err)
			}
		})
	}
}
