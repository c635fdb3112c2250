package merge

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
)

// Entry is one value of ours in a file.
type Entry struct {
	JSONPath string // $.hooks.Stop[0].hooks[1], $.permissions.deny[3], $.mcp.stock
	// Value is the same for two entries that say the same to the host, however
	// they are laid out. Of a hook it holds the event, the matcher and the handler.
	Value string
}

// Owned lists what Remove would take out of src, in a constant order: hook
// handlers, then the strings, then the keys that rec claims and t owns.
func Owned(src []byte, rec Record, t Target) ([]Entry, error) {
	if len(src) == 0 {
		return nil, nil
	}
	f, err := open(src, rec, t)
	if err != nil {
		return nil, err
	}
	list, err := f.ownedHooks()
	if err != nil {
		return nil, f.locate(err)
	}
	for _, key := range slices.Sorted(maps.Keys(rec.Strings)) {
		list = append(list, f.ownedStrings(parsePointer(key), rec.Strings[key])...)
	}
	for _, key := range rec.Keys {
		p := parsePointer(key)
		if at, depth, err := f.walk(p); err == nil && len(p) > 0 && depth == len(p) && f.ownsKey(p, at) {
			list = append(list, Entry{p.String(), canonical(f.strictValue(at))})
		}
	}
	return list, nil
}

func (f *file) ownedHooks() ([]Entry, error) {
	if f.target.OwnsCommand == nil && f.target.OwnsArgs == nil {
		return nil, nil
	}
	at, depth, err := f.walk(Path{hooksKey})
	if err != nil || depth == 0 || f.kind(at) != Object {
		return nil, err
	}
	var list []Entry
	for _, it := range f.container(at).items {
		p := Path{hooksKey, it.key}
		groups, err := f.groups(p, it.val)
		if err != nil {
			continue // an event with a shape we do not know holds nothing of ours
		}
		for _, o := range owned(groups) {
			g := groups[o.group]
			steps := append(p.steps(), o.group)
			if g.hooks >= 0 {
				steps = append(steps, hooksKey, o.handler)
			}
			value, err := json.Marshal([]any{it.key, g.matcher, f.strictValue(g.handlers[o.handler].at)})
			if err != nil {
				return nil, err
			}
			list = append(list, Entry{jsonPath(steps), canonical(value)})
		}
	}
	return list, nil
}

// ownedStrings finds values of ours in the array at p. Of several equal items the
// last is ours, as for dropString.
func (f *file) ownedStrings(p Path, values []string) []Entry {
	at, depth, err := f.walk(p)
	if err != nil || depth < len(p) || f.kind(at) != Array || f.target.OwnsString == nil {
		return nil
	}
	var list []Entry
	have := f.strings(at)
	for k := len(have) - 1; k >= 0; k-- {
		if i := slices.Index(values, have[k]); i >= 0 && f.target.OwnsString(p, have[k]) {
			values = slices.Delete(slices.Clone(values), i, i+1)
			list = append(list, Entry{jsonPath(append(p.steps(), k)), string(quote(have[k]))})
		}
	}
	slices.Reverse(list)
	return list
}

// canonical is a value without what a formatter may change.
func canonical(value json.RawMessage) string {
	d := json.NewDecoder(bytes.NewReader(value))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return string(value)
	}
	out, err := json.Marshal(v) // keys sorted
	if err != nil {
		return string(value)
	}
	return string(out)
}
