package plugin

import (
	"bytes"

	"github.com/grimoire-kit/grimoire/pluginsdk"
)

// claims are the paths of the plans accepted so far.
type claims struct {
	paths  tree
	owners map[string]string
	files  map[string]pluginsdk.File
	merges map[string]bool
}

func newClaims() *claims {
	return &claims{paths: tree{}, owners: map[string]string{}, files: map[string]pluginsdk.File{}, merges: map[string]bool{}}
}

// clash finds a path of plan that an accepted plan has in another form, and
// whose that is.
func (c *claims) clash(plan *pluginsdk.Plan) (path, owner string, found bool) {
	for _, f := range plan.Files {
		other, taken := c.paths.conflict(f.Path)
		if !taken {
			continue
		}
		have, isFile := c.files[f.Path]
		if !isFile || have.Ownership != f.Ownership || !bytes.Equal(have.Content, f.Content) {
			return f.Path, c.owners[other], true
		}
	}
	for _, m := range plan.Merges {
		if other, taken := c.paths.conflict(m.Path); taken && !c.merges[m.Path] {
			return m.Path, c.owners[other], true
		}
	}
	return "", "", false
}

func (c *claims) add(owner string, plan *pluginsdk.Plan) {
	for _, f := range plan.Files {
		c.paths.add(f.Path)
		c.owners[f.Path] = owner
		c.files[f.Path] = f
	}
	for _, m := range plan.Merges {
		c.paths.add(m.Path)
		c.owners[m.Path] = owner
		c.merges[m.Path] = true
	}
}
