package plugin

import (
	"context"
	"errors"
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

	"github.com/grimoire-kit/grimoire/pluginsdk"
)

// coreArg makes the test binary a core for a test to kill. It asks the plugin
// that hangs: coreArg <program> <digest> <file for its pids>, or without more
// arguments the bundled ones.
const coreArg = "__core"

func init() {
	if len(os.Args) < 2 || os.Args[1] != coreArg {
		return
	}
	s := sampleProject(10)
	var hosts []Host
	if len(os.Args) == 5 {
		s.ProjectName = os.Args[4]
		hosts = append(hosts, Host{
			Profile: pluginsdk.Profile{ID: "host-hang", Aliases: []string{"hang"}, Owns: []string{"hang/"}},
			SHA256:  os.Args[3], program: os.Args[2],
		})
	} else if c, err := NewCatalog(trees()); err == nil {
		hosts = c.Hosts()
	}
	(&Launcher{RunsHook: onlyHook, Call: time.Minute}).Run(context.Background(), hosts, s)
	os.Exit(0)
}

// orphanDeadline is how soon after core's death nothing of it may be left.
const orphanDeadline = 2 * time.Second

func TestKilledCoreLeavesNothing(t *testing.T) {
	for name, kill := range map[string]func(core *exec.Cmd) error{
		"core alone":     func(core *exec.Cmd) error { return core.Process.Kill() },
		"its group":      func(core *exec.Cmd) error { return syscall.Kill(-core.Process.Pid, syscall.SIGKILL) },
		"ctrl-c":         func(core *exec.Cmd) error { return syscall.Kill(-core.Process.Pid, syscall.SIGINT) },
		"closed session": func(core *exec.Cmd) error { return syscall.Kill(-core.Process.Pid, syscall.SIGHUP) },
	} {
		t.Run(name, func(t *testing.T) {
			temp := shortTemp(t)
			host := trusted(t, "hang")
			pidFile := filepath.Join(t.TempDir(), "pids")
			core := exec.Command(os.Args[0], coreArg, host.program, host.SHA256, pidFile)
			core.Env = append(os.Environ(), "TMPDIR="+temp)
			core.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
			if err := core.Start(); err != nil {
				t.Fatal(err)
			}
			pids := waitForPids(t, pidFile)
			supervisors := children(t, core.Process.Pid, superviseArg)
			if len(supervisors) != 1 || !alive(pids[0]) || !alive(pids[1]) {
				t.Fatalf("supervisors %v, plugin and its child %v", supervisors, pids)
			}
			if err := kill(core); err != nil {
				t.Fatal(err)
			}
			_ = core.Wait()
			checkGone(t, append(pids, supervisors...))
			checkEmpty(t, temp)
		})
	}
}

// However far a run is when core is killed, nothing of it is left.
func TestCoreKilledAtAnyMoment(t *testing.T) {
	temp := shortTemp(t)
	for i := range 25 {
		core := exec.Command(os.Args[0], coreArg)
		core.Env = append(os.Environ(), "TMPDIR="+temp)
		if err := core.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(i) * 4 * time.Millisecond)
		if err := core.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Fatal(err)
		}
		_ = core.Wait()
	}
	checkGone(t, processesOf(t, temp))
	checkEmpty(t, temp)
}

// A run leaves nothing behind on any path out of it.
func TestRunLeavesNothing(t *testing.T) {
	for _, name := range []string{"crash", "garbage", "hang", "illegal", "incompatible", "noplugin", "refuse", "lantern"} {
		t.Run(name, func(t *testing.T) {
			temp := shortTemp(t)
			t.Setenv("TMPDIR", temp)
			host := trusted(t, name)
			s := sampleProject(1)
			s.ProjectName = filepath.Join(t.TempDir(), "pids")
			(&Launcher{RunsHook: onlyHook, Call: 5 * time.Second}).Run(context.Background(), []Host{host, bundledHosts(t)[0]}, s)
			if name == "hang" {
				checkGone(t, waitForPids(t, s.ProjectName))
			}
			if left := children(t, os.Getpid(), ""); len(left) > 0 {
				t.Errorf("children %v are left", left)
			}
			checkEmpty(t, temp)
		})
	}
}

