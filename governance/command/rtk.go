package command

import "strings"

// rtk follows the token filter of that name: it runs a program and shortens what it prints, or shows a file by itself.
func (a *analysis) rtk(sc *scope, words []Word) {
	i := 1
	for i < len(words) && strings.HasPrefix(words[i].Text, "-") {
		i++
	}
	rest := words[min(i, len(words)):]
	if len(rest) == 0 {
		a.neutral = true
		return
	}
	sub := sc.under("rtk")
	switch rest[0].Text {
	case "read", "smart", "json", "log":
		a.run(sub, append([]Word{{Text: "cat"}}, rest[1:]...))
	case "test", "err", "summary", "run", "proxy":
		if len(rest) == 2 {
			a.mutates(sc, words)
			a.shellText(sub, rest[1], nil)
			return
		}
		a.run(sub, rest[1:])
	default:
		a.run(sub, rest)
	}
}
