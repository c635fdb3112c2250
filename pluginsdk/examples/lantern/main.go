// Command lantern is a whole emitter plugin, for an editor called Lantern that
// does not exist. Lantern reads one file of instructions, .lantern/rules.md, and
// has neither hooks nor sub-agents: the plugin writes the file and declares what
// the host cannot do.
//
// Try it in a project:
//
//	go build -o tools/lantern github.com/grimoire-kit/grimoire/pluginsdk/examples/lantern
//	grimoire plugin trust tools/lantern
//
// then in project-context.yaml:
//
//	hosts:
//	  enabled: [claude, lantern]
//	  plugins:
//	    - {id: lantern, path: tools/lantern}
package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

func main() { pluginsdk.Serve(lantern{}) }

const rulesFile = ".lantern/rules.md"

type lantern struct{}

func (lantern) Profile() pluginsdk.Profile {
	return pluginsdk.Profile{
		ID:          "host-lantern",
		Aliases:     []string{"lantern"},
		DisplayName: "Lantern",
		Entrypoint:  rulesFile,
		Detect:      []pluginsdk.Mark{{All: []string{".lantern/"}}},
		Owns:        []string{".lantern/"},
		Notes: surface.Text{
			FR: "Lantern ne lit que des instructions.",
			EN: "Lantern reads instructions only.",
		},
	}
}

func (lantern) Emit(_ context.Context, s *surface.Surface) (*pluginsdk.Plan, error) {
	var rules strings.Builder
	fmt.Fprintf(&rules, "# %s\n", s.ProjectName)
	var sources []string
	for _, a := range s.Agents {
		fmt.Fprintf(&rules, "\n## %s\n\n%s\n\n%s `%s`\n", a.Name, a.Description, s.Language.Text("Définition :", "Definition:"), a.DefinitionRef)
		sources = append(sources, a.DefinitionRef)
	}
	return &pluginsdk.Plan{
		Files: []pluginsdk.File{{
			Path:      rulesFile,
			Content:   pluginsdk.Managed(rulesFile, []byte(rules.String())),
			Ownership: pluginsdk.OwnedByMarker,
			Entry:     true,
			Sources:   sources,
		}},
		Degradations: []surface.Degradation{{
			Surface:  "hooks",
			Reason:   surface.Text{FR: "Lantern n'appelle aucun hook.", EN: "Lantern calls no hook."},
			Fallback: surface.Text{FR: "Les règles sont énoncées dans " + rulesFile + ".", EN: "The rules are stated in " + rulesFile + "."},
		}},
	}, nil
}
