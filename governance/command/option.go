package command

import "strings"

// textOptions are options of ordinary programs whose value is given to a shell, with what stands before it there.
var textOptions = []struct {
	programs, options names
	before            string
}{
	{"tar gtar bsdtar", "--checkpoint-action", "exec="},
	{"tar gtar bsdtar", "--to-command -I --use-compress-program --rsh-command", ""},
	{"rsync", "-e --rsh", ""},
	{"vim vi nvim ex", "-c --cmd", "!"},
	{"man", "-P --pager", ""},
	{"sort", "--compress-program", ""},
	{"zip", "-TT", ""},
	{"entr", "-s", ""},
	{"nodemon", "--exec -x", ""},
}

// optionTexts follows the options that give a shell line to a program of another purpose.
func (a *analysis) optionTexts(sc *scope, name string, args []Word) {
	if name == "sed" || name == "gsed" {
		a.sedCommands(sc, args)
		return
	}
	for _, row := range textOptions {
		if !row.programs.has(name) {
			continue
		}
		for i, w := range args {
			option, val, glued := strings.Cut(w.Text, "=")
			if !row.options.has(option) {
				continue
			}
			if !glued && i+1 < len(args) {
				val = args[i+1].Text
			}
			if text, ok := strings.CutPrefix(strings.TrimPrefix(val, ":"), row.before); ok {
				a.guessText(sc.under(name), text)
			}
		}
	}
}

// sedCommands follows the "e" command of GNU sed, which runs the rest of its line.
func (a *analysis) sedCommands(sc *scope, args []Word) {
	for _, w := range args {
		line := strings.TrimLeft(w.Text, "0123456789$, ")
		if text, ok := strings.CutPrefix(line, "e "); ok {
			a.text(sc.under("sed"), text)
		}
	}
}
