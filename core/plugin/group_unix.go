//go:build unix

package plugin

import (
	"os"
	"os/exec"
	"syscall"
)

// transportNeedsTLS is false: the plugin's socket lies in a folder that nobody
// else can enter.
const transportNeedsTLS = false

// group is a process group; zero where the process was not started.
type group int

// startGroup starts cmd as the leader of a new group.
func startGroup(cmd *exec.Cmd) (group, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	endWithParent(cmd.SysProcAttr)
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	return group(cmd.Process.Pid), nil
}

// kill ends every process of the group. It cannot fail in a way that leaves
// something to do: a group without members is gone.
func (g group) kill() { _ = syscall.Kill(-int(g), syscall.SIGKILL) }

func (g group) close() {}

func checkAddress(network, address, socketDir string) error {
	return checkUnixAddress(network, address, socketDir)
}

// crashed reports whether a signal ended the process, other than the one that
// kill sends.
func crashed(state *os.ProcessState) bool {
	status, ok := state.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() != syscall.SIGKILL
}
