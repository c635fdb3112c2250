package command

import (
	"path"
	"strings"
)

// cd follows the line into a folder. Later words that name files are then taken from there.
func (a *analysis) cd(sc *scope, words []Word) {
	a.program(sc, "cd", words)
	var to string
	for _, w := range words[1:] {
		if !strings.HasPrefix(w.Text, "-") {
			to = w.Text
		}
	}
	switch {
	case to == "" || strings.Contains(to, Unknown) || len(to)+len(sc.went()) > maxFolder:
		to = "."
	case !path.IsAbs(to) && to[0] != '~':
		to = path.Join(sc.went(), to)
	}
	sc.vars.set("PWD", value{elems: []string{to}}, sc.uncertain)
}

// went is where the line has gone from where it started; empty at its start.
func (sc *scope) went() string {
	went := sc.vars["PWD"]
	if len(went) == 0 {
		return ""
	}
	if to := went[len(went)-1].text(); to != "." {
		return to
	}
	return ""
}

// folder is where the line is; empty for the folder that its relative paths are about.
func (sc *scope) folder() string {
	went := sc.went()
	if sc.start == "" || path.IsAbs(went) || strings.HasPrefix(went, "~") {
		return went
	}
	return path.Join(sc.start, went)
}

// maxFolder is the longest path that is followed, in bytes; no system takes a longer one.
const maxFolder = 4096
