package decide

import (
	"context"
	"strings"
	"time"

	"github.com/grimoire-kit/grimoire/governance/git"
)

// unclean are those of the paths that differ from what git has committed, with untracked and ignored also those that it
// does not know. A git that does not answer in time says nothing.
func (p *project) unclean(paths []string, untracked, ignored bool) []string {
	if p.root == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), uncleanTime)
	defer cancel()
	question := []string{"status", "--porcelain", "-z", "--no-renames", "--untracked-files=no"}
	if untracked {
		question[len(question)-1] = "--untracked-files=all"
	}
	if ignored {
		question = append(question, "--ignored")
	}
	answer, err := git.Ask(ctx, p.root, append(append(question, "--"), paths...)...)
	if err != nil {
		return nil
	}
	prefix, err := git.Ask(ctx, p.root, "rev-parse", "--show-prefix") // the paths are those of the repository
	if err != nil {
		return nil
	}
	var out []string
	for line := range strings.SplitSeq(answer, "\x00") {
		if len(line) > len("XY ") {
			out = append(out, strings.TrimPrefix(line[len("XY "):], strings.TrimSuffix(prefix, "\n")))
		}
	}
	return out
}

// uncleanTime bounds how long git is waited for.
const uncleanTime = 2 * time.Second
