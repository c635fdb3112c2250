package plugin

import "io"

// supervisor has nothing to do: the job that a plugin runs in ends with core.
type supervisor struct{}

func startSupervisor(string, string) (*supervisor, error) { return &supervisor{}, nil }

func (*supervisor) watch(int)  {}
func (*supervisor) forget(int) {}
func (*supervisor) end()       {}

func supervise(io.Reader, string) {}
