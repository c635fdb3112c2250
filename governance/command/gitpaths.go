package command

import (
	"path"
	"strings"
)

// gitShows are the git commands that show what is in the files they are given; the log does so with some options only.
const gitShows names = "diff difftool show log whatchanged grep blame annotate cat-file archive format-patch fast-export diff-tree " +
	"diff-index diff-files range-diff"

// gitTargets tells paths and revisions from messages.
func (a *analysis) gitTargets(sc *scope, args []Word) {
	in := gitFolder(args)
	args, _ = gitVerb(args)
	if len(args) == 0 {
		return
	}
	verb := strings.ToLower(args[0].Text)
	access := Read
	spec := &arguments{text: "-m --message --grep -S -G --author --date --format --pretty -c -C --trailer --since --until -x --extcmd -t --tool"}
	switch verb {
	case "branch", "push", "pull", "fetch", "remote", "merge", "rebase", "switch", "worktree", "config", "bisect",
		"cherry-pick", "revert", "init", "help":
		return // names of branches and settings
	case "tag", "notes", "clone":
		access = Touch
	case "check-ignore", "rm", "ls-files", "update-index", "reset", "checkout", "restore", "clean", "ls-tree", "rev-parse", "sparse-checkout", "status":
		access = Touch
	case "diff", "show", "log", "whatchanged", "diff-tree", "diff-index", "diff-files", "range-diff":
		if !gitPatches(verb, args[1:]) {
			access = Touch
		}
	case "stash":
		if access = Touch; len(args) > 1 && args[1].Text == "show" && gitPatches("log", args[2:]) {
			access = Read
		}
	case "grep":
		spec.data, spec.pattern = 1, "-e"
		spec.text += " -e -A -B"
	case "commit":
		// Letters may be bundled: the message is the word after any of them that ends in m.
		args = dropMessages(args)
	}
	spec.all = access
	shown := access == Read && (gitShows.has(verb) || verb == "stash")
	before := len(a.facts.Targets)
	revisions, paths := gitPaths(verb, spec, args[1:], shown)
	a.argumentTargets(sc, "git", spec, revisions)
	if len(paths) > 0 {
		below := *spec
		below.data = 0
		if shown {
			below.folder = "*"
		}
		a.argumentTargets(sc, "git", &below, append([]Word{{Text: "--"}}, paths...))
	}
	if !shown || sc.quiet {
		return
	}
	dir := sc.folder()
	if in.Text != "" {
		dir = path.Join(dir, in.Text)
		if path.IsAbs(in.Text) {
			dir = in.Text
		}
	}
	if dir == "" || dir == "." {
		return
	}
	// What git is asked about in a folder is what is in it, unless paths say which part of it.
	for i := before; i < len(a.facts.Targets); i++ {
		a.facts.Targets[i].Dir = dir
	}
	if len(paths) == 0 {
		in.Text = dir
		a.target(sc, Target{Word: in, Access: Read, Program: "git", Folder: true})
	}
}

// gitPatches says that a call of a verb that compares or lists commits shows what is in the files.
func gitPatches(verb string, args []Word) bool {
	if hasFlag(args, "--stat", "--shortstat", "--numstat", "--name-only", "--name-status", "--summary", "--quiet", "--dirstat", "--check", "--raw", "-s", "--no-patch") {
		return hasFlag(args, "-p", "-u", "--patch", "--patch-with-stat")
	}
	if verb == "diff" || verb == "show" || verb == "range-diff" {
		return true
	}
	return flags(args, "nSGOLl", func(long string) bool {
		return prefixOf(long, "patch", 3) || long == "patch-with-stat" || long == "cc" || long == "unified" || long == "word-diff" ||
			long == "color-words" || long == "full-diff" || long == "remerge-diff" || long == "dd"
	}, func(c byte) bool {
		return c == 'p' || c == 'u' || c == 'c' || c == 'm' || c == 'L' || c == 'U' || c == 'W'
	})
}

// gitPaths takes the words after a verb apart: revisions and options, and what is surely a path. A name alone may be a
// branch ("feature/secrets"); one after "--" is a path, and so is one that is written like it. What is excluded is left
// out.
func gitPaths(verb string, spec *arguments, args []Word, shown bool) (revisions, paths []Word) {
	options, data := true, spec.data
	for i, w := range args {
		if strings.HasPrefix(w.Text, ":!") || strings.HasPrefix(w.Text, ":^") || strings.HasPrefix(w.Text, ":(exclude)") {
			continue
		}
		option := strings.HasPrefix(w.Text, "-")
		valued := i > 0 && (spec.text.has(args[i-1].Text) || spec.pattern.has(args[i-1].Text))
		if option && spec.pattern.has(w.Text) {
			data = 0
		}
		slash := strings.HasSuffix(w.Text, "/")
		if verb == "add" || shown {
			w.Text = strings.TrimRight(w.Text, "/") // a folder that is added is not shown, and one that is shown is judged whole
		}
		switch {
		case options && w.Text == "--":
			options = false
		case !options:
			paths = append(paths, w)
		case option || valued:
			revisions = append(revisions, w)
		case data > 0:
			data--
			revisions = append(revisions, w)
		case shown && (slash || strings.HasPrefix(w.Text, "./") || secretFolders.has(w.Text) || verb == "archive" && len(revisions) > 0):
			paths = append(paths, w)
		default:
			revisions = append(revisions, w)
		}
	}
	return revisions, paths
}

// secretFolders are the names of folders that a branch hardly bears alone.
const secretFolders names = "secret secrets credentials"

// gitFolder is the folder that git is told to work in, empty for the one that the line is in.
func gitFolder(args []Word) Word {
	var in Word
	for i := 0; i+1 < len(args) && strings.HasPrefix(args[i].Text, "-"); i++ {
		switch args[i].Text {
		case "-C":
			i++
			if w := args[i]; in.Text != "" && !path.IsAbs(w.Text) {
				in = part(w, path.Join(in.Text, w.Text))
			} else {
				in = w
			}
		case "-c", "--git-dir", "--work-tree", "--namespace", "--super-prefix", "--config-env", "--attr-source":
			i++
		}
	}
	return in
}

func dropMessages(args []Word) []Word {
	var kept []Word
	for i := 0; i < len(args); i++ {
		t := args[i].Text
		if len(t) > 2 && t[0] == '-' && t[1] != '-' {
			if at := strings.IndexByte(t, 'm'); at > 0 {
				if at == len(t)-1 {
					i++
				}
				continue
			}
		}
		kept = append(kept, args[i])
	}
	return kept
}
