// Command refuse is a plugin that returns an error.
package main

import (
	"context"
	"errors"

	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

func main() { pluginsdk.Serve(refuse{}) }

type refuse struct{}

func (refuse) Profile() pluginsdk.Profile {
	return pluginsdk.Profile{ID: "host-refuse", Aliases: []string{"refuse"}, Owns: []string{"refuse/"}}
}

func (refuse) Emit(context.Context, *surface.Surface) (*pluginsdk.Plan, error) {
	return nil, errors.New("no persona is an entry point")
}
