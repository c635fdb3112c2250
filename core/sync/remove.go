package sync

import (
	"bytes"
	"slices"

	"github.com/grimoire-kit/grimoire/core/managed"
	"github.com/grimoire-kit/grimoire/core/merge"
	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

// Remove decides how to take one host out of a project, the opposite of a sync:
// our files go, with the directories we created for them; our entries leave the
// user's files, and our sections theirs, so that those are what they were before,
// byte for byte. What one of the remaining hosts also holds stays. A file that
// was edited by hand is a conflict unless forced; one of the user's is not even
// looked at.
func Remove(root string, host HostPlan, remaining []HostPlan, opt Options) (*ChangeSet, error) {
	p, err := openProject(root)
	if err != nil {
		return nil, err
	}
	defer p.tree.Close()
	p.names = opt.Names
	set := p.newSet([]HostPlan{host})
	held := p.held(remaining)
	set.retired = &retired{prefixes: host.Profile.Owns, remaining: held}
	hosts := []string{host.ID()}

	add := func(c Change) {
		c.Hosts = hosts
		set.Changes = append(set.Changes, c)
	}
	if host.Plan != nil {
		for _, f := range host.Plan.Files {
			if c, ok := p.retire(f, held, opt); ok {
				add(c)
			} else if c, ok := p.retireSection(f, held); ok {
				add(c)
			} else if c, ok := p.stays(f, held, remaining); ok {
				add(c)
			}
		}
	}
	gone := p.held([]HostPlan{host}) // decided above
	for _, l := range p.stale([]HostPlan{host}, gone) {
		if c, ok := p.retire(fileAt(l.Path), held, opt); ok {
			add(c)
		}
	}
	for _, b := range opt.Beside {
		if c, ok := p.retireBeside(b, set, held); ok {
			add(c)
		}
	}
	for _, path := range p.mergedFiles(host) {
		add(p.retireMerge(path, host, remaining, opt, target(append([]HostPlan{host}, remaining...))))
	}
	set.sort()
	return set, nil
}

// retireBeside decides for a file beside the host's own, unless that is decided for
// already, or held by another host.
func (p *project) retireBeside(b Beside, set *ChangeSet, held *holding) (Change, bool) {
	have, err := p.tree.Read(b.Path)
	if err != nil || !have.Exists() || held.path(b.Path) || held.reals[have.Real] ||
		slices.ContainsFunc(set.Changes, func(c Change) bool { return c.Path == b.Path }) {
		return Change{}, false
	}
	rest, ok := b.Without(have.Data)
	if !ok || rest != nil && bytes.Equal(rest, have.Data) {
		return Change{}, false
	}
	c := Change{Path: b.Path, Kind: WholeFile, emptied: true}
	c.read(have)
	if rest == nil {
		c.delete(p.tree)
	} else {
		c.write(p.tree, rest)
	}
	return c, true
}

// stays says of a file of ours that another enabled host holds it too.
func (p *project) stays(f pluginsdk.File, held *holding, remaining []HostPlan) (Change, bool) {
	holder := held.by(f.Path)
	have, err := p.tree.Read(f.Path)
	if holder == "" || err != nil || !have.Exists() {
		return Change{}, false
	}
	if ours, _ := managed.Owns(f, have.Data); !ours {
		return Change{}, false
	}
	c := Change{Path: f.Path, Kind: WholeFile}
	c.read(have)
	c.unchanged()
	c.Note = text(
		"reste : %[1]s, qui est activé, le garde aussi, jusqu'à ce qu'il quitte hosts.enabled et que `grimoire host remove %[2]s` le retire",
		"stays: %[1]s, which is enabled, holds it too, until it leaves hosts.enabled and `grimoire host remove %[2]s` takes it out", p.name(holder), aliasOf(holder, remaining))
	return c, true
}

// retireSection decides for a hand-written entry file with a section of ours.
func (p *project) retireSection(f pluginsdk.File, held *holding) (Change, bool) {
	have, err := p.tree.Read(f.Path)
	if !f.Entry || !holdsSection(f.Path) || err != nil || !have.Exists() || held.reals[have.Real] {
		return Change{}, false
	}
	s, err := findSection(have.Data)
	if s == nil && err == nil {
		return Change{}, false
	}
	c := Change{Path: f.Path, Kind: Section}
	c.read(have)
	if err != nil {
		c.refuse(leftAlone(err))
		return c, true
	}
	c.Edited = s.edited
	c.write(p.tree, dropSection(have.Data, s))
	return c, true
}

// mergedFiles lists the user's files that hold entries of the host: those its
// plan names under any spelling, and those the record names.
func (p *project) mergedFiles(host HostPlan) []string {
	var paths []string
	if host.Plan != nil {
		for _, m := range host.Plan.Merges {
			paths = appendNew(paths, append([]string{m.Path}, m.Alternates...)...)
		}
	}
	for path, entry := range p.record.Merges {
		if slices.Contains(entry.Hosts, host.ID()) || entry.Pending != nil && slices.Contains(entry.Pending.Hosts, host.ID()) {
			paths = appendNew(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

// retireMerge takes the host's entries out of a file of the user's, as far as t
// confirms that they are ours.
func (p *project) retireMerge(path string, host HostPlan, remaining []HostPlan, opt Options, t merge.Target) Change {
	c := Change{Path: path, Kind: Merged}
	f, err := p.tree.Read(path)
	if err != nil {
		c.refuse(fault.Text(err))
		return c
	}
	c.read(f)
	if p.unread != nil && f.Exists() {
		c.refuse(p.unknownEntries())
		return c
	}
	entry := p.record.Merges[path].Settle(f.Data)
	all := append([]HostPlan{host}, remaining...)
	var merges []pluginsdk.Merge
	var others []string
	for _, h := range remaining {
		if h.Plan == nil {
			continue
		}
		for _, m := range h.Plan.Merges {
			if p.spelling(m) == path {
				merges = append(merges, m)
				others = appendNew(others, h.ID())
			}
		}
	}
	if absent := sharedWith(entry.Hosts, all, opt); absent != "" {
		c.refuse(text("porte aussi des entrées de %s, dont le plan manque", "also holds entries of %s, whose plan is missing", p.name(absent)))
		return c
	}
	ops, err := translate(merges)
	if err != nil {
		c.refuse(malformed(err))
		return c
	}
	p.merge(&c, others, ops, entry, t)
	return c
}
