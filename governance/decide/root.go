package decide

import (
	"path/filepath"

	"github.com/grimoire-kit/grimoire/governance/locate"
	"github.com/grimoire-kit/grimoire/pluginsdk/dialect"
)

// findRoot looks for the project of a call around each candidate, best first.
// Where none is found, the first candidate that exists is the place the call
// is about.
func findRoot(candidates []dialect.RootSource) (root string, found bool) {
	for _, c := range candidates {
		if !filepath.IsAbs(c.Path) {
			continue
		}
		at, ok := locate.Project(c.Path)
		if ok {
			return at, true
		}
		if _, err := locate.Physical(c.Path); err == nil && root == "" {
			root = at
		}
	}
	return root, false
}
