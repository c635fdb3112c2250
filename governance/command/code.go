package command

import (
	"encoding/base64"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// code looks into a program of a scripting language for deletions, for commands it runs and for files it opens.
func (a *analysis) code(sc *scope, lang *language, src string) {
	if sc.depth >= MaxDepth {
		a.unjudged(TooDeep, "")
		return
	}
	if !a.weigh(src) {
		return
	}
	toks := lang.fold(lang.tokens(src))
	p := &script{language: lang, toks: toks, imports: lang.imported(toks), many: sc.bulk || lang.many(toks)}
	if lang == python {
		a.pythonPrograms(sc, p)
	}
	for i, t := range toks {
		switch t.kind {
		case tokCommand:
			a.text(sc, t.text)
		case tokString:
			a.literal(sc, p, i)
			a.byName(sc, p, i)
		case tokName:
			if t.text == "$" && i+1 < len(toks) && toks[i+1].kind == tokString {
				a.text(sc, toks[i+1].text) // $`command` of zx and Bun
			} else if i+1 < len(toks) && (toks[i+1].text == "(" && toks[i+1].kind == tokSign || lang.bare && toks[i+1].kind != tokSign || lang.bare && toks[i+1].kind == tokSign && (strings.ContainsAny(toks[i+1].text, "$@[") || lang == perl && toks[i+1].text == "<")) {
				a.codeCall(sc, p, i)
			} else if i+1 < len(toks) && toks[i+1].text == "as" || i > 0 && toks[i-1].kind == tokSign && (toks[i-1].text == "." || toks[i-1].text == ":" && lang == ruby) {
				a.byName(sc, p, i)
			}
		}
		// awk: print | "command", "command" | getline
		if lang == awk && t.kind == tokSign && t.text == "|" {
			if i+1 < len(toks) && toks[i+1].kind == tokString {
				a.text(sc, toks[i+1].text)
			}
			if i > 0 && toks[i-1].kind == tokString {
				a.text(sc, toks[i-1].text)
			}
		}
	}
}

// script is a program that is looked into.
type script struct {
	*language
	toks    []token
	imports imports
	many    bool // what it does, it may do to many files
	guessed bool // its strings were tried as commands
}

// repeats are the names in a program that do something to many files.
const repeats names = "for while until each foreach map filter glob iglob rglob globsync iterdir listdir walk scandir readdir readdirsync " +
	"opendir each_child children entries reduce times loop array_map argv $_"

// many says that a program goes through a list: what it deletes may be more than one file that it names.
func (l *language) many(toks []token) bool {
	for i, t := range toks {
		switch t.kind {
		case tokName:
			if repeats.has(strings.ToLower(t.text)) || t.text == "_" && i > 0 && toks[i-1].text == "$" {
				return true
			}
		case tokString:
			if strings.ContainsAny(t.text, "*?") && !strings.Contains(t.text, " ") {
				return true
			}
		case tokSign:
			if (l == perl || l == ruby) && (t.text == "@" || t.text == "*" || t.text == "<") {
				return true
			}
		}
	}
	return false
}

// one are the calls that delete one file, as a plain rm does.
const one names = "remove unlink unlinksync delete"

// byName judges a call that is taken by its name rather than made: getattr(os, "system"), import rmtree as r,
// array_map("unlink", …).
func (a *analysis) byName(sc *scope, p *script, at int) {
	lang, toks := p.language, p.toks
	name := strings.ToLower(toks[at].text)
	deletes := (len(name) > 5 || strings.Contains(name, "_")) && lang.deletes.has(name) && name != "remove" && name != "delete"
	if toks[at].kind == tokName && one.has(name) {
		receiver := strings.ToLower(toks[max(0, at-2)].text)
		deletes = p.many && lang.deletes.has(name) && (name == "unlinksync" || receiver == "os")
	}
	switch {
	case deletes:
		if call := enclosing(toks, at); call < 0 || !lang.prints.has(strings.ToLower(toks[call].text)) {
			a.destructive(RecursiveDelete, renderTokens(toks[max(0, at-2):at+1]))
		}
	case len(name) > 4 && lang.shells.has(name):
		a.guessStrings(sc, p)
	}
}

// maxCall is how many tokens the arguments of one call may have; what stands further away does not belong to it.
const maxCall = 2000

// enclosing returns the index of the name of the call around toks[at], or -1.
func enclosing(toks []token, at int) int {
	depth := 0
	for i := at - 1; i >= max(0, at-maxCall); i-- {
		if toks[i].kind != tokSign {
			continue
		}
		switch toks[i].text {
		case ")", "]":
			depth++
		case "(", "[":
			if depth == 0 {
				if toks[i].text == "(" && i > 0 && toks[i-1].kind == tokName {
					return i - 1
				}
				return -1
			}
			depth--
		}
	}
	return -1
}

// codeCall judges the call whose name is toks[at].
func (a *analysis) codeCall(sc *scope, p *script, at int) {
	lang, toks := p.language, p.toks
	if !a.step() {
		return
	}
	name := strings.ToLower(toks[at].text)
	args := callArgs(toks, at+1)
	method := at > 0 && toks[at-1].kind == tokSign && toks[at-1].text == "."
	receiver := ""
	switch {
	case method && at > 1:
		receiver = p.imports.whole(strings.ToLower(toks[at-2].text))
	case !method:
		if receiver, name = p.imports.call(name); receiver != "" {
			method = true
		}
	}
	if at > 0 && toks[at-1].kind == tokName {
		switch toks[at-1].text {
		case "def", "function", "sub", "func", "import", "class":
			return
		}
	}
	fragment := func() string { return renderTokens(toks[at:min(len(toks), at+len(args)+2)]) }
	switch {
	case lang.deletes.has(name) && deletesFiles(lang, name, receiver, method):
		if (one.has(name) || name == "rm" && (lang == julia || lang == nvimLua)) && !p.many && lang != rscript && !recursive(args) {
			break // an rm of the files that it names
		}
		a.destructive(RecursiveDelete, fragment())
	case name == "execute" || name == "executescript" || name == "query" || name == "raw":
		for _, t := range args {
			if t.kind == tokString && drops(t.text) {
				a.destructive(SchemaDrop, t.text)
			}
		}
	}
	if lang.evaluates.has(name) && !(method && lang == javascript && name == "exec") {
		for _, t := range args {
			if t.kind == tokString {
				sub := *sc
				sub.depth++
				a.code(&sub, lang, t.text)
			}
		}
		a.decoded(sc, lang, args, fragment)
	}
	if lang.shells.has(name) && runsCommand(lang, name, receiver, method) {
		a.codeShell(sc, p, args, fragment)
	}
}

// recursive says that a call that deletes takes what is below a folder too.
func recursive(args []token) bool {
	for i, t := range args {
		switch {
		case t.kind == tokString && (t.text == "rf" || t.text == "d"): // delete() of Vim
			return true
		case t.kind == tokName && t.text == "recursive":
			return i+2 >= len(args) || !strings.EqualFold(args[i+2].text, "false")
		}
	}
	return false
}

// decoded follows a program that is unpacked before it is evaluated.
func (a *analysis) decoded(sc *scope, lang *language, args []token, fragment func() string) {
	packed := false
	for _, t := range args {
		name := strings.ToLower(t.text)
		packed = packed || t.kind == tokName && (strings.Contains(name, "b64") || strings.Contains(name, "base64") || name == "atob" ||
			name == "fromhex" || name == "unhexlify" || name == "decompress" || name == "fromcharcode" || name == "unpack" || name == "decode")
		if packed && t.kind == tokString {
			if b, err := base64.StdEncoding.DecodeString(t.text); err == nil {
				sub := *sc
				sub.depth++
				a.code(&sub, lang, string(b))
			}
		}
	}
	if packed {
		a.opaque(sc, fragment())
	}
}

// deletesFiles tells calls that delete files from methods of the same name (list.remove, map.delete).
func deletesFiles(lang *language, name, receiver string, method bool) bool {
	switch lang {
	case python:
		switch name {
		case "remove":
			return receiver == "os" || receiver == "path"
		case "rmdir":
			return false // only an empty folder
		}
	case javascript:
		if name == "remove" || name == "rm" || name == "unlink" || name == "rmdir" {
			return !method || receiver == "fs" || receiver == "promises" || receiver == "fse" || receiver == ")" || receiver == "fsp" || receiver == "deno" || receiver == "shell"
		}
	case ruby:
		if name == "delete" || name == "unlink" || name == "rmdir" || name == "rm" {
			return receiver == "file" || receiver == "dir" || receiver == "fileutils" || receiver == "pathname" || receiver == ")"
		}
	case lua, nvimLua, rscript:
		if name == "remove" {
			return receiver == "os" || receiver == "file"
		}
		return lang != nvimLua || receiver == "fn" || receiver == "fs"
	case julia:
		return !method || receiver == "filesystem" || receiver == "base"
	case appleScript:
		return true
	}
	return true
}

// runsCommand tells calls that run a command from methods of the same name (asyncio.run, regexp.exec).
func runsCommand(lang *language, name, receiver string, method bool) bool {
	switch lang {
	case python:
		if name == "run" || name == "call" || name == "sh" || name == "spawn" {
			return !method || receiver == "subprocess" || receiver == "sp" || receiver == ")" || receiver == "sh" || receiver == "pty" ||
				receiver == "invoke" || receiver == "fabric" || receiver == "c" || receiver == "ctx" || receiver == "conn"
		}
	case javascript:
		if name == "exec" || name == "spawn" || name == "shell" || name == "$" {
			return !method || receiver == "child_process" || receiver == "cp" || receiver == ")" || receiver == "shell" || receiver == "proc"
		}
	}
	return true
}

// codeShell follows the command that a call runs.
func (a *analysis) codeShell(sc *scope, p *script, args []token, fragment func() string) {
	lang := p.language
	var texts []Word
	list, computed := false, false
	for i, t := range args {
		switch {
		case t.kind == tokString:
			if i > 0 && args[i-1].kind == tokSign && (args[i-1].text == "=" || args[i-1].text == ":") {
				continue // a named argument (cwd="…")
			}
			if i > 0 && args[i-1].kind == tokSign && args[i-1].text == "+" && len(texts) > 0 {
				texts[len(texts)-1].Text += t.text
				continue
			}
			texts = append(texts, Word{Text: t.text, Source: t.text, Quoted: true})
		case t.kind == tokSign && t.text == "[":
			list = true
		case t.kind == tokName && i == 0:
			computed = true
		}
	}
	switch {
	case len(texts) == 0:
		// The command comes from somewhere else in the program: any of its texts may be it.
		a.guessStrings(sc, p)
		a.opaque(sc, fragment())
	case list || len(texts) > 1 && !strings.Contains(texts[0].Text, " "):
		a.run(sc, texts)
	default:
		a.text(sc, texts[0].Text)
		for _, t := range texts[1:] {
			a.guessText(sc, t.Text)
		}
		if computed && lang != appleScript && lang != perl {
			a.opaque(sc, fragment())
		}
	}
}

// guessStrings looks for destructive shapes in all strings of a program, once.
func (a *analysis) guessStrings(sc *scope, p *script) {
	if p.guessed {
		return
	}
	p.guessed = true
	for _, t := range p.toks {
		if t.kind == tokString {
			a.guessText(sc, t.text)
		}
	}
}

// guessText looks for destructive shapes in a text that may be a command.
func (a *analysis) guessText(sc *scope, text string) {
	if tooDeep(text) || !a.weigh(text) {
		return
	}
	stmts, err := a.parse(text, syntax.LangBash)
	if err != nil {
		return
	}
	sub := *sc
	sub.src, sub.quiet = text, true
	sub.depth++
	a.stmts(&sub, stmts)
}

// literal records a string of a program as a file, unless it is only printed.
func (a *analysis) literal(sc *scope, p *script, at int) {
	lang, toks := p.language, p.toks
	t := toks[at]
	if len(t.text) > 256 || strings.ContainsAny(t.text, " \n") {
		return
	}
	call := enclosing(toks, at)
	if call >= 0 && lang.prints.has(strings.ToLower(toks[call].text)) || lang.bare && call < 0 && at > 0 && lang.prints.has(toks[at-1].text) {
		return
	}
	access := Read
	if call >= 0 && toks[call].text == "open" && at+2 < len(toks) && toks[at+1].text == "," && toks[at+2].kind == tokString {
		switch mode := toks[at+2].text; {
		case mode == "w" || mode == "a" || mode == "x" || mode == "wb" || mode == "ab" || mode == "w+" || mode == "a+":
			access = Write
		}
	}
	if call >= 0 && strings.HasPrefix(strings.ToLower(toks[call].text), "write") {
		access = Write
	}
	a.target(sc, Target{Word: Word{Text: t.text, Source: t.text, Quoted: true}, Access: access, Program: sc.via[len(sc.via)-1]})
}
