package tree

import (
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Names lists, sorted, what stands in a directory as it was asked for. A
// directory that cannot be read has nothing.
func (t *Tree) Names(dir string) []string {
	real, ok := t.realDir(dir)
	if !ok {
		return nil
	}
	var names []string
	for _, e := range t.entries(real) {
		names = append(names, e.Name())
	}
	slices.Sort(names)
	return names
}

// Files lists, sorted, the regular files at or below a path as it was asked for,
// at most max of them. It follows no link below it, and enters no other
// repository (a git worktree kept inside the project).
func (t *Tree) Files(dir string, max int) []string {
	dir = strings.TrimSuffix(dir, "/")
	real, ok := t.realDir(dir)
	if !ok {
		return nil
	}
	var files []string
	var visit func(dir, real string)
	visit = func(dir, real string) {
		entries := t.entries(real)
		if isRepository(entries) && real != "." {
			return
		}
		for _, e := range entries {
			if len(files) >= max {
				return
			}
			switch p := path.Join(dir, e.Name()); {
			case e.IsDir() && !isGit(e.Name()):
				visit(p, path.Join(real, e.Name()))
			case e.Type().IsRegular():
				files = append(files, p)
			}
		}
	}
	visit(dir, real)
	slices.Sort(files)
	return files
}

// RemoveEmpty removes, at and below a real directory, those that hold nothing. It
// follows no link and enters no other repository.
func (t *Tree) RemoveEmpty(real string) {
	info, err := t.root.Lstat(real)
	if err != nil || !info.IsDir() {
		return
	}
	entries := t.entries(real)
	if isRepository(entries) {
		return
	}
	for _, e := range entries {
		if e.IsDir() {
			t.RemoveEmpty(path.Join(real, e.Name()))
		}
	}
	t.RemoveDir(real)
}

// SweepBelow is SweepTemporaries for a real directory and all below it.
func (t *Tree) SweepBelow(real string) {
	info, err := t.root.Lstat(real)
	if err != nil || !info.IsDir() {
		return
	}
	entries := t.entries(real)
	if isRepository(entries) {
		return
	}
	t.sweep(real, entries)
	for _, e := range entries {
		if e.IsDir() {
			t.SweepBelow(path.Join(real, e.Name()))
		}
	}
}

func (t *Tree) sweep(real string, entries []fs.DirEntry) {
	for _, e := range entries {
		if e.Type().IsRegular() && temporary.MatchString(e.Name()) {
			_ = t.root.Remove(path.Join(real, e.Name()))
		}
	}
}

func isRepository(entries []fs.DirEntry) bool {
	return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return isGit(e.Name()) })
}

// realDir resolves a directory that exists inside the project.
func (t *Tree) realDir(dir string) (string, bool) {
	if dir != "." && CheckPath(dir) != nil {
		return "", false
	}
	loc, err := t.resolveDir(dir)
	if err != nil || !loc.exists {
		return "", false
	}
	return t.inside(loc.abs)
}

func (t *Tree) entries(real string) []fs.DirEntry {
	d, err := t.root.Open(real)
	if err != nil {
		return nil
	}
	defer d.Close()
	entries, _ := d.ReadDir(-1)
	return entries
}
