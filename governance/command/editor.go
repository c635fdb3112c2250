package command

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// viEditors run ex commands that stand on their command line; lineEditors read them from their standard input.
const (
	viEditors   names = "vim vi nvim ex view gvim gview rvim vimdiff nvimdiff mvim evim vimx neovim"
	lineEditors names = "ed red ex"
)

// editorCommands follows the commands that an editor is given: vi and its like on the line (-c, --cmd, +, -S), ed and ex
// on their standard input.
func (a *analysis) editorCommands(sc *scope, name string, args []Word) {
	sub := sc.under(name)
	batch := lineEditors.has(name) && name != "red"
	for i := 0; viEditors.has(name) && i < len(args); i++ {
		t := args[i].Text
		next := Word{}
		if i+1 < len(args) {
			next = args[i+1]
		}
		option, val, glued := strings.Cut(t, "=")
		switch {
		case t == "--":
			i = len(args)
		case strings.HasPrefix(t, "+"):
			a.exCommands(sub, t[1:])
		case option == "--cmd" && glued:
			a.exCommands(sub, val)
		case option == "--cmd", t == "-c", t == "-sc", t == "-ec", t == "-esc":
			i++
			a.exCommands(sub, next.Text)
		case t == "-S" || t == "-u" || t == "-U":
			i++
			a.editorScript(sub, next)
		case strings.HasPrefix(t, "-c") || strings.HasPrefix(t, "-S") && len(t) > 2:
			a.exCommands(sub, t[2:])
		case t == "-e" || t == "-E" || t == "-es" || t == "-Es" || t == "-s" && i > 0 && strings.HasPrefix(args[i-1].Text, "-e"):
			batch = true
		}
	}
	if !batch {
		return
	}
	if in := a.settle(sc.stdin); in.kind == fromText {
		a.exCommands(sub, in.text)
	}
}

// editorScript follows a file of commands that the line itself writes.
func (a *analysis) editorScript(sc *scope, file Word) {
	follow := func(in input) {
		if in = a.settle(in); in.kind == fromText {
			a.exCommands(sc, in.text)
		}
	}
	if file.feed != nil {
		follow(*file.feed)
	}
	a.runComposed(sc, file, follow)
}

// exCommands follows the lines of an ex script.
func (a *analysis) exCommands(sc *scope, text string) {
	for line := range strings.Lines(text) {
		if !a.step() {
			return
		}
		a.exCommand(sc, strings.TrimSpace(line))
	}
}

// exModifiers are the words that may stand before an ex command.
const exModifiers names = "silent sil silent! sil! noautocmd noa keepjumps keepalt keeppatterns verbose unsilent hide botright " +
	"vertical vert tab argdo bufdo windo tabdo cdo cfdo ldo lfdo"

// exCommand follows one ex command: what it gives to a shell, runs in a language, and reads.
func (a *analysis) exCommand(sc *scope, text string) {
	if sc.depth >= MaxDepth || !a.weigh(text) {
		return
	}
	sub := *sc
	sub.depth++
	text = strings.TrimLeft(text, ": \t")
	text = strings.TrimLeft(text, "%.$,;0123456789 ") // the lines that it is about
	for {
		word, rest, more := strings.Cut(text, " ")
		if !more || !exModifiers.has(word) {
			break
		}
		text = strings.TrimLeft(rest, ": %")
	}
	if shell, ok := strings.CutPrefix(text, "!"); ok {
		a.shellIn(&sub, shell)
		return
	}
	if pattern, ok := strings.CutPrefix(text, "g/"); ok {
		if _, command, ok := strings.Cut(pattern, "/"); ok {
			a.exCommand(&sub, command)
		}
		return
	}
	verb, rest := exVerb(text)
	rest = strings.TrimSpace(rest)
	shell, runs := strings.CutPrefix(rest, "!")
	switch verb {
	case "r", "read", "e", "edit", "w", "write", "sp", "split", "vs", "vsplit", "tabe", "tabedit", "so", "source", "f", "E", "W":
		switch {
		case runs && verb != "e" && verb != "f" || verb == "e" && runs && strings.Contains(shell, " "):
			a.shellIn(&sub, shell)
		case verb == "w" || verb == "write" || verb == "W" || verb == "f":
			if rest != "" {
				a.target(&sub, Target{Word: Word{Text: strings.TrimPrefix(rest, "!"), Source: rest}, Access: Write, Program: sc.via[len(sc.via)-1]})
			}
		default:
			a.target(&sub, Target{Word: Word{Text: strings.TrimPrefix(rest, "!"), Source: rest}, Access: Read, Program: sc.via[len(sc.via)-1]})
		}
	case "terminal", "ter", "term", "te":
		a.shellIn(&sub, rest)
	case "lua", "luado", "lua=":
		a.code(&sub, nvimLua, rest)
		a.innerCommands(&sub, nvimLua, rest)
	case "python", "python3", "py", "py3", "pyx", "pydo", "py3do", "pyxdo", "pythonx":
		a.code(&sub, python, rest)
	case "perl", "perldo":
		a.code(&sub, perl, rest)
	case "ruby", "rubydo":
		a.code(&sub, ruby, rest)
	case "call", "cal", "let", "execute", "exe", "exec", "echo", "if", "for", "while", "normal", "norm", "eval":
		a.code(&sub, vimscript, rest)
		a.innerCommands(&sub, vimscript, rest)
	default:
		// What stands behind a bar, an event or a pattern is a command too.
		for i := 1; i < len(text); i++ {
			if text[i] == '!' && strings.IndexByte(" |%/", text[i-1]) >= 0 {
				a.guessText(&sub, text[i+1:])
			}
		}
	}
	if verb != "g" && verb != "s" {
		if _, next, ok := strings.Cut(text, "|"); ok {
			a.exCommand(&sub, strings.TrimLeft(next, "| "))
		}
	}
}

// exVerb cuts the name of an ex command off.
func exVerb(text string) (verb, rest string) {
	end := 0
	for end < len(text) && (letter(text[end]) && text[end] != '_' || end > 0 && text[end] >= '0' && text[end] <= '9') {
		end++
	}
	return text[:end], text[end:]
}

// innerCommands follows the strings of a program that are ex commands: exe '!make', feedkeys(":!make\<CR>").
func (a *analysis) innerCommands(sc *scope, lang *language, src string) {
	for _, t := range lang.tokens(src) {
		if t.kind == tokString && strings.Contains(t.text, "!") {
			a.exCommand(sc, t.text)
		}
	}
}

// shellIn follows a text that an editor hands to a shell. One that is no shell line after all is none.
func (a *analysis) shellIn(sc *scope, text string) {
	if _, err := a.parse(text, syntax.LangBash); err == nil {
		a.text(sc, text)
	}
}

// vimscript is the language of Vim's own expressions; Neovim's Lua reaches the same functions.
var (
	vimscript = &language{
		comment: "\x01", bare: true,
		deletes: "delete", shells: "system systemlist jobstart job_start termopen term_start libcall", prints: "echo echom echomsg",
	}
	nvimLua = &language{
		comment: "--", bare: true,
		deletes: "remove delete rm", shells: "execute popen system systemlist jobstart termopen spawn", evaluates: "load loadstring dostring",
		prints: "print write",
	}
)
