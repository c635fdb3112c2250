package tree

import (
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

const (
	maxPath      = 1024 // bytes
	maxComponent = 200  // bytes; room is left for a temporary's name
)

// CheckPath reports, as a *Fault, a path that must never be written in a
// project: absolute, unclean, inside git's directory, or with a name that one of
// the supported systems cannot hold or would read as another name.
func CheckPath(p string) error {
	if p == "." || len(p) > maxPath || !fs.ValidPath(p) {
		return &Fault{Path: p, Reason: ErrIllegalPath}
	}
	for _, part := range strings.Split(p, "/") {
		if isGit(part) {
			return &Fault{Path: p, Reason: ErrGitDirectory}
		}
		if len(part) > maxComponent || strings.HasSuffix(part, ".") || strings.HasSuffix(part, " ") || isDevice(part) {
			return &Fault{Path: p, Reason: ErrIllegalPath}
		}
		for _, r := range part {
			if r < 0x20 || r == 0x7f || strings.ContainsRune(`\:*?"<>|`, r) {
				return &Fault{Path: p, Reason: ErrIllegalPath}
			}
		}
	}
	return nil
}

// Rel gives a path that a person typed, absolute or relative to the project, as
// the tree names it. Its links are not resolved, but those on the way to the
// project are.
func (t *Tree) Rel(p string) (string, error) {
	given := p
	if filepath.IsAbs(p) {
		rel, ok := t.inside(filepath.Clean(p))
		if dir, err := filepath.EvalSymlinks(filepath.Dir(p)); !ok && err == nil {
			rel, ok = t.inside(filepath.Join(dir, filepath.Base(p)))
		}
		if !ok {
			return "", &Fault{Path: given, Reason: ErrElsewhere}
		}
		p = rel
	}
	p = path.Clean(filepath.ToSlash(p))
	if p == ".." || strings.HasPrefix(p, "../") {
		return "", &Fault{Path: given, Reason: ErrElsewhere}
	}
	return p, CheckPath(p)
}

// isGit knows git's directory under every name a case-insensitive or
// NTFS volume gives it.
func isGit(part string) bool {
	return strings.EqualFold(part, ".git") || strings.EqualFold(part, "git~1")
}

// isDevice reports a name that Windows reads as a device, whatever follows the
// first dot.
func isDevice(part string) bool {
	name, _, _ := strings.Cut(strings.ToUpper(part), ".")
	switch name {
	case "CON", "PRN", "AUX", "NUL":
		return true
	}
	return len(name) == 4 && (strings.HasPrefix(name, "COM") || strings.HasPrefix(name, "LPT")) &&
		name[3] >= '1' && name[3] <= '9'
}

// FoldPath gives the same string for two paths that a case-insensitive or
// normalising volume would take for one file.
func FoldPath(p string) string {
	return cases.Fold().String(norm.NFC.String(p))
}
