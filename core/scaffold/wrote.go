package scaffold

import (
	"maps"
	"slices"

	"github.com/grimoire-kit/grimoire/core/tree"
)

// Wrote lists the files of a project that init, or up, wrote and that are still
// there, in order: its manifest says so. A project without a manifest that can be
// read has none.
func Wrote(root string) []string {
	t, err := tree.Open(root)
	if err != nil {
		return nil
	}
	defer t.Close()
	f, err := t.Read(ManifestPath)
	if err != nil || !f.Exists() {
		return nil
	}
	m, err := decodeManifest(f.Data)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(slices.Sorted(maps.Keys(m)), func(path string) bool {
		f, err := t.Stat(path)
		return err != nil || !f.Exists()
	})
}
