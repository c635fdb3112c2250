package plugin

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"time"
)

// pipeGrace is how long a killed plugin's pipes stay open for what is still in
// them. Only a process that left the plugin's group can hold them longer.
const pipeGrace = 500 * time.Millisecond

// process is a plugin's process and its group. go-plugin drives it (it is a
// runner.Runner); whoever is first to find a reason may kill it.
type process struct {
	cmd        *exec.Cmd
	supervisor *supervisor
	socketDir  string

	mu     sync.Mutex
	group  group
	stdout *firstLine // nil until it was started
	stderr *os.File
	killed bool // someone asked for its end
	ending bool // the group was killed for the last time: its number may be reused
	state  *os.ProcessState
}

// newProcess is the process that cmd will be.
func newProcess(cmd *exec.Cmd, s *supervisor) *process {
	return &process{cmd: cmd, supervisor: s}
}

// Start starts the program in a process group of its own. The calling goroutine
// must stay on its thread for as long as the plugin runs: Linux ends the plugin
// with the thread that started it.
func (p *process) Start(context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.killed {
		return context.Canceled
	}
	stdout, stdoutWriter, err := os.Pipe()
	if err != nil {
		return err
	}
	stderr, stderrWriter, err := os.Pipe()
	if err != nil {
		return errors.Join(err, stdout.Close(), stdoutWriter.Close())
	}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = nil, stdoutWriter, stderrWriter
	p.group, err = startGroup(p.cmd)
	_ = stdoutWriter.Close()
	_ = stderrWriter.Close()
	if err != nil {
		return errors.Join(err, stdout.Close(), stderr.Close())
	}
	p.stdout, p.stderr = &firstLine{file: stdout}, stderr
	p.supervisor.watch(p.cmd.Process.Pid)
	return nil
}

// Wait is called by go-plugin once both pipes are closed, which a plugin does by
// ending. What is left of its group ends with it.
func (p *process) Wait(context.Context) error {
	p.mu.Lock()
	p.group.kill()
	p.ending = true
	p.mu.Unlock()
	p.supervisor.forget(p.cmd.Process.Pid)
	err := p.cmd.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.group.close()
	p.state = p.cmd.ProcessState
	_ = p.stdout.Close()
	_ = p.stderr.Close()
	return err
}

// Kill ends the plugin and everything it started, or keeps it from starting. It
// may be called at any time, more than once.
func (p *process) Kill(context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.killed = true
	if p.stdout == nil || p.ending {
		return nil
	}
	p.group.kill()
	time.AfterFunc(pipeGrace, func() {
		_ = p.stdout.Close()
		_ = p.stderr.Close()
	})
	return nil
}

func (p *process) started() bool { return p.ID() != "" }

// handshake is the first line that an ended plugin wrote on stdout.
func (p *process) handshake() string { return p.stdout.String() }

// crashed reports whether an ended process was ended by a signal that we did not
// send, or by Go's runtime.
func (p *process) crashed() bool {
	return p.state != nil && crashed(p.state)
}

func (p *process) Stdout() io.ReadCloser { return p.stdout }
func (p *process) Stderr() io.ReadCloser { return p.stderr }
func (p *process) Name() string          { return p.cmd.Path }

// ID is empty until the process was started: go-plugin then knows that there is
// nothing to end.
func (p *process) ID() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stdout == nil {
		return ""
	}
	return strconv.Itoa(p.cmd.Process.Pid)
}

// Diagnose has nothing to add: the launcher explains a failed start itself.
func (p *process) Diagnose(context.Context) string { return "" }

// PluginToHost refuses an address outside what the plugin was given.
func (p *process) PluginToHost(network, address string) (string, string, error) {
	if err := checkAddress(network, address, p.socketDir); err != nil {
		return "", "", err
	}
	return network, address, nil
}

func (p *process) HostToPlugin(network, address string) (string, string, error) {
	return network, address, nil
}

// checkUnixAddress wants the socket in the folder made for it.
func checkUnixAddress(network, address, socketDir string) error {
	if network != "unix" || filepath.Dir(address) != filepath.Clean(socketDir) {
		return fmt.Errorf("the address %s %q is not in %s", network, address, socketDir)
	}
	return nil
}

// firstLineBytes is more than any handshake.
const firstLineBytes = 4 << 10

// firstLine reads a plugin's stdout and remembers how it began.
type firstLine struct {
	file *os.File
	mu   sync.Mutex
	seen []byte
}

func (f *firstLine) Read(b []byte) (int, error) {
	n, err := f.file.Read(b)
	f.mu.Lock()
	defer f.mu.Unlock()
	if !bytes.ContainsRune(f.seen, '\n') {
		f.seen = append(f.seen, b[:min(n, firstLineBytes-len(f.seen))]...)
	}
	return n, err
}

func (f *firstLine) Close() error { return f.file.Close() }

// String is the line, without its end; empty where nothing was written.
func (f *firstLine) String() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	line, _, _ := bytes.Cut(f.seen, []byte{'\n'})
	return string(bytes.TrimSpace(line))
}
