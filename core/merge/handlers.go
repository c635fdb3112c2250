package merge

import (
	"encoding/json"
	"slices"
)

// DropHandlers takes the entries that owned accepts out of a file of hooks, whatever
// the shape its host gives them: items of arrays, anywhere below the key "hooks". A
// list that is empty for it goes too, with its key; every other byte stays. On an
// error src comes back as it was.
func DropHandlers(src []byte, owned func(entry json.RawMessage) bool) ([]byte, error) {
	f, err := open(src, Record{}, Target{})
	if err != nil {
		return src, err
	}
	at, depth, err := f.walk(Path{hooksKey})
	if err != nil || depth == 0 {
		return src, f.locate(err)
	}
	if err := f.budget(f.countItems(at, owned)); err != nil {
		return src, err
	}
	f.dropItems(at, owned)
	out, err := f.close()
	if err != nil {
		return src, err
	}
	return out, nil
}

func (f *file) countItems(at int, owned func(json.RawMessage) bool) int {
	kind := f.kind(at)
	if kind != Object && kind != Array {
		return 0
	}
	n := 0
	for _, it := range f.container(at).items {
		if kind == Array && owned(f.strictValue(it.val)) {
			n++
		} else {
			n += f.countItems(it.val, owned)
		}
	}
	return n
}

// dropItems reports whether it took anything out below the value at an offset. It
// goes from the end, so that offsets before it stay.
func (f *file) dropItems(at int, owned func(json.RawMessage) bool) (dropped bool) {
	kind := f.kind(at)
	if kind != Object && kind != Array {
		return false
	}
	for k, it := range slices.Backward(f.container(at).items) {
		whole := kind == Array && owned(f.strictValue(it.val))
		below := !whole && f.dropItems(it.val, owned)
		if whole || below && len(f.container(it.val).items) == 0 {
			f.removeItem(at, k)
		}
		dropped = dropped || whole || below
	}
	return dropped
}
