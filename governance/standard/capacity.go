package standard

import "github.com/grimoire-kit/grimoire/surface"

// CapacityFile says how much work may be under way at once.
const CapacityFile = Dir + "/capacity.yaml"

// capacity examines it as claims read it: what they cannot read refuses them.
func (e *examination) capacity() {
	x := e.yaml(CapacityFile)
	if x == nil {
		return
	}
	if v := x.top.get("version"); v.text() != "1" {
		x.fail("capacity.version_invalid", at(x.top, "version"), "version : 1 attendu", "version: expected 1")
	}
	x.limits(x.top.get("wip"))
	hours := x.top.get("queue").get("aging_hours")
	if hours.n != nil && (hours.n.Tag != "!!int" && hours.n.Tag != "!!float" || len(hours.text()) > 0 && hours.text()[0] == '-') {
		x.fail("capacity.aging_invalid", hours, "queue.aging_hours : un nombre d'heures était attendu", "queue.aging_hours: a number of hours was expected")
	}
}

// limits examines the bounds of the work under way.
func (x *file) limits(wip node) {
	if wip.n == nil {
		return
	}
	if !wip.isMap() {
		x.fail("capacity.wip_invalid", wip, "wip : une table de clés était attendue", "wip: a mapping was expected")
		return
	}
	for key, v := range wip.pairs() {
		switch n, whole := v.integer(); {
		case key != "limit_global" && key != "limit_per_role":
			shown := surface.Shown(key)
			x.fail("capacity.wip_invalid", v, "wip."+shown+" : clé inconnue (attendu : limit_global, limit_per_role)", "wip."+shown+": unknown key (expected limit_global, limit_per_role)")
		case !whole || n < 1:
			x.fail("capacity.wip_invalid", v, "wip."+key+" : un entier d'au moins 1 était attendu", "wip."+key+": a whole number of at least 1 was expected")
		}
	}
}
