package main

import "github.com/grimoire-kit/grimoire/surface"

// lost names for people what a host cannot do. JSON keeps the name.
func (a *app) lost(name string) string {
	t, _ := surface.Lost(name)
	return printable(t.In(a.lang))
}

// colon joins a label to what follows. A place in a file, `path:line: text`, is
// written as compilers do in both languages.
func (a *app) colon() string { return a.text(" : ", ": ") }

// number counts things; French has one word for up to one, another from two on.
func (a *app) number(n int, one, more, english string) string {
	if n > 1 {
		one = more
	}
	return counted(n, a.text(one, english))
}
