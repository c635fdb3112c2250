package plugin

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"unsafe"

	"golang.org/x/sys/windows"
)

// transportNeedsTLS is true: go-plugin listens on a TCP port, which every user
// of the machine can reach.
const transportNeedsTLS = true

// group is a job object. The system ends every process in it when its last
// handle is closed, which the end of core does too, however it ends.
type group struct{ job windows.Handle }

// startGroup starts cmd in a new job.
func startGroup(cmd *exec.Cmd) (group, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return group{}, fmt.Errorf("create a job: %w", err)
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{
			LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
		},
	}
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return group{}, errors.Join(err, windows.CloseHandle(job))
	}
	if err := assign(job, uint32(cmd.Process.Pid)); err != nil {
		return group{}, errors.Join(err, cmd.Process.Kill(), windows.CloseHandle(job))
	}
	return group{job: job}, nil
}

func assign(job windows.Handle, pid uint32) error {
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, pid)
	if err != nil {
		return fmt.Errorf("open process %d: %w", pid, err)
	}
	return errors.Join(windows.AssignProcessToJobObject(job, process), windows.CloseHandle(process))
}

func (g group) kill() { _ = windows.TerminateJobObject(g.job, 1) }

func (g group) close() { _ = windows.CloseHandle(g.job) }

// checkAddress wants a port of this machine.
func checkAddress(network, address, _ string) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil || network != "tcp" || !net.ParseIP(host).IsLoopback() {
		return fmt.Errorf("the address %s %q is not on this machine", network, address)
	}
	return nil
}

// crashed reports whether the system ended the process: the code is then an
// NTSTATUS of severity "error".
func crashed(state *os.ProcessState) bool { return uint32(state.ExitCode()) >= 0xC0000000 }
