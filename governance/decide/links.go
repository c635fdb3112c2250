package decide

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/grimoire-kit/grimoire/governance/command"
	"github.com/grimoire-kit/grimoire/governance/secrets"
)

// maxLinks bounds how many names of a call are looked up.
const maxLinks = 64

// followLinks adds what the names of a call lead to, where they are links in
// the project: a harmless name can stand for a secret or for the guard.
func (x *decision) followLinks(f *facts) {
	names := f.call.Targets
	for _, c := range f.commands {
		for _, t := range c.Targets {
			if t.Access == command.Read && !t.Word.Glob && t.Word.Resolved() {
				names = append(names[:len(names):len(names)], t.Word.Text)
			}
		}
	}
	for _, name := range names[:min(len(names), maxLinks)] {
		if to, ok := x.linked(name); ok && f.call.SecretFragment == "" {
			if m, ok := secrets.MatchPath(strings.TrimPrefix(to, x.project.root+string(filepath.Separator))); ok {
				f.secret(m)
			}
		}
	}
	for _, ch := range f.call.Changes[:min(len(f.call.Changes), maxLinks)] {
		if to, ok := x.linked(ch.Path); ok { // the file, or one that a linked folder will hold
			ch.Path = to
			f.call.Changes = append(f.call.Changes, ch)
		}
	}
}

// linked returns where a name leads, if it or a folder on the way is a link in
// the project.
func (x *decision) linked(name string) (string, bool) {
	if name == "" || strings.ContainsRune(name, 0) {
		return "", false
	}
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(x.base(), path)
	}
	if !strings.HasPrefix(path, x.project.root+string(filepath.Separator)) {
		return "", false
	}
	if path = filepath.Clean(path); len(path) <= len(x.project.root) {
		return "", false
	}
	for end := len(x.project.root) + 1; ; end++ {
		for end < len(path) && path[end] != filepath.Separator {
			end++
		}
		info, err := os.Lstat(path[:end])
		if err != nil {
			return "", false // it is yet to be made
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			to, err := filepath.EvalSymlinks(path[:end])
			return filepath.Join(to, path[end:]), err == nil
		}
		if end == len(path) {
			return "", false
		}
	}
}

// base is the folder relative names start from.
func (x *decision) base() string {
	switch dir := x.call.WorkDir; {
	case filepath.IsAbs(dir):
		return dir
	case dir != "" && !strings.ContainsRune(dir, 0):
		return filepath.Join(x.project.root, dir)
	}
	return x.project.root
}
