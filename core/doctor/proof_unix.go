//go:build unix

package doctor

import (
	"os/exec"
	"syscall"
)

// endTogether makes the end of a program's time the end of all it started.
func endTogether(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
