package command

import "slices"

// value is what a variable may hold: one text, or the elements of an array.
type value struct {
	elems []string
	array bool
	// ref says that the text is the name of the variable that is meant (declare -n).
	ref bool
}

// text is the value as "$x" gives it.
func (v value) text() string {
	if len(v.elems) == 0 {
		return ""
	}
	return v.elems[0]
}

// maxValues bounds how many values one variable is followed with.
const maxValues = 8

// variables holds, for each name, every value that the line may have given it.
type variables map[string][]value

// set records an assignment. One that may not happen, or that happens in a branch or a subshell, is added to the values
// that the variable may already hold.
func (vs variables) set(name string, v value, uncertain bool) {
	old := vs[name]
	if !uncertain || len(old) == 0 {
		vs[name] = []value{v}
		return
	}
	if len(old) == maxValues || slices.ContainsFunc(old, func(o value) bool { return slices.Equal(o.elems, v.elems) }) {
		return
	}
	vs[name] = append(slices.Clip(old), v)
}

// ambient holds the variables that every session has, with a value that is good enough to judge by.
var ambient = map[string]string{
	"HOME":   "~",
	"PWD":    ".",
	"OLDPWD": ".",
	"TMPDIR": "/tmp",
	"SHELL":  "/bin/sh",
	"BASH":   "/bin/bash",
	"0":      "bash",
	"IFS":    " \t\n",
}
