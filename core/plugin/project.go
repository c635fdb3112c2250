package plugin

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Project is what a grant is bound to. A path alone is not enough, since a path
// is used again for another repository; a commit alone is not either, since
// every clone has it.
type Project struct {
	Root        string `json:"root"`                   // absolute, links resolved
	FirstCommit string `json:"first_commit,omitempty"` // empty outside git and before the first commit
}

// gitDeadline bounds the search for the first commit.
const gitDeadline = 10 * time.Second

// IdentifyProject identifies the project at root.
func IdentifyProject(ctx context.Context, root string) (Project, error) {
	place, err := realPlace(root)
	if err != nil {
		return Project{}, fmt.Errorf("identify project %s: %w", root, err)
	}
	return Project{Root: place, FirstCommit: firstCommit(ctx, place)}, nil
}

// realPlace is a folder's absolute path, links resolved.
func realPlace(dir string) (string, error) {
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(absolute)
}

// firstCommit is the root commit of the history, the least of several. Without
// git, or outside of it, there is none: the grant is then bound to the path.
func firstCommit(ctx context.Context, root string) string {
	ctx, cancel := context.WithTimeout(ctx, gitDeadline)
	defer cancel()
	// The repository is not trusted: none of its settings may start a program.
	cmd := exec.CommandContext(ctx, "git", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null",
		"-C", root, "rev-list", "--max-parents=0", "HEAD")
	cmd.Env = slices.DeleteFunc(cmd.Environ(), func(v string) bool { return strings.HasPrefix(v, "GIT_") })
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	commits := strings.Fields(string(bytes.TrimSpace(out)))
	if len(commits) == 0 {
		return ""
	}
	return slices.Min(commits)
}
