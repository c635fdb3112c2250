//go:build unix

package bench

import (
	"context"
	"fmt"
	"os"
	"syscall"
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
			var sum cost
			for b.Loop() {
				b.StopTimer()
				root := b.TempDir()
				if err := writeProject(root, n); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
				sum.add(syncOnce(b, root, true))
			}
			sum.report(b)
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
			var sum cost
			for b.Loop() {
				sum.add(syncOnce(b, root, false))
			}
			sum.report(b)
		})
	}
}

// syncOnce is a whole sync, as the command line does it.
func syncOnce(tb testing.TB, root string, writes bool) cost {
	tb.Helper()
	before := cpuTime()
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
	return cost{w.Timings(), cpuTime() - before}
}

// cost is where the time of syncs went.
type cost struct {
	host.Timings
	cpu time.Duration // of core and of every process it started
}

func (c *cost) add(more cost) {
	c.Load += more.Load
	c.Start += more.Start
	c.Emit += more.Emit
	c.Plugins += more.Plugins
	c.Prepare += more.Prepare
	c.Apply += more.Apply
	c.cpu += more.cpu
}

// report prints the cost of one sync. Plugins start and emit side by side: their
// figures are those of the slowest, and plugins-ms is all of them from the first
// launch to the last exit. On a busy machine only cpu-ms means much.
func (c *cost) report(b *testing.B) {
	metric := func(name string, d time.Duration) {
		b.ReportMetric(float64(d.Microseconds())/1000/float64(b.N), name)
	}
	metric("surface-ms", c.Load)
	metric("plugin-start-ms", c.Start)
	metric("emit-ms", c.Emit)
	metric("plugins-ms", c.Plugins)
	metric("plan-ms", c.Prepare)
	metric("apply-ms", c.Apply)
	metric("cpu-ms", c.cpu)
}

// cpuTime is the processor time used so far by this process and by those it
// started that have ended.
func cpuTime() time.Duration {
	var total time.Duration
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if syscall.Getrusage(who, &u) == nil {
			total += time.Duration(u.Utime.Nano() + u.Stime.Nano())
		}
	}
	return total
}
