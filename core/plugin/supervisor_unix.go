//go:build unix

package plugin

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// supervisorGrace is how long the supervisor may take to notice that its run has
// ended. It has nothing left to do then.
const supervisorGrace = 2 * time.Second

// supervisor is core's end of the process that outlives it. Core writes the
// process groups it starts ("+4711") and has ended ("-4711") into a pipe; when
// the pipe closes, for whatever reason, the process at its other end kills the
// groups that are left and removes the sockets. Nothing waits for it: a pipe
// keeps what its reader is not ready for.
type supervisor struct {
	cmd  *exec.Cmd
	mu   sync.Mutex
	pipe *os.File
}

// startSupervisor starts the supervisor of a run whose sockets lie in dir.
func startSupervisor(self, dir string) (*supervisor, error) {
	reader, writer, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("start the supervisor: %w", err)
	}
	defer func() { _ = reader.Close() }()
	cmd := exec.Command(self, superviseArg, dir)
	cmd.Stdin = reader
	cmd.Env = append(pluginEnv(dir), handshakeVariable())
	// A Ctrl-C in the terminal goes to core's group, and ends core: the
	// supervisor is in another, since its work begins there.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		_ = writer.Close()
		return nil, fmt.Errorf("start the supervisor: %w", err)
	}
	return &supervisor{cmd: cmd, pipe: writer}, nil
}

func (s *supervisor) watch(pgid int) { s.tell('+', pgid) }

func (s *supervisor) forget(pgid int) { s.tell('-', pgid) }

// tell writes one line. A supervisor that was killed cannot be told anything,
// and the run goes on: it still ends its plugins itself.
func (s *supervisor) tell(sign byte, pgid int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, _ = fmt.Fprintf(s.pipe, "%c%d\n", sign, pgid)
}

// end lets the supervisor go and waits for it.
func (s *supervisor) end() {
	_ = s.pipe.Close()
	late := time.AfterFunc(supervisorGrace, func() { _ = s.cmd.Process.Kill() })
	_ = s.cmd.Wait()
	late.Stop()
}

// supervise is the other end: it returns when the pipe is closed and everything
// is gone.
func supervise(pipe io.Reader, dir string) {
	signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	running := map[int]bool{}
	for lines := bufio.NewScanner(pipe); lines.Scan(); {
		pgid, err := strconv.Atoi(lines.Text())
		switch {
		case err != nil || pgid == 0:
		case pgid > 0:
			running[pgid] = true
		default:
			delete(running, -pgid)
		}
	}
	for pgid := range running {
		group(pgid).kill()
	}
	_ = os.RemoveAll(dir)
}
