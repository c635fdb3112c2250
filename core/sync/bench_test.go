package sync

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/pluginsdk"
)

// benchPlans are six hosts: three with a file per persona, three with a
// catalogue that lists them all, and merged settings.
func benchPlans(personas int) []HostPlan {
	body := strings.Repeat("Reads its definition first, then answers within its boundary.\n", 20)
	var plans []HostPlan
	for h := range 6 {
		id := fmt.Sprintf("host%d", h)
		dir := "." + id + "/"
		plan := &pluginsdk.Plan{}
		catalogue := strings.Builder{}
		for n := range personas {
			fmt.Fprintf(&catalogue, "| persona-%04d | what it is for, in one line | read, search |\n", n)
			if h < 3 {
				plan.Files = append(plan.Files, ours(fmt.Sprintf("%sagents/persona-%04d.md", dir, n), body))
			}
			if h < 3 && n%2 == 0 {
				plan.Files = append(plan.Files, ours(fmt.Sprintf("%sskills/skill-%04d/SKILL.md", dir, n), body))
			}
		}
		plan.Files = append(plan.Files, entry(strings.ToUpper(id)+".md", catalogue.String()))
		m := settings()
		m.Path = dir + "settings.json"
		plan.Merges = []pluginsdk.Merge{m}
		plans = append(plans, HostPlan{Profile: pluginsdk.Profile{ID: id, Owns: []string{dir}}, Plan: plan, Table: plan.Merges})
	}
	return plans
}

func BenchmarkPrepareUnchanged(b *testing.B) {
	for _, personas := range []int{10, 100, 1000} {
		b.Run(fmt.Sprintf("personas=%d", personas), func(b *testing.B) {
			root, plans := b.TempDir(), benchPlans(personas)
			run(b, root, Options{}, plans...)
			b.ReportAllocs()
			for b.Loop() {
				if prepare(b, root, Options{}, plans...).Drift() {
					b.Fatal("drift")
				}
			}
		})
	}
}

func BenchmarkSyncUnchanged(b *testing.B) {
	root, plans := b.TempDir(), benchPlans(1000)
	run(b, root, Options{}, plans...)
	b.ReportAllocs()
	for b.Loop() {
		run(b, root, Options{}, plans...)
	}
}

func BenchmarkStale(b *testing.B) {
	root, plans := b.TempDir(), benchPlans(1000)
	run(b, root, Options{}, plans...)
	for b.Loop() {
		if stale, err := Stale(root, plans); err != nil || len(stale) > 0 {
			b.Fatal(err, stale)
		}
	}
}

func BenchmarkApplyFresh(b *testing.B) {
	for _, personas := range []int{10, 100, 1000} {
		b.Run(fmt.Sprintf("personas=%d", personas), func(b *testing.B) {
			plans := benchPlans(personas)
			for b.Loop() {
				root := b.TempDir()
				set := prepare(b, root, Options{}, plans...)
				l, err := Acquire(context.Background(), root)
				if err != nil {
					b.Fatal(err)
				}
				if r, err := set.Apply(context.Background(), l, nil); err != nil || !r.OK() {
					b.Fatal(err, r)
				}
				_ = l.Release()
			}
		})
	}
}
