package plugin

import "strings"

// tree is a set of file paths, seen as a file system does that does not tell
// letter case apart.
type tree map[string]node

type node struct {
	path   string
	folder bool
}

// conflict names the path already in the tree that p cannot stand beside: p
// itself, p in another case, a file where p needs a folder, or the reverse.
func (t tree) conflict(p string) (other string, taken bool) {
	key := strings.ToLower(p)
	if n, ok := t[key]; ok {
		return n.path, true
	}
	for _, parent := range parents(key) {
		if n, ok := t[parent]; ok && !n.folder {
			return n.path, true
		}
	}
	return "", false
}

func (t tree) add(p string) {
	key := strings.ToLower(p)
	t[key] = node{path: p}
	for _, parent := range parents(key) {
		t[parent] = node{path: p, folder: true}
	}
}

// parents lists the folders that hold p.
func parents(p string) []string {
	var list []string
	for i, c := range p {
		if c == '/' {
			list = append(list, p[:i])
		}
	}
	return list
}
