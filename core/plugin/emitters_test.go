package plugin

import (
	"context"
	"testing"

	"github.com/grimoire-kit/grimoire/core/managed"
	"github.com/grimoire-kit/grimoire/emitters/bundled"
	"github.com/grimoire-kit/grimoire/surface"
)

// The emitters that ship with grimoire pass the checks that any plan must, with
// every hook wired and each way a missing hook is met.
func TestBundledEmittersObeyTheRules(t *testing.T) {
	c, err := NewCatalog(bundled.Emitters())
	if err != nil {
		t.Fatal(err)
	}
	for _, profile := range []surface.Profile{surface.ProfileStarter, surface.ProfileProduction} {
		for _, language := range []surface.Language{surface.French, surface.English} {
			s := sampleProject(3)
			s.Agents[0].EntryPoint = true
			s.Governed, s.Profile, s.Language = true, profile, language
			s.Permissions = surface.Permissions{Deny: []string{"read:**/.env"}, Ask: []string{"execute:git push *"}}
			for _, event := range surface.HookEvents {
				s.Hooks = append(s.Hooks, surface.Hook{
					Event: event, Decision: "decision", Enforcement: surface.Blocking,
					Matcher: surface.ToolFamilies, Timeout: 10, OnFailure: profile.OnFailure(),
				})
			}
			for _, out := range (&Launcher{RunsHook: managed.RunsHookArgs}).Run(context.Background(), c.Hosts(), s) {
				if out.Failure != nil {
					t.Errorf("%s, %s: %v", profile, language, out.Failure)
				}
			}
		}
	}
}
