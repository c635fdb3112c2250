package scaffold

import "github.com/grimoire-kit/grimoire/core/tree"

// Wrote reports whether a project's file is one that init, or up, wrote: its
// manifest says so. A project without a manifest that can be read has none.
func Wrote(root, path string) bool {
	t, err := tree.Open(root)
	if err != nil {
		return false
	}
	defer t.Close()
	f, err := t.Read(ManifestPath)
	if err != nil || !f.Exists() {
		return false
	}
	m, err := decodeManifest(f.Data)
	_, ok := m[path]
	return err == nil && ok
}
