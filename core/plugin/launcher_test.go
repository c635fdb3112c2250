package plugin

import (
	"context"
	"testing"
)

func TestRunAsksEveryBundledHost(t *testing.T) {
	hosts := bundledHosts(t)
	l := &Launcher{RunsHook: onlyHook}
	for _, out := range l.Run(context.Background(), hosts, sampleProject(3)) {
		if out.Failure != nil {
			t.Fatalf("%s: %v\n%v", out.Host.Name(), out.Failure, out.Failure.Stderr)
		}
		if len(out.Plan.Files) != 3 {
			t.Errorf("%s: %d files, want 3", out.Host.Name(), len(out.Plan.Files))
		}
	}
}
