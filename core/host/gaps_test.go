package host

import (
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/surface"
)

func TestEveryGapHasItsStandIn(t *testing.T) {
	for _, p := range bundledProfiles() {
		autostart := false
		for _, g := range Gaps(p) {
			if g.Fallback.FR == "" || g.Fallback.EN == "" {
				t.Errorf("%s: %s has no stand-in in both languages", p.ID, g.Capability)
			}
			if g.Capability != surface.BlockingHooks && p.Can(g.Capability) {
				t.Errorf("%s can %s, and it counts as a gap", p.ID, g.Capability)
			}
			if g.Capability == surface.AgentAutostart {
				autostart = true
				instead := p.Entrypoint
				if p.Supports(surface.SessionStart) {
					instead = "session_start"
				}
				if !strings.Contains(g.Fallback.FR, instead) || !strings.Contains(g.Fallback.EN, instead) {
					t.Errorf("%s: the entry persona's stand-in does not name %s: %q", p.ID, instead, g.Fallback)
				}
			}
			for _, e := range g.Events {
				if p.Supports(e) {
					t.Errorf("%s calls %s, and it counts as missing", p.ID, e)
				}
			}
		}
		if !autostart {
			t.Errorf("%s claims to start the entry persona by itself", p.ID)
		}
	}
}

func TestPermissionsAreAGapOnlyWhereHooksBlock(t *testing.T) {
	for _, p := range bundledProfiles() {
		gap := false
		for _, g := range Gaps(p) {
			gap = gap || g.Capability == surface.PermissionTable
		}
		if want := p.Can(surface.BlockingHooks) && !p.Can(surface.PermissionTable); gap != want {
			t.Errorf("%s: permissions are a gap: %v, want %v", p.ID, gap, want)
		}
	}
}
