package command

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// language is what the analysis knows of a scripting language: how a program is given on the line, which calls delete,
// and which run a command.
type language struct {
	// code are the letters of the options whose value is a program; codeLong are the long ones.
	code     string
	codeLong names
	// valued are the letters of the other options that take a value.
	valued string
	// inert are options that run nothing.
	inert names
	// operand says that the first operand is the program itself (awk).
	operand bool
	// verb is the sub-command after which the program stands (deno eval).
	verb string

	comment string
	// backticks says that `…` is a string (JavaScript) rather than a command.
	backticks bool
	// deletes are the last names of calls that delete; shells, of calls that run a command line or a list of words.
	deletes, shells names
	// evaluates are the calls that run a text of the same language.
	evaluates names
	// prints are the calls whose texts are only shown.
	prints names
	// bare says that calls need no parentheses.
	bare bool
}

var (
	python = &language{
		code: "c", valued: "mWX", inert: "-V --version -h --help", comment: "#",
		deletes: names("rmtree remove unlink removedirs rmdir"),
		shells: names("system popen run call check_call check_output popen2 spawn spawnl spawnv execl execv execvp execlp execve " +
			"getoutput getstatusoutput create_subprocess_shell create_subprocess_exec sh"),
		evaluates: names("exec eval compile"),
		prints:    names("print write debug info warning error log"),
	}
	javascript = &language{
		code: "ep", codeLong: "--eval --print", valued: "rC", verb: "eval", inert: "-v --version -h --help --check", comment: "//", backticks: true,
		deletes:   names("rm rmsync rmdir rmdirsync unlink unlinksync rimraf emptydir emptydirsync remove removesync rimrafsync"),
		shells:    names("exec execsync spawn spawnsync execfile execfilesync execa execacommand shell $"),
		evaluates: names("eval function runinthiscontext runinnewcontext"),
		prints:    names("log info warn error debug write"),
	}
	perl = &language{
		code: "eE", valued: "IMm", inert: "-v --version -h", comment: "#", bare: true,
		deletes:   names("unlink rmtree remove_tree rmdir"),
		shells:    names("system exec qx open popen"),
		evaluates: names("eval"),
		prints:    names("print printf say warn die"),
	}
	ruby = &language{
		code: "e", valued: "IrEC", inert: "-v --version -h --help", comment: "#", bare: true,
		deletes:   names("rm rm_r rm_rf rm_f rmtree remove_dir remove_entry remove_entry_secure remove_file delete unlink rmdir remove_dir"),
		shells:    names("system exec spawn popen popen2 popen3 capture2 capture2e capture3 sh %x x"),
		evaluates: names("eval instance_eval class_eval"),
		prints:    names("puts print p pp warn printf"),
	}
	php = &language{
		code: "rBRE", valued: "dcz", inert: "-v --version -h -i -m", comment: "//", bare: true,
		deletes:   names("unlink rmdir"),
		shells:    names("system exec shell_exec passthru popen proc_open pcntl_exec"),
		evaluates: names("eval assert create_function"),
		prints:    names("echo print print_r var_dump printf"),
	}
	awk = &language{
		valued: "Fvf", operand: true, inert: "--version --help -h -W", comment: "#", bare: true,
		deletes: names(""), shells: names("system"), evaluates: names(""), prints: names("print printf"),
	}
	lua = &language{
		code: "e", valued: "l", inert: "-v", comment: "--",
		deletes: names("remove"), shells: names("execute popen"), evaluates: names("load loadstring dostring"), prints: names("print write"), bare: true,
	}
	rscript = &language{
		code: "e", inert: "--version --help", comment: "#",
		deletes: names("unlink remove"), shells: names("system system2 shell"), evaluates: names("eval parse"), prints: names("print cat message"),
	}
	appleScript = &language{
		code: "e", valued: "l", comment: "--", bare: true,
		deletes: names("delete"), shells: names("script"), evaluates: names(""), prints: names("dialog log say"),
	}
)

