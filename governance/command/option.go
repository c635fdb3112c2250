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
	{"vim vi nvim ex view", "-c --cmd -sc -ec -esc", "!"},
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
	case "vim", "vi", "nvim", "view", "ex", "less", "more", "most":
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
	case "socat":
		for _, w := range args {
			kind, text, _ := strings.Cut(w.Text, ":")
			if strings.EqualFold(kind, "exec") || strings.EqualFold(kind, "system") || strings.EqualFold(kind, "shell") {
				a.guessText(sub, text)
			}
		}
	}
}

// sedCommands follows the "e" command of GNU sed, which runs the rest of its line, and the "e" flag of "s", which runs
// what was put in.
func (a *analysis) sedCommands(sc *scope, args []Word) {
	for _, w := range args {
		w.Text = strings.TrimPrefix(w.Text, "--expression=")
		for part := range strings.FieldsFuncSeq(w.Text, func(r rune) bool { return r == '\n' || r == '{' || r == ';' }) {
			part = strings.TrimLeft(part, "0123456789$, ")
			if text, ok := strings.CutPrefix(part, "e "); ok {
				a.guessText(sc, text)
			}
		}
		if text, ok := substituted(strings.TrimLeft(w.Text, "0123456789$, ")); ok {
			a.guessText(sc, text)
			if strings.ContainsAny(text, "&\\") || text == "" {
				a.opaque(sc, w.Text)
			}
		}
	}
}

// substituted returns what s/pattern/text/e puts in.
func substituted(command string) (text string, ok bool) {
	if len(command) < 4 || command[0] != 's' || letter(command[1]) || command[1] == '\\' || command[1] == ' ' {
		return "", false
	}
	var parts []string
	from := 2
	for i := 2; i < len(command) && len(parts) < 2; i++ {
		switch command[i] {
		case '\\':
			i++
		case command[1]:
			parts = append(parts, command[from:i])
			from = i + 1
		}
	}
	if len(parts) < 2 {
		return "", false
	}
	for i := from; i < len(command) && (letter(command[i]) || command[i] >= '0' && command[i] <= '9') && command[i] != 'w'; i++ {
		if command[i] == 'e' {
			return parts[1], true
		}
	}
	return "", false
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
