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
		case "rm", "unlink", "shred", "del", "remove-item":
			// Taking whole folders is a destructive shape of its own.
		case "chmod", "chown", "chgrp", "chattr", "setfacl", "icacls":
			out = append(out, p.modes()...)
			continue
		case "tar", "bsdtar", "unzip", "7z", "cpio", "dd", "ln", "go", "gcc", "cc", "clang", "rustc":
			out = append(out, p.puts()...)
			continue
		case "mv", "move", "move-item", "rmdir":
			folders = true
		case "git":
			out = append(out, c.gitReach(p)...)
			continue
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

// modes are the files whose mode, owner or attributes a program changes. Giving
// more rights takes nothing from the guard.
func (p Program) modes() []Change {
	args := slices.DeleteFunc(slices.Clone(p.Args), func(a string) bool { return strings.HasPrefix(a, "--") })
	deep := slices.ContainsFunc(args, func(a string) bool { return a == "-R" || a == "-Rf" || a == "-fR" || a == "/t" })
	args = slices.DeleteFunc(args, func(a string) bool { return a == "-R" || a == "-Rf" || a == "-fR" || a == "-v" || a == "-f" })
	if p.Name == "chmod" && (len(args) == 0 || givesRights(args[0])) {
		return nil
	}
	var out []Change
	for _, a := range args {
		out = append(out, Change{Path: a, Removed: deep || !strings.ContainsAny(a, "*?[{")})
	}
	return out
}

// givesRights reports whether a mode of chmod leaves its owner everything.
func givesRights(mode string) bool {
	if strings.Trim(mode, "01234567") == "" {
		return len(mode) >= 3 && mode[len(mode)-3] == '7'
	}
	_, rights, plus := strings.Cut(mode, "+")
	return plus && strings.Trim(rights, "rwxX") == "" && !strings.ContainsAny(mode, "-=,")
}

// puts are the files that a program writes under a name its options give.
func (p Program) puts() []Change {
	var out []Change
	unpacks := p.Name == "unzip" || p.Name == "cpio" || len(p.Args) > 0 && strings.Contains(p.Args[0], "x")
	for i, a := range p.Args {
		next := ""
		if i+1 < len(p.Args) {
			next = p.Args[i+1]
		}
		switch p.Name {
		case "dd":
			if file, ok := strings.CutPrefix(a, "of="); ok {
				out = append(out, Change{Path: file})
			}
		case "ln":
			if i+1 == len(p.Args) && slices.ContainsFunc(p.Args[:i], func(o string) bool { return strings.HasPrefix(o, "-") && strings.ContainsAny(o, "nT") }) {
				out = append(out, Change{Path: a, Removed: true})
			}
		case "go", "gcc", "cc", "clang", "rustc":
			if file, ok := strings.CutPrefix(a, "-o="); ok {
				out = append(out, Change{Path: file})
			} else if a == "-o" && next != "" {
				out = append(out, Change{Path: next})
			}
			if name, _, _ := strings.Cut(a, "@"); p.Name == "go" && p.Args[0] == "install" && i > 0 {
				out = append(out, Change{Path: "/" + path.Base(slashed(name))})
			}
		default:
			if !unpacks {
				continue
			}
			switch {
			case (a == "-C" || a == "--directory" || a == "-d" || a == "-D") && next != "":
				out = append(out, Change{Path: next, Into: true})
			case strings.HasPrefix(a, "--directory="):
				out = append(out, Change{Path: a[len("--directory="):], Into: true})
			case len(a) > 2 && (strings.HasPrefix(a, "-C") || strings.HasPrefix(a, "-d") || p.Name == "7z" && strings.HasPrefix(a, "-o")):
				out = append(out, Change{Path: a[2:], Into: true})
			case !strings.HasPrefix(a, "-"):
				out = append(out, Change{Path: a}) // one of the files to take out
			}
		}
	}
	return out
}

// covers reports whether a change touches a guarded file: the changed path,
// which a command line may give with wildcards, is that file, a folder that
// holds it and is removed, or one that it is put into. changed is the change's
// path relative to the project.
func (c *Call) covers(ch Change, changed, guarded string) bool {
	switch {
	case ch.Below != "":
		name, base := strings.ToLower(ch.Below), path.Base(guarded)
		return below(changed, guarded) && (name == "*" || name == base || shellMatch(name, base)) && c.exists(guarded) &&
			(below(runtimeFolder, changed+"/") || !below(runtimeFolder, guarded)) // what a run writes is in the way of every search
	case ch.Into:
		if !below(changed, guarded) {
			return false
		}
		if from := strings.TrimSuffix(ch.From, "/"); from != "" && c.exists(from) {
			if changed != "." {
				guarded = strings.TrimPrefix(guarded, changed+"/")
			}
			return c.exists(from + "/" + guarded)
		}
		return changed != "." // what comes is not known, nor likely the guard
	case glob(guarded, changed):
		return true
	case shellMatch(changed, guarded):
		return c.exists(guarded)
	case !ch.Removed:
		return false
	case changed == ".":
		return c.exists(guarded)
	}
	for i := range len(guarded) {
		if guarded[i] == '/' && (guarded[:i] == changed || shellMatch(changed, guarded[:i])) {
			return guarded[:i] == changed || c.exists(guarded)
		}
	}
	return false
}

// runtimeFolder holds what runs write.
const runtimeFolder = "_grimoire-output"

// below reports whether a guarded file lies below a folder of the project.
func below(folder, guarded string) bool {
	return folder == "." || strings.HasPrefix(guarded, folder+"/")
}

func (c *Call) exists(file string) bool { return c.Exists == nil || c.Exists(file) }

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

var braces = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{[^{}]*,[^{}]*\}`) })