// languages lists the interpreters of each language.
var languages = []struct {
	programs names
	*language
}{
	{"python pypy py ipython bpython jython", python},
	{"node nodejs deno bun tsx ts-node qjs", javascript},
	{"perl", perl},
	{"ruby jruby irb", ruby},
	{"php", php},
	{"awk gawk mawk nawk", awk},
	{"lua luajit", lua},
	{"rscript", rscript},
	{"osascript", appleScript},
}

// languageOf returns the language of an interpreter, whose name may end in a version (python3.12).
func languageOf(name string) *language {
	bare := strings.TrimRight(name, "0123456789.-")
	for _, l := range languages {
		if l.programs.has(name) || l.programs.has(bare) {
			return l.language
		}
	}
	return nil
}

// interpreter follows python -c and its like.
func (a *analysis) interpreter(sc *scope, lang *language, name string, words []Word) {
	var codes []Word
	var file *Word
	args := words[1:]
	module := false
	i := 0
options:
	for ; i < len(args); i++ {
		t := args[i].Text
		switch {
		case lang.verb != "" && t == lang.verb && i == 0 && (name == "deno" || name == "bun"):
			for i++; i < len(args) && strings.HasPrefix(args[i].Text, "-"); i++ {
			}
			if i < len(args) {
				codes = append(codes, args[i])
			}
			i++
			break options
		case t == "--":
			i++
			break options
		case len(t) < 2 || t[0] != '-':
			break options
		case lang.inert.has(t):
			a.record(sc, name, words[:1])
			a.mutates(sc, words)
			return
		case strings.HasPrefix(t, "--"):
			option, val, glued := strings.Cut(t, "=")
			if lang.codeLong.has(option) {
				if glued {
					codes = append(codes, part(args[i], val))
				} else if i+1 < len(args) {
					i++
					codes = append(codes, args[i])
				}
			} else if option == "--env-file" && glued {
				a.target(sc, Target{Word: part(args[i], val), Access: Read, Program: name})
			}
		default:
			for j := 1; j < len(t); j++ {
				switch {
				case strings.IndexByte(lang.code, t[j]) >= 0:
					if j+1 < len(t) && lang != javascript && lang != perl {
						codes = append(codes, part(args[i], t[j+1:]))
						j = len(t)
					} else if i+1 < len(args) && j+1 == len(t) {
						i++
						codes = append(codes, args[i])
					}
				case t[j] == 'm' && lang == python:
					module = true
					i++
					break options
				case lang == perl && (t[j] == 'i' || t[j] == '0' || t[j] == 'F'):
					if t[j] == 'i' && j+1 < len(t) && t[j+1] == '.' || t[j] == 'F' {
						j = len(t)
					}
				case strings.IndexByte(lang.valued, t[j]) >= 0:
					if j+1 == len(t) {
						i++
						if lang == awk && t[j] == 'f' && i < len(args) {
							file = &args[i]
						}
					}
					j = len(t)
				}
			}
			if lang == python && len(codes) > 0 {
				i++
				break options
			}
		}
	}
	rest := args[min(i, len(args)):]
	if lang.operand && file == nil && len(rest) > 0 {
		codes = append(codes, rest[0])
		rest = rest[1:]
	}
	a.interpreted(sc, lang, name, words, codes, rest, file != nil || module)
}

// interpreted follows the programs that an interpreter was given.
func (a *analysis) interpreted(sc *scope, lang *language, name string, words, codes, rest []Word, elsewhere bool) {
	if !sc.quiet {
		a.facts.Programs = append(a.facts.Programs, Program{Name: name, Args: words[1:], Via: sc.via})
	}
	a.mutates(sc, words)
	a.argumentTargets(sc, name, &arguments{}, rest)
	sub := sc.under(name)
	for _, c := range codes {
		if strings.Trim(c.Text, " \n"+Unknown) == "" && !c.Resolved() {
			a.opaque(sc, join(words))
			continue
		}
		a.code(sub, lang, c.Text)
	}
	if len(codes) > 0 || elsewhere {
		return
	}
	if len(rest) > 0 && !isStdin(rest[0].Text) {
		if rest[0].feed != nil {
			a.codeFrom(sub, lang, *rest[0].feed, words)
		}
		return
	}
	a.codeFrom(sub, lang, sc.stdin, words)
}

