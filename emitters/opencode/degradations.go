package opencode

import (
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/surface"
)

// degradations names what opencode does not do with this surface, and what
// stands in for it.
func degradations(s *surface.Surface, names map[string]string) []surface.Degradation {
	var out []surface.Degradation
	add := func(name string, reason, fallback surface.Text) {
		out = append(out, surface.Degradation{Surface: name, Reason: reason, Fallback: fallback})
	}
	if !s.Permissions.Empty() {
		add("permissions", surface.Text{
			FR: "aucune table `permission` n'est émise : dans opencode le dernier motif qui correspond l'emporte, si bien qu'une règle de l'utilisateur écrite après peut annuler un refus, et le texte d'un refus n'y est pas le nôtre",
			EN: "no `permission` table is emitted: in opencode the last pattern that matches wins, so that a user's rule further down can undo a refusal, and the text of a refusal is not ours there",
		}, surface.Text{
			FR: "les mêmes règles sont appliquées par " + guardPath + ", avec la même formulation de refus",
			EN: "the same rules are applied by " + guardPath + ", with the same wording of a refusal",
		})
	}
	if events := unsupported(s.Hooks); events != "" {
		add("hooks", surface.Text{
			FR: "opencode n'appelle aucun hook dont la réponse compte pour : " + events,
			EN: "opencode calls no hook whose answer counts for: " + events,
		}, surface.Text{
			FR: "le garde signale le début de session pour les compteurs ; persona d'entrée et gates sont énoncées dans " + instructionsPath + ", opposables en CI",
			EN: "the guard reports the start of a session for the counters; entry persona and gates are stated in " + instructionsPath + ", binding in CI",
		})
	}
	if len(s.Hooks) > 0 {
		add("ask", surface.Text{
			FR: "un plugin ne peut pas interroger l'utilisateur",
			EN: "a plugin cannot ask the user",
		}, surface.Text{
			FR: "une décision `ask` est un refus qui donne son motif",
			EN: "an `ask` decision is a refusal that gives its reason",
		})
		add("hook matchers", surface.Text{
			FR: "un hook de plugin n'a pas de filtre par outil",
			EN: "a plugin's hook has no filter by tool",
		}, surface.Text{
			FR: "grimoire-hook est appelé à chaque outil et trie lui-même",
			EN: "grimoire-hook is called for every tool and sorts them itself",
		})
	}
	if slices.ContainsFunc(s.Agents, wantsModel) {
		add("model affinity", surface.Text{
			FR: "un agent opencode nomme un modèle par son fournisseur, que le projet ne connaît pas",
			EN: "an opencode agent names a model by its provider, which the project does not know",
		}, surface.Text{
			FR: "chaque agent prend le modèle de la session",
			EN: "each agent takes the session's model",
		})
	}
	if slices.ContainsFunc(s.MCPServers, portable) && slices.ContainsFunc(s.Agents, bounded) {
		add("tool boundary", surface.Text{
			FR: "la frontière d'un agent porte sur les outils d'opencode, pas sur ceux des serveurs MCP",
			EN: "an agent's boundary covers opencode's tools, not those of MCP servers",
		}, surface.Text{
			FR: "le garde soumet chaque appel MCP à la politique d'outils",
			EN: "the guard puts every MCP call to the tool policy",
		})
	}
	for _, a := range s.Agents {
		if name := names[a.Name]; name != a.Name {
			add("subagents", surface.Text{
				FR: "un agent nommé `" + a.Name + "` remplacerait celui d'opencode",
				EN: "an agent named `" + a.Name + "` would replace opencode's own",
			}, surface.Text{
				FR: "la persona y porte le nom `" + name + "`",
				EN: "the persona is called `" + name + "` there",
			})
		}
	}
	for _, c := range s.Commands {
		if defuse(c.Body) != c.Body {
			add("commands", surface.Text{
				FR: "la commande `" + c.Slug + "` contient une ligne de shell ou un fichier joint qu'opencode traiterait sans permission ni garde",
				EN: "the command `" + c.Slug + "` holds a shell line or an attached file that opencode would handle with neither permission nor guard",
			}, surface.Text{
				FR: "le texte est gardé, désamorcé : le modèle passe par ses outils, qui sont gardés",
				EN: "the text is kept, defused: the model goes through its tools, which are guarded",
			})
		}
		if positional.MatchString(c.Body) {
			add("commands", surface.Text{
				FR: "la commande `" + c.Slug + "` contient un argument positionnel : opencode compte à partir de 1, et le dernier prend tout le reste",
				EN: "the command `" + c.Slug + "` holds a positional argument: opencode counts from 1, and the last one takes all the rest",
			}, surface.Text{
				FR: "`$ARGUMENTS` a le même sens sur tous les hôtes",
				EN: "`$ARGUMENTS` means the same on every host",
			})
		}
	}
	for _, m := range s.MCPServers {
		switch {
		case !m.Declared: // nothing of the project's is lost
		case m.HasEnv:
			add("mcp", surface.Text{
				FR: "le serveur `" + m.Name + "` attend des variables d'environnement, peut-être des secrets, qui ne sont pas recopiées",
				EN: "the server `" + m.Name + "` wants environment variables, maybe secrets, which are not copied",
			}, surface.Text{
				FR: "l'ajouter à la main sous `mcp` dans opencode.json",
				EN: "add it by hand under `mcp` in opencode.json",
			})
		}
	}
	return out
}

// unsupported lists the events the surface hooks and opencode does not call
// for. It misses no event for failures: the guard tells the exit code of a
// command after it ran.
func unsupported(hooks []surface.Hook) string {
	var events []string
	for _, h := range hooks {
		if !profile.Supports(h.Event) && h.Event != surface.PostToolUseFailure {
			events = append(events, string(h.Event))
		}
	}
	return strings.Join(events, ", ")
}

func bounded(a surface.Agent) bool { return boundary(a.Tools) != "" }

// wantsModel reports whether a persona asks for another kind of model than
// the one that is meant when nothing is said.
func wantsModel(a surface.Agent) bool {
	for _, want := range []string{a.Affinity.Reasoning, a.Affinity.ContextWindow, a.Affinity.Speed, a.Affinity.Cost} {
		if want != "" && want != "medium" {
			return true
		}
	}
	return false
}
