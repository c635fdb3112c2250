package enrol

import (
	"slices"

	"github.com/grimoire-kit/grimoire/governance/standard"
)

// PrepareTask is Prepare for the files that each task has. One that is there
// stays as it is.
func PrepareTask(root string, o Options) (*Plan, error) {
	o.MissingOnly = true
	p, err := Prepare(root, o)
	if err != nil {
		return nil, err
	}
	own := map[string]bool{}
	for _, a := range standard.Artifacts(p.Profile) {
		own[a.Path(p.Task)] = a.PerTask
	}
	p.Files = slices.DeleteFunc(p.Files, func(f File) bool { return !own[f.Path] })
	return p, nil
}
