package scaffold

import (
	"maps"
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/core/kit"
	"github.com/grimoire-kit/grimoire/core/tree"
	"github.com/grimoire-kit/grimoire/surface"
)

// promptsDir is where VS Code reads prompts.
const promptsDir = ".github/prompts/"

// Retirement is what becomes of the texts that init wrote for one host when that
// host is taken out of the project.
type Retirement struct {
	Gone   []string // they are what was written, and can go
	Edited []string // a person changed them: they stay

	written manifest
}

// Retire looks for the texts of the kit under the prefixes of a host. The manifest
// comes with the repository: only paths at which the kit itself has a text are
// looked at.
func Retire(root string, owns []string) Retirement {
	var r Retirement
	t, err := tree.Open(root)
	if err != nil {
		return r
	}
	defer t.Close()
	m := manifestOf(t)
	r.written = m
	for _, path := range slices.Sorted(maps.Keys(m)) {
		if !ofKit(path) || !slices.ContainsFunc(owns, func(prefix string) bool { return strings.HasPrefix(path, prefix) }) {
			continue
		}
		f, err := t.Read(path)
		switch {
		case err != nil || !f.Exists():
		case digest(f.Data) == m[path]:
			r.Gone = append(r.Gone, path)
		default:
			r.Edited = append(r.Edited, path)
		}
	}
	return r
}

// Without is what is left of a file once the host is gone: of a text that is what
// was written nothing, of the manifest the other texts, so that init and up know
// those that went for missing and not for removed by a person.
func (r Retirement) Without(path string, content []byte) (rest []byte, ok bool) {
	if path != ManifestPath {
		return nil, r.written[path] == digest(content)
	}
	m, err := decodeManifest(content)
	if err != nil {
		return nil, false
	}
	for _, gone := range r.Gone {
		delete(m, gone)
	}
	rest, err = m.encode()
	return rest, err == nil
}

// ofKit reports a path outside of the project's own folder at which the kit has a
// text, in any language.
func ofKit(path string) bool {
	return slices.ContainsFunc(slices.Concat(kit.Workflows(surface.French), kit.Workflows(surface.English)), func(d kit.Doc) bool {
		return path == promptsDir+d.Slug+".prompt.md"
	})
}
