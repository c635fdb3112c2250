package merge

import "slices"

// setKey puts a value of ours under a key of ours. Another value there is
// replaced only if we set it and it is still one our tables can generate;
// otherwise somebody wrote it, and it is a conflict.
func (f *file) setKey(op SetKey) error {
	at, depth, err := f.walk(op.Path)
	if err != nil {
		return err
	}
	key := op.Path.pointer()
	last := len(op.Path) - 1
	switch {
	case depth < len(op.Path):
		f.insertAt(op.Path, at, depth, op.Value)
		f.rec.addKey(key)
	case f.equal(at, op.Value):
	case f.rec.hasKey(key) && f.ownsKey(op.Path, at):
		parent, it, _ := f.find(op.Path[:last], op.Path[last])
		f.set(parent, it, op.Value)
	default:
		return &ConflictError{JSONPath: op.Path.String(), at: at}
	}
	return nil
}

func (f *file) ownsKey(p Path, at int) bool {
	return f.target.OwnsKey != nil && f.target.OwnsKey(p, f.strictValue(at))
}

// find gives the offset of an object that exists at p and the member key of it.
func (f *file) find(p Path, key string) (at int, it item, index int) {
	at, _, _ = f.walk(p)
	for k, m := range f.container(at).items {
		if m.key == key {
			it, index = m, k
			break
		}
	}
	return at, it, index
}

// dropKeys takes out the keys we set and no longer want.
func (f *file) dropKeys(want map[string]bool) error {
	if err := f.budget(len(f.rec.Keys)); err != nil {
		return err
	}
	for _, key := range slices.Clone(f.rec.Keys) {
		if want[key] {
			continue
		}
		f.rec.dropKey(key)
		p := parsePointer(key)
		at, depth, err := f.walk(p)
		if err != nil {
			return err
		}
		if len(p) == 0 || depth < len(p) || !f.ownsKey(p, at) {
			continue
		}
		parent, _, k := f.find(p[:len(p)-1], p[len(p)-1])
		f.removeItem(parent, k)
		f.prune(p[:len(p)-1])
	}
	return nil
}
