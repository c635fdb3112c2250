package command

import "strings"

// shell follows sh, bash and their like: a program given with -c, in a file, or on the standard input.
func (a *analysis) shell(sc *scope, words []Word) {
	name := programName(words[0].Text)
	sub := sc.under(name)
	i, command, stdin, checks := 1, false, false, false
	for ; i < len(words); i++ {
		t := words[i].Text
		if t == "--" || t == "-" {
			i++
			break
		}
		if len(t) < 2 || t[0] != '-' && t[0] != '+' {
			break
		}
		if strings.HasPrefix(t, "--") {
			switch option, _, _ := strings.Cut(t, "="); option {
			case "--help", "--version":
				a.neutral = true
				return
			case "--rcfile", "--init-file":
				i++
			case "--command", "--init-command":
				command = true
			}
			continue
		}
		if t[0] == '-' && strings.Contains(t[1:], "c") {
			command = true
		}
		if t[0] == '-' && strings.Contains(t[1:], "s") {
			stdin = true
		}
		checks = checks || t[0] == '-' && strings.Contains(t[1:], "n")
		if last := t[len(t)-1]; last == 'o' || last == 'O' {
			i++
		}
	}
	rest := words[min(i, len(words)):]
	switch {
	case command:
		if len(rest) > 0 {
			if len(rest) > 1 {
				sub.arg0 = rest[1].Text
			}
			a.shellText(sub, rest[0], rest[min(2, len(rest)):])
		}
	case len(rest) > 0 && !stdin && !isStdin(rest[0].Text):
		if rest[0].feed != nil {
			a.fed(sub, *rest[0].feed, words)
			return
		}
		if !checks && sc.runsFound(rest[0], shellExtensions) {
			a.opaque(sc, join(words))
		}
		a.script(sc, rest[0], words)
	default:
		a.fed(sub, sc.stdin, words)
	}
}

func isStdin(path string) bool { return path == "-" || path == "/dev/stdin" || path == "/dev/fd/0" }

// script records a program that stands in a file: what it does is not on the line.
func (a *analysis) script(sc *scope, file Word, words []Word) {
	a.mutates(sc, words)
	if !sc.quiet {
		a.facts.Programs = append(a.facts.Programs, Program{Name: programName(words[0].Text), Path: words[0].Text, Args: words[1:], Via: sc.via})
		a.target(sc, Target{Word: file, Access: Read, Program: programName(words[0].Text)})
	}
	sub := sc.under(programName(words[0].Text))
	a.runComposed(sc, file, func(in input) { a.fed(sub, in, words) })
}

// fed follows a shell that reads its program from in.
func (a *analysis) fed(sc *scope, in input, words []Word) {
	switch in = a.settle(in); in.kind {
	case fromText:
		a.text(sc, in.text)
	case fromFile:
		a.script(sc, Word{Text: in.text, Source: in.text}, words)
	case fromTerminal:
		a.interactive(sc, words)
	case fromIdiom:
	default:
		a.opaque(sc, piped(in, words))
	}
}

func piped(in input, words []Word) string {
	if in.text == "" {
		return join(words)
	}
	return in.text + " | " + join(words)
}

// source follows "source file" and ". <(command)".
func (a *analysis) source(sc *scope, words []Word) {
	if len(words) < 2 {
		return
	}
	file := words[1]
	switch {
	case file.feed != nil:
		a.fed(sc.under("source"), *file.feed, words)
	case isStdin(file.Text):
		a.fed(sc.under("source"), sc.stdin, words)
	default:
		a.script(sc, file, words)
	}
}

// trap follows the line that a trap would run.
func (a *analysis) trap(sc *scope, words []Word) {
	a.mutates(sc, words)
	args := words[1:]
	for len(args) > 0 && strings.HasPrefix(args[0].Text, "-") {
		if args[0].Text != "--" {
			return // "trap -" resets, "trap -p" prints
		}
		args = args[1:]
	}
	if len(args) > 1 {
		a.shellText(sc.under("trap"), args[0], nil)
	}
}

// alias remembers what a name stands for. Interactive shells, which some hosts use, expand aliases.
func (a *analysis) alias(sc *scope, words []Word) {
	a.mutates(sc, words)
	for _, w := range words[1:] {
		if name, text, ok := strings.Cut(w.Text, "="); ok && name != "" && len(a.aliases) < maxFacts {
			a.aliases[strings.ToLower(name)] = text
		}
	}
}

// read gives a variable what the standard input delivers.
func (a *analysis) read(sc *scope, words []Word) {
	a.neutral = true
	text := Unknown
	if in := a.settle(sc.stdin); in.kind == fromText {
		text, _, _ = strings.Cut(in.text, "\n")
	}
	for i := 1; i < len(words); i++ {
		t := words[i].Text
		if strings.HasPrefix(t, "-") {
			if strings.ContainsAny(t[len(t)-1:], "dinNptu") {
				i++
			}
			continue
		}
		sc.vars.set(t, value{elems: []string{text}}, sc.uncertain)
	}
}

// set follows "set -- words", which makes them the positional parameters.
func (a *analysis) set(sc *scope, words []Word) {
	a.program(sc, "set", words)
	for i, w := range words {
		if w.Text != "--" {
			continue
		}
		v := value{array: true}
		for n, arg := range words[i+1:] {
			v.elems = append(v.elems, arg.Text)
			if n < 9 {
				sc.vars.set(string(rune('1'+n)), value{elems: []string{arg.Text}}, sc.uncertain)
			}
		}
		sc.vars.set("@", v, sc.uncertain)
		sc.vars.set("*", v, sc.uncertain)
		return
	}
}

// later follows at and batch, which read a line for later.
func (a *analysis) later(sc *scope, words []Word) {
	a.mutates(sc, words)
	for _, w := range words[1:] {
		switch w.Text {
		case "-l", "-r", "-d", "-c", "-f":
			a.program(sc, "at", words)
			return
		}
	}
	a.fed(sc.under("at"), sc.stdin, words)
}

// crontab follows the lines of a table that is given on the standard input. The table that is there already is known to
// the session: "(crontab -l; echo …) | crontab -" adds to it.
func (a *analysis) crontab(sc *scope, words []Word) {
	a.program(sc, "crontab", words)
	for _, w := range words[1:] {
		if w.Text != "-" && !isStdin(w.Text) {
			return
		}
	}
	sub := sc.under("crontab")
	for _, in := range pieces(sc.stdin) {
		if in = a.settle(in); in.kind == fromText {
			for line := range strings.Lines(in.text) {
				fields := strings.Fields(line)
				skip := 5
				if strings.HasPrefix(line, "@") {
					skip = 1
				}
				a.guessText(sub, strings.Join(fields[min(skip, len(fields)):], " "))
			}
		} else if in.kind == fromUnknown && !strings.HasPrefix(strings.TrimSpace(in.text), "crontab -l") {
			a.opaque(sc, piped(in, words))
		}
	}
}
