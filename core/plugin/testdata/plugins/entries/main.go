// Command entries is an emitter that asks for entries in files of the user's and
// has no file of its own.
package main

import (
	"context"
	"encoding/json"

	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

func main() { pluginsdk.Serve(beacon{}) }

type beacon struct{}

func (beacon) Profile() pluginsdk.Profile {
	return pluginsdk.Profile{
		ID: "host-beacon", Aliases: []string{"beacon"}, DisplayName: "Beacon",
		Merges: []string{"beacon.json", "hooks.json"},
		Notes:  surface.Text{FR: "Beacon lit beacon.json et hooks.json.", EN: "Beacon reads beacon.json and hooks.json."},
	}
}

func (beacon) Emit(context.Context, *surface.Surface) (*pluginsdk.Plan, error) {
	return &pluginsdk.Plan{Merges: []pluginsdk.Merge{
		{Path: "beacon.json", Ops: []pluginsdk.Op{
			{Kind: pluginsdk.OpEnsureString, Path: []string{"lamps"}, Value: json.RawMessage(`"LAMP.md"`)},
			{Kind: pluginsdk.OpSetKey, Path: []string{"servers", "grimoire"}, Value: json.RawMessage(`{"command":["grimoire-mcp"]}`)},
		}},
		{Path: "hooks.json", Ops: []pluginsdk.Op{
			{Kind: pluginsdk.OpEnsureHook, Path: []string{"hooks", "Stop"}, Value: json.RawMessage(`{"type":"command","command":"grimoire-hook --host beacon --event Stop"}`)},
		}},
	}}, nil
}
