package sync

import (
	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

// cutShort warns of a file in which ours stands beside a text of the user's that
// makes the whole longer than what the host reads. An emitter sees by itself when
// its own text is too long.
func cutShort(c Change, f pluginsdk.File, size int, plans []HostPlan) (surface.Text, bool) {
	if c.Action == Write {
		size = len(c.After)
	} else if c.Action != Unchanged {
		return surface.Text{}, false
	}
	if c.Kind != Section || f.Limit <= 0 || size <= f.Limit {
		return surface.Text{}, false
	}
	host := c.Hosts[0]
	for _, h := range plans {
		if h.ID() == host && h.Profile.DisplayName != "" {
			host = h.Profile.DisplayName
		}
	}
	return text(
		"%s : %d octets, et %s n'en lit que les %d premiers ; raccourcis le fichier, ou déplace la section grimoire:managed vers le haut",
		"%s: %d bytes, and %s reads the first %d only; shorten the file, or move the grimoire:managed section up",
		c.Path, size, host, f.Limit), true
}
