package doctor

import (
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/core/merge"
	"github.com/grimoire-kit/grimoire/surface"
)

// geminiEvents are the hook events of Gemini CLI, observed on 0.61.0.
var geminiEvents = strings.Fields(`SessionStart SessionEnd BeforeAgent AfterAgent BeforeModel AfterModel
	BeforeToolSelection BeforeTool AfterTool PreCompress Notification`)

// readAsGemini looks at the settings of Gemini CLI, observed on 0.61.0.
func readAsGemini(r *reading) {
	d, ok := r.open(".gemini/settings.json", grammar{comments: true, byteOrder: true}, surface.Text{
		FR: "Gemini CLI ne démarre pas (code 52)", EN: "Gemini CLI does not start (exit 52)"})
	if !ok {
		return
	}
	hooks := d.root.get("hooks")
	if hooks == nil {
		return
	}
	for _, event := range hooks.members {
		switch {
		case !slices.Contains(geminiEvents, event.key):
			d.at(warning, event.value, surface.Text{
				FR: "événement inconnu : ces hooks ne partent jamais", EN: "unknown event: these hooks never run"})
		case !event.value.is(merge.Array):
			d.at(warning, event.value, sentence(wanted([]merge.Type{merge.Array}), surface.Text{
				FR: "Gemini CLI écarte ces hooks et continue sans eux", EN: "Gemini CLI discards these hooks and goes on without them"}))
		}
	}
}
