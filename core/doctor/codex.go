package doctor

import (
	"github.com/grimoire-kit/grimoire/core/merge"
	"github.com/grimoire-kit/grimoire/surface"
)

// readAsCodex looks at the hooks file of Codex CLI, observed on 0.171.0: it
// takes `description` and `hooks` at the top and nothing else.
func readAsCodex(r *reading) {
	dropped := surface.Text{FR: "Codex n'exécute aucun hook de ce fichier", EN: "Codex runs no hook of this file"}
	d, ok := r.open(".codex/hooks.json", grammar{}, dropped)
	if !ok {
		return
	}
	if !d.root.is(merge.Object) {
		d.drops(d.root, wanted([]merge.Type{merge.Object}))
		return
	}
	for _, m := range d.root.members {
		if m.key != "hooks" && m.key != "description" {
			d.drops(m.value, surface.Text{FR: "clé inconnue ; seules hooks et description sont admises", EN: "unknown key; only hooks and description are taken"})
		}
	}
}
