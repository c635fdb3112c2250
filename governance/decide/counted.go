package decide

import (
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/governance/command"
	"github.com/grimoire-kit/grimoire/governance/observe"
	"github.com/grimoire-kit/grimoire/governance/policy"
	"github.com/grimoire-kit/grimoire/surface"
)

// counts reports whether a call is a change in the session's count: all but
// what only reads, checks, lists or fetches, and grimoire's own commands. The
// budgets of a project's rules count by the call's mutation class instead.
func (x *decision) counts(f facts) bool {
	if checks, _ := x.checks(f); f.call.Mutation == policy.ReadOnly || len(checks.Kinds) > 0 || asksAbout(f.call.Command) {
		return false
	}
	return !x.runsOnly(f, func(p command.Program) bool { return false })
}

// tidies reports whether a call only puts away what a task left: what git and
// the forge's command do with work that is there.
func (x *decision) tidies(f facts) bool {
	return x.runsOnly(f, func(p command.Program) bool {
		verb := gitWords(p)
		return p.Name == "gh" || p.Name == "glab" || len(verb) > 0 && verb[0] != "apply" && verb[0] != "am"
	})
}

// runsOnly reports whether a call runs nothing but programs that leave the work
// as it is, and others that also says are fine, and writes to no file that it
// names.
func (x *decision) runsOnly(f facts, also func(command.Program) bool) bool {
	if x.call.Family != surface.FamilyExecute || len(f.commands) == 0 {
		return false
	}
	at := observe.Place{Root: x.project.root, Dir: x.base()}
	return !slices.ContainsFunc(f.commands, func(facts command.Facts) bool {
		return len(facts.Opaque)+len(facts.Destructive) > 0 || facts.Unjudged != "" || len(facts.Programs) == 0 ||
			slices.ContainsFunc(facts.Targets, func(t command.Target) bool {
				return t.Access == command.Write && t.Word.Text != "/dev/null"
			}) ||
			slices.ContainsFunc(facts.Programs, func(p command.Program) bool {
				return p.Name != "grimoire" && p.Name != "cd" && p.Name != "set" && !p.ReadsOnly() &&
					!lists(p) && !observe.IsCheck(p, at) && !also(p)
			})
	})
}

// aboutItself are the only words of a program that tells what it is.
var aboutItself = []string{"--version", "-v", "-V", "--help", "-h"}

// asksAbout reports whether a line only asks programs what they are. The
// options of an interpreter are not among the words that the analysis leaves.
func asksAbout(line string) bool {
	for _, part := range strings.Split(strings.ReplaceAll(line, ";", "&&"), "&&") {
		words := strings.Fields(part)
		if len(words) != 2 || !slices.Contains(aboutItself, words[1]) || strings.ContainsFunc(words[0], func(r rune) bool {
			return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_.+", r))
		}) {
			return false
		}
	}
	return true
}

// lists reports whether a program lists or fetches, or tells about itself.
func lists(p command.Program) bool {
	if len(p.Args) == 1 && slices.Contains(aboutItself, p.Args[0].Text) && !strings.ContainsAny(p.Path, `/\`) {
		return true
	}
	switch p.Name {
	case "go":
		if len(p.Args) == 0 {
			return false
		}
		switch p.Args[0].Text {
		case "list", "version":
			return !given(p, "-toolexec", "-overlay")
		case "env":
			return !given(p, "-w", "-u")
		}
	case "gofmt":
		return !given(p, "-w") && !given(p, "--w")
	case "git":
		return listsGit(gitWords(p))
	}
	return false
}

// given reports whether a program is given one of options, with or without a
// value glued to it.
func given(p command.Program, options ...string) bool {
	return slices.ContainsFunc(p.Args, func(w command.Word) bool {
		name, _, _ := strings.Cut(w.Text, "=")
		return slices.Contains(options, name)
	})
}

// gitWords are the words of a git command from its verb on, none for another
// program, or where an option before the verb sets anything but the folder.
func gitWords(p command.Program) []string {
	if p.Name != "git" {
		return nil
	}
	var words []string
	for _, w := range p.Args {
		words = append(words, w.Text)
	}
	for len(words) > 0 {
		switch {
		case words[0] == "-C" && len(words) > 1:
			words = words[2:]
		case words[0] == "--no-pager":
			words = words[1:]
		case strings.HasPrefix(words[0], "-"):
			return nil
		default:
			return words
		}
	}
	return nil
}

// The options of git branch that only list, and those among them after which a
// name is one to look for.
var (
	branchLists = []string{"-a", "-r", "-v", "-vv", "-av", "-avv", "-va", "-rv", "-vr", "--all", "--remotes", "--verbose", "--show-current", "--sort", "--format", "--color", "--no-color", "--column", "--no-column", "-i", "--ignore-case"}
	branchLooks = []string{"-l", "--list", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at"}
)

func listsGit(words []string) bool {
	switch {
	case len(words) == 0:
		return false
	case words[0] == "fetch":
		return true
	case words[0] == "stash":
		return len(words) > 1 && (words[1] == "list" || words[1] == "show")
	case words[0] != "branch":
		return false
	}
	names, looks := false, false
	for _, w := range words[1:] {
		name, _, _ := strings.Cut(w, "=")
		switch {
		case slices.Contains(branchLooks, name):
			looks = true
		case !strings.HasPrefix(w, "-"):
			names = true
		case !slices.Contains(branchLists, name):
			return false
		}
	}
	return looks || !names
}
