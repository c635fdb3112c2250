package host

import (
	"strings"

	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

// Gap is a capability a host lacks, with what stands in for it.
type Gap struct {
	Capability surface.Capability
	Fallback   surface.Text
	// Events are the hook events the host never calls, for the hooks gap.
	Events []surface.HookEvent
}

// kitEvents are the events a default surface wires.
var kitEvents = []surface.HookEvent{
	surface.SessionStart, surface.UserPromptSubmit, surface.PreToolUse, surface.PostToolUse,
	surface.SubagentStop, surface.PreCompact, surface.Stop,
}

// UnsupportedEvents lists the kit's events that p's host never calls.
func UnsupportedEvents(p pluginsdk.Profile) []surface.HookEvent {
	events := []surface.HookEvent{}
	for _, e := range kitEvents {
		if !p.Supports(e) {
			events = append(events, e)
		}
	}
	return events
}

// Gaps derives from a profile what its host cannot run. Every gap has a
// stand-in: nothing is dropped in silence.
func Gaps(p pluginsdk.Profile) []Gap {
	var gaps []Gap
	entry := p.Entrypoint
	if entry == "" {
		entry = p.DisplayName
	}
	missing := func(c surface.Capability, fr, en string) {
		if !p.Can(c) {
			gaps = append(gaps, Gap{Capability: c, Fallback: surface.Text{FR: fr, EN: en}})
		}
	}
	missing(surface.Subagents, "personas décrites dans "+entry, "personas described in "+entry)
	missing(surface.Skills, "catalogue de compétences dans "+entry, "catalogue of skills in "+entry)
	missing(surface.Commands, "grimoire host run <slug>", "grimoire host run <slug>")

	switch unsupported := UnsupportedEvents(p); {
	case !p.Can(surface.BlockingHooks):
		gaps = append(gaps, Gap{
			Capability: surface.BlockingHooks,
			Events:     unsupported,
			Fallback: surface.Text{
				FR: "règles énoncées dans " + entry + ", opposables en CI seulement",
				EN: "rules stated in " + entry + ", enforced in CI only",
			},
		})
	case len(unsupported) > 0:
		gaps = append(gaps, Gap{
			Capability: surface.BlockingHooks,
			Events:     unsupported,
			Fallback: surface.Text{
				FR: "événements non appelés par l'hôte : " + joinEvents(unsupported) + " ; le reste passe par le hook",
				EN: "events the host never calls: " + joinEvents(unsupported) + "; the rest goes through the hook",
			},
		})
	}
	if p.Can(surface.BlockingHooks) {
		missing(surface.PermissionTable, "mêmes règles, appliquées par le hook pre_tool_use", "the same rules, applied by the pre_tool_use hook")
	}
	if !p.Can(surface.AgentAutostart) {
		fallback := surface.Text{
			FR: "persona d'entrée nommée dans " + entry,
			EN: "entry persona named in " + entry,
		}
		if p.Supports(surface.SessionStart) {
			fallback = surface.Text{
				FR: "persona d'entrée remise par le hook session_start",
				EN: "entry persona handed over by the session_start hook",
			}
		}
		gaps = append(gaps, Gap{Capability: surface.AgentAutostart, Fallback: fallback})
	}
	return gaps
}

func joinEvents(events []surface.HookEvent) string {
	words := make([]string, len(events))
	for i, e := range events {
		words[i] = string(e)
	}
	return strings.Join(words, ", ")
}
