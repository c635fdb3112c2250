package sync

import "github.com/grimoire-kit/grimoire/surface"

// cutShort warns of each file in which a section of ours stands beside a text of
// the user's, the whole being longer than what the host reads. An emitter sees by
// itself when its own text is too long.
func cutShort(list []*wanted, changes []Change, plans []HostPlan) []surface.Text {
	var warnings []surface.Text
	for i, w := range list {
		c := &changes[i]
		if c.Kind != Section || w.file.Limit <= 0 {
			continue
		}
		size := c.size
		if c.Action == Write {
			size = len(c.After)
		}
		if c.Action != Write && c.Action != Unchanged || size <= w.file.Limit {
			continue
		}
		warnings = append(warnings, text(
			"%s : %d octets, et %s n'en lit que les %d premiers ; raccourcis le fichier, ou déplace la section grimoire:managed vers le haut",
			"%s: %d bytes, and %s reads the first %d only; shorten the file, or move the grimoire:managed section up",
			c.Path, size, displayName(w.hosts[0], plans), w.file.Limit))
	}
	return warnings
}

func displayName(id string, plans []HostPlan) string {
	for _, h := range plans {
		if h.ID() == id && h.Profile.DisplayName != "" {
			return h.Profile.DisplayName
		}
	}
	return id
}
