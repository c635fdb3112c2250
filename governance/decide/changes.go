package decide

import (
	"path"
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/governance/command"
	"github.com/grimoire-kit/grimoire/governance/policy"
)

// changes are the files that a command line may write, move or remove. It errs
// on the side of too many: they are held against the few files that make up
// the guard, and there one question too many is the lesser harm.
func changes(line string, facts command.Facts) []policy.Change {
	var out []policy.Change
	var sources []string // of the copy or the move whose target comes next
	git := slices.ContainsFunc(facts.Programs, gitChangesFiles)
	for i, t := range facts.Targets {
		name := t.Word.Text
		if i > 0 && facts.Targets[i-1].Program != t.Program {
			sources = nil
		}
		switch {
		case t.Access == command.Write:
			out = append(out, policy.Change{Path: name, Removed: t.Folder})
			for _, source := range sources { // if the target is a folder
				out = append(out, policy.Change{Path: path.Join(name, path.Base(source)), Removed: t.Folder})
			}
			sources = nil
		case t.Program == "git":
			if git {
				out = append(out, policy.Change{Path: name, Removed: true})
			}
		case t.Access == command.Touch && changers.has(t.Program):
			out = append(out, policy.Change{Path: name, Removed: true})
		case t.Access == command.Read && movers.has(t.Program):
			out = append(out, policy.Change{Path: name, Removed: true})
			sources = append(sources, name)
		case t.Access == command.Read && editors.has(t.Program):
			out = append(out, policy.Change{Path: name})
		case t.Access == command.Read:
			sources = append(sources, name)
		}
	}
	for _, p := range facts.Programs {
		if evaluates(p) {
			for _, name := range quotedPaths(line) {
				out = append(out, policy.Change{Path: name})
			}
			break
		}
	}
	return out
}

// Programs that do more to a file than read it, though it is not their output.
const (
	changers programs = " rm unlink rmdir del erase rd remove-item trash shred chmod chown chgrp chattr setfacl icacls truncate "
	movers   programs = " mv move move-item ln "
	editors  programs = " perl ruby python python3 node php awk gawk ed ex vi vim nvim nano emacs code dd patch prettier dos2unix rsync tar unzip 7z "
	// interpreters take a program on their command line, or from stdin.
	interpreters programs = " perl ruby python python3 node deno bun php lua osascript "
)

// programs are names between blanks: a list that costs nothing to set up.
type programs string

func (list programs) has(name string) bool {
	return name != "" && strings.Contains(string(list), " "+name+" ")
}

// gitChangesFiles reports whether a git command replaces or removes the files
// it is given, rather than only its index.
func gitChangesFiles(p command.Program) bool {
	if p.Name != "git" {
		return false
	}
	args := make([]string, len(p.Args))
	for i, w := range p.Args {
		args[i] = w.Text
	}
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		n := 1
		if args[0] == "-C" || args[0] == "-c" {
			n = min(2, len(args))
		}
		args = args[n:]
	}
	if len(args) == 0 {
		return false
	}
	switch args[0] {
	case "checkout", "clean", "mv":
		return true
	case "restore":
		return !slices.Contains(args, "--staged") && !slices.Contains(args, "-S") || slices.Contains(args, "--worktree") || slices.Contains(args, "-W")
	case "rm":
		return !slices.Contains(args, "--cached")
	}
	return false
}

// evaluates reports whether a program is an interpreter that is given its
// program on the line rather than in a file.
func evaluates(p command.Program) bool {
	if !interpreters.has(p.Name) {
		return false
	}
	for _, w := range p.Args {
		if !strings.HasPrefix(w.Text, "-") {
			return false // a file comes first
		}
		if w.Text == "-" || strings.ContainsAny(w.Text, "ecrpE") {
			return true
		}
	}
	return true
}

// maxQuoted bounds the paths that are looked for in a program's text.
const maxQuoted = 200

// quotedPaths are the words of a line, whatever their quotes, that look like
// the path of a file.
func quotedPaths(line string) []string {
	var out []string
	for _, word := range strings.FieldsFunc(line, func(r rune) bool { return r <= ' ' || strings.ContainsRune("\"'`(){}[],;=<>|&", r) }) {
		if strings.ContainsAny(word, "/.") && len(out) < maxQuoted {
			out = append(out, word)
		}
	}
	return out
}
