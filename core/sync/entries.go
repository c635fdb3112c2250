package sync

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/core/managed"
	"github.com/grimoire-kit/grimoire/core/merge"
)

// OrphanEntries are our entries in one of the user's files that were put there for
// a host that is not enabled any more. They go with that host's removal alone.
type OrphanEntries struct {
	Path    string
	Host    string   // id
	Entries []string // JSON paths
}

// EntriesOf lists what the disabled hosts still have in the user's files. A file
// that an enabled host also has entries in holds nothing else of ours: its merges
// state the whole set.
func EntriesOf(root string, disabled, enabled []HostPlan) ([]OrphanEntries, error) {
	p, err := openProject(root)
	if err != nil {
		return nil, err
	}
	defer p.tree.Close()
	held := p.held(enabled)
	var out []OrphanEntries
	for _, h := range disabled {
		for _, path := range p.mergedFiles(h) {
			if held.path(path) {
				continue
			}
			if list := p.entriesAt(path); len(list) > 0 {
				out = append(out, OrphanEntries{Path: path, Host: h.ID(), Entries: list})
			}
		}
	}
	return out, nil
}

// entriesAt gives the JSON paths of our entries in a user's file. There are none
// in one that cannot be read.
func (p *project) entriesAt(path string) []string {
	f, err := p.tree.Read(path)
	if err != nil || !f.Exists() {
		return nil
	}
	return jsonPaths(entries(f.Data, p.record.Merges[path].Settle(f.Data).Values))
}

func jsonPaths(list []merge.Entry) []string {
	var paths []string
	for _, e := range list {
		paths = append(paths, e.JSONPath)
	}
	return paths
}

// recorded takes the record at its word.
var recorded = merge.Target{
	OwnsCommand: managed.RunsHook,
	OwnsArgs:    managed.RunsHookArgs,
	OwnsString:  func(merge.Path, string) bool { return true },
	OwnsKey:     func(merge.Path, json.RawMessage) bool { return true },
}

// entries lists what is ours in a file, by the word of its record: it is only to
// be compared and shown, so no table has to confirm it.
func entries(src []byte, rec merge.Record) []merge.Entry {
	list, err := merge.Owned(src, rec, recorded)
	if err != nil {
		return nil // a file that is not understood is refused for it elsewhere
	}
	return list
}

// digest tells two lists of entries apart, whatever their order and place.
func digest(list []merge.Entry) string {
	values := make([]string, len(list))
	for i, e := range list {
		values[i] = e.Value
	}
	slices.Sort(values)
	return managed.Digest([]byte(strings.Join(values, "\n")))
}

// differing gives the JSON paths of what is in one list of entries alone.
func differing(before, after []merge.Entry) []string {
	var paths []string
	for _, pair := range [][2][]merge.Entry{{before, after}, {after, before}} {
		for _, e := range pair[0] {
			if !slices.ContainsFunc(pair[1], func(o merge.Entry) bool { return o.Value == e.Value }) {
				paths = appendNew(paths, e.JSONPath)
			}
		}
	}
	return paths
}
