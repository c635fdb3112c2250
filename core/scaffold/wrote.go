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
	return slices.DeleteFunc(slices.Sorted(maps.Keys(manifestOf(t))), func(path string) bool {
		f, err := t.Stat(path)
		return err != nil || !f.Exists()
	})
}

// manifestOf reads a project's manifest; one that cannot be read says nothing.
func manifestOf(t *tree.Tree) manifest {
	f, err := t.Read(ManifestPath)
	if err != nil || !f.Exists() {
		return nil
	}
	m, err := decodeManifest(f.Data)
	if err != nil {
		return nil
	}
	return m
}
