package command

import (
	"path"
	"slices"
	"strings"
)

// composed are the files that the line itself writes, by name, with what it writes into them. A line that writes a
// program and runs it is followed like one that runs its text.
type composed map[string][]input

// maxComposed bounds how many files of one line are remembered.
const maxComposed = 64

// place is the name under which a file is remembered.
func (sc *scope) place(name string) string {
	if path.IsAbs(name) {
		return path.Clean(name)
	}
	return path.Join(sc.folder(), name)
}

// compose remembers that in is written to a file, or added to it.
func (a *analysis) compose(sc *scope, name Word, in input, added bool) {
	if sc.quiet || !name.Resolved() || name.Text == "" || harmlessDevice(name.Text) || len(a.composed) >= maxComposed {
		return
	}
	if a.composed == nil {
		a.composed = composed{}
	}
	at := sc.place(name.Text)
	if !added && !sc.uncertain {
		a.composed[at] = nil
	}
	if len(a.composed[at]) < maxValues {
		a.composed[at] = append(slices.Clip(a.composed[at]), in)
	}
}

// composes remembers what a program writes or copies under another name.
func (a *analysis) composes(sc *scope, name string, words []Word) {
	args := words[1:]
	switch name {
	case "tee":
		for _, w := range args {
			if !strings.HasPrefix(w.Text, "-") {
				a.compose(sc, w, sc.stdin, hasFlag(args, "-a", "--append"))
			}
		}
	case "curl", "wget", "aria2c":
		from := input{kind: fromUnknown, text: join(words)}
		named := flags(args, "", func(l string) bool { return l == "remote-name" }, func(c byte) bool { return c == 'O' }) || name != "curl"
		for i, w := range args {
			switch {
			case w.Text == "-o" || w.Text == "-O" || w.Text == "--output" || w.Text == "--output-document":
				if i+1 < len(args) && !strings.Contains(args[i+1].Text, "://") {
					a.compose(sc, args[i+1], from, false)
				}
			case named && strings.Contains(w.Text, "://"):
				a.compose(sc, part(w, path.Base(w.Text)), from, false)
			}
		}
	case "cp", "mv", "ln", "install":
		var files []Word
		for _, w := range args {
			if !strings.HasPrefix(w.Text, "-") {
				files = append(files, w)
			}
		}
		if len(files) < 2 {
			return
		}
		files = files[len(files)-2:] // the words before may belong to options
		if !files[0].Resolved() {
			return
		}
		source := programName(files[0].Text)
		if known := a.composed[sc.place(files[0].Text)]; len(known) > 0 {
			for i, in := range known {
				a.compose(sc, files[1], in, i > 0)
			}
		} else if ruleFor(source) != nil || special(source) != nil || languageOf(source) != nil || wrappers.find(source) != nil {
			a.compose(sc, files[1], input{kind: fromProgram, text: files[0].Text}, false)
		}
	}
}

// runComposed follows a file that the line has written, as run does with each of what may be in it; it is false for any
// other file.
func (a *analysis) runComposed(sc *scope, name Word, run func(input)) bool {
	if len(a.composed) == 0 || !name.Resolved() {
		return false
	}
	at := sc.place(name.Text)
	known := a.composed[at]
	if len(known) == 0 {
		return false
	}
	delete(a.composed, at) // a script that runs itself is followed once
	for _, in := range known {
		run(in)
	}
	a.composed[at] = known
	return true
}

// execute follows a file that the line has written and that is run by its name.
func (a *analysis) execute(sc *scope, words []Word) bool {
	return a.runComposed(sc, words[0], func(in input) {
		if in.kind == fromProgram {
			a.run(sc, append([]Word{{Text: in.text, Source: words[0].Source}}, words[1:]...))
			return
		}
		sub := sc.under(programName(words[0].Text))
		sub.args = words[1:]
		in = a.settle(in)
		if first, _, _ := strings.Cut(in.text, "\n"); in.kind == fromText && strings.HasPrefix(first, "#!") {
			fields := strings.Fields(first[len("#!"):])
			if len(fields) > 0 {
				if lang := languageOf(programName(fields[len(fields)-1])); lang != nil {
					a.code(sub, lang, in.text)
					return
				}
			}
		}
		a.fed(sub, in, words)
	})
}
