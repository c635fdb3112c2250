package observe

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/governance/command"
)

// Place is where a line starts: the project, and a folder. Both are absolute.
type Place struct{ Root, Dir string }

// Checks are what a command line checks.
type Checks struct {
	// Kinds are the programs with their verbs ("go test"), each once; none
	// where the line is no check.
	Kinds []string
	// Alone says that nothing stands beside them. Otherwise a `grimoire task`
	// follows, and if the line fails, nothing tells which of them did.
	Alone bool
	// Lost says that one of them has nothing to check where it starts: a script
	// of a package.json that is not there. If the line fails, that may be all.
	Lost bool
}

// ChecksOf says what a line checks, and that it does nothing beside it but go
// to a folder of the project or run `grimoire task`: its outcome is then the
// checks'. `go test ./... || true` is no check, nor is one whose output goes
// through a pipe. Dry runs, listings, helps, other projects, programs that are
// given by a path, and a line that changes which program a name stands for are
// no checks either: see checkers.
func ChecksOf(line string, facts command.Facts, at Place) Checks {
	none, c := Checks{}, Checks{Alone: true}
	if len(facts.Opaque) > 0 || facts.Unjudged != "" || !plain(line) {
		return none
	}
	for _, p := range facts.Programs {
		switch {
		case p.Name == "cd":
			if len(p.Args) != 1 || !p.Args[0].Resolved() || p.Args[0].Text == "-" || at.leadsOut(p.Args[0].Text) {
				return none
			}
			if at.Dir = at.path(p.Args[0].Text); !at.holds(at.Dir) {
				return none
			}
		case p.Name == "grimoire" && len(c.Kinds) > 0 && runsTask(p.Args):
			c.Alone = false
		default:
			kind := checks(p, at)
			if kind == "" || !c.Alone || !wrapped(line, p.Via) || !at.holds(at.Dir) {
				return none
			}
			c.Lost = c.Lost || at.lost(kind, p)
			if !slices.Contains(c.Kinds, kind) {
				c.Kinds = append(c.Kinds, kind)
			}
		}
	}
	if len(c.Kinds) == 0 {
		return none
	}
	return c
}

// IsCheck reports whether a program, whatever stands beside it, is one of those
// that ChecksOf knows to check.
func IsCheck(p command.Program, at Place) bool { return checks(p, at) != "" }

// runsTask reports whether the arguments of grimoire are those of a command
// about a task, which writes no file of the work: an export may.
func runsTask(args []command.Word) bool {
	return len(args) > 1 && args[0].Text == "task" && args[1].Text != "board"
}

// plain reports whether a line is a chain of programs that all have to
// succeed, under names that it leaves alone.
func plain(line string) bool {
	rest := strings.NewReplacer("&&", "", "2>&1", "", ">&2", "").Replace(line)
	if strings.ContainsAny(rest, "|;&`\n!") || strings.Contains(rest, "$(") {
		return false
	}
	compact := strings.Join(strings.Fields(line), "")
	if strings.Contains(compact, "()") { // a function
		return false
	}
	for _, word := range strings.Fields(line) {
		if word == "function" || word == "alias" {
			return false
		}
		name, value, ok := strings.Cut(strings.TrimLeft(word, `"'(`), "=")
		if ok && isName(name) && steers(name) && !(name == "PYTHONPATH" && (value == "." || value == "src")) { // as projects say it
			return false
		}
	}
	return true
}

func isName(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == ""
}

// steers reports whether a variable of that name says which programs are run,
// or with which options.
func steers(name string) bool {
	name = strings.ToUpper(name)
	for _, part := range []string{"PATH", "FLAGS", "OPT", "ARGS", "PRELOAD", "WRAPPER", "SHELL", "EXEC", "RUNNER", "HOME", "ROOT", "CONFIG"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	for _, prefix := range []string{"LD_", "DYLD_", "BASH_", "CARGO_", "RUSTC", "MAKE"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	switch name {
	case "GOMAXPROCS", "GOTRACEBACK", "GODEBUG", "GORACE", "GOGC":
		return false
	case "ENV", "IFS", "SHELLOPTS":
		return true
	}
	return strings.HasPrefix(name, "GO")
}

// through are the programs through which another may be run and its outcome
// stay its own. What runs elsewhere (ssh, docker) is not among them.
const through = " time gtime nice ionice timeout gtimeout env command exec nohup stdbuf chronic caffeinate rtk sh bash dash zsh" + runners

// runners run a program of the project's own environment.
const runners = " uv poetry pipenv pdm hatch npx bunx "

// wrapped reports whether what a program was run through is among them, and
// runs it here.
func wrapped(line string, via []string) bool {
	words := strings.Fields(line)
	for _, name := range via {
		if !strings.Contains(through, " "+name+" ") {
			return false
		}
		at := slices.IndexFunc(words, func(w string) bool { return w[strings.LastIndexByte(w, '/')+1:] == name })
		if at < 0 || strings.Contains(words[at], "/") {
			return false
		}
		for _, w := range words[at+1:] {
			option, _, _ := strings.Cut(w, "=")
			switch {
			case strings.HasSuffix(name, "sh"):
				if !strings.HasPrefix(w, "-") || strings.ContainsAny(w, "nor") { // it runs nothing, or a file of its own choice
					return false
				}
			case name == "env" && (strings.HasPrefix(w, "-C") || strings.HasPrefix(w, "--chdir") || strings.HasPrefix(w, "-S")),
				strings.Contains(runners, " "+name+" ") && slices.Contains([]string{"-p", "--package", "-c", "--call", "-C", "-P", "--directory", "--project"}, option):
				return false
			}
			if strings.HasSuffix(name, "sh") && strings.Contains(w, "c") || !strings.HasPrefix(w, "-") && w != "run" && name != "env" {
				break // the program, or its text
			}
		}
	}
	return true
}

// path is where a name leads from the folder that the line has come to.
func (at Place) path(name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(at.Dir, name)
}

// holds reports whether a path lies in the project, links followed.
func (at Place) holds(path string) bool {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	root := at.Root
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	rel, err := filepath.Rel(root, path)
	return err == nil && filepath.IsLocal(rel)
}

// leadsOut reports whether a word of a program names a place outside of the
// project, from where it would take what it checks.
func (at Place) leadsOut(word string) bool {
	switch {
	case strings.Contains(word, "://"):
		return true
	case strings.HasPrefix(word, "~"):
		return true
	case filepath.IsAbs(word), word == "..", strings.HasPrefix(word, "../"), strings.Contains(word, "/../"):
		return !at.holds(at.path(word))
	}
	return false
}
