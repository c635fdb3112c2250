package policy

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// reached are all the files that the call may change: those it is known to
// write, those its programs remove, move or lock, and all of them again from
// each folder that the line goes to first.
func (c *Call) reached() []Change {
	out := append(slices.Clone(c.Changes), c.removals()...)
	n := len(out)
	for _, p := range c.Programs {
		dir := p.goesTo()
		if dir == "" {
			continue
		}
		for _, ch := range out[:n] {
			if !absolute(slashed(ch.Path)) {
				ch.Path = dir + "/" + ch.Path
				out = append(out, ch)
			}
		}
	}
	return out
}

// goesTo is the folder that a program goes to before anything else runs, "" for
// any other program.
func (p Program) goesTo() string {
	switch {
	case len(p.Args) == 0:
	case p.Name == "cd", p.Name == "pushd", p.Name == "set-location":
		return p.Args[len(p.Args)-1]
	case p.Name == "git" && p.Args[0] == "-C" && len(p.Args) > 1:
		return p.Args[1]
	}
	return ""
}

func (c *Call) removals() []Change {
	var out []Change
	for _, p := range c.Programs {
		args, folders := p.Args, false
		switch p.Name {
		case "rm", "unlink", "shred", "chmod", "chown", "chattr", "del", "remove-item":
			// Taking whole folders is a destructive shape of its own.
		case "mv", "move", "move-item", "rmdir":
			folders = true
		case "git":
			args = p.withoutGitOptions().Args
			if len(args) == 0 || args[0] != "rm" && args[0] != "mv" || slices.Contains(args, "--cached") {
				continue
			}
			p.Name, args, folders = args[0], args[1:], true
		default:
			continue
		}
		args = slices.DeleteFunc(slices.Clone(args), func(a string) bool { return strings.HasPrefix(a, "-") })
		if strings.HasPrefix(p.Name, "m") && len(args) > 1 {
			args = args[:len(args)-1] // where to
		}
		for _, a := range args {
			out = append(out, Change{Path: a, Removed: folders})
		}
	}
	return out
}

// covers reports whether the changed path, which a command line may give
// with wildcards, is the guarded file or, when removed, a folder above it.
func covers(changed, guarded string, removed bool) bool {
	if glob(guarded, changed) || shellMatch(changed, guarded) {
		return true
	}
	if !removed {
		return false
	}
	if changed == "." {
		return true
	}
	for i := range len(guarded) {
		if guarded[i] == '/' && (guarded[:i] == changed || shellMatch(changed, guarded[:i])) {
			return true
		}
	}
	return false
}

// shellMatch matches as a shell does: a wildcard stays within one element of
// a path and does not stand for a leading dot.
func shellMatch(pattern, name string) bool {
	if !strings.ContainsAny(pattern, "*?[{") {
		return false
	}
	pattern = strings.ReplaceAll(braces().ReplaceAllString(pattern, "*"), "[!", "[^")
	if strings.ContainsAny(pattern[:1], "*?") && strings.HasPrefix(name, ".") {
		return false
	}
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}

var braces = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{[^}]*\}`) })
