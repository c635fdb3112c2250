package bench

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/grimoire-kit/grimoire/core/host"
	"github.com/grimoire-kit/grimoire/core/plugin"
	"github.com/grimoire-kit/grimoire/emitters/bundled"
)

// The emitters are this very test binary, started again.
func TestMain(m *testing.M) {
	if plugin.Main(bundled.Emitters()) {
		return
	}
	os.Exit(m.Run())
}

var sizes = []int{10, 100, 1000}

// BenchmarkFirstSync writes the files of six hosts into a project that has none.
func BenchmarkFirstSync(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprintf("hosts=6/personas=%d", n), func(b *testing.B) {
			var sum host.Timings
			for b.Loop() {
				b.StopTimer()
				root := b.TempDir()
				if err := writeProject(root, n); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
				add(&sum, syncOnce(b, root, true))
			}
			report(b, sum)
		})
	}
}

// BenchmarkNoopSync finds everything as it should be.
func BenchmarkNoopSync(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprintf("hosts=6/personas=%d", n), func(b *testing.B) {
			root := b.TempDir()
			if err := writeProject(root, n); err != nil {
				b.Fatal(err)
			}
			syncOnce(b, root, true)
			var sum host.Timings
			for b.Loop() {
				add(&sum, syncOnce(b, root, false))
			}
			report(b, sum)
		})
	}
}

// syncOnce is a whole sync, as the command line does it.
func syncOnce(tb testing.TB, root string, writes bool) host.Timings {
	tb.Helper()
	w, err := host.Open(context.Background(), root, true, func(string) string { return "" })
	if err != nil {
		tb.Fatal(err)
	}
	defer w.Close()
	if p := w.Project; len(p.Skipped)+len(p.Warnings) > 0 {
		tb.Fatalf("the generated project is not sound: %v %v", p.Skipped, p.Warnings)
	}
	result, err := w.Sync(context.Background(), host.SyncOptions{Host: host.AllHosts})
	if err != nil {
		tb.Fatal(err)
	}
	if !result.OK() || len(result.Hosts) != 6 || result.Drift() != writes {
		tb.Fatalf("%d hosts, in order: %v, something written: %v", len(result.Hosts), result.OK(), result.Drift())
	}
	return w.Timings()
}

func add(sum *host.Timings, t host.Timings) {
	sum.Load += t.Load
	sum.Start += t.Start
	sum.Emit += t.Emit
	sum.Plugins += t.Plugins
	sum.Prepare += t.Prepare
	sum.Apply += t.Apply
}

// report prints where the time went, per sync. Plugins start and emit side by
// side: their figures are those of the slowest, and plugins-ms is all of them
// from the first launch to the last exit.
func report(b *testing.B, sum host.Timings) {
	metric := func(name string, d time.Duration) {
		b.ReportMetric(float64(d.Microseconds())/1000/float64(b.N), name)
	}
	metric("surface-ms", sum.Load)
	metric("plugin-start-ms", sum.Start)
	metric("emit-ms", sum.Emit)
	metric("plugins-ms", sum.Plugins)
	metric("plan-ms", sum.Prepare)
	metric("apply-ms", sum.Apply)
}
