package command

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// runsFound says that a shell or an interpreter is given what a search has found as its program: which files are run is
// not on the line. Scripts of the language's own extension are the project's, as they are when they are run by name.
func (sc *scope) runsFound(file Word, extensions names) bool {
	if !sc.bulk || file.Text != "{}" && file.Resolved() {
		return false
	}
	return len(sc.found) == 0 || slices.ContainsFunc(sc.found, func(pattern string) bool {
		at := strings.LastIndexByte(pattern, '.')
		return at < 0 || !extensions.has(strings.ToLower(pattern[at+1:]))
	})
}

// shellExtensions are those of shell scripts.
const shellExtensions names = "sh bash zsh ksh bats"

// sought are the names that a call of find looks for; nil if it also takes others.
func sought(args []Word) []string {
	var out []string
	for i, w := range args {
		switch w.Text {
		case "-name", "-iname", "-path", "-ipath", "-wholename":
			if i+1 < len(args) {
				out = append(out, args[i+1].Text)
			}
		case "!", "-not":
			return nil
		}
	}
	return out
}

// soughtByFd are the extensions that a call of fd looks for, as patterns.
func soughtByFd(args []Word) []string {
	var out []string
	for i, w := range args {
		if (w.Text == "-e" || w.Text == "--extension") && i+1 < len(args) {
			out = append(out, "*."+args[i+1].Text)
		}
	}
	return out
}

// soughtBefore are the names that the find before a pipe looks for.
func (a *analysis) soughtBefore(sc *scope) []string {
	if sc.stdin.kind != fromPipe || len(sc.stdin.stmts) != 1 {
		return nil
	}
	call, ok := sc.stdin.stmts[0].Cmd.(*syntax.CallExpr)
	if !ok {
		return nil
	}
	quiet := *sc.stdin.sc
	quiet.quiet = true
	words := a.fields(&quiet, call.Args)
	if len(words) > 1 && (programName(words[0].Text) == "find" || programName(words[0].Text) == "git") {
		if words[0].Text != "find" { // git ls-files '*.sh'
			var out []string
			for _, w := range words[2:] {
				if !strings.HasPrefix(w.Text, "-") {
					out = append(out, w.Text)
				}
			}
			return out
		}
		return sought(words[1:])
	}
	return nil
}
