package decide

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/governance/command"
	"github.com/grimoire-kit/grimoire/governance/policy"
	"github.com/grimoire-kit/grimoire/governance/session"
)

// changes are the files that a command line may write, move or remove. It errs
// on the side of too many: they are held against the few files that make up
// the guard, and there one question too many is the lesser harm.
func changes(line string, facts command.Facts) []policy.Change {
	var out []policy.Change
	var sources []command.Target // of the copy or the move whose target comes next
	git := slices.ContainsFunc(facts.Programs, gitChangesFiles)
	found := foundBy(facts.Programs)
	add := func(ch policy.Change) {
		if ch.Path != "{}" {
			out = append(out, ch)
			return
		}
		for _, f := range found { // what find puts there
			f.Removed = ch.Removed
			out = append(out, f)
		}
	}
	for i, t := range facts.Targets {
		name := t.Word.Text
		if i > 0 && facts.Targets[i-1].Program != t.Program {
			sources = nil
		}
		switch {
		case t.Access == command.Write && t.Folder:
			for _, source := range sources {
				add(policy.Change{Path: name, Into: true, From: source.Word.Text})
				add(policy.Change{Path: path.Join(name, path.Base(source.Word.Text)), Into: true, From: source.Word.Text})
			}
			sources = nil
		case t.Access == command.Write:
			add(policy.Change{Path: name})
			for _, source := range sources { // if the target is a folder
				add(policy.Change{Path: path.Join(name, path.Base(source.Word.Text))})
			}
			sources = nil
		case strings.Contains(name, path.Base(session.Dir)) && !readers.has(t.Program):
			add(policy.Change{Path: name}) // to hold a lock it is enough to open it
		case t.Program == "git":
			if git {
				add(policy.Change{Path: name, Removed: true, Git: gitVerb(facts.Programs)})
			}
		case t.Access == command.Touch && removers.has(t.Program):
			add(policy.Change{Path: name, Removed: true})
		case makers.has(t.Program):
			add(policy.Change{Path: name})
		case t.Access == command.Read && movers.has(t.Program):
			add(policy.Change{Path: name, Removed: true})
			sources = append(sources, t)
		case t.Access == command.Read && editors.has(t.Program):
			add(policy.Change{Path: name, Maybe: onlyReads(facts.Programs, t.Program)})
		case t.Access == command.Read:
			sources = append(sources, t)
		}
	}
	if slices.ContainsFunc(facts.Programs, evaluates) {
		for _, name := range quotedPaths(line) {
			add(policy.Change{Path: name, Removed: name != "." && movesFiles(line), Maybe: true})
		}
	}
	if strings.Contains(line, "flock") { // a wrapper, of which the lock is not kept
		for _, name := range quotedPaths(line) {
			add(policy.Change{Path: name})
		}
	}
	if slices.ContainsFunc(facts.Programs, patches) {
		out = append(out, diffChanges(line)...)
	}
	return out
}

// Programs that do more to a file than read it, though it is not their output.
// What changes the mode of a file or unpacks into a folder is told by its
// arguments, see policy.
const (
	removers programs = " rm unlink rmdir del erase rd remove-item trash shred truncate "
	readers  programs = " cat jq grep rg head tail less more wc ls stat diff file cp "
	makers   programs = " touch mkdir mkfifo mknod "
	movers   programs = " mv move move-item ln "
	editors  programs = " perl ruby python python3 node php awk gawk ed ex vi vim nvim nano emacs code patch prettier dos2unix "
	// interpreters take a program on their command line, or from stdin.
	interpreters programs = " perl ruby python python3 node deno bun php lua osascript "
)

// scripted are editors that write only what their program writes, unless an
// option says that they edit in place.
const scripted programs = " perl ruby python python3 node php awk gawk "

// onlyReads reports whether an editor may leave its files as they are.
func onlyReads(list []command.Program, name string) bool {
	return scripted.has(name) && !slices.ContainsFunc(list, func(p command.Program) bool {
		return p.Name == name && slices.ContainsFunc(p.Args, func(w command.Word) bool {
			return strings.HasPrefix(w.Text, "-") && !strings.HasPrefix(w.Text, "--") && strings.Contains(w.Text, "i")
		})
	})
}

// programs are names between blanks: a list that costs nothing to set up.
type programs string

