// Command hang is a plugin that never answers, and whose child outlives it. It
// names both in the file that the project's name gives, one number a line.
package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"

	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

func main() { pluginsdk.Serve(hang{}) }

type hang struct{}

func (hang) Profile() pluginsdk.Profile {
	return pluginsdk.Profile{ID: "host-hang", Aliases: []string{"hang"}, Owns: []string{"hang/"}}
}

func (hang) Emit(_ context.Context, s *surface.Surface) (*pluginsdk.Plan, error) {
	child := exec.Command("sleep", "300")
	child.Stdout, child.Stderr = os.Stdout, os.Stderr
	if err := child.Start(); err != nil {
		return nil, err
	}
	pids := fmt.Sprintf("%d\n%d\n", os.Getpid(), child.Process.Pid)
	if err := os.WriteFile(s.ProjectName+".new", []byte(pids), 0o600); err != nil {
		return nil, err
	}
	if err := os.Rename(s.ProjectName+".new", s.ProjectName); err != nil {
		return nil, err
	}
	select {}
}
