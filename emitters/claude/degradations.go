package claude

import (
	"strings"

	"github.com/grimoire-kit/grimoire/surface"
)

// settingsOfOneFolder: with the git root above it, a sub-folder still gave the
// agents and CLAUDE.md, and neither a hook nor a rule (observed 2.1.332).
var settingsOfOneFolder = surface.Degradation{
	Surface: "sub-folders",
	Reason: surface.Text{
		FR: "lancé dans un sous-dossier, Claude Code ne lit pas le .claude/settings.json du projet : ni hook ni règle, et il n'en dit rien",
		EN: "started in a sub-folder, Claude Code does not read the project's .claude/settings.json: no hook and no rule, and it does not say so",
	},
	Fallback: surface.Text{
		FR: "lancer Claude Code à la racine du projet ; les gates restent vérifiés en CI",
		EN: "start Claude Code at the root of the project; gates are still checked in CI",
	},
}

// subagentEndIsDeaf: context given to SubagentStop runs the sub-agent again, as
// a refusal does, so that what is only said goes to the person (observed
// 2.1.332).
var subagentEndIsDeaf = surface.Degradation{
	Surface: "subagent_stop context",
	Reason: surface.Text{
		FR: "ce qu'un hook SubagentStop dit sans relancer le sous-agent n'atteint que la personne",
		EN: "what a SubagentStop hook says without running the sub-agent again reaches the person alone",
	},
	Fallback: surface.Text{
		FR: "le hook Stop de la session dit la même chose, au modèle",
		EN: "the session's Stop hook says the same, to the model",
	},
}

// degradations names what this surface asks and Claude Code does not run.
func degradations(s *surface.Surface, shadowed []surface.Command) []surface.Degradation {
	var out []surface.Degradation
	if len(s.Hooks) > 0 || !s.Permissions.Empty() {
		out = append(out, settingsOfOneFolder)
	}
	if _, ok := s.Hook(surface.SubagentStop); ok {
		out = append(out, subagentEndIsDeaf)
	}
	for _, c := range shadowed {
		out = append(out, surface.Degradation{
			Surface: "commands",
			Reason: surface.Text{
				FR: "la commande " + c.Slug + " porte le nom d'une compétence : Claude Code ne charge que la compétence",
				EN: "the command " + c.Slug + " has the name of a skill: Claude Code loads the skill only",
			},
			Fallback: surface.Text{
				FR: "`/" + c.Slug + "` ouvre la compétence ; la commande reste disponible par `grimoire host run " + c.Slug + "`",
				EN: "`/" + c.Slug + "` opens the skill; the command stays available as `grimoire host run " + c.Slug + "`",
			},
		})
	}
	var unknown []string
	for _, list := range [][]string{s.Permissions.Deny, s.Permissions.Ask, s.Permissions.Allow} {
		for _, neutral := range list {
			if _, ok := permissionRule(neutral); !ok {
				unknown = append(unknown, neutral)
			}
		}
	}
	if len(unknown) > 0 {
		names := strings.Join(unknown, ", ")
		out = append(out, surface.Degradation{
			Surface: "permissions",
			Reason: surface.Text{
				FR: "règles sans équivalent dans la table de Claude Code : " + names,
				EN: "rules without a counterpart in Claude Code's table: " + names,
			},
			Fallback: surface.Text{
				FR: "le hook pre_tool_use juge ces appels",
				EN: "the pre_tool_use hook judges these calls",
			},
		})
	}
	return out
}
