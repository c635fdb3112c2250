package managed

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// The hook, and the command that carried it before it was a program of its own.
const (
	hookProgram = "grimoire-hook"
	kitProgram  = "grimoire"
)

// warnedMark is the folder by which our own command lines remember that a
// session was told of a missing hook (pluginsdk.HookCommand).
const warnedMark = "${TMPDIR:-/tmp}/grimoire-hook-$PPID"

// Bounds on a command line taken from a file of the project. They are checked
// before the shell parser sees the text: its recursion follows the nesting, and
// a stack that overflows cannot be recovered.
const (
	maxCommandBytes   = 16 << 10
	maxCommandOpeners = 256
	maxShellDepth     = 4 // sh -c 'sh -c "…"'
)

// RunsHook reports whether a hook's command line is ours: grimoire's hook is
// what it runs, and the only real program it runs. The hook may stand under any
// path or quoting, behind exec, env or `sh -c`, after assignments and between
// shell builtins that guard it. It may also have one of the kit's two older
// spellings, `grimoire host hook` and `grimoire standard activation-context`.
//
// A command that runs anything else beside the hook is the user's, and so is one
// that merely mentions it. So is one we cannot read: too large, too deep, or not
// a shell's grammar.
func RunsHook(command string) bool {
	return runsHook(command, 0)
}

// RunsHookArgs is RunsHook for the exec form of a hook entry, where the host
// starts command with args and no shell in between (Claude Code, observed
// 2.1.332). With nil args the command is a shell's line.
func RunsHookArgs(command string, args []string) bool {
	if args == nil {
		return RunsHook(command)
	}
	size := len(command)
	for _, a := range args {
		size += len(a) + 1
	}
	if size > maxCommandBytes {
		return false
	}
	s := &script{}
	return s.classify(append([]string{command}, args...)) == hook
}

func runsHook(command string, depth int) bool {
	if depth > maxShellDepth || !readable(command) {
		return false
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(command), "")
	if err != nil {
		return false
	}
	s := &script{depth: depth, vars: map[string]bool{}}
	s.collectVars(file)
	hooks, foreign := 0, false
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.FuncDecl, *syntax.CoprocClause:
			foreign = true
		case *syntax.Stmt:
			foreign = foreign || s.writesFile(n)
		case *syntax.CallExpr:
			switch s.call(n) {
			case hook:
				hooks++
			case program:
				foreign = true
			}
		}
		return !foreign
	})
	return hooks > 0 && !foreign
}

// readable bounds the nesting by the number of things that can open it.
func readable(command string) bool {
	if len(command) > maxCommandBytes || strings.IndexByte(command, 0) >= 0 {
		return false
	}
	openers := 0
	for _, c := range []byte(command) {
		if strings.IndexByte("([{`!-+~", c) >= 0 {
			openers++
		}
	}
	for _, w := range strings.FieldsFunc(command, func(r rune) bool { return r < 'a' || r > 'z' }) {
		switch w {
		case "if", "elif", "else", "while", "until", "for", "select", "case", "time", "coproc", "function":
			openers++
		}
	}
	return openers <= maxCommandOpeners
}

// kind is what running one simple command amounts to.
type kind int

const (
	builtin kind = iota // shell work that starts no program
	hook                // grimoire's hook
	program             // anything else, or a word we cannot resolve
)

// script is what is known about one shell text while its calls are judged.
type script struct {
	depth int
	vars  map[string]bool // variable → every value it is given is the hook's name
}

// collectVars learns which variables can only hold the hook, so that
// `h=/opt/bin/grimoire-hook; "$h" …` is seen for what it is.
func (s *script) collectVars(file *syntax.File) {
	set := func(name string, isHook bool) {
		before, seen := s.vars[name]
		s.vars[name] = isHook && (before || !seen)
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Assign:
			if n.Name != nil {
				set(n.Name.Value, !n.Append && n.Value != nil && s.namesHook(n.Value))
			}
		case *syntax.WordIter:
			for _, w := range n.Items {
				set(n.Name.Value, s.namesHook(w))
			}
		}
		return true
	})
}

// namesHook reports whether the word can only expand to the hook's path.
func (s *script) namesHook(w *syntax.Word) bool {
	part := onlyPart(w)
	switch p := part.(type) {
	case *syntax.ParamExp:
		return p.Param != nil && p.Exp == nil && p.Index == nil && p.Slice == nil && p.Repl == nil &&
			!p.Length && !p.Width && !p.Excl && s.vars[p.Param.Value]
	case *syntax.CmdSubst:
		if len(p.Stmts) != 1 {
			return false
		}
		call, ok := p.Stmts[0].Cmd.(*syntax.CallExpr)
		return ok && len(call.Args) == 3 && text(call.Args[0]) == "command" &&
			text(call.Args[1]) == "-v" && isHookPath(text(call.Args[2]))
	}
	return isHookPath(text(w))
}

