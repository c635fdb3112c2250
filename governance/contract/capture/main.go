// Command capture runs real hosts on projects that the product made, with a
// scripted model on the loopback interface, and writes down what they did as
// governance/contract/testdata/captures/<host>/<version>/product-<run>.json.
// It is a maintainer's tool: no test and no CI runs it. CONTRIBUTING says how.
//
// Nothing of the machine reaches a host: HOME is a new folder, the environment
// is built from nothing, the only model is ours, and where the system permits
// it (Linux) the process runs in a network of its own with loopback only.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

func main() {
	if filepath.Base(os.Args[0]) == "grimoire-hook" {
		os.Exit(record())
	}
	if err := capture(); err != nil {
		fmt.Fprintln(os.Stderr, "capture:", err)
		os.Exit(1)
	}
}

// isolated is set in the process that has a network of its own.
const isolated = "GRIMOIRE_CAPTURE_BIN"

func capture() error {
	hosts := flag.String("hosts", filepath.Join(os.Getenv("HOME"), ".cache", "grimoire-hosts"), "folder that npm installed the hosts into")
	out := flag.String("out", filepath.Join("governance", "contract", "testdata", "captures"), "folder that receives <host>/<version>/product-*.json")
	only := flag.String("host", "", "this host alone")
	run := flag.String("run", "", "runs whose name starts so, alone")
	keep := flag.Bool("keep", false, "keep the folders of the runs and name them")
	flag.Parse()

	bin := os.Getenv(isolated)
	if bin == "" {
		dir, err := os.MkdirTemp("", "grimoire-capture")
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(dir) }()
		if err := build(dir); err != nil {
			return err
		}
		if done, err := alone(dir); done {
			return err
		}
		fmt.Fprintln(os.Stderr, "capture: no network of its own can be had here; a dead proxy keeps the hosts off the network")
		bin = dir
	}

	failed := 0
	for _, h := range allHosts(*hosts) {
		if *only != "" && h.name() != *only {
			continue
		}
		version, err := h.version()
		if err != nil {
			return fmt.Errorf("%s: %w", h.name(), err)
		}
		for _, s := range scenarios {
			if !strings.HasPrefix(s.name, *run) || !slices.Contains(s.hosts, h.name()) {
				continue
			}
			r, folder, err := play(h, s, bin, *keep)
			if err == nil {
				err = save(filepath.Join(*out, h.name(), version, "product-"+s.name+".json"), r)
			}
			switch {
			case err != nil:
				failed++
				fmt.Printf("%s %s: %v\n", h.name(), s.name, err)
			default:
				fmt.Printf("%s %s: %d steps, %d texts read, tool ran: %v\n", h.name(), s.name, len(r.Steps), len(r.Read()), r.ToolRan)
			}
			if *keep {
				fmt.Println("  " + folder)
			}
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d run(s) failed", failed)
	}
	return nil
}

// build makes the product's programs, and the recorder that stands before its
// hook.
func build(dir string) error {
	for program, folder := range map[string]string{"bin/grimoire": "./cmd/grimoire", "real/grimoire-hook": "./cmd/grimoire-hook"} {
		cmd := exec.Command("go", "build", "-trimpath", "-o", filepath.Join(dir, filepath.FromSlash(program)), folder)
		if text, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("build %s (run this in the repository): %w\n%s", folder, err, text)
		}
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	data, err := os.ReadFile(self)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "recorder"), data, 0o755)
}

// alone runs this command again in a network with loopback only.
func alone(bin string) (done bool, err error) {
	unshare := []string{"unshare", "-n"}
	if os.Geteuid() != 0 {
		unshare = []string{"unshare", "-rn"}
	}
	if exec.Command(unshare[0], append(unshare[1:], "sh", "-c", "ip link set lo up")...).Run() != nil {
		return false, nil
	}
	args := append(append(unshare[1:], "sh", "-c", `ip link set lo up; exec "$0" "$@"`, filepath.Join(bin, "recorder")), os.Args[1:]...)
	cmd := exec.Command(unshare[0], args...)
	cmd.Env = append(os.Environ(), isolated+"="+bin)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	err = cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if status, ok := exit.Sys().(syscall.WaitStatus); ok {
			return true, fmt.Errorf("ended with %d", status.ExitStatus())
		}
	}
	return true, err
}
