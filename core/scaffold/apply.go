package scaffold

import (
	"cmp"
	"errors"
	"slices"

	"github.com/grimoire-kit/grimoire/core/project"
	"github.com/grimoire-kit/grimoire/core/tree"
)

// Outcome is what became of a plan.
type Outcome struct {
	Written []string
	Failed  []*tree.Fault
}

// Apply writes the pending files, each whole or not at all, then the manifest,
// then project-context.yaml: an init that was cut short begins anew. A file that
// fails costs only itself. A second Apply of the same project writes nothing.
func (p *Plan) Apply() (Outcome, error) {
	out := Outcome{Written: []string{}}
	failed := map[string]bool{}
	pending := p.Pending()
	slices.SortStableFunc(pending, func(a, b File) int { return cmp.Compare(rank(a), rank(b)) })
	for _, f := range pending {
		if f.Path == ManifestPath {
			content, err := p.written(failed).encode()
			if err != nil {
				return out, err
			}
			f.content = content
		}
		wrote, err := p.tree.Replace(f.target, f.content)
		var fault *tree.Fault
		switch {
		case errors.As(err, &fault):
			out.Failed = append(out.Failed, fault)
			failed[f.Path] = true
		case err != nil:
			return out, err
		case wrote:
			out.Written = append(out.Written, f.Path)
		}
	}
	return out, p.tree.Sync()
}

// rank puts what tells that a project is complete behind the rest of it.
func rank(f File) int {
	switch f.Path {
	case ManifestPath:
		return 1
	case project.ConfigFile:
		return 2
	}
	return 0
}
