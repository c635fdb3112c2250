package command

import (
	"encoding/base64"
	"encoding/hex"
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

type inputKind int

const (
	fromTerminal  inputKind = iota // whatever the session gives
	fromText                       // a here-document or a here-string
	fromFile                       // a file named on the line
	fromPipe                       // what statements print
	fromElsewhere                  // another descriptor
	fromIdiom                      // what a known tool prints to set up a shell
	fromProgram                    // a copy of a program, under another name
	fromUnknown
)

// input is where a program reads from.
type input struct {
	kind  inputKind
	text  string // the text, or the name of the file
	stmts []*syntax.Stmt
	sc    *scope
}

// settle works out what a pipe delivers.
func (a *analysis) settle(in input) input {
	if in.kind == fromFile {
		known := in
		if wrote := a.composed[path.Clean(in.text)]; len(wrote) == 1 {
			a.runComposed(&scope{}, Word{Text: in.text}, func(in input) { known = a.settle(in) })
		}
		if known.kind == fromText {
			return known
		}
		return in
	}
	if in.kind != fromPipe {
		return in
	}
	if len(in.stmts) != 1 {
		if text, ok := a.output(in.sc, in.stmts); ok {
			return input{kind: fromText, text: text}
		}
		return input{kind: fromUnknown, text: in.source()}
	}
	out := a.printed(in.sc, in.stmts[0])
	if out.kind == fromUnknown {
		out.text = in.source()
	}
	return out
}

// pieces takes apart what the statements of one group print.
func pieces(in input) []input {
	if in.kind != fromPipe || len(in.stmts) != 1 || len(in.stmts[0].Redirs) > 0 {
		return []input{in}
	}
	var stmts []*syntax.Stmt
	switch c := in.stmts[0].Cmd.(type) {
	case *syntax.Subshell:
		stmts = c.Stmts
	case *syntax.Block:
		stmts = c.Stmts
	default:
		return []input{in}
	}
	var out []input
	for _, s := range stmts {
		out = append(out, input{kind: fromPipe, stmts: []*syntax.Stmt{s}, sc: in.sc})
	}
	return out
}

func (in input) source() string {
	if len(in.stmts) == 0 {
		return ""
	}
	return in.sc.slice(in.stmts[0])
}

// output returns what the statements print, if all of it is known.
func (a *analysis) output(sc *scope, stmts []*syntax.Stmt) (string, bool) {
	var b strings.Builder
	for _, s := range stmts {
		out := a.printed(sc, s)
		if out.kind != fromText {
			return "", false
		}
		b.WriteString(out.text)
	}
	return b.String(), len(stmts) > 0 && b.Len() <= MaxBytes
}

// printed says what one statement writes to its standard output. Nothing is recorded here but through the words: the
// statement itself is followed by its own walk.
func (a *analysis) printed(sc *scope, s *syntax.Stmt) input {
	unknown := input{kind: fromUnknown}
	if s == nil || !a.step() {
		return unknown
	}
	sub := *sc
	sub.quiet = true
	if sub.depth++; sub.depth > MaxDepth {
		return unknown
	}
	a.redirections(&sub, s.Redirs)
	switch c := s.Cmd.(type) {
	case nil: // $(< file)
		if sub.stdin.kind == fromFile || sub.stdin.kind == fromText {
			return sub.stdin
		}
	case *syntax.Block:
		return a.group(&sub, c.Stmts)
	case *syntax.Subshell:
		return a.group(&sub, c.Stmts)
	case *syntax.BinaryCmd:
		if c.Op == syntax.Pipe {
			sub.stdin = a.printed(&sub, c.X)
			return a.printed(&sub, c.Y)
		}
	case *syntax.CallExpr:
		return a.printedBy(&sub, a.fields(&sub, c.Args))
	}
	return unknown
}

func (a *analysis) group(sc *scope, stmts []*syntax.Stmt) input {
	if len(stmts) == 1 {
		return a.printed(sc, stmts[0])
	}
	if text, ok := a.output(sc, stmts); ok {
		return input{kind: fromText, text: text}
	}
	return input{kind: fromUnknown}
}

// printedBy says what a program prints, for the few whose output follows from the line.
func (a *analysis) printedBy(sc *scope, words []Word) input {
	unknown := input{kind: fromUnknown}
	if len(words) == 0 {
		return unknown
	}
	name, args := programName(words[0].Text), words[1:]
	var operands []Word
	for _, w := range args {
		if !strings.HasPrefix(w.Text, "-") || w.Text == "-" {
			operands = append(operands, w)
		}
	}
	if prints(name, args) {
		return input{kind: fromIdiom}
	}
	switch name {
	case "command":
		if len(args) == 2 && args[0].Text == "-v" {
			return input{kind: fromText, text: args[1].Text}
		}
		return a.printedBy(sc, args)
	case "builtin", "sudo", "time":
		return a.printedBy(sc, args)
	case "echo":
		escapes := false
		for len(args) > 0 && len(args[0].Text) > 1 && args[0].Text[0] == '-' && strings.Trim(args[0].Text[1:], "neE") == "" {
			escapes = escapes || strings.Contains(args[0].Text, "e")
			args = args[1:]
		}
		text := join(args)
		if escapes {
			text = unescapeANSI(text)
		}
		return input{kind: fromText, text: text + "\n"}
	case "printf":
		if len(args) > 0 && args[0].Text == "--" {
			args = args[1:]
		}
		if len(args) > 0 {
			return input{kind: fromText, text: format(args[0].Text, args[1:])}
		}
	case "cat", "tee", "tail", "head", "sponge", "pv":
		if name == "cat" && len(operands) > 0 && operands[0].Text != "-" {
			if operands[0].feed != nil {
				return a.settle(*operands[0].feed)
			}
			return input{kind: fromFile, text: operands[0].Text}
		}
		if name == "tail" || name == "head" {
			if len(operands) > 0 && strings.Trim(operands[len(operands)-1].Text, "0123456789") != "" {
				return input{kind: fromFile, text: operands[len(operands)-1].Text}
			}
		}
		return a.settle(sc.stdin)
	case "base64", "openssl":
		decode := slices.ContainsFunc(args, func(w Word) bool {
			return w.Text == "-d" || w.Text == "-D" || w.Text == "--decode" || w.Text == "-di"
		})
		in := a.settle(sc.stdin)
		if decode && in.kind == fromText {
			compact := strings.Join(strings.Fields(in.text), "")
			if b, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(compact, "=")); err == nil {
				return input{kind: fromText, text: string(b)}
			}
		}
		if name == "base64" && !decode && in.kind == fromText && len(operands) == 0 {
			return input{kind: fromText, text: base64.StdEncoding.EncodeToString([]byte(in.text))}
		}
	case "xxd":
		in := a.settle(sc.stdin)
		if in.kind == fromText && len(args) > 0 && strings.Contains(join(args), "-r") {
			if b, err := hex.DecodeString(strings.Join(strings.Fields(in.text), "")); err == nil {
				return input{kind: fromText, text: string(b)}
			}
		}
	case "rev":
		if in := a.settle(sc.stdin); in.kind == fromText {
			runes := []rune(strings.TrimRight(in.text, "\n"))
			slices.Reverse(runes)
			return input{kind: fromText, text: string(runes)}
		}
	case "ls":
		var names strings.Builder
		for _, w := range operands {
			names.WriteString(w.Text + "\n")
		}
		if len(operands) > 0 {
			return input{kind: fromText, text: names.String()}
		}
	case "which", "basename":
		if len(operands) > 0 {
			return input{kind: fromText, text: operands[0].Text[strings.LastIndexByte(operands[0].Text, '/')+1:]}
		}
	}
	return unknown
}

