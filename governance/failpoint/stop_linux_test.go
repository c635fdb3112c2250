package failpoint

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

func TestAStoppedProcessGoesOn(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "FAILPOINT_CHILD=armed", Variable+"=stop@step:2,other:3")
	var out strings.Builder
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(cmd.Process.Pid, &status, syscall.WUNTRACED, nil); err != nil || !status.Stopped() {
		t.Fatal(status, err)
	}
	if err := cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil || out.String() != "xx" {
		t.Fatalf("%v, wrote %q; want it killed after xx", err, out.String())
	}
}
