package policy

import (
	"slices"
	"strings"
)

// gitReach are the files that a call of git takes from the working tree, or hides from it.
//
// A pull, a merge and a switch of branches may bring another guard too. They are daily work and what they bring is not
// known before: they are not asked about, and a sync puts the guard back.
func (c *Call) gitReach(p Program) []Change {
	args := p.withoutGitOptions().Args
	if len(args) == 0 {
		return nil
	}
	operands := slices.DeleteFunc(slices.Clone(args[1:]), func(a string) bool { return strings.HasPrefix(a, "-") })
	switch args[0] {
	case "rm", "mv":
		if slices.Contains(args, "--cached") {
			return nil
		}
		if args[0] == "mv" && len(operands) > 1 {
			operands = operands[:len(operands)-1] // where to
		}
		return removed(operands)
	case "stash":
		return c.stashed(args[1:])
	case "update-index":
		for _, flag := range []string{"--assume-unchanged", "--skip-worktree", "--force-remove", "--remove"} {
			if slices.Contains(args, flag) {
				return removed(operands)
			}
		}
	case "sparse-checkout":
		if len(operands) > 0 && operands[0] == "set" {
			return removed([]string{"."}) // what is not named leaves the working tree
		}
	}
	return nil
}

// stashed are the files that a stash takes: the paths that it is given, else those of the guard that differ from what is
// committed. Most stashes take none of them, and git is asked so that nobody else is.
func (c *Call) stashed(args []string) []Change {
	verb, untracked, ignored := "push", false, false
	var paths []string
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case i == 0 && !strings.HasPrefix(a, "-"):
			verb = a
		case a == "--":
		case a == "-m" || a == "--message" || a == "--pathspec-from-file":
			i++
		case a == "--include-untracked" || a == "--all":
			untracked, ignored = true, ignored || a == "--all"
		case strings.HasPrefix(a, "--"):
		case strings.HasPrefix(a, "-"):
			untracked = untracked || strings.ContainsAny(a, "ua")
			ignored = ignored || strings.Contains(a, "a")
		case a != "." && a != "./" && a != ":/":
			paths = append(paths, a)
		}
	}
	switch {
	case verb != "push" && verb != "save":
		return nil
	case verb == "push" && len(paths) > 0:
		return byStash(paths)
	case c.Unclean == nil:
		return nil
	}
	var guarded []string
	for _, g := range guardedFiles {
		if strings.Contains(g.path, "/") {
			guarded = append(guarded, g.path)
		}
	}
	for i := range records {
		guarded = append(guarded, records[i].folder)
	}
	return byStash(c.Unclean(append(guarded, profileFile), untracked, ignored))
}

func byStash(paths []string) []Change {
	out := removed(paths)
	for i := range out {
		out[i].Git = "stash"
	}
	return out
}

func removed(paths []string) []Change {
	var out []Change
	for _, path := range paths {
		out = append(out, Change{Path: path, Removed: true})
	}
	return out
}