// onlyPart gives the single part of a word, looking through double quotes, or nil.
func onlyPart(w *syntax.Word) syntax.WordPart {
	if len(w.Parts) != 1 {
		return nil
	}
	if q, ok := w.Parts[0].(*syntax.DblQuoted); ok {
		if len(q.Parts) != 1 {
			return nil
		}
		return q.Parts[0]
	}
	return w.Parts[0]
}

func (s *script) call(c *syntax.CallExpr) kind {
	if len(c.Args) == 0 {
		return builtin
	}
	argv := make([]string, len(c.Args))
	for i, w := range c.Args {
		if s.namesHook(w) {
			argv[i] = hookProgram
		} else {
			argv[i] = text(w)
		}
	}
	return s.classify(argv)
}

// writesFile reports whether a statement that is not the hook itself sends its
// output to a file: `echo ran >> hooks.log` is a user's work, not a guard.
func (s *script) writesFile(st *syntax.Stmt) bool {
	if c, ok := st.Cmd.(*syntax.CallExpr); ok && s.call(c) == hook {
		return false
	}
	for _, r := range st.Redirs {
		switch r.Op {
		case syntax.RdrIn, syntax.DplIn, syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
			continue
		}
		switch target := text(r.Word); target {
		case "/dev/null", "/dev/stdout", "/dev/stderr", "1", "2", "-":
		default:
			return true
		}
	}
	return false
}

// classify judges one command by its words, following the wrappers of ours.
func (s *script) classify(argv []string) kind {
	for len(argv) > 0 {
		name, rest := programName(argv[0]), argv[1:]
		switch name {
		case hookProgram:
			return hook
		case kitProgram:
			return kitHook(rest)
		case "exec":
			argv = skipOptions(rest, "a")
			if len(argv) == 0 {
				return builtin // only redirections
			}
		case "env":
			argv = skipAssignments(skipOptions(rest, "uC"))
		case "mkdir":
			if argv[0] == name && len(rest) == 1 && rest[0] == warnedMark {
				return builtin
			}
			return program
		case "command":
			if len(rest) > 0 && (rest[0] == "-v" || rest[0] == "-V") {
				return builtin
			}
			argv = skipOptions(rest, "")
		case "sh", "bash", "dash", "zsh", "ksh":
			line, ok := shellLine(rest)
			if ok && runsHook(line, s.depth+1) {
				return hook
			}
			return program
		default:
			if isPython(name) {
				return pythonHook(rest)
			}
			if guards[argv[0]] {
				return builtin
			}
			return program
		}
	}
	return program
}

// guards are the builtins our own command lines may stand between.
var guards = map[string]bool{
	"test": true, "[": true, "echo": true, "printf": true, "exit": true, "return": true,
	"true": true, "false": true, ":": true, "cd": true, "set": true, "unset": true,
	"shift": true, "type": true, "hash": true, "export": true, "readonly": true,
}

// kitHook recognises the two older spellings behind any global option.
func kitHook(args []string) kind {
	args = skipOptions(args, "o")
	if len(args) >= 2 && (args[0] == "host" && args[1] == "hook" ||
		args[0] == "standard" && args[1] == "activation-context") {
		return hook
	}
	return program
}

func isPython(name string) bool {
	return name == "py" || strings.HasPrefix(name, "python") && strings.Trim(name[len("python"):], "0123456789.") == ""
}

// pythonHook recognises `python -m grimoire …`, the kit run as a module.
func pythonHook(args []string) kind {
	for len(args) > 0 && strings.HasPrefix(args[0], "-") && args[0] != "-m" && args[0] != "-c" {
		args = args[1:]
	}
	if len(args) >= 2 && args[0] == "-m" && args[1] == kitProgram {
		return kitHook(args[2:])
	}
	return program
}

// shellLine finds the script of `sh -c script`, behind flags such as -e or -lc.
func shellLine(args []string) (string, bool) {
	for i, a := range args {
		if !strings.HasPrefix(a, "-") || strings.HasPrefix(a, "--") {
			return "", false
		}
		if strings.HasSuffix(a, "c") && i+1 < len(args) {
			return args[i+1], true
		}
	}
	return "", false
}

// skipOptions drops leading options; those whose letter is in withValue take the
// next word with them when it is not attached.
func skipOptions(args []string, withValue string) []string {
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' {
		a := args[0]
		args = args[1:]
		if a == "--" {
			break
		}
		if len(a) == 2 && strings.Contains(withValue, a[1:]) && len(args) > 0 {
			args = args[1:]
		}
	}
	return args
}

func skipAssignments(args []string) []string {
	for len(args) > 0 {
		name, _, found := strings.Cut(args[0], "=")
		if !found || strings.ContainsAny(name, "/\\") {
			break
		}
		args = args[1:]
	}
	return args
}

// programName is the base name of a program's path, in either system's spelling,
// without the extension that Windows adds.
func programName(p string) string {
	name := path.Base(strings.ReplaceAll(p, `\`, "/"))
	if ext := path.Ext(name); strings.EqualFold(ext, ".exe") {
		name = name[:len(name)-len(ext)]
	}
	return name
}

func isHookPath(p string) bool { return programName(p) == hookProgram }
