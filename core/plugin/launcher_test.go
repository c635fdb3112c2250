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

// BenchmarkNoOp is what a sync of six hosts and ten personas pays for plugins.
func BenchmarkNoOp(b *testing.B) {
	hosts := bundledHosts(b)
	l := &Launcher{RunsHook: onlyHook}
	s := sampleProject(10)
	var start, emit float64
	for b.Loop() {
		for _, out := range l.Run(context.Background(), hosts, s) {
			if out.Failure != nil {
				b.Fatal(out.Failure)
			}
			start = max(start, out.Started.Seconds())
			emit = max(emit, out.Emitted.Seconds())
		}
	}
	b.ReportMetric(start*1000, "start-max-ms")
	b.ReportMetric(emit*1000, "emit-max-ms")
}
