package sync

import (
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/core/merge"
	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

// Forgotten gives, in order, the ids of hosts that the record names and that known
// does not: their emitter is neither declared nor trusted any more, so that nobody
// can say what it asks for.
func Forgotten(root string, known func(id string) bool) ([]string, error) {
	p, err := openProject(root)
	if err != nil {
		return nil, err
	}
	defer p.tree.Close()
	var ids []string
	for _, entry := range p.record.Merges {
		hosts := entry.Hosts
		if entry.Pending != nil {
			hosts = slices.Concat(hosts, entry.Pending.Hosts)
		}
		for _, id := range hosts {
			if !known(id) {
				ids = appendNew(ids, id)
			}
		}
	}
	slices.Sort(ids)
	return ids, nil
}

// Forget decides how to take the entries of a host without an emitter out of the
// user's files. The record alone says what they are, and it comes with the
// repository: what runs grimoire-hook, and what a table of tables confirms, goes;
// a file in which it claims anything else is a conflict that names it, and goes
// by the record's word when forced.
func Forget(root, id string, remaining, tables []HostPlan, opt Options) (*ChangeSet, error) {
	p, err := openProject(root)
	if err != nil {
		return nil, err
	}
	defer p.tree.Close()
	p.names = opt.Names
	host := HostPlan{Profile: pluginsdk.Profile{ID: id}, Plan: &pluginsdk.Plan{}}
	set := p.newSet([]HostPlan{host})
	set.retired = &retired{remaining: p.held(remaining)}
	for _, path := range p.mergedFiles(host) {
		t := target(slices.Concat(remaining, tables))
		unsure := p.unconfirmed(path, t)
		if opt.Force {
			t = recorded
		}
		c := p.retireMerge(path, host, remaining, opt, t)
		if len(unsure) > 0 && !opt.Force && c.Action != Refused {
			c.After, c.entry, c.Action, c.Reason = nil, nil, Conflict, unsureEntries(unsure)
		}
		c.Hosts = []string{id}
		set.Changes = append(set.Changes, c)
	}
	set.sort()
	return set, nil
}

// unconfirmed gives the JSON paths of what the record alone claims in a file.
func (p *project) unconfirmed(path string, t merge.Target) []string {
	f, err := p.tree.Read(path)
	if err != nil || !f.Exists() {
		return nil
	}
	rec := p.record.Merges[path].Settle(f.Data).Values
	sure, err := merge.Owned(f.Data, rec, t)
	if err != nil {
		return nil // refused where it is edited
	}
	return differing(entries(f.Data, rec), sure)
}

func unsureEntries(paths []string) surface.Text {
	list := strings.Join(paths, ", ")
	return text(
		"seul le registre du dépôt dit que ceci en vient, l'émetteur n'étant plus là : %s ; regarde, puis `--force` le retire (`--force --dry-run --diff` le montre)",
		"only the repository's record says that this came from it, its emitter being gone: %s; look, then `--force` takes it out (`--force --dry-run --diff` shows it)", list)
}
