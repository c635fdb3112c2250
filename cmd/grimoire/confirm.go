package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"golang.org/x/term"
)

// say writes on stderr, which stays free for people when stdout is JSON.
func (a *app) say(format string, args ...any) { fmt.Fprintf(a.err, format, args...) }

// interactive reports whether a person can answer a question.
func (a *app) interactive() bool {
	f, ok := a.in.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// confirm asks a yes-or-no question. Without a terminal the answer is no.
func (a *app) confirm(question string) bool {
	if !a.interactive() {
		a.say("%s %s\n", question, a.text("(pas de terminal : non ; --yes pour accepter)", "(no terminal: no; --yes to accept)"))
		return false
	}
	a.say("%s %s ", question, a.text("[o/N]", "[y/N]"))
	line, _ := a.line()
	switch strings.ToLower(line) {
	case "y", "yes", "o", "oui":
		return true
	}
	return false
}

// line reads one line of a terminal, without blanks around it. A terminal gives
// one line per read, so that none of the next is lost.
func (a *app) line() (string, error) {
	line, err := bufio.NewReader(a.in).ReadString('\n')
	if line = strings.TrimSpace(line); line != "" {
		return line, nil
	}
	return "", err
}
