package scaffold

import (
	"github.com/grimoire-kit/grimoire/core/tree"
)

// Outcome is what became of a plan.
type Outcome struct {
	Written []string
	Failed  []*tree.Fault
}

// Apply writes the pending files, each whole or not at all. A file that fails
// costs only itself.
func (p *Plan) Apply() (Outcome, error) {
	out := Outcome{Written: []string{}}
	for _, f := range p.Pending() {
		if _, err := p.tree.Replace(f.target, f.content); err != nil {
			fault, ok := err.(*tree.Fault)
			if !ok {
				return out, err
			}
			out.Failed = append(out.Failed, fault)
			continue
		}
		out.Written = append(out.Written, f.Path)
	}
	return out, p.tree.Sync()
}
