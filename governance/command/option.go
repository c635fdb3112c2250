package command

import "strings"

// textOptions are options of ordinary programs whose value is given to a shell, with what stands before it there.
var textOptions = []struct {
	programs, options names
	before            string
}{
	{"tar gtar bsdtar", "--checkpoint-action", "exec="},
	{"tar gtar bsdtar", "--to-command -I --use-compress-program --rsh-command", ""},
	{"rsync", "-e --rsh", ""},
	{"gdb lldb", "-ex -iex -o", "shell "},
	{"nc ncat netcat", "-e -c --exec --sh-exec", ""},
	{"mapfile readarray compgen complete", "-C", ""},
	{"man", "-P --pager", ""},
	{"sort", "--compress-program", ""},
	{"zip", "-TT", ""},
	{"entr", "-s", ""},
	{"nodemon", "--exec -x", ""},
}

// optionTexts follows the options that give a shell line to a program of another purpose.
func (a *analysis) optionTexts(sc *scope, name string, args []Word) {
	sub := sc.under(name)
	switch name {
	case "sed", "gsed":
		a.sedCommands(sub, args)
		return
	case "make", "gmake":
		a.makeTexts(sub, args)
		return
	}
	if lisps.has(name) {
		a.lispTexts(sub, args)
		return
	}
	if viEditors.has(name) || lineEditors.has(name) {
		a.editorCommands(sc, name, args)
		return
	}
	for _, row := range textOptions {
		if !row.programs.has(name) {
			continue
		}
		for i, w := range args {
			option, val, glued := strings.Cut(w.Text, "=")
			if !row.options.has(option) {
				continue
			}
			if !glued && i+1 < len(args) {
				val = args[i+1].Text
			}
			if text, ok := strings.CutPrefix(strings.TrimPrefix(val, ":"), row.before); ok {
				a.guessText(sub, text)
			}
		}
	}
	switch name {
	case "less", "more", "most":
		for _, w := range args {
			if text, ok := strings.CutPrefix(w.Text, "+"); ok {
				if text, ok = strings.CutPrefix(strings.TrimPrefix(text, ":"), "!"); ok {
					a.guessText(sub, text)
				}
			}
		}
	case "ssh", "autossh", "scp", "sftp":
		for i, w := range args {
			val, ok := strings.CutPrefix(w.Text, "-o")
			if ok && val == "" && i+1 < len(args) {
				val = args[i+1].Text
			}
			at := strings.IndexAny(val, "= ")
			if !ok || at < 0 {
				continue
			}
			switch strings.ToLower(val[:at]) {
			case "proxycommand", "localcommand", "remotecommand", "knownhostscommand":
				a.guessText(sub, val[at+1:])
			}
		}
	case "aws":
		// What Systems Manager runs on a host is a parameter in JSON or in a shorthand of its own.
		if hasFlag(args, "send-command", "start-session", "create-association") {
			for _, w := range args {
				for text := range strings.FieldsFuncSeq(w.Text, func(r rune) bool { return strings.ContainsRune(`"[]{}`, r) }) {
					a.guessText(sub, strings.TrimPrefix(text, "commands="))
				}
			}
		}
	case "socat":
		for _, w := range args {
			kind, text, _ := strings.Cut(w.Text, ":")
			if strings.EqualFold(kind, "exec") || strings.EqualFold(kind, "system") || strings.EqualFold(kind, "shell") {
				a.guessText(sub, text)
			}
		}
	}
}

// makeTexts follows a makefile that is given on the line, and the shell that make is told to use.
func (a *analysis) makeTexts(sc *scope, args []Word) {
	for _, file := range append([]Word{{Text: "Makefile"}, {Text: "makefile"}, {Text: "GNUmakefile"}}, args...) {
		a.runComposed(sc, file, func(in input) { a.makefile(sc, a.settle(in).text) })
	}
	for i, w := range args {
		option, val, glued := strings.Cut(w.Text, "=")
		switch option {
		case "SHELL":
			a.guessText(sc, val)
		case "--eval", "-E":
			if !glued && i+1 < len(args) {
				val = args[i+1].Text
			}
			a.makefile(sc, val)
		case "-f", "--file", "--makefile", "-f-":
			if !glued && i+1 < len(args) {
				val = args[i+1].Text
			}
			if option == "-f-" || isStdin(val) {
				if in := a.settle(sc.stdin); in.kind == fromText {
					a.makefile(sc, in.text)
				} else if in.kind == fromUnknown {
					a.opaque(sc, piped(in, args))
				}
			}
		}
	}
}

// makefile looks at the recipes of a makefile.
func (a *analysis) makefile(sc *scope, text string) {
	for line := range strings.Lines(text) {
		recipe, ok := strings.CutPrefix(line, "\t")
		if !ok {
			_, recipe, _ = strings.Cut(line, ";")
		}
		a.guessText(sc, strings.TrimLeft(recipe, " @-+"))
	}
}
