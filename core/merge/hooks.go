package merge

import (
	"encoding/json"
	"slices"
)

const hooksKey = "hooks"

// ensureHook leaves one handler of ours for the event: the one that is there,
// brought up to date in place, or a new group behind the user's.
func (f *file) ensureHook(op EnsureHook) error {
	p := Path{hooksKey, op.Event}
	at, depth, err := f.walk(p)
	if err != nil {
		return err
	}
	if depth < len(p) {
		f.insertAt(p, at, depth, set([]byte("[]"), "-1", op.group()))
		return nil
	}
	groups, err := f.groups(p, at)
	if err != nil {
		return err
	}
	if err := f.budget(len(owned(groups))); err != nil {
		return err
	}
	keep, found := f.choose(groups, op)
	if !found {
		f.noteEmpty(p, at)
		f.insert(at, entry{value: op.group()})
	} else if err := f.update(p, keep, op); err != nil {
		return err
	}
	for _, other := range slices.Backward(owned(groups)) {
		if !found || other != keep {
			f.dropHandler(p, other)
		}
	}
	return nil
}

// group is the group as we write it.
func (op EnsureHook) group() json.RawMessage {
	group := []byte("{}")
	if op.Matcher != nil {
		group = set(group, "matcher", quote(*op.Matcher))
	}
	return set(group, "hooks.0", op.Handler)
}

// choose picks which handler of ours stays: one that is as asked, else one whose
// group has the matcher, else one in a group that is all ours. A legacy entry
// serves too: it is replaced whole.
func (f *file) choose(groups []group, op EnsureHook) (place, bool) {
	ours := owned(groups)
	sameMatcher := func(p place) bool {
		g := groups[p.group]
		return g.hooks >= 0 && (g.matcher == nil) == (op.Matcher == nil) && (g.matcher == nil || *g.matcher == *op.Matcher)
	}
	for _, fits := range []func(place) bool{
		func(p place) bool {
			return sameMatcher(p) && f.equal(groups[p.group].handlers[p.handler].at, op.Handler)
		},
		sameMatcher,
		func(p place) bool {
			return !slices.ContainsFunc(groups[p.group].handlers, func(h handler) bool { return !h.owned })
		},
	} {
		if i := slices.IndexFunc(ours, fits); i >= 0 {
			return ours[i], true
		}
	}
	return place{}, false
}

// update brings the handler at a place, and its group's matcher, to what is
// asked, by the smallest edits.
func (f *file) update(p Path, keep place, op EnsureHook) error {
	g := f.groupAt(p, keep)
	if g.hooks < 0 {
		at, _, _ := f.walk(p)
		f.set(at, f.container(at).items[keep.group], op.group())
		return nil
	}
	if !f.equal(g.handlers[keep.handler].at, op.Handler) {
		if err := f.reconcile(p, keep, op.Handler); err != nil {
			return err
		}
	}
	f.setMatcher(p, keep, op.Matcher)
	return nil
}

// groupAt reads a group again after an edit moved it.
func (f *file) groupAt(p Path, at place) group {
	event, _, _ := f.walk(p)
	g, _ := f.group(f.container(event).items[at.group], append(p.steps(), at.group))
	return g
}

func (f *file) setMatcher(p Path, keep place, matcher *string) {
	g := f.groupAt(p, keep)
	c := f.container(g.at)
	k := slices.IndexFunc(c.items, func(it item) bool { return it.key == "matcher" })
	switch {
	case matcher == nil && k >= 0:
		f.removeItem(g.at, k)
	case matcher != nil && k < 0:
		f.insert(g.at, entry{"matcher", quote(*matcher)})
	case matcher != nil && *matcher != *g.matcher:
		f.set(g.at, c.items[k], quote(*matcher))
	}
}

// reconcile makes the members of a handler of ours those of want, one edit at a
// time, so that comments and layout inside it survive.
func (f *file) reconcile(p Path, keep place, want json.RawMessage) error {
	desired, err := parse(want)
	if err != nil {
		return err
	}
	members := desired.container(desired.root).items
	valueOf := func(key string) (json.RawMessage, bool) {
		for _, m := range members {
			if m.key == key {
				return desired.strictValue(m.val), true
			}
		}
		return nil, false
	}
	at := func() int { return f.groupAt(p, keep).handlers[keep.handler].at }
	steps := append(p.steps(), keep.group, hooksKey, keep.handler)

	have := f.container(at()).items
	if err := f.budget(len(have) + len(members)); err != nil {
		return err
	}
	for k := len(have) - 1; k >= 0; k-- {
		key := have[k].key
		if _, _, err := f.member(f.container(at()), steps, key); err != nil {
			return err
		}
		value, wanted := valueOf(key)
		switch {
		case !wanted:
			f.removeItem(at(), k)
		case !f.equal(have[k].val, value):
			f.set(at(), f.container(at()).items[k], value)
		}
	}
	for _, m := range members {
		if !slices.ContainsFunc(have, func(it item) bool { return it.key == m.key }) {
			f.insert(at(), entry{m.key, desired.strictValue(m.val)})
		}
	}
	return nil
}

// dropHandler takes one handler of ours out, and its group if nothing else was in it.
func (f *file) dropHandler(p Path, at place) {
	event, _, _ := f.walk(p)
	g := f.groupAt(p, at)
	if g.hooks < 0 || len(g.handlers) == 1 && g.plain {
		f.removeItem(event, at.group)
		return
	}
	f.removeItem(g.hooks, at.handler)
}

// dropHooks takes our handlers out of every event that was not asked for. An
// event with a shape we do not know holds nothing of ours and is left alone.
func (f *file) dropHooks(asked map[string]bool) error {
	if f.target.OwnsCommand == nil && f.target.OwnsArgs == nil {
		return nil // a file without hooks of ours: the key means something else there
	}
	at, depth, err := f.walk(Path{hooksKey})
	if err != nil || depth == 0 || f.kind(at) != Object {
		return err
	}
	var events []string
	seen := map[string]bool{}
	edits := 0
	for _, it := range f.container(at).items {
		if asked[it.key] {
			continue
		}
		groups, err := f.groups(Path{hooksKey, it.key}, it.val)
		if n := len(owned(groups)); err == nil && n > 0 {
			edits += n
			if !seen[it.key] {
				seen[it.key] = true
				events = append(events, it.key)
			}
		}
	}
	if err := f.budget(edits); err != nil {
		return err
	}
	for _, event := range events {
		p := Path{hooksKey, event}
		at, _, err := f.walk(p)
		if err != nil {
			return err // the event stands twice
		}
		groups, err := f.groups(p, at)
		if err != nil {
			return err
		}
		for _, h := range slices.Backward(owned(groups)) {
			f.dropHandler(p, h)
		}
		f.prune(p)
	}
	return nil
}
