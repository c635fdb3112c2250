// Command crash is a plugin that ends in the middle of Emit, after it said
// something on stderr in each way there is.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/hashicorp/go-hclog"

	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

func main() { pluginsdk.Serve(crash{}) }

type crash struct{}

func (crash) Profile() pluginsdk.Profile {
	return pluginsdk.Profile{ID: "host-crash", Aliases: []string{"crash"}, Owns: []string{"crash/"}}
}

func (crash) Emit(ctx context.Context, _ *surface.Surface) (*pluginsdk.Plan, error) {
	for i := range 30 {
		fmt.Fprintf(os.Stderr, "line %d\n", i)
	}
	fmt.Println("printed on stdout")
	hclog.FromContext(ctx).Warn("logged")
	os.Exit(3)
	return nil, nil
}
