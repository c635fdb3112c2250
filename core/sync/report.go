package sync

import (
	"slices"

	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

// Report says, host by host, what was done and what was not.
type Report struct {
	Hosts []HostReport // in plan order
}

// HostReport lists a host's paths. A path that two hosts hold is in both lists.
type HostReport struct {
	Host      string // id
	Written   []string
	Unchanged []string
	Deleted   []string
	Skipped   []Problem // conflicts and refusals: nothing was tried
	Failed    []Problem // tried, and left as it was
	// Edited are the written or deleted paths that someone had changed by hand.
	Edited []string
	// Entries are the JSON paths of our entries that had been changed by hand, by
	// the merged file they are in.
	Entries map[string][]string
	// Replaced are the written paths at which a file of the user's was.
	Replaced []string
	// Notes are remarks on paths that are, or were made, as their plan wants.
	Notes []Problem
}

// Problem is a path with what is to be said of it.
type Problem struct {
	Path   string
	Reason surface.Text
	// Refused is what cannot be done as things are; a conflict, which Force
	// settles, is not.
	Refused bool
}

// OK reports whether every path is as its plan wants it.
func (r *Report) OK() bool {
	return !slices.ContainsFunc(r.Hosts, func(h HostReport) bool { return len(h.Skipped)+len(h.Failed) > 0 })
}

// Preview is the report that applying would give if nothing failed.
func (c *ChangeSet) Preview() *Report {
	return c.report(make([]outcome, len(c.Changes)))
}

// outcome is what became of one change that was to be made.
type outcome struct {
	err  error // it was not made
	same bool  // someone else had made it by then
}

func (c *ChangeSet) report(outcomes []outcome) *Report {
	r := &Report{Hosts: make([]HostReport, len(c.hosts))}
	at := map[string]*HostReport{}
	for i, id := range c.hosts {
		r.Hosts[i].Host = id
		at[id] = &r.Hosts[i]
	}
	for i, ch := range c.Changes {
		for _, id := range ch.Hosts {
			if h := at[id]; h != nil {
				h.add(ch, outcomes[i])
			}
		}
	}
	return r
}

func (h *HostReport) add(c Change, o outcome) {
	switch {
	case c.Action == Conflict || c.Action == Refused:
		h.Skipped = append(h.Skipped, Problem{Path: c.Path, Reason: c.Reason, Refused: c.Action == Refused})
		return
	case o.err != nil:
		h.Failed = append(h.Failed, Problem{Path: c.Path, Reason: fault.Text(o.err)})
		return
	case c.Action == Unchanged || o.same:
		h.Unchanged = append(h.Unchanged, c.Path)
		h.note(c)
		return
	case c.Action == Delete:
		h.Deleted = append(h.Deleted, c.Path)
	default:
		h.Written = append(h.Written, c.Path)
	}
	h.note(c)
	if c.Reason != (surface.Text{}) {
		h.Skipped = append(h.Skipped, Problem{Path: c.Path, Reason: c.Reason})
	}
	if c.Edited {
		h.Edited = append(h.Edited, c.Path)
	}
	if len(c.Entries) > 0 {
		if h.Entries == nil {
			h.Entries = map[string][]string{}
		}
		h.Entries[c.Path] = c.Entries
	}
	if c.Replaced {
		h.Replaced = append(h.Replaced, c.Path)
	}
}

func (h *HostReport) note(c Change) {
	if c.Note != (surface.Text{}) {
		h.Notes = append(h.Notes, Problem{Path: c.Path, Reason: c.Note})
	}
}
