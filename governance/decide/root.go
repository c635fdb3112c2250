package decide

import (
	"os"
	"path/filepath"

	"github.com/grimoire-kit/grimoire/pluginsdk/dialect"
)

// findRoot looks for the project of a call: upwards from each candidate, best
// first, to the nearest folder with a project-context.yaml or a _grimoire
// folder, never past the root of a git repository. Outside of git it passes
// over folders anybody may write to (/tmp), where a stranger could plant a
// project. Where none is found, the first candidate that exists is the place
// the call is about.
func findRoot(candidates []dialect.RootSource) (root string, found bool) {
	first := ""
	for _, c := range candidates {
		if !filepath.IsAbs(c.Path) {
			continue
		}
		start, err := filepath.EvalSymlinks(c.Path)
		if err != nil {
			continue
		}
		if first == "" {
			first = start
		}
		for at := start; ; {
			if isProject(at) && (at == start || !openToAll(at)) {
				return at, true
			}
			up := filepath.Dir(at)
			if up == at || isGitRoot(at) {
				break
			}
			at = up
		}
	}
	return first, false
}

func isProject(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, folder))
	if err == nil && info.IsDir() {
		return true
	}
	info, err = os.Stat(filepath.Join(dir, contextFile))
	return err == nil && !info.IsDir()
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
