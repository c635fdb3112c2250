package command

import (
	"slices"
	"strings"
)

// gitVerbs are the git commands that are judged in their dashed form too (git-reset).
const gitVerbs names = "push reset clean checkout restore switch rm checkout-index submodule bisect rebase filter-branch"

// git follows git: its global options, aliases given on the line, verbs that run programs, and what destroys.
func (a *analysis) git(sc *scope, words []Word) {
	a.record(sc, "git", words)
	if !readOnly("git", words[1:]) {
		a.mutates(sc, words)
	}
	args, config := gitVerb(words[1:])
	if len(args) > 2 && args[0].Text == "config" {
		a.gitConfig(sc, args[1:])
	}
	aliases := a.gitAliases
	for _, setting := range config {
		key, val, _ := strings.Cut(setting, "=")
		switch key = strings.ToLower(key); {
		case strings.HasPrefix(key, "alias."):
			aliases[key[len("alias."):]] = val
		case gitRunsSetting(key):
			a.guessText(sc.under("git"), strings.TrimPrefix(val, "!"))
		}
	}
	if len(args) == 0 {
		return
	}
	if !args[0].Resolved() {
		// What is not known may be the verb or an option before it.
		a.opaque(sc, join(words))
		if len(args) > 1 {
			if label, ok := gitDestroys(strings.ToLower(args[1].Text), args[2:]); ok {
				a.destructive(label, join(words))
			}
		}
		return
	}
	verb := strings.ToLower(args[0].Text)
	if text, ok := aliases[verb]; ok {
		sub := sc.under("git")
		if shell, ok := strings.CutPrefix(text, "!"); ok {
			a.text(sub, shell+" "+requote(args[1:]))
		} else if !slices.Contains(sc.via, "git") {
			a.text(sub, "git "+text+" "+requote(args[1:]))
		}
		return
	}
	a.gitRuns(sc, verb, args)
	a.gitTransport(sc.under("git"), verb, args[1:])
	if label, ok := gitDestroys(verb, args[1:]); ok {
		a.destructive(label, join(words))
	}
}

// gitRunsSetting says that git runs the value of a setting.
func gitRunsSetting(key string) bool {
	switch key {
	case "core.pager", "core.editor", "core.sshcommand", "core.fsmonitor", "sequence.editor", "diff.external", "core.askpass", "credential.helper":
		return true
	}
	return strings.HasPrefix(key, "pager.") || strings.HasPrefix(key, "filter.") || strings.HasSuffix(key, ".textconv") || strings.HasSuffix(key, ".cmd")
}

// gitConfig remembers an alias that is defined, for a later use on the line, and looks at what a setting will run.
func (a *analysis) gitConfig(sc *scope, args []Word) {
	for i, w := range args[:len(args)-1] {
		key, val := strings.ToLower(w.Text), args[i+1].Text
		name, ok := strings.CutPrefix(key, "alias.")
		switch {
		case ok:
			a.gitAliases[name] = val
			if shell, ok := strings.CutPrefix(val, "!"); ok {
				a.guessText(sc.under("git"), shell)
			}
		case gitRunsSetting(key):
			a.guessText(sc.under("git"), strings.TrimPrefix(val, "!"))
		}
	}
}

// gitTransport follows the programs that git is told to speak with or to show results in.
func (a *analysis) gitTransport(sc *scope, verb string, args []Word) {
	switch verb {
	case "clone", "fetch", "pull", "push", "ls-remote", "archive", "fetch-pack", "remote", "submodule", "grep":
	default:
		return
	}
	for i, w := range args {
		name, val, glued := strings.Cut(w.Text, "=")
		if transport, ok := strings.CutPrefix(w.Text, "ext::"); ok {
			a.guessText(sc, strings.ReplaceAll(transport, "% ", " "))
			a.opaque(sc, w.Text)
		}
		if pager, ok := strings.CutPrefix(w.Text, "-O"); ok && verb == "grep" && pager != "" {
			a.guessText(sc, pager)
		}
		switch name {
		case "--config", "-c":
			setting := val
			if i+1 < len(args) && (name == "-c" || !glued) {
				setting = args[i+1].Text
			}
			if key, run, ok := strings.Cut(setting, "="); ok && verb == "clone" && gitRunsSetting(strings.ToLower(key)) {
				a.guessText(sc, run)
			}
		case "--upload-pack", "--receive-pack", "--exec", "--open-files-in-pager", "-u":
			if name == "-u" && verb != "clone" {
				continue
			}
			if !glued && i+1 < len(args) && verb != "grep" {
				val = args[i+1].Text
			}
			a.guessText(sc, val)
		}
	}
}