func (list programs) has(name string) bool {
	return name != "" && strings.Contains(string(list), " "+name+" ")
}

// foundBy are the files that a find hands to the programs it runs: those below
// its folders, of the names it looks for.
func foundBy(list []command.Program) []policy.Change {
	var out []policy.Change
	for _, p := range list {
		if p.Name != "find" && p.Name != "fd" && p.Name != "fdfind" {
			continue
		}
		var folders, names []string
		for i, w := range p.Args {
			switch {
			case slices.Contains([]string{"-name", "-iname"}, w.Text) && i+1 < len(p.Args):
				names = append(names, p.Args[i+1].Text)
			case len(names) == 0 && !strings.HasPrefix(w.Text, "-") && len(folders) == i && p.Name == "find":
				folders = append(folders, w.Text)
			}
		}
		if len(folders) == 0 {
			folders = []string{"."}
		}
		if len(names) == 0 || p.Name != "find" || slices.ContainsFunc(p.Args, func(w command.Word) bool { return w.Text == "!" || w.Text == "-not" }) {
			names = []string{"*"}
		}
		for _, folder := range folders {
			for _, name := range names {
				out = append(out, policy.Change{Path: folder, Below: name})
			}
		}
	}
	return out
}

// gitChangesFiles reports whether a git command replaces or removes the files
// it is given, rather than only its index.
func gitChangesFiles(p command.Program) bool {
	args, ok := gitArgs(p)
	if !ok {
		return false
	}
	switch args[0] {
	case "checkout", "restore":
		if slices.Contains(args, "-p") || slices.Contains(args, "--patch") {
			return false // it asks about each piece
		}
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

// gitVerb is the command of git that puts back what it has of the files, "" for
// one that takes them away for good.
func gitVerb(list []command.Program) string {
	for _, p := range list {
		if args, ok := gitArgs(p); ok && (args[0] == "checkout" || args[0] == "restore") {
			return args[0]
		}
	}
	return ""
}

// gitArgs are the arguments of a git command from its verb on.
func gitArgs(p command.Program) ([]string, bool) {
	if p.Name != "git" {
		return nil, false
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
	return args, len(args) > 0
}

// patches reports whether a program applies a patch, which names its files
// itself.
func patches(p command.Program) bool {
	args, git := gitArgs(p)
	return p.Name == "patch" || p.Name == "gpatch" || git && (args[0] == "apply" || args[0] == "am")
}

// diffChanges are the files that a text names as a unified diff does.
func diffChanges(text string) []policy.Change {
	var out []policy.Change
	for line := range strings.Lines(text) {
		for _, mark := range []string{"--- ", "+++ ", "rename from ", "rename to ", "Index: "} {
			name, ok := strings.CutPrefix(strings.TrimSpace(line), mark)
			if !ok || len(out) >= maxQuoted {
				continue
			}
			name, _, _ = strings.Cut(name, "\t")
			out = append(out, policy.Change{Path: name, Removed: true})
			if _, below, ok := strings.Cut(name, "/"); ok { // a/ and b/ of git
				out = append(out, policy.Change{Path: below, Removed: true})
			}
		}
	}
	return out
}

// maxPatches bounds how many patch files are read for one line.
const maxPatches = 4

// patchFiles are the changes of the patches that a line names and the project
// holds.
func (x *decision) patchFiles(facts command.Facts) []policy.Change {
	var out []policy.Change
	read := 0
	for _, t := range facts.Targets {
		name := t.Word.Text
		if t.Program != "<" && t.Program != "patch" && t.Program != "git" || !t.Word.Resolved() || read == maxPatches {
			continue
		}
		if !filepath.IsAbs(name) {
			name = filepath.Join(x.base(), name)
		}
		rel, err := filepath.Rel(x.project.root, name)
		if err != nil {
			continue
		}
		if text, err := x.project.readFile(filepath.ToSlash(rel)); err == nil {
			read++
			out = append(out, diffChanges(string(text))...)
		}
	}
	return out
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

// movesFiles reports whether a program's text names what moves or removes
// whole folders.
func movesFiles(text string) bool {
	return slices.ContainsFunc([]string{"rename", "move", "rmtree", "rmdir", "rm_r", "rmSync", "symlink"}, func(w string) bool { return strings.Contains(text, w) })
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
