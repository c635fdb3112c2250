package merge

import (
	"encoding/json"
	"slices"
)

// group is one matcher group of an event, as Claude Code reads it.
type group struct {
	at       int     // offset of its object
	matcher  *string // nil: no such key
	hooks    int     // offset of its hooks array; -1 in the legacy shape
	handlers []handler
	plain    bool // nothing but matcher and hooks, and no comment outside the handlers
}

// handler is one hook entry. In the legacy shape the group itself is the entry.
type handler struct {
	at, end int
	runs    bool // it has a command; prompts and HTTP hooks have none
	owned   bool
}

// place names a handler by its group and its position there.
type place struct{ group, handler int }

// groups reads the groups of the event whose value is at an offset.
func (f *file) groups(p Path, at int) ([]group, error) {
	if f.kind(at) != Array {
		return nil, f.shape(p.steps(), at, wantGroups)
	}
	var groups []group
	for i, it := range f.container(at).items {
		g, err := f.group(it, append(p.steps(), i))
		if err != nil {
			return nil, err
		}
		groups = append(groups, g)
	}
	return groups, nil
}

func (f *file) group(it item, steps []any) (group, error) {
	g := group{at: it.val, hooks: -1}
	if f.kind(it.val) != Object {
		return g, f.shape(steps, it.val, wantGroup)
	}
	c := f.container(it.val)
	m, found, err := f.member(c, steps, "matcher")
	if err != nil {
		return g, err
	}
	if found {
		if f.kind(m.val) != String {
			return g, f.shape(append(steps, "matcher"), m.val, string(String))
		}
		matcher := f.str(m.val, m.end)
		g.matcher = &matcher
	}
	list, found, err := f.member(c, steps, hooksKey)
	if err != nil {
		return g, err
	}
	if !found {
		h, err := f.handler(it.val, steps, f.target)
		if err == nil && !h.runs {
			e := f.shape(steps, it.val, wantGroup)
			e.Got = gotNoHooks
			err = e
		}
		g.handlers = []handler{h}
		return g, err
	}
	if f.kind(list.val) != Array {
		return g, f.shape(append(steps, hooksKey), list.val, wantHandlers)
	}
	g.hooks = list.val
	known := 1
	if g.matcher != nil {
		known++
	}
	g.plain = len(c.items) == known
	outside := it.val
	for i, e := range f.container(list.val).items {
		h, err := f.handler(e.val, append(slices.Clone(steps), hooksKey, i), f.target)
		if err != nil {
			return g, err
		}
		g.handlers = append(g.handlers, h)
		g.plain = g.plain && !slices.ContainsFunc(f.clean[outside:e.val], isComment)
		outside = e.end
	}
	g.plain = g.plain && !slices.ContainsFunc(f.clean[outside:it.end], isComment)
	return g, nil
}

// handler reads the hook entry at an offset and decides whose it is.
func (d *doc) handler(at int, steps []any, t Target) (handler, error) {
	h := handler{at: at, end: d.valueEnd(at)}
	if d.kind(at) != Object {
		return h, d.shape(steps, at, string(Object))
	}
	c := d.container(at)
	m, found, err := d.member(c, steps, "command")
	if err != nil || !found {
		return h, err
	}
	if d.kind(m.val) != String {
		return h, d.shape(append(steps, "command"), m.val, string(String))
	}
	h.runs = true
	command := d.str(m.val, m.end)
	list, found, err := d.member(c, steps, "args")
	switch {
	case err != nil:
		return h, err
	case !found:
		h.owned = t.OwnsCommand != nil && t.OwnsCommand(command)
	default:
		args := []string{}
		if json.Unmarshal(d.strictValue(list.val), &args) == nil && args != nil {
			h.owned = t.OwnsArgs != nil && t.OwnsArgs(command, args)
		}
	}
	return h, nil
}

// owned lists the handlers of ours, in file order.
func owned(groups []group) []place {
	var ours []place
	for g := range groups {
		for h := range groups[g].handlers {
			if groups[g].handlers[h].owned {
				ours = append(ours, place{g, h})
			}
		}
	}
	return ours
}