// The supervisor is there for a core that was killed; a core that was not ends
// its plugins itself.
func TestRunOutlivesItsSupervisor(t *testing.T) {
	temp := shortTemp(t)
	t.Setenv("TMPDIR", temp)
	s := sampleProject(1)
	s.ProjectName = filepath.Join(t.TempDir(), "pids")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	hosts, outcomes := []Host{trusted(t, "hang")}, make(chan []Outcome)
	go func() { outcomes <- (&Launcher{RunsHook: onlyHook, Call: time.Minute}).Run(ctx, hosts, s) }()
	pids := waitForPids(t, s.ProjectName)
	for _, pid := range children(t, os.Getpid(), superviseArg) {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
	}
	cancel()
	if f := (<-outcomes)[0].Failure; f == nil || f.Cause != Canceled {
		t.Errorf("%v", f)
	}
	checkGone(t, pids)
	checkEmpty(t, temp)
}

// What left its group cannot be ended, but it cannot hold up a run either, by
// keeping the plugin's stdout open.
func TestEscapedProcessHoldsNothingUp(t *testing.T) {
	pidFile := filepath.Join(t.TempDir(), "pids")
	host := script(t, "setsid sleep 300 &\nprintf '%s\\n%s\\n' $$ $! > "+pidFile+"\nexit 1\n")
	defer func() {
		for _, pid := range waitForPids(t, pidFile) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}()
	done := make(chan *Failure)
	go func() {
		l := &Launcher{RunsHook: onlyHook, Start: time.Second}
		done <- l.Run(context.Background(), []Host{host}, sampleProject(1))[0].Failure
	}()
	select {
	case f := <-done:
		if f == nil {
			t.Error("no failure")
		}
	case <-time.After(time.Minute):
		t.Fatal("the run waits for a process that left its group")
	}
}

func TestScripts(t *testing.T) {
	t.Setenv("GRIMOIRE_SECRET_OF_THE_SHELL", "1")
	for name, c := range map[string]struct {
		script string
		cause  Cause
		phase  Phase
		says   string
	}{
		"never speaks":       {"sleep 300\n", Slow, PhaseHandshake, "did not start within"},
		"too old":            {"echo '1|0|unix|/nowhere|grpc'; sleep 300\n", ProtocolTooOld, PhaseHandshake, "protocol 0"},
		"socket elsewhere":   {"echo '1|1|unix|/nowhere|grpc'; sleep 300\n", Garbage, PhaseHandshake, "/nowhere"},
		"other transport":    {"echo '1|1|unix|/nowhere|netrpc'; sleep 300\n", Garbage, PhaseHandshake, ""},
		"protocol of words":  {"echo '1|one|unix|/nowhere|grpc'; sleep 300\n", Garbage, PhaseHandshake, "one"},
		"other core":         {"echo '2|1|unix|/nowhere|grpc'; sleep 300\n", Garbage, PhaseHandshake, "core"},
		"endless line":       {"head -c 200000 /dev/zero | tr '\\0' x; sleep 300\n", Garbage, PhaseHandshake, "xxx…"},
		"killed":             {"kill -SEGV $$\n", Crashed, PhaseHandshake, "segmentation fault"},
		"silent":             {"exit 0\n", NotAPlugin, PhaseHandshake, "exit status 0"},
		"panics":             {"echo 'panic: no configuration' >&2; exit 2\n", Crashed, PhaseHandshake, "exit status 2"},
		"clean surroundings": {"env >&2; pwd >&2; exit 1\n", NotAPlugin, PhaseHandshake, ""},
	} {
		t.Run(name, func(t *testing.T) {
			l := &Launcher{RunsHook: onlyHook, Start: time.Minute}
			if c.cause == Slow {
				l.Start = time.Second
			}
			f := l.Run(context.Background(), []Host{script(t, c.script)}, sampleProject(1))[0].Failure
			if f == nil || f.Cause != c.cause || f.Phase != c.phase || !strings.Contains(f.Text.EN, c.says) {
				t.Fatalf("%v (cause %s)", f, f.Cause)
			}
			for _, line := range f.Stderr {
				if strings.Contains(line, "GRIMOIRE_SECRET") || strings.HasPrefix(line, "HOME=") {
					t.Errorf("the plugin sees %s", line)
				}
			}
		})
	}
}

