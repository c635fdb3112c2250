// Command illegal is a plugin that returns the path that the project's name
// says.
package main

import (
	"context"

	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

func main() { pluginsdk.Serve(illegal{}) }

type illegal struct{}

func (illegal) Profile() pluginsdk.Profile {
	return pluginsdk.Profile{ID: "host-illegal", Aliases: []string{"illegal"}, Owns: []string{"illegal/"}}
}

func (illegal) Emit(_ context.Context, s *surface.Surface) (*pluginsdk.Plan, error) {
	return &pluginsdk.Plan{Files: []pluginsdk.File{{
		Path:      s.ProjectName,
		Content:   pluginsdk.Managed(s.ProjectName, []byte("text\n")),
		Ownership: pluginsdk.OwnedByMarker,
	}}}, nil
}
