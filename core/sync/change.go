package sync

import (
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/core/managed"
	"github.com/grimoire-kit/grimoire/core/tree"
	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

// HostPlan is what one host's emitter asked for.
type HostPlan struct {
	Profile pluginsdk.Profile
	// Plan is nil when the emitter failed: nothing of that host is touched.
	Plan *pluginsdk.Plan
	// Table holds the merges the emitter can ask for in any project. A value
	// that the record claims is taken out of a user's file only when it is in
	// here or in a plan.
	Table []pluginsdk.Merge
}

// ID is the host's identifier.
func (h HostPlan) ID() string { return h.Profile.ID }

// Options change what Prepare and Remove decide.
type Options struct {
	// Force replaces hand-written files. It never touches a merged file whose
	// shape is not understood.
	Force bool
	// EntrySections keeps a marked section inside a hand-written entry file
	// (`hosts.entry_sections: true`). Without it, a section that is there is
	// taken out.
	EntrySections bool
	// Enabled are the ids of every host the project enables, also those that
	// are not part of this run: what they share with others is not taken from
	// them.
	Enabled []string
	// Alongside are the plans of enabled hosts outside this run whose instruction
	// file is, by a link, that of a host in it.
	Alongside []HostPlan
	// Names are what people call the hosts, by their ids.
	Names map[string]string
	// Beside are files that no plan asks for and that go with the host that is
	// removed.
	Beside []Beside
}

// Beside is a file that somebody else than the sync wrote for a host.
type Beside struct {
	Path string
	// Without gives what is left of the content once the host is gone, nil for
	// nothing; ok is false where it is a person's by now.
	Without func(content []byte) (rest []byte, ok bool)
}

// Kind is the way a path is kept.
type Kind string

const (
	WholeFile Kind = "file"    // the file is ours
	Merged    Kind = "merge"   // entries of ours in a user's JSON file
	Section   Kind = "section" // a marked section of ours in a user's text
)

// Action is what was decided for a path.
type Action string

const (
	Write     Action = "write"
	Delete    Action = "delete"
	Unchanged Action = "unchanged"
	// Conflict is a file of the user's at a path of ours; Force replaces it.
	Conflict Action = "conflict"
	// Refused cannot be done as things are, with or without Force.
	Refused Action = "refused"
)

// Change is the decision for one path.
type Change struct {
	Path    string   // project-relative
	Hosts   []string // ids of the hosts that hold the path, in plan order
	Kind    Kind
	Action  Action
	Before  []byte // nil when there is no file
	After   []byte // nil unless Action is Write
	Sources []string
	// Edited is true when someone changed our file or section since it was
	// written: Write and Delete lose that change.
	Edited bool
	// Entries are the JSON paths of our entries that someone changed by hand, in a
	// merged file: Write puts them back.
	Entries []string
	// Replaced is true when Write loses a file that was written by hand.
	Replaced bool
	// Reason says why, for Conflict and Refused. With Write it says what is still
	// left to do once that is done.
	Reason surface.Text
	// Note is a remark on a path that is as its plan wants it, or will be.
	Note surface.Text

	size    int             // bytes that were read, also once Before is let go
	file    *tree.File      // the path as it was read; nil when it could not be
	entry   *managed.Merge  // what to remember of a merge once it is done; nil for other kinds
	emptied bool            // Delete takes the directories that it empties too
	want    *pluginsdk.File // nil for a merge, and for what nothing asks for
}

// read notes what is on disk.
func (c *Change) read(f *tree.File) {
	c.file = f
	if f.Exists() {
		c.Before, c.size = f.Data, len(f.Data)
	}
}

func (c *Change) refuse(reason surface.Text) {
	c.Action, c.After, c.Reason = Refused, nil, reason
}

// write decides for a replacement, unless something on disk forbids it.
func (c *Change) write(t *tree.Tree, after []byte) {
	if err := t.Obstacle(c.file); err != nil {
		c.refuse(fault.Text(err))
		return
	}
	c.Action, c.After = Write, after
}

// delete decides for a deletion, unless something on disk forbids it.
func (c *Change) delete(t *tree.Tree) {
	if err := t.Obstacle(c.file); err != nil {
		c.refuse(fault.Text(err))
		return
	}
	c.Action = Delete
}

// unchanged lets go of the content: thousands of files are, at each run.
func (c *Change) unchanged() {
	c.Action, c.Before, c.file.Data = Unchanged, nil, nil
}

// ChangeSet is everything that was decided for one project. It holds no open file.
type ChangeSet struct {
	Changes []Change // sorted by path
	// Warnings are remarks on the project that stopped nothing.
	Warnings []surface.Text

	root    string
	hosts   []string // ids, in plan order
	retired *retired // set when a host is being removed
}

// retired is a host that is being removed. Directories of ours below its prefixes
// go once they are empty, also those a killed run left; one in which no remaining
// host holds anything, and that is not empty, is the user's from then on.
type retired struct {
	prefixes  []string
	remaining *holding
}

// concerns reports whether the host had its place in a directory, or above it.
func (r *retired) concerns(dir string) bool {
	return slices.ContainsFunc(r.prefixes, func(prefix string) bool {
		return strings.HasPrefix(dir+"/", prefix) || strings.HasPrefix(prefix, dir+"/")
	})
}

// Drift reports whether applying would change the disk or leave something undone.
func (c *ChangeSet) Drift() bool {
	return slices.ContainsFunc(c.Changes, func(ch Change) bool { return ch.Action != Unchanged })
}
