package sync

import (
	"bytes"
	"path"

	"github.com/grimoire-kit/grimoire/core/managed"
	"github.com/grimoire-kit/grimoire/core/tree"
	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

// wanted is one path that at least one plan asks for.
type wanted struct {
	path  string
	hosts []string
	// A whole file.
	file *pluginsdk.File
	// Or merges in a user's file, in plan order.
	merges  []pluginsdk.Merge
	sources []string
	refusal *surface.Text
	shared  *shared // nil for a file that is one path only
}

// claims gives each path to the first plan that asks for it. Nothing here looks
// at the disk.
type claims struct {
	list  []*wanted
	files map[string]*wanted // by folded path
	dirs  map[string]*wanted // folded directories of the claimed paths
	name  func(id string) string
}

func newClaims(name func(id string) string) *claims {
	record := &wanted{path: managed.RecordPath, hosts: []string{"grimoire"}}
	return &claims{
		files: map[string]*wanted{tree.FoldPath(managed.RecordPath): record},
		dirs:  map[string]*wanted{},
		name:  name,
	}
}

// addFile claims a whole file. The same bytes from two hosts are one file with
// two owners.
func (c *claims) addFile(host string, f pluginsdk.File) {
	w := &wanted{path: f.Path, hosts: []string{host}, file: &f, sources: f.Sources}
	prior := c.files[tree.FoldPath(f.Path)]
	if prior != nil && prior.path == f.Path && prior.file != nil && bytes.Equal(prior.file.Content, f.Content) {
		prior.hosts = appendNew(prior.hosts, host)
		prior.sources = appendNew(prior.sources, f.Sources...)
		return
	}
	c.add(w, prior)
}

// addMerge claims entries in the file at p. Several hosts may have entries there.
func (c *claims) addMerge(host, p string, m pluginsdk.Merge) {
	prior := c.files[tree.FoldPath(p)]
	if prior != nil && prior.path == p && prior.merges != nil {
		prior.hosts = appendNew(prior.hosts, host)
		prior.merges = append(prior.merges, m)
		prior.sources = appendNew(prior.sources, m.Sources...)
		return
	}
	c.add(&wanted{path: p, hosts: []string{host}, merges: []pluginsdk.Merge{m}, sources: m.Sources}, prior)
}

func (c *claims) add(w *wanted, prior *wanted) {
	folded := tree.FoldPath(w.path)
	c.list = append(c.list, w)
	if prior == nil {
		prior = c.dirs[folded]
	}
	for dir := path.Dir(folded); prior == nil && dir != "." && dir != "/"; dir = path.Dir(dir) {
		prior = c.files[dir]
	}
	if prior != nil {
		reason := c.collision(w, prior)
		w.refusal = &reason
		return
	}
	c.files[folded] = w
	for dir := path.Dir(folded); dir != "." && dir != "/" && c.dirs[dir] == nil; dir = path.Dir(dir) {
		c.dirs[dir] = w
	}
}

func (c *claims) collision(w, prior *wanted) surface.Text {
	if w.path == prior.path {
		return text(
			"aussi demandé, avec un autre contenu, par %s, qui le garde",
			"also asked for, with other content, by %s, which keeps it", c.name(prior.hosts[0]))
	}
	return text(
		"entre en collision avec %s (%s) sur un disque qui ne distingue pas la casse, ou ne peut être à la fois fichier et dossier",
		"collides with %s (%s) on a disk that does not tell case apart, or cannot be both a file and a directory", prior.path, c.name(prior.hosts[0]))
}

// appendNew appends the values that are not there yet.
func appendNew(list []string, values ...string) []string {
next:
	for _, v := range values {
		for _, have := range list {
			if have == v {
				continue next
			}
		}
		list = append(list, v)
	}
	return list
}
