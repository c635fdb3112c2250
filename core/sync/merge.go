package sync

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/grimoire-kit/grimoire/core/managed"
	"github.com/grimoire-kit/grimoire/core/merge"
	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

// spelling picks the file a merge edits: the first alternate that exists, else
// its path. An alternate that cannot be looked at counts as existing: writing
// beside it would give the host two files.
func (p *project) spelling(m pluginsdk.Merge) string {
	for _, alternate := range m.Alternates {
		if f, err := p.tree.Stat(alternate); err != nil || f.Exists() {
			return alternate
		}
	}
	return m.Path
}

// decideMerge decides for entries in a file of the user's.
func (p *project) decideMerge(c *Change, w *wanted, plans []HostPlan, opt Options) {
	if p.unread != nil {
		c.refuse(p.unknownEntries())
		return
	}
	entry := p.record.Merges[w.path].Settle(c.file.Data)
	if absent := sharedWith(entry.Hosts, plans, opt); absent != "" {
		c.refuse(text(
			"porte aussi des entrées de %s : synchronise les deux hôtes ensemble (`grimoire host sync`)",
			"also holds entries of %s: sync both hosts together (`grimoire host sync`)", p.name(absent)))
		return
	}
	ops, err := translate(w.merges)
	if err != nil {
		c.refuse(malformed(err))
		return
	}
	content := c.file.Data
	p.merge(c, c.Hosts, ops, entry, target(plans))
	if c.Action == Write {
		content = c.After
	}
	if c.Action != Refused && slices.ContainsFunc(w.merges, func(m pluginsdk.Merge) bool { return m.Plain }) && !plain(content) {
		c.Note = text(
			"contient un commentaire ou une virgule finale : l'hôte ignore alors tout le fichier, nos entrées comprises ; retire-les (`grimoire doctor` dit où)",
			"holds a comment or a trailing comma: the host then ignores the whole file, our entries too; take them out (`grimoire doctor` says where)")
	}
}

// plain reports whether content is JSON without anything beyond the standard; a
// byte order mark is let through, as hosts do.
func plain(content []byte) bool {
	return json.Valid(bytes.TrimPrefix(content, []byte(byteOrder)))
}

// blank reports whether a file holds nothing but white space: it is as one that is
// empty, and is empty again once ours is taken out.
func blank(content []byte) bool {
	return len(bytes.TrimSpace(bytes.TrimPrefix(content, []byte(byteOrder)))) == 0
}

// unknownEntries is the refusal to touch a user's file without knowing which of
// its entries are ours: rules of ours would become the user's for good.
func (p *project) unknownEntries() surface.Text {
	return text(
		"laissé tel quel : %[1]s, qui dit quelles entrées sont à nous, ne peut être lu : %[2]s",
		"left alone: %[1]s, which says which entries are ours, cannot be read: %[3]s", managed.RecordPath, p.unread.FR, p.unread.EN)
}

// sharedWith finds a host that has entries in the same file, is enabled, and is
// not part of this run: its entries would go, since a run states the whole set.
func sharedWith(hosts []string, plans []HostPlan, opt Options) string {
	for _, id := range hosts {
		if !inRun(id, plans) && slices.Contains(opt.Enabled, id) {
			return id
		}
	}
	return ""
}

// merge splices ops, the complete set of what hosts want in the file, into what
// was read. No ops take everything of ours out.
func (p *project) merge(c *Change, hosts []string, ops []merge.Op, have managed.Merge, t merge.Target) {
	if len(ops) == 0 {
		p.unmerge(c, have, t)
		return
	}
	src := c.file.Data
	if blank(src) {
		src = nil
	}
	after, values, err := merge.Apply(src, ops, have.Values, t)
	if err != nil {
		c.refuse(leftAlone(err))
		return
	}
	written := entries(after, values)
	c.entry = &managed.Merge{
		Hosts:   slices.Sorted(slices.Values(hosts)),
		Values:  values,
		Empty:   have.Empty || c.file.Exists() && blank(c.file.Data),
		Written: digest(written),
	}
	if bytes.Equal(after, c.file.Data) {
		c.unchanged()
		return
	}
	if now := entries(c.file.Data, have.Values); have.Written != "" && have.Written != digest(now) {
		c.Entries = differing(now, written)
		c.Edited = len(c.Entries) > 0
	}
	c.write(p.tree, after)
}

// unmerge takes everything of ours out of a file of the user's. A file that
// grimoire created and that holds nothing else goes.
func (p *project) unmerge(c *Change, have managed.Merge, t merge.Target) {
	c.entry = &managed.Merge{}
	if !c.file.Exists() || blank(c.file.Data) {
		c.unchanged()
		return
	}
	after, err := merge.Remove(c.file.Data, have.Values, t)
	switch {
	case err != nil:
		c.refuse(leftAlone(err))
	case after == nil && !have.Empty:
		c.delete(p.tree)
	case bytes.Equal(after, c.file.Data):
		c.unchanged()
	default:
		c.write(p.tree, append([]byte{}, after...))
	}
}

func leftAlone(err error) surface.Text {
	reason := fault.Text(err)
	return surface.Text{
		FR: "fichier laissé tel quel : " + reason.FR,
		EN: "file left alone: " + reason.EN,
	}
}

// malformed is about an emitter that asks for something impossible.
func malformed(err error) surface.Text {
	return text("l'émetteur demande une opération invalide : %s", "the emitter asks for an invalid operation: %s", err)
}

