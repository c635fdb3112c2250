package copilot

import "github.com/grimoire-kit/grimoire/surface"

// degradations names what this surface asks and Copilot does not run as such,
// with what stands in for it.
func degradations(s *surface.Surface) []surface.Degradation {
	var out []surface.Degradation
	if !s.Permissions.Empty() {
		out = append(out, noPermissionTable)
	}
	out = append(out, noMatchers, noAffinity)
	if len(s.Commands) > 0 {
		out = append(out, noPromptsInCLI)
	}
	skills := s.SharedSkills()
	for _, c := range s.Commands {
		if shadowed(c, skills) {
			out = append(out, commandShadowed(c))
		}
	}
	if len(s.Hooks) > 0 {
		out = append(out, hooksNeedTrust, timeoutsAllow, claudeHooksRunToo)
	}
	if _, ok := s.Hook(surface.PreCompact); ok {
		out = append(out, compactionIsDeaf)
	}
	if _, ok := s.Hook(surface.Stop); ok {
		out = append(out, endIsDeaf)
	}
	return out
}

var (
	noPermissionTable = surface.Degradation{
		Surface: "permissions",
		Reason: surface.Text{
			FR: "un dépôt ne peut pas porter de table de permissions pour Copilot",
			EN: "a repository cannot carry a permission table for Copilot",
		},
		Fallback: surface.Text{
			FR: "le hook PreToolUse applique les mêmes règles, avec la même formulation de refus",
			EN: "the PreToolUse hook applies the same rules, with the same wording of refusals",
		},
	}
	noMatchers = surface.Degradation{
		Surface: "hook matchers",
		Reason: surface.Text{
			FR: "le CLI et VS Code ne lisent pas les filtres d'outils de la même façon",
			EN: "the CLI and VS Code do not read tool filters the same way",
		},
		Fallback: surface.Text{
			FR: "le hook est appelé pour chaque outil et trie lui-même",
			EN: "the hook is called for every tool and sorts them itself",
		},
	}
	noAffinity = surface.Degradation{
		Surface: "model affinity",
		Reason: surface.Text{
			FR: "les modèles disponibles dépendent de l'abonnement : aucun n'est écrit dans les agents",
			EN: "which models exist depends on the subscription: none is written in the agents",
		},
		Fallback: surface.Text{
			FR: "le modèle choisi dans Copilot sert toutes les personas ; la politique de dispatch reste énoncée en prose",
			EN: "the model chosen in Copilot serves every persona; the dispatch policy is stated in prose",
		},
	}
	noPromptsInCLI = surface.Degradation{
		Surface: "commands",
		Reason: surface.Text{
			FR: "Copilot CLI ne charge pas .github/prompts, et en mode -p n'ouvre pas les commandes /nom",
			EN: "Copilot CLI does not load .github/prompts, and with -p does not open /name commands",
		},
		Fallback: surface.Text{
			FR: "chaque commande est aussi une compétence de .github/skills, que le modèle peut ouvrir lui-même ; `grimoire host run <slug>` en donne le texte",
			EN: "every command is also a skill in .github/skills, which the model can open by itself; `grimoire host run <slug>` prints its text",
		},
	}
	hooksNeedTrust = surface.Degradation{
		Surface: "hook trust",
		Reason: surface.Text{
			FR: "Copilot CLI n'exécute les hooks du dépôt que dans un dossier approuvé, et ne dit rien sinon",
			EN: "Copilot CLI runs a repository's hooks only in a trusted folder, and says nothing otherwise",
		},
		Fallback: surface.Text{
			FR: "approuver le dossier à l'ouverture (ou --trust-folder avec -p) ; les gates restent vérifiés en CI",
			EN: "trust the folder when asked (or --trust-folder with -p); gates are still checked in CI",
		},
	}
	timeoutsAllow = surface.Degradation{
		Surface: "hook timeouts",
		Reason: surface.Text{
			FR: "un hook qui dépasse son délai laisse passer l'outil",
			EN: "a hook that reaches its time-out lets the tool run",
		},
		Fallback: surface.Text{
			FR: "le hook a son propre délai, plus court, et refuse à son terme",
			EN: "the hook has a shorter deadline of its own, and refuses when it is reached",
		},
	}
	claudeHooksRunToo = surface.Degradation{
		Surface: "hook sources",
		Reason: surface.Text{
			FR: "Copilot CLI exécute aussi les hooks de .claude/settings.json : avec les deux surfaces, chaque événement part deux fois",
			EN: "Copilot CLI also runs the hooks of .claude/settings.json: with both surfaces, each event fires twice",
		},
		Fallback: surface.Text{
			FR: "l'appel fait pour Claude Code se tait sous Copilot quand l'entrée Copilot du même événement existe",
			EN: "the call made for Claude Code stays silent under Copilot where Copilot's own entry for the event exists",
		},
	}
	// The session's log alone has it (observed 1.0.102 with -p).
	endIsDeaf = surface.Degradation{
		Surface: "stop context",
		Reason: surface.Text{
			FR: "ce qu'un hook Stop ou SubagentStop dit sans retenir la session n'atteint pas le modèle ni, en mode -p, la personne",
			EN: "what a Stop or SubagentStop hook says without holding the session open reaches neither the model nor, with -p, the person",
		},
		Fallback: surface.Text{
			FR: "sous governed et production ce qui est dû retient la session ; ailleurs `grimoire standard gate check` le dit, et la CI",
			EN: "under governed and production what is owed holds the session open; elsewhere `grimoire standard gate check` says it, and CI",
		},
	}
	compactionIsDeaf = surface.Degradation{
		Surface: "pre_compact context",
		Reason: surface.Text{
			FR: "ce qu'un hook PreCompact répond n'atteint pas le modèle",
			EN: "what a PreCompact hook answers does not reach the model",
		},
		Fallback: surface.Text{
			FR: "la capsule est écrite dans _grimoire-output/context, et le contexte est redonné à la demande suivante",
			EN: "the capsule is written to _grimoire-output/context, and the context is given again with the next prompt",
		},
	}
)

func commandShadowed(c surface.Command) surface.Degradation {
	return surface.Degradation{
		Surface: "commands",
		Reason: surface.Text{
			FR: "la commande " + c.Slug + " porte le nom d'une compétence, qui prend son dossier",
			EN: "the command " + c.Slug + " has the name of a skill, which takes its folder",
		},
		Fallback: surface.Text{
			FR: "`/" + c.Slug + "` ouvre la compétence ; la commande reste disponible par `grimoire host run " + c.Slug + "`",
			EN: "`/" + c.Slug + "` opens the skill; the command stays available as `grimoire host run " + c.Slug + "`",
		},
	}
}
