package policy

import (
	"path"
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/surface"
)

// Call is what is known about one tool call before it runs. Package decide
// fills it from the host's payload, the command facts and the secret table.
type Call struct {
	Tool     string // the host's own name of the tool
	Family   surface.ToolFamily
	Kind     Kind
	Mutation Mutation
	// DestructiveLabel says what the call would destroy; empty where nothing.
	DestructiveLabel surface.Text
	// SecretFragment is the part of the call that names a secret file.
	SecretFragment string

	// Command is the command line of a call that runs one.
	Command string
	// Programs are what that line would run, wrappers unfolded.
	Programs []Program
	// Unresolved says that the line also runs something that cannot be known.
	Unresolved bool

	// Root is the project root and Cwd the folder relative paths start from,
	// both absolute; an empty Cwd is Root.
	Root, Cwd string
	// Targets are the files the call names, as it names them.
	Targets []string
	// Changes are those it writes, moves or removes.
	Changes []Change

	// Exists tells whether there is a file, relative to the project or
	// absolute, or for a path with `*` one that fits: a change of many files at once reaches only those that are
	// there. Where it is nil, all are.
	Exists func(path string) bool

	// Unclean tells which of some files of the project, given with wildcards, differ from what git has committed; with
	// untracked and ignored, also those that it does not know. Where it is nil, none does.
	Unclean func(paths []string, untracked, ignored bool) []string

	// Input is the tool's input as the host sent it, one JSON value.
	Input []byte
	// ToolUseID is the host's id of the call, "" where it gives none.
	ToolUseID string
}

// Program is one program a command line runs, with its words resolved.
type Program struct {
	Name string // last element of its path, lower case
	Args []string
	Via  []string // what it runs under, outermost first
}

// Change is one file a call writes, with what is known of the text.
type Change struct {
	Path string
	// Old is replaced by New; with Whole, New is the whole new text. All are
	// empty where the text is not known.
	Old, New string
	Whole    bool
	// Removed says that the path, and what is below it, is moved or deleted.
	Removed bool
	// Below is a pattern of names: what is changed are the files below Path
	// that bear one. Path itself then stands for nothing else.
	Below string
	// Into says that files are put below Path under names of their own: those
	// below From, or any where From is empty.
	Into bool
	From string
	// Maybe says that the program may as well only read the file.
	Maybe bool
	// Git is the command of git that takes the path along, or puts back what
	// it has of it ("stash", "checkout").
	Git string
}

// Detail is the second term patterns are compared with: the command line,
// else the first target, else nothing. The tool of an MCP server has none
// but a command, since its arguments follow no convention.
func (c *Call) Detail() string {
	switch {
	case strings.TrimSpace(c.Command) != "":
		return c.Command
	case c.Family == surface.FamilyMCP || len(c.Targets) == 0:
		return ""
	}
	return c.Targets[0]
}

// details are all the terms under which patterns find the call: the whole
// command line and each program it runs, so that `cd x && rm y` is an rm; or
// each target, as given and relative to the project.
func (c *Call) details() []string {
	if strings.TrimSpace(c.Command) != "" {
		out := []string{c.Command}
		for _, p := range c.Programs {
			out = append(out, p.line())
			if p.Name == "git" {
				out = append(out, p.withoutGitOptions().line())
			}
		}
		return out
	}
	if c.Family == surface.FamilyMCP {
		return nil
	}
	var out []string
	for _, t := range c.Targets {
		out = append(out, t)
		if rel, inside := c.relative(t); inside && rel != t {
			out = append(out, rel)
		}
	}
	return out
}

func (p Program) line() string {
	if len(p.Args) == 0 {
		return p.Name
	}
	return p.Name + " " + strings.Join(p.Args, " ")
}

// withoutGitOptions drops what stands between git and its verb:
// `git -C dir push` is a `git push`.
func (p Program) withoutGitOptions() Program {
	args := p.Args
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		n := 1
		if slices.Contains([]string{"-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--super-prefix", "--config-env"}, args[0]) {
			n = min(2, len(args))
		}
		args = args[n:]
	}
	return Program{Name: p.Name, Args: args}
}

// relative gives a path as the project names it: slash-separated, clean and
// relative to the root. It reports false for one outside the project, which
// it returns absolute. Links are not followed.
func (c *Call) relative(p string) (string, bool) {
	p = slashed(p)
	if !absolute(p) {
		cwd := slashed(c.Cwd)
		if cwd == "" {
			cwd = slashed(c.Root)
		}
		p = cwd + "/" + p
	}
	p, root := path.Clean(p), path.Clean(slashed(c.Root))
	switch {
	case strings.EqualFold(p, root):
		return ".", true
	case len(p) > len(root) && strings.EqualFold(p[:len(root)], root) && p[len(root)] == '/':
		return p[len(root)+1:], true
	case root == "/" && strings.HasPrefix(p, "/"):
		return p[1:], true
	}
	return p, false
}

func slashed(p string) string {
	p = strings.TrimPrefix(p, "file://")
	return strings.ReplaceAll(p, `\`, "/")
}

func absolute(p string) bool {
	return strings.HasPrefix(p, "/") || strings.HasPrefix(p, "~") || len(p) > 1 && p[1] == ':'
}
