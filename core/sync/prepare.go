package sync

import (
	"bytes"
	"cmp"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/grimoire-kit/grimoire/core/managed"
	"github.com/grimoire-kit/grimoire/core/tree"
	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

// Prepare reads the project at root and decides what each plan's paths need. It
// writes nothing. The error is about the project as a whole; what is wrong with
// one path is that path's Reason.
func Prepare(root string, plans []HostPlan, opt Options) (*ChangeSet, error) {
	p, err := openProject(root)
	if err != nil {
		return nil, err
	}
	defer p.tree.Close()
	p.names = opt.Names

	set := p.newSet(plans)
	list := p.claim(plans)
	p.share(list, opt.Alongside)
	set.Changes = make([]Change, len(list))
	p.each(len(list), func(i int) {
		set.Changes[i] = p.decide(list[i], plans, opt)
	})
	set.Warnings = append(set.Warnings, cutShort(list, set.Changes, plans)...)
	refuseAliases(set.Changes)
	set.Changes = append(set.Changes, p.abandonedMerges(plans, set.Changes)...)
	set.sort()
	return set, nil
}

// project is one project opened for deciding.
type project struct {
	tree     *tree.Tree
	record   managed.Record
	warnings []surface.Text
	// unread says why the record cannot be believed: what is ours in the user's
	// files is then unknown, and those are left alone.
	unread *surface.Text
	// names are what people call the hosts, by their ids.
	names map[string]string
}

// name is what people call a host.
func (p *project) name(id string) string { return cmp.Or(p.names[id], id) }

func openProject(root string) (*project, error) {
	t, err := tree.Open(root)
	if err != nil {
		return nil, err
	}
	p := &project{tree: t}
	if _, p.record, err = readRecord(t); err != nil {
		reason := fault.Text(err)
		p.unread = &reason
		p.warnings = append(p.warnings, text(
			"%[1]s reste tel quel, et rien n'y est noté : %[2]s",
			"%[1]s is left as it is, and nothing is noted in it: %[3]s", managed.RecordPath, reason.FR, reason.EN))
	}
	return p, nil
}

func (p *project) newSet(plans []HostPlan) *ChangeSet {
	set := &ChangeSet{root: p.tree.Dir(), Warnings: p.warnings}
	for _, h := range plans {
		set.hosts = append(set.hosts, h.ID())
	}
	return set
}

// claim collects what the plans ask for. Whole files come first: a merge never
// takes the place of a file.
func (p *project) claim(plans []HostPlan) []*wanted {
	c := newClaims(p.name)
	for _, h := range plans {
		if h.Plan == nil {
			continue
		}
		for _, f := range h.Plan.Files {
			c.addFile(h.ID(), f)
		}
	}
	for _, h := range plans {
		if h.Plan == nil {
			continue
		}
		for _, m := range h.Plan.Merges {
			c.addMerge(h.ID(), p.spelling(m), m)
		}
	}
	return c.list
}

// each runs work for 0 to n-1 on a bounded number of workers.
func (p *project) each(n int, work func(i int)) {
	var g errgroup.Group
	workers := min(4*runtime.GOMAXPROCS(0), 16)
	for w := range workers {
		g.Go(func() error {
			for i := w; i < n; i += workers {
				work(i)
			}
			return nil
		})
	}
	_ = g.Wait()
}

func (p *project) decide(w *wanted, plans []HostPlan, opt Options) Change {
	c := Change{Path: w.path, Hosts: w.hosts, Sources: w.sources, Kind: WholeFile, want: w.file}
	if w.merges != nil {
		c.Kind = Merged
	}
	if w.refusal != nil {
		c.refuse(*w.refusal)
		return c
	}
	f, err := p.tree.Read(w.path)
	if err != nil {
		c.refuse(fault.Text(err))
		return c
	}
	c.read(f)
	if w.merges != nil {
		p.decideMerge(&c, w, plans, opt)
	} else {
		p.decideFile(&c, *w.file, opt)
		p.noteShared(&c, w.shared)
	}
	return c
}

// decideFile decides for a file that is ours as a whole, or should be.
func (p *project) decideFile(c *Change, want pluginsdk.File, opt Options) {
	if !c.file.Exists() {
		c.write(p.tree, want.Content)
		return
	}
	if sameText(c.Before, want.Content) {
		c.unchanged()
		return
	}
	canHold := want.Entry && holdsSection(want.Path)
	if canHold && p.decideSection(c, want, opt) {
		return
	}
	ours, edited := managed.Owns(want, c.Before)
	if !ours && !opt.Force {
		c.Action, c.Reason = Conflict, handWritten(canHold)
		if want.Ownership == pluginsdk.OwnedByHooks && managed.SharesHooks(c.Before) {
			c.Reason = sharedHooks
		}
		return
	}
	c.Edited, c.Replaced = edited, !ours
	c.write(p.tree, want.Content)
}

// sameText compares a file with what it should be. A checkout that turned line
// feeds into CRLF has not changed it.
func sameText(have, want []byte) bool {
	if bytes.Equal(have, want) {
		return true
	}
	return bytes.Contains(have, []byte("\r\n")) && !bytes.Contains(want, []byte("\r")) &&
		bytes.Equal(bytes.ReplaceAll(have, []byte("\r\n"), []byte("\n")), want)
}

func (c *ChangeSet) sort() {
	slices.SortStableFunc(c.Changes, func(a, b Change) int { return cmp.Compare(a.Path, b.Path) })
}