func TestNotExecutable(t *testing.T) {
	store := StoreAt(filepath.Join(t.TempDir(), "plugins"))
	for name, content := range map[string]string{
		"text":           "some text\n",
		"no interpreter": "#!/nowhere/python\n",
		"empty":          "",
	} {
		t.Run(name, func(t *testing.T) {
			host := kept(t, store, []byte(content))
			f := (&Launcher{RunsHook: onlyHook}).Run(context.Background(), []Host{host}, sampleProject(1))[0].Failure
			if f == nil || f.Cause != NotAPlugin || f.Phase != PhaseLaunch {
				t.Errorf("%v", f)
			}
		})
	}
}

// script is a trusted shell script.
func script(t *testing.T, body string) Host {
	t.Helper()
	return kept(t, StoreAt(filepath.Join(t.TempDir(), "plugins")), []byte("#!/bin/sh\n"+body))
}

func kept(t *testing.T, store *Store, program []byte) Host {
	t.Helper()
	origin := filepath.Join(t.TempDir(), "plugin")
	if err := writeProgram(origin, program, 0o700); err != nil {
		t.Fatal(err)
	}
	digest, err := store.keep(origin)
	if err != nil {
		t.Fatal(err)
	}
	return Host{
		Profile: pluginsdk.Profile{ID: "host-script", Aliases: []string{"script"}},
		SHA256:  digest, program: store.program(digest), origin: origin,
	}
}

// shortTemp is a folder for temporary files whose name leaves room for sockets.
func shortTemp(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "gp-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// checkGone gives processes that were killed the time to be gone.
func checkGone(t *testing.T, pids []int) {
	t.Helper()
	killed := time.Now()
	for _, pid := range pids {
		for alive(pid) {
			if time.Since(killed) > orphanDeadline {
				t.Fatalf("process %d is still alive after %s", pid, orphanDeadline)
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
}

// checkEmpty wants no run's folder in dir.
func checkEmpty(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), runDirPrefix) {
			t.Errorf("%s is left", e.Name())
		}
	}
}

// alive reports whether a process runs. One that ended and was not reaped does
// not: the container of a test may have no init that would.
func alive(pid int) bool {
	_, state := stat(pid)
	return state != "" && state != "Z" && state != "X"
}

// stat reads the parent and the state of a process; the state is empty where
// there is no process.
func stat(pid int) (parent int, state string) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, ""
	}
	_, after, _ := strings.Cut(string(data), ") ")
	fields := strings.Fields(after)
	parent, _ = strconv.Atoi(fields[1])
	return parent, fields[0]
}

// processesOf lists the processes that were given a folder below dir, as
// emitters and supervisors are.
func processesOf(t *testing.T, dir string) []int {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	var list []int
	for _, file := range files {
		environ, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(environ), dir) {
			continue // ended, or another user's
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, pid)
	}
	return list
}

// children lists the processes that parent started and that run with arg.
func children(t *testing.T, parent int, arg string) []int {
	t.Helper()
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Fatal(err)
	}
	var list []int
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if p, state := stat(pid); p != parent || state == "" {
			continue
		}
		command, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if arg == "" || slices.Contains(strings.Split(string(command), "\x00"), arg) {
			list = append(list, pid)
		}
	}
	return list
}

// A run gives back every file it opened.
func TestRunClosesItsFiles(t *testing.T) {
	open := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
	hosts := append(bundledHosts(t)[:2], trusted(t, "crash"), trusted(t, "garbage"), trusted(t, "noplugin"))
	l := &Launcher{RunsHook: onlyHook}
	l.Run(context.Background(), hosts, sampleProject(1)) // what opens once stays
	before := open()
	for range 3 {
		l.Run(context.Background(), hosts, sampleProject(1))
	}
	if after := open(); after > before {
		t.Errorf("%d files are open, %d before", after, before)
	}
}
