package plugin

import (
	"context"
	"fmt"
	"testing"
	"time"
)

// BenchmarkRun is what a sync pays for the plugins of six hosts: the time of the
// whole run, and the slowest start and call in it.
func BenchmarkRun(b *testing.B) {
	for _, personas := range []int{10, 1000} {
		b.Run(fmt.Sprintf("hosts=6/personas=%d", personas), func(b *testing.B) {
			hosts, s := bundledHosts(b), sampleProject(personas)
			l := &Launcher{RunsHook: onlyHook}
			var started, emitted time.Duration
			for b.Loop() {
				var slowestStart, slowestEmit time.Duration
				for _, out := range l.Run(context.Background(), hosts, s) {
					if out.Failure != nil {
						b.Fatal(out.Failure)
					}
					slowestStart = max(slowestStart, out.Started)
					slowestEmit = max(slowestEmit, out.Emitted)
				}
				started += slowestStart
				emitted += slowestEmit
			}
			b.ReportMetric(float64(started.Microseconds())/1000/float64(b.N), "start-ms/op")
			b.ReportMetric(float64(emitted.Microseconds())/1000/float64(b.N), "emit-ms/op")
		})
	}
}
