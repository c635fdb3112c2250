package sync

import (
	"github.com/grimoire-kit/grimoire/core/managed"
	"github.com/grimoire-kit/grimoire/core/tree"
)

// readRecord reads the ownership record. With an error the record is empty, and
// the file is nil when it could not even be read as one.
func readRecord(t *tree.Tree) (*tree.File, managed.Record, error) {
	f, err := t.Read(managed.RecordPath)
	if err != nil || !f.Exists() {
		return f, managed.Record{}, err
	}
	r, err := managed.DecodeRecord(f.Data)
	return f, r, err
}

// writeRecord brings the record's file in line with r: nothing to remember, no
// file. The boolean says whether the disk changed.
func writeRecord(t *tree.Tree, r managed.Record) (bool, error) {
	f, err := t.Read(managed.RecordPath)
	if err != nil {
		return false, err
	}
	if r.Empty() {
		if !f.Exists() {
			return false, nil
		}
		return true, t.Delete(f)
	}
	data, err := r.Encode()
	if err != nil {
		return false, err
	}
	if sameText(f.Data, data) {
		return false, nil
	}
	return t.Replace(f, data)
}

// CheckRecord says why the project's ownership record cannot be believed, nil where
// it can or where there is none.
func CheckRecord(root string) error {
	t, err := tree.Open(root)
	if err != nil {
		return err
	}
	defer t.Close()
	_, _, err = readRecord(t)
	return err
}
