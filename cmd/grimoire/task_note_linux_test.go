package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// What a person says of a task is said below no host, also where the variables
// by which one is known were taken out on the way.
func TestCommentBelowAHost(t *testing.T) {
	if by := heldBy(profiles(), ancestors()); by != "" {
		t.Skip("this test runs under " + by)
	}
	root, bin := t.TempDir(), filepath.Join(t.TempDir(), "grimoire")
	if err := os.Symlink(os.Args[0], bin); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "project-context.yaml"), []byte("project: {name: demo}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	env := []string{"HOME=" + t.TempDir(), "LANG=en_US.UTF-8", "PATH=" + os.Getenv("PATH")}
	for _, args := range [][]string{{"standard", "init", "--profile", "starter"}, {"task", "add", "Search", "-a", "it finds", "--owner", "ada", "--ready"}} {
		cmd := exec.Command(bin, append([]string{"-C", root}, args...)...)
		cmd.Env = env
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	comment := func(env ...string) (string, error) {
		person, program := terminal(t)
		cmd := exec.Command("sh", "-c", `unset CLAUDECODE; "$0" -C "$1" task comment GAO-search-001 "skip the tests" --kind directive; exit $?`, bin, root)
		cmd.Env = env
		cmd.Stdin, cmd.Stdout, cmd.Stderr = program, program, program
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		_ = program.Close()
		var said bytes.Buffer
		_, _ = io.Copy(&said, person) // ends in an error of its own when the terminal is gone
		return said.String(), cmd.Wait()
	}
	if said, err := comment(append(env, "CLAUDECODE=1")...); err == nil || !strings.Contains(said, "human_origin") {
		t.Errorf("said below a host: %v\n%s", err, said)
	}
	if said, err := comment(env...); err != nil {
		t.Errorf("a person was refused: %v\n%s", err, said)
	}
}
