package command

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// xargs follows "xargs [options] program", whose further arguments come from the standard input.
func (a *analysis) xargs(sc *scope, words []Word) {
	sub := sc.under("xargs")
	sub.bulk, sub.found = true, a.soughtBefore(sc)
	placeholder := ""
	i := 1
	for ; i < len(words); i++ {
		t := words[i].Text
		if t == "--" {
			i++
			break
		}
		if len(t) < 2 || t[0] != '-' {
			break
		}
		if t == "--help" || t == "--version" {
			return
		}
		if strings.HasPrefix(t, "--") {
			name, val, glued := strings.Cut(t[2:], "=")
			if name == "replace" {
				placeholder = "{}"
				if glued {
					placeholder = val
				}
			}
			if name == "arg-file" && (glued || i+1 < len(words)) {
				if !glued {
					val = words[i+1].Text
				}
				a.target(sc, Target{Word: part(words[i], val), Access: Read, Program: "xargs"})
			}
			if !glued && slices.Contains([]string{"arg-file", "delimiter", "max-lines", "max-args", "max-procs", "max-chars", "process-slot-var"}, name) {
				i++
			}
			continue
		}
		for j := 1; j < len(t); j++ {
			c := t[j]
			if strings.IndexByte("IJndLEPsaRS", c) >= 0 {
				val := t[j+1:]
				if val == "" && i+1 < len(words) {
					i++
					val = words[i].Text
				}
				switch c {
				case 'I', 'J':
					placeholder = val
				case 'a':
					a.target(sc, Target{Word: part(words[min(i, len(words)-1)], val), Access: Read, Program: "xargs"})
				}
				break
			}
			if c == 'i' {
				placeholder = "{}"
				if j+1 < len(t) {
					placeholder = t[j+1:]
				}
				break
			}
		}
	}
	rest := words[min(i, len(words)):]
	if len(rest) == 0 {
		a.neutral = true // it prints
		return
	}
	given := Word{Text: Unknown, Source: words[0].Source}
	if in := a.settle(sc.stdin); in.kind == fromText {
		given.Text = strings.TrimSpace(in.text)
	}
	a.givenFiles(sc, given)
	if shows.has(programName(rest[0].Text)) {
		a.foundFolders(sc)
	}
	sub.stdin = input{kind: fromElsewhere}
	if placeholder != "" {
		replaced := make([]Word, len(rest))
		for i, w := range rest {
			replaced[i] = w
			replaced[i].Text = strings.ReplaceAll(w.Text, placeholder, given.Text)
		}
		a.run(sub, replaced)
		return
	}
	rest = append(slices.Clip(rest), split(given)...)
	a.run(sub, rest)
}

// split breaks a text into words at blanks, as xargs does.
func split(w Word) []Word {
	var out []Word
	for _, f := range strings.Fields(w.Text) {
		if len(out) == maxFields {
			break
		}
		out = append(out, Word{Text: strings.Trim(f, `"'`), Source: w.Source})
	}
	return out
}

// givenFiles records the words that a program gets from its standard input.
func (a *analysis) givenFiles(sc *scope, given Word) {
	for _, w := range split(given) {
		a.target(sc, Target{Word: w, Access: Read, Program: "xargs"})
	}
}

// foundFolders records the folders that find looks through for a program that shows what it finds: find d | xargs cat.
func (a *analysis) foundFolders(sc *scope) {
	if sc.stdin.kind != fromPipe || len(sc.stdin.stmts) != 1 {
		return
	}
	call, ok := sc.stdin.stmts[0].Cmd.(*syntax.CallExpr)
	if !ok {
		return
	}
	quiet := *sc.stdin.sc
	quiet.quiet = true
	if words := a.fields(&quiet, call.Args); len(words) > 1 && programName(words[0].Text) == "find" {
		a.findTargets(sc, "find", words[1:], true)
	}
}

// parallel follows GNU parallel: a command line, or one on each line of the standard input.
func (a *analysis) parallel(sc *scope, words []Word) {
	a.mutates(sc, words)
	sub := sc.under("parallel")
	sub.bulk = true
	a.guessQuoted(sub, words[1:])
	i := 1
	for ; i < len(words); i++ {
		t := words[i].Text
		if len(t) < 2 || t[0] != '-' {
			break
		}
		if strings.HasPrefix(t, "--") {
			if slices.Contains([]string{"--jobs", "--arg-file", "--colsep", "--delay", "--timeout", "--joblog", "--results", "--sshlogin", "--workdir", "--max-args", "--delimiter", "--retries", "--tmpdir"}, t) {
				i++
			}
			continue
		}
		if strings.ContainsAny(t[len(t)-1:], "jIaSnNdLPC") && len(t) == 2 {
			i++
		}
	}
	rest := words[min(i, len(words)):]
	command, values := rest, []Word(nil)
	if at := slices.IndexFunc(rest, func(w Word) bool { return strings.HasPrefix(w.Text, ":::") }); at >= 0 {
		command, values = rest[:at], rest[at+1:]
	} else if in := a.settle(sc.stdin); in.kind == fromText {
		for line := range strings.Lines(in.text) {
			values = append(values, Word{Text: strings.TrimSpace(line)})
		}
	}
	switch {
	case len(command) > 0:
		arg := Unknown
		if len(values) > 0 {
			arg = join(values)
		}
		line := join(command)
		if strings.Contains(line, "{}") {
			line = strings.ReplaceAll(line, "{}", arg)
		} else {
			line += " " + arg
		}
		a.text(sub, line)
	case len(values) > 0:
		for _, v := range values {
			a.shellText(sub, v, nil)
		}
	default:
		a.opaque(sc, join(words))
	}
}

// find follows the actions of find.
func (a *analysis) find(sc *scope, words []Word) {
	a.record(sc, "find", words)
	sub := sc.under("find")
	sub.bulk, sub.found = true, sought(words[1:])
	for i := 1; i < len(words); i++ {
		switch t := words[i].Text; t {
		case "--help", "-help", "--version":
			return
		case "-delete":
			a.destructive(RecursiveDelete, join(words))
		case "-fprint", "-fprint0", "-fls", "-fprintf":
			a.mutates(sc, words)
		case "-exec", "-execdir", "-ok", "-okdir":
			a.mutates(sc, words)
			end := i + 1
			for end < len(words) && words[end].Text != ";" && words[end].Text != "+" {
				end++
			}
			if i+1 < end && strings.Contains(words[i+1].Text, "{}") {
				a.opaque(sc, join(words)) // each file that is found is run
			}
			a.run(sub, words[i+1:end])
			i = end
		}
	}
}

// fd follows fd -x and fd -X.
func (a *analysis) fd(sc *scope, words []Word) {
	a.record(sc, "fd", words)
	a.mutateUnless(sc, words, "fd")
	for i, w := range words {
		switch w.Text {
		case "-x", "-X", "--exec", "--exec-batch":
			sub := sc.under("fd")
			sub.bulk, sub.found = true, soughtByFd(words[1:i])
			a.mutates(sc, words)
			if i+1 < len(words) && words[i+1].Text == "{}" {
				a.opaque(sc, join(words)) // each file that is found is run
			}
			a.run(sub, words[i+1:])
			return
		}
	}
}

func (a *analysis) mutateUnless(sc *scope, words []Word, name string) {
	if !readOnly(name, words[1:]) {
		a.mutates(sc, words)
	}
}
