package command

import "strings"

// sedCommands follows the scripts that sed is given: on the line, and in a file that the line itself writes.
func (a *analysis) sedCommands(sc *scope, args []Word) {
	given := false
	for i := 0; i < len(args); i++ {
		t := args[i].Text
		option, val, glued := strings.Cut(t, "=")
		letter := byte(0) // the last of a bundle of short options
		if len(t) > 1 && t[0] == '-' && t[1] != '-' {
			letter = t[len(t)-1]
		}
		next := Word{}
		if i+1 < len(args) {
			next = args[i+1]
		}
		switch {
		case option == "--expression" && glued:
			given = true
			a.sedScript(sc, val)
		case option == "--expression" || letter == 'e':
			given = true
			i++
			a.sedScript(sc, next.Text)
		case strings.HasPrefix(t, "-e"):
			given = true
			a.sedScript(sc, t[2:])
		case option == "--file" || letter == 'f':
			given = true
			file := part(args[i], val)
			if !glued {
				i++
				file = next
			}
			a.sedFile(sc, file)
		case strings.HasPrefix(t, "-"):
		case !given:
			given = true
			a.sedScript(sc, t)
		}
	}
}

// sedFile follows a script that the line itself writes.
func (a *analysis) sedFile(sc *scope, file Word) {
	follow := func(in input) {
		if in = a.settle(in); in.kind == fromText {
			a.sedScript(sc, in.text)
		}
	}
	switch {
	case file.feed != nil:
		follow(*file.feed)
	case isStdin(file.Text):
		follow(sc.stdin)
	}
	a.runComposed(sc, file, follow)
}

// sedScript follows the "e" command of GNU sed, which runs the rest of its line, the "e" flag of "s", which runs what was
// put in, and the commands that read or write a file.
func (a *analysis) sedScript(sc *scope, script string) {
	for line := range strings.Lines(script) {
		line = strings.TrimSpace(line)
		if text, ok := substituted(sedAddress(line)); ok {
			a.guessText(sc, text)
			if strings.ContainsAny(text, "&\\") || text == "" {
				a.opaque(sc, script)
			}
		}
		for part := range strings.FieldsFuncSeq(line, func(r rune) bool { return r == '{' || r == '}' || r == ';' }) {
			command := sedAddress(part)
			if command == "e" {
				a.opaque(sc, script) // each line of the file is run
				continue
			}
			verb, rest, ok := strings.Cut(command, " ")
			rest = strings.TrimSpace(rest)
			if !ok || rest == "" {
				continue
			}
			file := Word{Text: rest, Source: rest}
			switch verb {
			case "e":
				a.guessText(sc, rest)
			case "r", "R":
				a.target(sc, Target{Word: file, Access: Read, Program: "sed"})
			case "w", "W":
				a.written(sc, file, "sed")
			}
		}
	}
}

// sedAddress cuts off which lines a command is about.
func sedAddress(command string) string {
	for {
		command = strings.TrimLeft(command, "0123456789$,~+! ")
		end := -1
		switch {
		case strings.HasPrefix(command, "/"):
			end = sedPattern(command[1:], '/') + 1
		case len(command) > 2 && command[0] == '\\':
			end = sedPattern(command[2:], command[1]) + 2
		}
		if end < 2 {
			return command
		}
		command = strings.TrimLeft(command[end+1:], "IM")
	}
}

// sedPattern is where the pattern that ends with a sign ends, or -1.
func sedPattern(s string, sign byte) int {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case sign:
			return i
		}
	}
	return -1
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
