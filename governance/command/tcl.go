package command

import "strings"

// tcl looks at the commands of a Tcl script: what exec and a pipe run, and what "file delete -force" removes.
func (a *analysis) tcl(sc *scope, src string) {
	if !a.weigh(src) {
		return
	}
	for command := range strings.FieldsFuncSeq(src, func(r rune) bool { return strings.ContainsRune("\n;[]{}", r) }) {
		if !a.step() {
			return
		}
		words := strings.Fields(command)
		for i, w := range words {
			switch rest := words[i+1:]; {
			case w == "exec" || w == "spawn":
				for len(rest) > 0 && strings.HasPrefix(rest[0], "-") {
					rest = rest[1:]
				}
				a.guessText(sc, strings.Join(rest, " "))
			case w == "open" && len(rest) > 0:
				a.guessText(sc, strings.TrimLeft(strings.Trim(strings.Join(rest, " "), `"`), "| "))
			case w == "file" && len(rest) > 1 && rest[0] == "delete" && rest[1] == "-force":
				a.destructive(RecursiveDelete, command)
			}
		}
	}
}

// tclsh follows a Tcl shell that reads its script from its standard input or from a file that the line writes.
func (a *analysis) tclsh(sc *scope, words []Word) {
	a.program(sc, "tclsh", words)
	sub := sc.under("tclsh")
	follow := func(in input) {
		switch in = a.settle(in); in.kind {
		case fromText:
			a.tcl(sub, in.text)
		case fromUnknown:
			a.opaque(sc, piped(in, words))
		}
	}
	if len(words) == 1 || isStdin(words[1].Text) {
		follow(sc.stdin)
		return
	}
	if words[1].feed != nil {
		follow(*words[1].feed)
	}
	a.runComposed(sc, words[1], follow)
}
