package merge

import (
	"maps"
	"slices"
)

// ensureStrings appends the values that the array at p does not hold, and records
// those as ours. The user's own identical item is left alone, also by Remove.
func (f *file) ensureStrings(p Path, values []string) error {
	if len(values) == 0 {
		return nil
	}
	at, depth, err := f.walk(p)
	if err != nil {
		return err
	}
	missing := values
	if depth == len(p) {
		if f.kind(at) != Array {
			return f.shape(p.steps(), at, wantStrings)
		}
		have := f.strings(at)
		missing = slices.DeleteFunc(slices.Clone(values), func(v string) bool { return slices.Contains(have, v) })
	}
	if len(missing) == 0 {
		return nil
	}
	if depth < len(p) {
		list := []byte("[]")
		for _, v := range missing {
			list = set(list, "-1", quote(v))
		}
		f.insertAt(p, at, depth, list)
	} else {
		add := make([]entry, len(missing))
		for i, v := range missing {
			add[i].value = quote(v)
		}
		f.noteEmpty(p, at)
		f.insert(at, add...)
	}
	ours := f.rec.Strings[p.pointer()]
	for _, v := range missing {
		if !slices.Contains(ours, v) {
			ours = append(ours, v)
		}
	}
	f.rec.setStrings(p.pointer(), ours)
	return nil
}

// strings are the string items of the array at an offset; anything else in it is
// the user's affair and stands as "".
func (f *file) strings(at int) []string {
	c := f.container(at)
	s := make([]string, len(c.items))
	for i, it := range c.items {
		if f.kind(it.val) == String {
			s[i] = f.str(it.val, it.end)
		}
	}
	return s
}

// dropStrings takes out what we added and no longer want.
func (f *file) dropStrings(want map[string][]string) error {
	for _, key := range slices.Sorted(maps.Keys(f.rec.Strings)) {
		if err := f.budget(len(f.rec.Strings[key])); err != nil {
			return err
		}
		p := parsePointer(key)
		var keep []string
		for _, v := range f.rec.Strings[key] {
			if slices.Contains(want[key], v) {
				keep = append(keep, v)
				continue
			}
			if f.target.OwnsString == nil || !f.target.OwnsString(p, v) {
				continue
			}
			if err := f.dropString(p, v); err != nil {
				return err
			}
		}
		f.rec.setStrings(key, keep)
	}
	return nil
}

func (f *file) dropString(p Path, v string) error {
	at, depth, err := f.walk(p)
	if err != nil || depth < len(p) {
		return err
	}
	if f.kind(at) != Array {
		return f.shape(p.steps(), at, wantStrings)
	}
	// Ours were appended, so of several the last is ours.
	items := f.container(at).items
	for k := len(items) - 1; k >= 0; k-- {
		if it := items[k]; f.kind(it.val) == String && f.str(it.val, it.end) == v {
			f.removeItem(at, k)
			f.prune(p)
			break
		}
	}
	return nil
}
