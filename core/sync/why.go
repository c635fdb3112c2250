package sync

import (
	"slices"

	"github.com/grimoire-kit/grimoire/core/managed"
	"github.com/grimoire-kit/grimoire/core/tree"
	"github.com/grimoire-kit/grimoire/surface"
)

// State is what a path is to grimoire.
type State string

const (
	InSync   State = "in_sync"  // as the plans want it
	Outdated State = "outdated" // ours, and a sync would write it again
	Edited   State = "edited"   // ours, and changed by hand since it was written
	Missing  State = "missing"  // asked for, and not there
	Theirs   State = "yours"    // the user's, at a path of ours or not
	Kit      State = "kit"      // the user's, and first written by `grimoire init`
	Orphan   State = "orphan"   // ours, and nothing asks for it any more
	Blocked  State = "blocked"  // cannot be read or merged as it is
)

// Explanation says why a path is what it is.
type Explanation struct {
	Path    string   `json:"path"` // project-relative
	State   State    `json:"state"`
	Kind    Kind     `json:"kind,omitempty"`
	Hosts   []string `json:"hosts"`   // ids of the hosts that hold it
	Sources []string `json:"sources"` // the project files it comes from
	// Entries are the JSON paths that are ours in a merged file.
	Entries []string     `json:"entries,omitempty"`
	Reason  surface.Text `json:"reason"`
}

// Why explains one path: which plan asks for it, from which sources, and what
// became of it. The plans of hosts that are not enabled tell what is left of
// them. path is absolute, or relative to the project.
func Why(root, path string, enabled, disabled []HostPlan, opt Options) (*Explanation, error) {
	p, err := openProject(root)
	if err != nil {
		return nil, err
	}
	defer p.tree.Close()
	p.names = opt.Names
	path, err = p.tree.Rel(path)
	if err != nil {
		return nil, err
	}
	e := &Explanation{Path: path, Hosts: []string{}, Sources: []string{}}
	w := p.asked(path, enabled)
	if w == nil {
		return e, p.explainUnasked(e, append(slices.Clone(enabled), disabled...))
	}
	opt.Force = false // what is the user's stays so in an explanation
	c := p.decide(w, enabled, opt)
	e.Path, e.Kind, e.Hosts, e.Sources, e.Reason = w.path, c.Kind, c.Hosts, append(e.Sources, c.Sources...), c.Reason
	if c.Note != (surface.Text{}) {
		e.Reason = c.Note
	}
	if c.Kind == Merged {
		e.Entries = p.entriesAt(w.path)
	}
	switch {
	case c.Action == Refused:
		e.State = Blocked
	case c.Action == Conflict:
		e.State = Theirs
	case c.Action == Unchanged:
		e.State = InSync
	case c.Edited:
		e.State = Edited
		if len(c.Entries) > 0 {
			e.Reason = ChangedByHand(c.Entries)
		}
	case !c.file.Exists():
		e.State = Missing
	default:
		e.State = Outdated
	}
	return e, nil
}

// asked finds what is asked for at a path: by its name, else by the file that its
// links lead to. It is nil where nothing is.
func (p *project) asked(path string, plans []HostPlan) *wanted {
	list := p.claim(plans)
	p.share(list, nil)
	i := slices.IndexFunc(list, func(w *wanted) bool { return w.path == path })
	if i < 0 {
		real := path
		if f, err := p.tree.Stat(path); err == nil {
			real = f.Real
		}
		i = slices.IndexFunc(list, func(w *wanted) bool {
			f, err := p.tree.Stat(w.path)
			return err == nil && f.Real == real
		})
	}
	if i < 0 {
		return nil
	}
	return list[i]
}

// explainUnasked is about a path that no enabled plan asks for.
func (p *project) explainUnasked(e *Explanation, plans []HostPlan) error {
	f, err := p.tree.Read(e.Path)
	if err != nil {
		return err
	}
	if !f.Exists() {
		return &tree.Fault{Path: e.Path, Reason: tree.ErrAbsent}
	}
	entry, recorded := p.record.Merges[e.Path]
	held := p.entriesAt(e.Path)
	ours, _ := p.ours(fileAt(e.Path), &holding{})
	switch {
	case e.Path == managed.RecordPath && p.unread != nil:
		e.State, e.Kind, e.Reason = Blocked, WholeFile, *p.unread
	case e.Path == managed.RecordPath:
		e.State, e.Kind, e.Reason = InSync, WholeFile, text(
			"le registre de nos entrées dans tes fichiers ; à committer",
			"the record of our entries in your files; commit it")
	case ours:
		e.State, e.Kind = Orphan, WholeFile
		if host := hostOf(e.Path, plans); host != "" {
			e.Hosts = []string{host}
		}
	case len(held) > 0 && (recorded || mergesAt(e.Path, plans) != ""):
		e.State, e.Kind, e.Entries = Orphan, Merged, held
		e.Hosts = append(e.Hosts, entry.Settle(f.Data).Hosts...)
		if host := mergesAt(e.Path, plans); len(e.Hosts) == 0 {
			e.Hosts = []string{host}
		}
		e.Reason = text(
			"le fichier est à toi ; `grimoire host remove %s` en retire nos entrées",
			"the file is yours; `grimoire host remove %s` takes our entries out of it", aliasOf(e.Hosts[0], plans))
	default:
		e.State, e.Kind = Theirs, ""
	}
	return nil
}

// aliasOf is what a command takes for a host.
func aliasOf(id string, plans []HostPlan) string {
	for _, h := range plans {
		if h.ID() == id {
			return h.Profile.Alias()
		}
	}
	return id
}

// mergesAt finds the host that has entries in the user's file at path.
func mergesAt(path string, plans []HostPlan) string {
	for _, h := range plans {
		if slices.Contains(h.Profile.Merges, path) {
			return h.ID()
		}
	}
	return ""
}
