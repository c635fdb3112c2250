package merge

import (
	"bytes"
	"fmt"
)

// file is one document being edited: the scanned bytes and the record that
// follows them. Every edit rescans, so offsets are good for one edit only.
type file struct {
	*doc
	user   *doc // as the user wrote it: errors point there
	rec    Record
	target Target
	err    error // of an edit that could not be made; close reports it
}

func open(src []byte, rec Record, t Target) (*file, error) {
	d, err := parse(src)
	if err != nil {
		return nil, err
	}
	if d.kind(d.root) != Object {
		return nil, d.locate(d.shape(nil, d.root, string(Object)))
	}
	return &file{doc: d, user: d, rec: rec, target: t}, nil
}

// bare reports whether the document is an empty object and nothing else.
func (f *file) bare() bool {
	return string(bytes.Join(bytes.Fields(f.src), nil)) == "{}"
}

// close validates the result as strictly as the source was.
func (f *file) close() ([]byte, error) {
	if f.err != nil {
		return nil, fmt.Errorf("merge: edit the file: %w", f.err)
	}
	if f.doc == f.user {
		return f.src, nil
	}
	if _, err := parse(f.src); err != nil {
		return nil, fmt.Errorf("merge: check the result: %w", err)
	}
	return f.src, nil
}

// apply follows the order of the ops, which a fresh file shows. It adds before it
// takes out, so that no container is emptied on the way to being filled again.
func (f *file) apply(ops []Op) error {
	want := gather(ops)
	var steps []func(*file) error
	for _, op := range ops {
		switch op := op.(type) {
		case Expect:
			steps = append(steps, func(f *file) error { return f.expect(op) })
		case EnsureString:
			values := want.takeStrings(op.Path)
			steps = append(steps, func(f *file) error { return f.ensureStrings(op.Path, values) })
		case EnsureHook:
			steps = append(steps, func(f *file) error { return f.ensureHook(op) })
		case SetKey:
			steps = append(steps, func(f *file) error { return f.setKey(op) })
		}
	}
	steps = append(steps,
		func(f *file) error { return f.dropHooks(want.events) },
		func(f *file) error { return f.dropStrings(want.strings) },
		func(f *file) error { return f.dropKeys(want.keys) })
	for _, step := range steps {
		if err := step(f); err != nil {
			return f.blame(step, err)
		}
	}
	return nil
}

// blame gives the error of a step with the place in the user's own text, which is
// no longer where it was once an earlier step has edited something: the step is
// taken again on the original.
func (f *file) blame(step func(*file) error, err error) error {
	again := &file{doc: f.user, user: f.user, rec: f.rec.clone(), target: f.target}
	if first := step(again); first != nil {
		return f.user.locate(first)
	}
	return f.locate(err)
}

// budget refuses n edits to a document when rescanning it for each would take
// seconds: a hostile file can hold a hundred thousand hooks of "ours".
func (f *file) budget(n int) error {
	if limit := maxRescan / (len(f.src) + 1); n > limit {
		return &LimitError{What: tooMany, Max: limit}
	}
	return nil
}

func (f *file) expect(op Expect) error {
	at, depth, err := f.walk(op.Path)
	if err != nil || depth < len(op.Path) || f.kind(at) == op.Type {
		return err
	}
	return f.shape(op.Path.steps(), at, string(op.Type))
}
