package host

import (
	"github.com/grimoire-kit/grimoire/core/plugin"
	"github.com/grimoire-kit/grimoire/surface"
)

// Listing is the answer of `grimoire host list`.
type Listing struct {
	Detected string `json:"detected"` // id of the host grimoire runs under
	Hosts    []Card `json:"hosts"`
}

// Card is what is known of one host.
type Card struct {
	HostID      string              `json:"host_id"`
	Alias       string              `json:"alias"`
	DisplayName string              `json:"display_name"`
	Origin      string              `json:"origin"` // "bundled" or "third-party"
	Enabled     bool                `json:"enabled"`
	Surfaces    Surfaces            `json:"surfaces"`
	HookEvents  []surface.HookEvent `json:"hook_events"`
	Entrypoint  string              `json:"instructions_entrypoint"`
	Notes       string              `json:"notes"`
	Gaps        []GapView           `json:"degradations"`
	// Barred says why a declared plugin may not run; empty for one that may.
	Barred string `json:"barred,omitempty"`
}

// Surfaces says what a host runs natively.
type Surfaces struct {
	Subagents       bool `json:"subagents"`
	Skills          bool `json:"skills"`
	Commands        bool `json:"commands"`
	BlockingHooks   bool `json:"blocking_hooks"`
	Permissions     bool `json:"permissions"`
	MCP             bool `json:"mcp"`
	PluginPackaging bool `json:"plugin_packaging"`
	AgentAutostart  bool `json:"agent_autostart"`
}

// GapView is a gap in one language.
type GapView struct {
	Surface  surface.Capability  `json:"surface"`
	Events   []surface.HookEvent `json:"events,omitempty"`
	Fallback string              `json:"fallback"`
}

// undeclared stands where a third party's plan alone says what stands in for what
// its host lacks: nothing here knows what its files hold.
var undeclared = surface.Text{
	FR: "aucun remplacement déclaré",
	EN: "no stand-in declared",
}

// List describes every known host.
func (w *Workspace) List(l surface.Language) Listing {
	out := Listing{Detected: Running(w.profiles(), w.getenv), Hosts: []Card{}}
	for _, h := range w.Catalog.Hosts() {
		out.Hosts = append(out.Hosts, w.card(h, l))
	}
	return out
}

func (w *Workspace) card(h plugin.Host, l surface.Language) Card {
	p := h.Profile
	c := Card{
		HostID:      p.ID,
		Alias:       p.Alias(),
		DisplayName: h.Name(),
		Origin:      "third-party",
		Enabled:     w.enabled(h),
		Surfaces: Surfaces{
			Subagents:       p.Can(surface.Subagents),
			Skills:          p.Can(surface.Skills),
			Commands:        p.Can(surface.Commands),
			BlockingHooks:   p.Can(surface.BlockingHooks),
			Permissions:     p.Can(surface.PermissionTable),
			MCP:             p.Can(surface.MCP),
			PluginPackaging: p.Can(surface.PluginPackaging),
			AgentAutostart:  p.Can(surface.AgentAutostart),
		},
		HookEvents: append([]surface.HookEvent{}, p.HookEvents...),
		Entrypoint: p.Entrypoint,
		Notes:      p.Notes.In(l),
		Gaps:       []GapView{},
	}
	if h.Bundled {
		c.Origin = "bundled"
	}
	if barred := h.Barred(); barred != nil {
		c.Barred = barred.Text.In(l)
		return c
	}
	for _, g := range Gaps(p) {
		if !h.Bundled {
			g.Fallback = undeclared
		}
		c.Gaps = append(c.Gaps, GapView{Surface: g.Capability, Events: g.Events, Fallback: g.Fallback.In(l)})
	}
	return c
}
