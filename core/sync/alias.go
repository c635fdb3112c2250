package sync

import (
	"bytes"
	"slices"
)

// shared is the text of several instruction files that are one file by links, as
// CLAUDE.md often is AGENTS.md.
type shared struct {
	from  string // the path it was planned for
	hosts []string
}

// share gives instruction files that are one file by links one text: the longest
// that is planned for any of them, since a short one only points to another file.
// The text is the same whichever of the hosts a run is about.
func (p *project) share(list []*wanted, alongside []HostPlan) {
	mine := map[*wanted]bool{}
	var entries []*wanted
	for _, w := range list {
		mine[w] = true
		if w.file != nil && w.file.Entry && w.refusal == nil {
			entries = append(entries, w)
		}
	}
	for _, w := range p.claim(alongside) {
		if w.file != nil && w.file.Entry {
			entries = append(entries, w)
		}
	}
	if len(entries) < 2 {
		return
	}
	byReal := map[string][]*wanted{}
	for _, w := range entries {
		if f, err := p.tree.Stat(w.path); err == nil {
			byReal[f.Real] = append(byReal[f.Real], w)
		}
	}
	for _, same := range byReal {
		if !slices.ContainsFunc(same, func(w *wanted) bool { return w.path != same[0].path }) {
			continue
		}
		longest := slices.MaxFunc(same, func(a, b *wanted) int { return len(a.file.Content) - len(b.file.Content) })
		text := &shared{from: longest.path, hosts: longest.hosts}
		content := longest.file.Content
		for _, w := range same {
			if !mine[w] {
				continue
			}
			file := *w.file
			file.Content = content
			w.file, w.shared = &file, text
			w.sources = appendNew(w.sources, longest.sources...)
		}
	}
}

// noteShared says whose text a file carries that is several by links, and whose
// it does not.
func (p *project) noteShared(c *Change, s *shared) {
	if s == nil || c.Action == Conflict || c.Action == Refused {
		return
	}
	carried := p.name(s.hosts[0])
	if c.Path == s.from {
		if c.file.Real != c.Path {
			c.Note = text(
				"est %[1]s par un lien : il porte ce que reçoit %[2]s",
				"is %[1]s by a link: it carries what %[2]s gets", c.file.Real, carried)
		}
		return
	}
	own := p.name(c.Hosts[0])
	if c.file.Real != c.Path {
		c.Note = text(
			"est %[1]s par un lien : il porte ce que reçoit %[2]s, et non le texte, plus court, de %[3]s",
			"is %[1]s by a link: it carries what %[2]s gets, not the shorter text of %[3]s", c.file.Real, carried, own)
		return
	}
	c.Note = text(
		"est aussi %[1]s, par un lien : il porte ce que reçoit %[2]s, et non le texte, plus court, de %[3]s",
		"is %[1]s too, by a link: it carries what %[2]s gets, not the shorter text of %[3]s", s.from, carried, own)
}

// alias says that a path is another one by a link, and needs nothing of its own.
func (c *Change) alias() {
	*c = Change{Path: c.Path, Hosts: c.Hosts, Sources: c.Sources, Kind: WholeFile, want: c.want, file: c.file, Note: c.Note}
	c.unchanged()
}

// Linked reports whether any path of one list is, by links, the same file as
// another path of the other list.
func Linked(root string, list, others []string) (bool, error) {
	p, err := openProject(root)
	if err != nil {
		return false, err
	}
	defer p.tree.Close()
	reals := map[string]string{}
	for _, path := range list {
		if f, err := p.tree.Stat(path); err == nil {
			reals[f.Real] = path
		}
	}
	return slices.ContainsFunc(others, func(path string) bool {
		f, err := p.tree.Stat(path)
		return err == nil && reals[f.Real] != "" && reals[f.Real] != path
	}), nil
}

// refuseAliases keeps one of several paths that lead, through links, to the same
// file: two contents would take turns in it at every run. The path that is the
// file itself wins, then the first. Instruction files share one text already.
func refuseAliases(changes []Change) {
	holder := map[string]*Change{}
	for i := range changes {
		c := &changes[i]
		if c.file == nil {
			continue
		}
		if have := holder[c.file.Real]; have == nil || c.Path == c.file.Real {
			holder[c.file.Real] = c
		}
	}
	for i := range changes {
		c := &changes[i]
		if c.file == nil || holder[c.file.Real] == c {
			continue
		}
		h := holder[c.file.Real]
		switch {
		case c.want != nil && h.want != nil && c.want.Entry && h.want.Entry:
			if h.Action != Conflict && h.Action != Refused {
				c.alias()
			}
			continue
		case c.Action != Write && c.Kind == WholeFile:
			continue
		}
		if c.Kind != WholeFile || h.Kind != WholeFile || !bytes.Equal(c.After, h.After) {
			c.refuse(text(
				"est le même fichier que %s (lien symbolique), qui a un autre contenu",
				"is the same file as %s (symbolic link), which has other content", h.Path))
		}
	}
}
