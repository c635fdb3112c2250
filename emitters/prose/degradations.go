package prose

import (
	"fmt"

	"github.com/grimoire-kit/grimoire/surface"
)

// Reasons says, for one host, why each surface is told in prose.
type Reasons struct {
	Subagents, Skills, Commands, Hooks surface.Text
}

// degradations names everything a prose host does not run, with its stand-in.
func degradations(h Host, entrySize int) []surface.Degradation {
	entry := h.Profile.Entrypoint
	out := []surface.Degradation{
		{
			Surface: "subagents",
			Reason:  h.Reasons.Subagents,
			Fallback: surface.Text{
				FR: "personas décrites dans " + entry + ", à adopter dans la boucle principale",
				EN: "personas described in " + entry + ", to be adopted in the main loop",
			},
		},
		{
			Surface: "skills",
			Reason:  h.Reasons.Skills,
			Fallback: surface.Text{
				FR: "catalogue dans " + entry + ", corps copiés sous " + SkillsDir,
				EN: "catalogue in " + entry + ", bodies copied under " + SkillsDir,
			},
		},
		{
			Surface: "commands",
			Reason:  h.Reasons.Commands,
			Fallback: surface.Text{
				FR: "`grimoire host run <slug>`, listé dans " + entry,
				EN: "`grimoire host run <slug>`, listed in " + entry,
			},
		},
		{
			Surface: "hooks",
			Reason:  h.Reasons.Hooks,
			Fallback: surface.Text{
				FR: "règles énoncées dans " + entry + ", opposables en CI seulement",
				EN: "rules stated in " + entry + ", binding in CI only",
			},
		},
	}
	if h.EntryLimit > 0 && entrySize > h.EntryLimit {
		out = append(out, surface.Degradation{
			Surface: "instructions",
			Reason: surface.Text{
				FR: fmt.Sprintf("%s fait %d octets et %s en lit %d : la fin du catalogue n'est pas vue", entry, entrySize, h.Profile.DisplayName, h.EntryLimit),
				EN: fmt.Sprintf("%s is %d bytes long and %s reads %d: the end of the catalogue is not seen", entry, entrySize, h.Profile.DisplayName, h.EntryLimit),
			},
			Fallback: surface.Text{
				FR: "les règles viennent en tête ; `grimoire host surface` donne le catalogue entier",
				EN: "the rules come first; `grimoire host surface` gives the whole catalogue",
			},
		})
	}
	return out
}
