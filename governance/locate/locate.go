// Package locate finds the project around a folder. Core and the hook must
// agree on it: what a sync emits for is what the hook judges for.
//
// It asks which files exist and reads none. Any package above it may import it.
package locate

import (
	"os"
	"path/filepath"
)

// ConfigFile is the file that describes a project; Folder holds its personas.
const (
	ConfigFile = "project-context.yaml"
	Folder     = "_grimoire"
)

// Project walks up from dir to the folder of the project: the nearest one with
// a project-context.yaml or a _grimoire folder. It never leaves the git
// repository, worktree or submodule dir is in. Outside of git it passes over
// folders anybody may write to (/tmp), where a stranger could plant a project.
//
// Links in dir are resolved first, as git does. When nothing is found, root is
// dir itself and ok is false.
func Project(dir string) (root string, ok bool) {
	start, err := Physical(dir)
	if err != nil {
		return dir, false
	}
	for at := start; ; {
		if isProject(at) && (at == start || !openToAll(at)) {
			return at, true
		}
		up := filepath.Dir(at)
		if up == at || isGitRoot(at) {
			return start, false
		}
		at = up
	}
}

// GitRoot returns the root of the git repository, worktree or submodule that
// holds dir, a physical path, or "".
func GitRoot(dir string) string {
	for at := dir; ; {
		if isGitRoot(at) {
			return at
		}
		up := filepath.Dir(at)
		if up == at {
			return ""
		}
		at = up
	}
}

// Physical is the absolute path of dir, links resolved.
func Physical(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

func isProject(dir string) bool {
	if info, err := os.Stat(filepath.Join(dir, ConfigFile)); err == nil && !info.IsDir() {
		return true
	}
	info, err := os.Stat(filepath.Join(dir, Folder))
	return err == nil && info.IsDir()
}

// isGitRoot: .git is a folder in a clone and a file in a worktree or submodule.
func isGitRoot(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil
}

func openToAll(dir string) bool {
	info, err := os.Stat(dir)
	return err == nil && info.Mode().Perm()&0o002 != 0
}