// gitRuns follows the verbs that run programs.
func (a *analysis) gitRuns(sc *scope, verb string, args []Word) {
	sub := sc.under("git")
	switch verb {
	case "bisect":
		if len(args) > 2 && args[1].Text == "run" {
			a.run(sub, args[2:])
		}
	case "submodule":
		if len(args) > 2 && args[1].Text == "foreach" {
			rest := args[2:]
			for len(rest) > 0 && (rest[0].Text == "--recursive" || rest[0].Text == "-q" || rest[0].Text == "--quiet") {
				rest = rest[1:]
			}
			a.text(sub, join(rest))
			a.guessQuoted(sub, rest)
		}
	case "rebase", "difftool", "filter-branch":
		for i, w := range args {
			name, val, glued := strings.Cut(w.Text, "=")
			if name == "-x" || name == "--exec" || name == "--extcmd" || strings.HasSuffix(name, "-filter") {
				if !glued && i+1 < len(args) {
					val = args[i+1].Text
				}
				a.text(sub, val)
			}
		}
	}
}

// gitVerb skips git's global options and returns the verb with its arguments, and the settings given with -c.
func gitVerb(args []Word) (rest []Word, config []string) {
	for i := 0; i < len(args); i++ {
		t := args[i].Text
		switch {
		case t == "-c" && i+1 < len(args):
			i++
			config = append(config, args[i].Text)
		case t == "-C", t == "--git-dir", t == "--work-tree", t == "--namespace", t == "--super-prefix", t == "--config-env",
			t == "--attr-source":
			i++
		case len(t) > 1 && t[0] == '-':
			if t == "--help" || t == "--version" || t == "-h" || t == "-v" {
				return nil, config
			}
		default:
			return args[i:], config
		}
	}
	return nil, config
}

// gitDestroys says whether a verb with these arguments loses work.
func gitDestroys(verb string, args []Word) (Label, bool) {
	if hasFlag(args, "--help") {
		return "", false
	}
	has := func(valued, letters string, long func(string) bool) bool {
		return flags(args, valued, long, func(c byte) bool { return strings.IndexByte(letters, c) >= 0 })
	}
	dryRun := func(valued string) bool {
		return has(valued, "n", func(l string) bool { return l == "dry-run" })
	}
	switch verb {
	case "push":
		forced := has("o", "f", func(l string) bool {
			return l == "force" || l == "mirror" || prefixOf(l, "force-with-lease", 7) || prefixOf(l, "force-if-includes", 7)
		})
		for i, w := range args {
			plus := len(w.Text) > 1 && w.Text[0] == '+'
			forced = forced || plus && (i == 0 || args[i-1].Text != "-o" && args[i-1].Text != "--push-option")
		}
		return ForcePush, forced && !dryRun("o")
	case "reset":
		return HardReset, has("", "", func(l string) bool { return prefixOf(l, "hard", 2) })
	case "clean":
		return ForcedClean, has("e", "f", func(l string) bool { return prefixOf(l, "force", 1) }) && !dryRun("e")
	case "checkout", "restore", "switch":
		return DiscardChanges, discards(verb, args)
	case "checkout-index":
		return DiscardChanges, has("", "f", func(l string) bool { return l == "force" }) && has("", "a", func(l string) bool { return l == "all" })
	case "rm":
		risky := has("", "rfRF", func(l string) bool { return prefixOf(l, "force", 1) })
		return RecursiveDelete, risky && !hasFlag(args, "--cached") && !dryRun("")
	}
	return "", false
}

// discards says whether checkout, restore or switch throw all changes of the working tree away.
func discards(verb string, args []Word) bool {
	if hasFlag(args, "-p", "--patch", "--ours", "--theirs") {
		return false // a choice, hunk by hunk or of one side of a conflict
	}
	force := func(letters string) bool {
		return flags(args, "bBcC", func(l string) bool { return l == "force" || l == "discard-changes" },
			func(c byte) bool { return strings.IndexByte(letters, c) >= 0 })
	}
	switch verb {
	case "checkout", "switch":
		if force("f") {
			return true
		}
	case "restore":
		staged := hasFlag(args, "--staged", "-S")
		if staged && !hasFlag(args, "--worktree", "-W", "-SW", "-WS") {
			return false
		}
	}
	if verb == "switch" {
		return false
	}
	for i, w := range args {
		switch w.Text {
		case ".", "./", ":/", ":/.", ":", "*", ":(top)":
			if i == 0 || args[i-1].Text != "-b" && args[i-1].Text != "-B" {
				return true // git takes a quoted "*" for a pattern of its own
			}
		}
	}
	return false
}
