// Package locate finds the project around a folder. Core and the hook must
// agree on it: what a sync emits for is what the hook judges for.
//
// It asks which files exist, and reads none but those by which a linked worktree
// of git names its main one. Any package above it may import it.
package locate

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
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

// Temporary is the folder for temporary files that holds path, an absolute one:
// the system's, or one that bears such a name anywhere; "" for none. Of several
// it is the innermost. What stands there may be gone at the next start.
func Temporary(path string) string {
	folders := []string{os.TempDir(), os.Getenv("TEMP"), os.Getenv("TMP"), "/tmp", "/var/tmp", "/dev/shm", "/private/tmp", "/private/var/tmp"}
	found := ""
	for _, folder := range folders {
		if !filepath.IsAbs(folder) && !strings.HasPrefix(folder, "/") || filepath.Dir(folder) == folder {
			continue // a whole drive, or nothing that was set
		}
		for _, spelled := range []string{folder, physical(folder)} {
			if within(path, spelled) && len(spelled) > len(found) {
				found = filepath.ToSlash(filepath.Clean(spelled))
			}
		}
	}
	return found
}

// physical is a folder with its links resolved, as git names one.
func physical(folder string) string {
	if at, err := filepath.EvalSymlinks(folder); err == nil {
		return at
	}
	return folder
}

func within(path, folder string) bool {
	path, folder = filepath.ToSlash(filepath.Clean(path))+"/", filepath.ToSlash(filepath.Clean(folder))+"/"
	if len(path) < len(folder) {
		return false
	}
	if runtime.GOOS == "windows" {
		return strings.EqualFold(path[:len(folder)], folder)
	}
	return path[:len(folder)] == folder
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
