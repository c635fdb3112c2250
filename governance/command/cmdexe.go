package command

import "strings"

// cmd follows "cmd /c line" (and "cmd //c line", as it is written in Git's bash).
func (a *analysis) cmd(sc *scope, words []Word) {
	for i, w := range words[1:] {
		switch strings.ToLower(strings.TrimLeft(w.Text, "/")) {
		case "c", "k", "r":
			if strings.HasPrefix(w.Text, "/") {
				a.mutates(sc, words)
				a.cmdLine(sc.under("cmd"), join(words[i+2:]))
				return
			}
		}
		if !strings.HasPrefix(w.Text, "/") {
			break
		}
		if line := w.Text[1:]; len(line) > 2 && (line[0]|0x20 == 'c' || line[0]|0x20 == 'k') && line[1] != ':' {
			a.mutates(sc, words)
			a.cmdLine(sc.under("cmd"), line[1:]+" "+join(words[i+2:]))
			return
		}
	}
	if len(words) == 1 {
		a.interactive(sc, words)
		return
	}
	a.program(sc, "cmd", words)
}

// cmdLine follows a line of cmd.exe.
func (a *analysis) cmdLine(sc *scope, line string) {
	if !a.deeper(sc, line) {
		return
	}
	reads := false
	for _, words := range cmdWords(line) {
		if reads { // for /f %i in (file)
			for _, w := range words {
				a.target(sc, Target{Word: w, Access: Read, Program: "for"})
			}
			reads = false
			continue
		}
		reads = len(words) > 2 && strings.EqualFold(words[0].Text, "for") && strings.EqualFold(words[1].Text, "/f") &&
			strings.EqualFold(words[len(words)-1].Text, "in")
		for len(words) > 0 && (words[0].Text == "@" || strings.EqualFold(words[0].Text, "do") || strings.EqualFold(words[0].Text, "call") || strings.EqualFold(words[0].Text, "start")) {
			words = words[1:]
		}
		if len(words) > 0 {
			words[0].Text = strings.TrimPrefix(words[0].Text, "@")
			// "rd/s" needs no blank.
			if name, rest, ok := strings.Cut(words[0].Text, "/"); ok && ruleFor(strings.ToLower(name)) != nil {
				words = append([]Word{{Text: name}, {Text: "/" + rest}}, words[1:]...)
			}
			a.run(sc, words)
		}
	}
}

// cmdWords splits a line of cmd.exe into commands.
func cmdWords(line string) [][]Word {
	t := splitter{}
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '^' && i+1 < len(line) && !t.inQuotes:
			i++
			t.add(line[i])
		case c == '"':
			t.inQuotes = !t.inQuotes
			t.used, t.quoted = true, true
		case t.inQuotes:
			t.add(c)
		case c == '&' || c == '|' || c == '\n' || c == '(' || c == ')':
			t.endCommand()
		case c == ' ' || c == '\t' || c == ',' || c == ';':
			t.endWord()
		default:
			t.add(c)
		}
	}
	t.endCommand()
	return t.commands
}

// splitter collects words into commands.
type splitter struct {
	commands     [][]Word
	words        []Word
	buf          []byte
	used, quoted bool
	inQuotes     bool
}

func (t *splitter) add(c byte) { t.buf = append(t.buf, c) }

func (t *splitter) endWord() {
	if len(t.buf) > 0 || t.used {
		s := string(t.buf)
		t.words = append(t.words, Word{Text: s, Source: s, Quoted: t.quoted})
	}
	t.buf, t.used, t.quoted = nil, false, false
}

func (t *splitter) endCommand() {
	t.endWord()
	if len(t.words) > 0 {
		t.commands = append(t.commands, t.words)
	}
	t.words = nil
}