// translate turns the operations of the plans into those of package merge. An
// operation that several hosts ask for is done once.
func translate(merges []pluginsdk.Merge) ([]merge.Op, error) {
	var ops []merge.Op
	seen := map[string]bool{}
	for _, m := range merges {
		for i, o := range m.Ops {
			op, err := translateOp(o)
			if err != nil {
				return nil, fmt.Errorf("operation %d on %s: %w", i+1, m.Path, err)
			}
			key, err := json.Marshal(o)
			if err != nil {
				return nil, fmt.Errorf("operation %d on %s: %w", i+1, m.Path, err)
			}
			if !seen[string(key)] {
				seen[string(key)] = true
				ops = append(ops, op)
			}
		}
	}
	return ops, nil
}

func translateOp(o pluginsdk.Op) (merge.Op, error) {
	switch o.Kind {
	case pluginsdk.OpEnsureString:
		var value string
		if err := json.Unmarshal(o.Value, &value); err != nil {
			return nil, fmt.Errorf("ensure_string wants a string: %w", err)
		}
		return merge.EnsureString{Path: o.Path, Value: value}, nil
	case pluginsdk.OpEnsureHook:
		if len(o.Path) != 2 || o.Path[0] != "hooks" {
			return nil, fmt.Errorf("ensure_hook wants the path hooks.<event>, got %s", merge.Path(o.Path))
		}
		return merge.EnsureHook{Event: o.Path[1], Matcher: o.Matcher, Handler: o.Value}, nil
	case pluginsdk.OpSetKey:
		return merge.SetKey{Path: o.Path, Value: o.Value}, nil
	case pluginsdk.OpExpect:
		var kind string
		if err := json.Unmarshal(o.Value, &kind); err != nil {
			return nil, fmt.Errorf("expect wants a type: %w", err)
		}
		return merge.Expect{Path: o.Path, Type: merge.Type(kind)}, nil
	}
	return nil, fmt.Errorf("unknown operation %q", o.Kind)
}

// target says what grimoire can have put into a file: the hooks that run
// grimoire-hook, the strings of the hosts' plans and tables, and under the
// folders of their keys whatever has the form of a value of theirs.
func target(plans []HostPlan) merge.Target {
	values, forms := map[string]bool{}, map[string]bool{}
	for _, h := range plans {
		merges := h.Table
		if h.Plan != nil {
			merges = slices.Concat(h.Plan.Merges, h.Table)
		}
		for _, m := range merges {
			for _, o := range m.Ops {
				switch o.Kind {
				case pluginsdk.OpEnsureString:
					var value string
					if json.Unmarshal(o.Value, &value) == nil {
						values[merge.Path(o.Path).String()+"\x00"+value] = true
					}
				case pluginsdk.OpSetKey:
					forms[parent(o.Path)+"\x00"+form(o.Value)] = true
				}
			}
		}
	}
	return merge.Target{
		OwnsCommand: managed.RunsHook,
		OwnsArgs:    managed.RunsHookArgs,
		OwnsString:  func(p merge.Path, value string) bool { return values[p.String()+"\x00"+value] },
		OwnsKey:     func(p merge.Path, value json.RawMessage) bool { return forms[parent(p)+"\x00"+form(value)] },
	}
}

func parent(p merge.Path) string { return p[:max(0, len(p)-1)].String() }

// form is a value without what differs from one project to the next: the
// strings of its lists. `{"type":"local","command":["a"],"enabled":true}` has
// the form of every MCP server that is emitted; one with an `environment` was
// written by hand.
func form(value json.RawMessage) string {
	var v any
	if json.Unmarshal(value, &v) != nil {
		return string(value)
	}
	if object, ok := v.(map[string]any); ok {
		for key, member := range object {
			if list, ok := member.([]any); ok && !slices.ContainsFunc(list, func(e any) bool { _, s := e.(string); return !s }) {
				object[key] = []any{}
			}
		}
	}
	out, err := json.Marshal(v) // keys sorted
	if err != nil {
		return string(value)
	}
	return string(out)
}

// abandonedMerges takes our entries out of the files that the record names for
// one of the hosts of this run and that none of them asks for any more, such as
// opencode.json once opencode.jsonc exists.
func (p *project) abandonedMerges(plans []HostPlan, changes []Change) []Change {
	asked, reals := map[string]bool{}, map[string]bool{}
	for _, c := range changes {
		asked[c.Path] = asked[c.Path] || c.Kind == Merged
		if c.file != nil {
			reals[c.file.Real] = true
		}
	}
	var out []Change
	for path, entry := range p.record.Merges {
		if asked[path] {
			continue
		}
		f, err := p.tree.Read(path)
		if err != nil {
			if allIn(entry.Hosts, plans) {
				c := Change{Path: path, Hosts: entry.Hosts, Kind: Merged}
				c.refuse(fault.Text(err))
				out = append(out, c)
			}
			continue
		}
		entry = entry.Settle(f.Data)
		if !allIn(entry.Hosts, plans) {
			continue
		}
		c := Change{Path: path, Hosts: entry.Hosts, Kind: Merged}
		c.read(f)
		if reals[f.Real] || len(entry.Hosts) == 0 {
			// The same file under another name, or an announcement that came to
			// nothing: there is only something to forget.
			c.entry = &managed.Merge{}
			c.unchanged()
		} else {
			p.unmerge(&c, entry, target(plans))
		}
		out = append(out, c)
	}
	return out
}

// allIn reports whether every host is in this run: what another one still has in
// the file is not to be taken out.
func allIn(hosts []string, plans []HostPlan) bool {
	return !slices.ContainsFunc(hosts, func(id string) bool { return !inRun(id, plans) })
}

func inRun(id string, plans []HostPlan) bool {
	return slices.ContainsFunc(plans, func(h HostPlan) bool { return h.ID() == id && h.Plan != nil })
}
