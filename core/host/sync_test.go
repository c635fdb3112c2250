package host

import (
	"fmt"
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/core/sync"
	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

func TestEmptyPlansAreNamed(t *testing.T) {
	profile := func(id string) pluginsdk.Profile { return pluginsdk.Profile{ID: id} }
	got := emptyPlans([]sync.HostPlan{
		{Profile: profile("host-full"), Plan: &pluginsdk.Plan{Files: []pluginsdk.File{{Path: "a.md"}}}},
		{Profile: profile("host-merges"), Plan: &pluginsdk.Plan{Merges: []pluginsdk.Merge{{Path: "a.json"}}}},
		{Profile: profile("host-failed")},
		{Profile: profile("host-empty"), Plan: &pluginsdk.Plan{}},
	})
	if len(got) != 1 || !strings.HasPrefix(got[0].EN, "host-empty: ") {
		t.Errorf("%+v", got)
	}
}

// Each path once, in order, with a reason where a sync alone does not help.
func TestDrifted(t *testing.T) {
	why := surface.Text{FR: "parce que", EN: "because"}
	r := &SyncResult{
		Hosts: []HostResult{
			{HostReport: sync.HostReport{Host: "host-a", Written: []string{"z.md", "e.json"}, Edited: []string{"e.json"}, Skipped: []sync.Problem{{Path: "c.md", Reason: why}}}},
			{HostReport: sync.HostReport{Host: "host-b", Written: []string{"c.md"}, Deleted: []string{"b.json"}}},
		},
		Pruned: []string{"p.md"},
		Stale:  []sync.Leftover{{Path: "s.md"}},
	}
	var lines []string
	for _, d := range r.Drifted() {
		lines = append(lines, fmt.Sprintf("%s %t", d.Path, d.Reason != surface.Text{}))
	}
	if want := "b.json false, c.md true, e.json true, p.md false, s.md true, z.md false"; strings.Join(lines, ", ") != want {
		t.Errorf("%q", lines)
	}
}

func TestCountEntries(t *testing.T) {
	for want, paths := range map[string][]string{
		"": nil,
		"$.permissions.deny ×2, $.hooks.Stop ×1": {"$.permissions.deny[0]", "$.hooks.Stop[0].hooks[0]", "$.permissions.deny[7]"},
		`$.mcp.web, $["a b"]`:                    {"$.mcp.web", `$["a b"]`},
	} {
		if got := CountEntries(paths); got != want {
			t.Errorf("CountEntries(%q) = %q, want %q", paths, got, want)
		}
	}
}