// format does printf for plain strings; a directive that needs a number prints its argument.
func format(layout string, args []Word) string {
	layout = unescapeANSI(layout)
	var b strings.Builder
	for {
		used := 0
		for i := 0; i < len(layout); i++ {
			if layout[i] != '%' || i+1 == len(layout) {
				b.WriteByte(layout[i])
				continue
			}
			i++
			for i+1 < len(layout) && strings.IndexByte("-+ #0123456789.", layout[i]) >= 0 {
				i++
			}
			if layout[i] == '%' {
				b.WriteByte('%')
				continue
			}
			if used < len(args) {
				b.WriteString(args[used].Text)
				used++
			}
		}
		if used == 0 || used >= len(args) || b.Len() > MaxBytes {
			return b.String()
		}
		args = args[used:]
	}
}

// prints says that a program is known to print shell code that sets up a session: "eval" of it is an idiom, not a
// mystery.
func prints(name string, args []Word) bool {
	first := func(options ...string) bool {
		return len(args) > 0 && slices.Contains(options, args[0].Text)
	}
	switch name {
	case "ssh-agent", "dircolors", "keychain", "lesspipe", "resize", "gnome-keyring-daemon", "thefuck",
		"register-python-argcomplete", "tset", "locale-gen", "luarocks":
		return true
	case "direnv":
		return first("hook", "export")
	case "brew":
		return first("shellenv")
	case "pyenv", "rbenv", "nodenv", "goenv", "jenv", "plenv", "phpenv", "starship", "zoxide", "atuin", "rtx", "tfenv",
		"oh-my-posh", "navi", "mcfly", "sheldon", "vfox", "pay-respects":
		return first("init", "virtualenv-init", "prompt", "sh-shell", "source", "activate", "-")
	case "mise", "asdf", "volta", "fnm", "proto", "nvm", "devbox", "opam", "luaver", "pixi", "micromamba", "mamba":
		return first("activate", "env", "hook-env", "shellenv", "global", "setup", "exec", "shell-hook", "shell")
	case "conda":
		return first("shell.bash", "shell.zsh", "shell.posix")
	case "minikube":
		return first("docker-env", "podman-env")
	case "docker-machine":
		return first("env")
	case "kubectl", "helm", "gh", "npm", "pip", "pip3", "poetry", "rustup", "docker", "oc", "kind", "k3d", "cargo",
		"deno", "bun", "pnpm", "uv", "ng", "flux", "argocd", "task", "just", "golangci-lint", "goreleaser", "fzf",
		"grimoire":
		return slices.ContainsFunc(args, func(w Word) bool {
			return w.Text == "completion" || w.Text == "completions" || w.Text == "generate-shell-completion" ||
				w.Text == "--bash" || w.Text == "--zsh"
		})
	}
	return false
}