func (a *analysis) codeFrom(sc *scope, lang *language, in input, words []Word) {
	switch in = a.settle(in); in.kind {
	case fromText:
		a.code(sc, lang, in.text)
	case fromTerminal:
		a.interactive(sc, words)
	case fromFile, fromIdiom:
	default:
		a.opaque(sc, piped(in, words))
	}
}

// code looks into a program of a scripting language for deletions, for commands it runs and for files it opens.
func (a *analysis) code(sc *scope, lang *language, src string) {
	if sc.depth >= MaxDepth || len(sc.via) > MaxDepth {
		a.unjudged(TooDeep, "")
		return
	}
	if !a.weigh(src) {
		return
	}
	toks := lang.tokens(src)
	for i, t := range toks {
		switch t.kind {
		case tokCommand:
			a.text(sc, t.text)
		case tokString:
			a.literal(sc, lang, toks, i)
			a.byName(sc, lang, toks, i)
		case tokName:
			if i+1 < len(toks) && (toks[i+1].text == "(" && toks[i+1].kind == tokSign || lang.bare && toks[i+1].kind != tokSign || lang.bare && toks[i+1].kind == tokSign && strings.ContainsAny(toks[i+1].text, "$@[")) {
				a.codeCall(sc, lang, toks, i)
			} else if i+1 < len(toks) && toks[i+1].text == "as" {
				a.byName(sc, lang, toks, i)
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

// byName judges a call that is taken by its name rather than made: getattr(os, "system"), import rmtree as r,
// array_map("unlink", …).
func (a *analysis) byName(sc *scope, lang *language, toks []token, at int) {
	name := strings.ToLower(toks[at].text)
	switch {
	case len(name) > 5 && lang.deletes.has(name) && name != "remove" && name != "delete":
		if call := enclosing(toks, at); call < 0 || !lang.prints.has(strings.ToLower(toks[call].text)) {
			a.destructive(RecursiveDelete, renderTokens(toks[max(0, at-2):at+1]))
		}
	case len(name) > 4 && lang.shells.has(name):
		for _, t := range toks {
			if t.kind == tokString {
				a.guessText(sc, t.text)
			}
		}
	}
}

// enclosing returns the index of the name of the call around toks[at], or -1.
func enclosing(toks []token, at int) int {
	depth := 0
	for i := at - 1; i >= 0; i-- {
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
func (a *analysis) codeCall(sc *scope, lang *language, toks []token, at int) {
	if !a.step() {
		return
	}
	name := strings.ToLower(toks[at].text)
	args := callArgs(toks, at+1)
	method := at > 0 && toks[at-1].kind == tokSign && toks[at-1].text == "."
	receiver := ""
	if method && at > 1 {
		receiver = strings.ToLower(toks[at-2].text)
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
	}
	if lang.shells.has(name) && runsCommand(lang, name, receiver, method) {
		a.codeShell(sc, lang, toks, args, fragment)
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
	case lua, rscript:
		if name == "remove" {
			return receiver == "os" || receiver == "file"
		}
		return true
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
			return !method || receiver == "subprocess" || receiver == "sp" || receiver == ")" || receiver == "sh"
		}
	case javascript:
		if name == "exec" || name == "spawn" || name == "shell" || name == "$" {
			return !method || receiver == "child_process" || receiver == "cp" || receiver == ")" || receiver == "shell" || receiver == "proc"
		}
	}
	return true
}

// codeShell follows the command that a call runs.
func (a *analysis) codeShell(sc *scope, lang *language, toks, args []token, fragment func() string) {
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
		for _, t := range toks {
			if t.kind == tokString {
				a.guessText(sc, t.text)
			}
		}
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
func (a *analysis) literal(sc *scope, lang *language, toks []token, at int) {
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
