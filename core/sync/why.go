package sync

import (
	"slices"

	"github.com/grimoire-kit/grimoire/core/managed"
	"github.com/grimoire-kit/grimoire/core/merge"
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
// became of it. path is absolute, or relative to the project.
func Why(root, path string, plans []HostPlan, opt Options) (*Explanation, error) {
	p, err := openProject(root)
	if err != nil {
		return nil, err
	}
	defer p.tree.Close()
	path, err = p.tree.Rel(path)
	if err != nil {
		return nil, err
	}
	e := &Explanation{Path: path, Hosts: []string{}, Sources: []string{}}
	real := path
	if f, err := p.tree.Stat(path); err == nil {
		real = f.Real
	}
	list := p.claim(plans)
	i := slices.IndexFunc(list, func(w *wanted) bool { return w.path == path })
	if i < 0 {
		i = slices.IndexFunc(list, func(w *wanted) bool {
			f, err := p.tree.Stat(w.path)
			return err == nil && f.Real == real
		})
	}
	if i < 0 {
		return e, p.explainUnasked(e, plans)
	}
	w := list[i]
	opt.Force = false // what is the user's stays so in an explanation
	c := p.decide(w, plans, opt)
	e.Path, e.Kind, e.Hosts, e.Sources, e.Reason = w.path, c.Kind, c.Hosts, append(e.Sources, c.Sources...), c.Reason
	for _, m := range w.merges {
		for _, o := range m.Ops {
			e.Entries = appendNew(e.Entries, merge.Path(o.Path).String())
		}
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
	case !c.file.Exists():
		e.State = Missing
	default:
		e.State = Outdated
	}
	return e, nil
}

// explainUnasked is about a path that no plan asks for.
func (p *project) explainUnasked(e *Explanation, plans []HostPlan) error {
	f, err := p.tree.Read(e.Path)
	if err != nil {
		return err
	}
	if !f.Exists() {
		return &tree.Fault{Path: e.Path, Reason: tree.ErrAbsent}
	}
	e.State, e.Kind = Theirs, ""
	if ours, _ := managed.Owns(fileAt(e.Path), f.Data); ours {
		e.State, e.Kind = Orphan, WholeFile
		if host := hostOf(e.Path, plans); host != "" {
			e.Hosts = []string{host}
		}
	}
	return nil
}
