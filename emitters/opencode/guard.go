package opencode

import (
	"encoding/json"

	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

// guardTexts are what the guard itself may have to say; a decision's words
// come from grimoire-hook. The plugin fills in what stands in braces.
var guardTexts = map[string]surface.Text{
	"refused": {
		FR: "[Grimoire] Appel refusé : {cause}. Sous le profil {profile}, aucun outil ne tourne sans décision. " +
			"Remède, pour la personne au terminal : `go install github.com/grimoire-kit/grimoire/cmd/...@latest`, puis `grimoire doctor`.",
		EN: "[Grimoire] Call refused: {cause}. Under the profile {profile} no tool runs without a decision. " +
			"Remedy, for the person at the terminal: `go install github.com/grimoire-kit/grimoire/cmd/...@latest`, then `grimoire doctor`.",
	},
	"unguarded": {
		FR: "[Grimoire] Session sans garde : {cause}. Les outils tournent sans décision. Remède : `grimoire doctor`.",
		EN: "[Grimoire] This session is not guarded: {cause}. Tools run without a decision. Remedy: `grimoire doctor`.",
	},
	"cannotAsk": {
		FR: "opencode ne peut pas poser la question : l'appel est refusé.",
		EN: "opencode cannot put the question: the call is refused.",
	},
	"noReason": {
		FR: "[Grimoire] Appel refusé sans motif.",
		EN: "[Grimoire] Call refused without a reason.",
	},
	"missing": {
		FR: "grimoire-hook est introuvable (cherché dans {path})",
		EN: "grimoire-hook was not found (looked in {path})",
	},
	"crashed": {
		FR: "grimoire-hook a échoué ({detail})",
		EN: "grimoire-hook failed ({detail})",
	},
	"late": {
		FR: "grimoire-hook n'a pas répondu en 10 s",
		EN: "grimoire-hook did not answer within 10 s",
	},
	"unreadable": {
		FR: "la réponse de grimoire-hook est illisible",
		EN: "the answer of grimoire-hook cannot be read",
	},
}

// guard emits the plugin. Its code is the same in every language; only its
// texts differ.
func (e emitter) guard(l surface.Language) (pluginsdk.File, error) {
	texts := make(map[string]string, len(guardTexts))
	for key, text := range guardTexts {
		texts[key] = text.In(l)
	}
	object, err := json.MarshalIndent(texts, "", "  ")
	if err != nil {
		return pluginsdk.File{}, err
	}
	body, err := e.templates.Render(l, "grimoire-guard.js", map[string]string{"Texts": string(object)})
	if err != nil {
		return pluginsdk.File{}, err
	}
	return managed(guardPath, string(body)), nil
}
