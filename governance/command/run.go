package command

import (
	"path"
	"slices"
	"strings"
)

// programName turns a word in command position into the name that the tables use.
func programName(text string) string {
	if i := strings.LastIndexAny(text, `/\`); i >= 0 {
		text = text[i+1:]
	}
	text = strings.ToLower(text)
	for _, ext := range []string{".exe", ".cmd", ".bat", ".com"} {
		if cut, ok := strings.CutSuffix(text, ext); ok && cut != "" {
			return cut
		}
	}
	return text
}

// special returns how a program is followed that takes a program or its text in a way of its own.
func special(name string) func(*analysis, *scope, []Word) {
	switch name {
	case "sh", "bash", "zsh", "dash", "ksh", "ksh93", "mksh", "ash", "rbash", "yash", "hush", "fish", "csh", "tcsh",
		"nu", "elvish", "xonsh":
		return (*analysis).shell
	case "xargs", "gxargs":
		return (*analysis).xargs
	case "parallel", "sem":
		return (*analysis).parallel
	case "find", "gfind":
		return (*analysis).find
	case "fd", "fdfind":
		return (*analysis).fd
	case "git", "hub":
		return (*analysis).git
	case "cmd":
		return (*analysis).cmd
	case "pwsh", "powershell":
		return (*analysis).pwsh
	case "trap":
		return (*analysis).trap
	case "alias":
		return (*analysis).alias
	case "source", ".":
		return (*analysis).source
	case "read":
		return (*analysis).read
	case "set":
		return (*analysis).set
	case "at", "batch":
		return (*analysis).later
	case "crontab":
		return (*analysis).crontab
	case "rtk":
		return (*analysis).rtk
	case "cd", "pushd", "chdir":
		return (*analysis).cd
	case "tclsh", "wish", "jimsh":
		return (*analysis).tclsh
	}
	return nil
}

// run follows the program words[0] with its arguments.
func (a *analysis) run(sc *scope, words []Word) {
	for len(words) > 0 && words[0].Text == "" {
		words = words[1:]
	}
	if len(words) == 0 || !a.step() {
		return
	}
	if sc.depth >= MaxDepth {
		a.unjudged(TooDeep, "")
		return
	}
	if strings.Contains(words[0].Text, "/") && a.execute(sc, words) {
		return
	}
	name, ok := a.name(sc, words)
	if !ok {
		return
	}
	if text, ok := a.aliases[name]; ok && !slices.Contains(sc.via, name) {
		a.text(sc.under(name), text+" "+requote(words[1:]))
		return
	}
	if f, ok := a.functions[name]; ok {
		a.invoke(sc, f, words)
	}
	if verb, ok := strings.CutPrefix(name, "git-"); ok && gitVerbs.has(verb) {
		words = append([]Word{{Text: "git"}, {Text: verb, Source: words[0].Source}}, words[1:]...)
		name = "git"
	}
	if f := special(name); f != nil {
		f(a, sc, words)
		return
	}
	if lang := languageOf(name); lang != nil {
		a.interpreter(sc, lang, name, words)
		return
	}
	if w := wrappers.find(name); w != nil && a.wrapped(sc, w, name, words) {
		return
	}
	a.program(sc, name, words)
}

// name resolves the word in command position; it is false if that cannot be done.
func (a *analysis) name(sc *scope, words []Word) (string, bool) {
	w := words[0]
	name := programName(w.Text)
	if !strings.Contains(name, Unknown) && !(w.Glob && strings.ContainsAny(name, "*?[")) || name == "[" {
		return name, true
	}
	if w.Glob && w.Resolved() {
		for known, rule := range rules {
			if ok, err := path.Match(name, known); ok && err == nil {
				if _, destroys := rule(words[1:]); destroys {
					return known, true
				}
			}
		}
	}
	source := w.Source
	if source == "" {
		source = w.Text
	}
	a.opaque(sc, source)
	a.record(sc, "", words)
	a.guess(sc, words[1:])
	return "", false
}

// invoke follows the body of a function with the arguments of this call.
func (a *analysis) invoke(sc *scope, f *function, words []Word) {
	f.called = true
	if f.active {
		return
	}
	f.active = true
	defer func() { f.active = false }()
	sub := *sc
	sub.src = f.sc.src
	sub.args = append([]Word{}, words[1:]...)
	sub.depth++
	a.stmt(&sub, f.body)
}

// wrapped follows what a wrapper runs; it is false if this call of it wraps nothing.
func (a *analysis) wrapped(sc *scope, w *wrapper, name string, words []Word) bool {
	in := w.split(words)
	if in.ordinary {
		return false
	}
	sub := sc.under(name)
	for _, as := range in.assigns {
		key, val, _ := strings.Cut(as, "=")
		a.hijack(sub, key, val)
	}
	if in.inert {
		a.neutral = true
		return true
	}
	if !in.neutral {
		a.mutates(sc, words)
	}
	a.wrapperTargets(sc, name, words)
	for _, t := range in.texts {
		a.shellText(sub, t, nil)
	}
	if w.joined {
		a.guessQuoted(sub, words[1:])
	}
	a.optionTexts(sub, name, words[1:])
	switch {
	case in.session && sc.stdin.kind != fromTerminal:
		a.fed(sub, sc.stdin, words) // the shell it opens reads what the line gives it
	case in.session:
		a.interactive(sc, words)
	}
	if in.image.Text != "" {
		a.imageProgram(sub, in)
	}
	if len(in.words) == 0 {
		if len(in.texts) == 0 {
			a.neutral = true
		}
		return true
	}
	a.run(sub, in.words)
	if !in.neutral {
		a.guess(sub, in.words[1:])
	}
	return true
}

// shellText follows a word that a shell reads as a line.
func (a *analysis) shellText(sc *scope, w Word, args []Word) {
	if strings.Trim(w.Text, " \t\n"+Unknown) == "" {
		if !w.Resolved() {
			a.opaque(sc, w.Source)
		}
		return
	}
	sub := *sc
	if args != nil {
		sub.args = args
	}
	a.text(&sub, w.Text)
}

func (a *analysis) interactive(sc *scope, words []Word) {
	if !sc.quiet && a.facts.Interactive == "" && sc.stdin.kind == fromTerminal {
		a.facts.Interactive = readable(join(words))
	}
	a.mutates(sc, words)
}

// record adds a program to the facts.
func (a *analysis) record(sc *scope, name string, words []Word) {
	if sc.quiet {
		return
	}
	if len(a.facts.Programs) < 4*maxFacts {
		a.facts.Programs = append(a.facts.Programs, Program{Name: name, Path: words[0].Text, Args: words[1:], Via: sc.via})
	}
	a.targets(sc, name, words[1:])
}

// program judges a program that wraps nothing.
func (a *analysis) program(sc *scope, name string, words []Word) {
	args := words[1:]
	a.record(sc, name, words)
	if sc.bulk && (name == "rm" || name == "unlink" || name == "shred") && !asksHelp(args) {
		a.destructive(RecursiveDelete, join(words))
	} else if sc.bulk && (name == "chmod" || name == "gchmod") && slices.ContainsFunc(args, func(w Word) bool { return worldWritable(w.Text) }) {
		a.destructive(WorldWritable, join(words))
	} else if rule := ruleFor(name); rule != nil {
		if label, ok := rule(args); ok {
			a.destructive(label, join(words))
		} else if sc.stdin.kind == fromPipe && (name == "remove-item" || name == "ri") {
			a.destructive(RecursiveDelete, join(words))
		}
	}
	a.composes(sc, name, words)
	a.hiddenOptions(sc, name, words)
	a.optionTexts(sc, name, args)
	a.framework(sc, name, args)
	if name == "printf" && len(args) > 2 && args[0].Text == "-v" {
		sc.vars.set(args[1].Text, value{elems: []string{format(args[2].Text, args[3:])}}, sc.uncertain)
	}
	if sqlClients.has(name) {
		a.sqlClient(sc, words)
	}
	if !readOnly(name, args) {
		a.mutates(sc, words)
	}
	if !talks.has(name) && !readers.has(name) {
		a.guess(sc, args)
		a.commandOptions(sc, name, args)
	}
}

// deciders are the destructive programs whose first words decide what they do.
const deciders names = "rm grm kubectl oc terraform tofu docker podman"

// hiddenOptions finds words that cannot be known where the options or the verb of a destructive program stand. A word
// that is quoted, or after which nothing known follows, is taken for what is acted on.
func (a *analysis) hiddenOptions(sc *scope, name string, words []Word) {
	if !deciders.has(name) {
		return
	}
	valued := false // the word before may be an option that takes this one
	for i, w := range words[1:] {
		option := w.Text != "" && w.Text[0] == '-'
		switch {
		case w.Text == "--":
			return
		case w.Resolved() || strings.Contains(w.Text, "=") || valued:
			if !option && !valued {
				return
			}
			valued = option && name != "rm" && name != "grm"
		case option, (!w.Quoted || strings.ContainsAny(w.Source, "@*")) && slices.ContainsFunc(words[i+2:], Word.Resolved):
			a.opaque(sc, join(words))
			return
		}
	}
}

// guess looks for a destructive program among the arguments of a program that the tables do not know: it may be a
// wrapper. Only words that are not quoted count, and only destructive shapes are recorded.
func (a *analysis) guess(sc *scope, args []Word) {
	if sc.guessing {
		return
	}
	sub := *sc
	sub.guessing, sub.quiet = true, true
	tried := 0
	for i, w := range args {
		if tried == maxGuesses {
			a.unjudged(TooComplex, "")
			return
		}
		if strings.ContainsAny(w.Text, " \n"+Unknown) {
			continue
		}
		name := programName(w.Text)
		switch name {
		case "format", "del", ".", "source", "read", "set", "at", "batch", "alias", "trap", "cd", "nu", "crontab":
			continue // too common as a word
		}
		if ruleFor(name) == nil && special(name) == nil {
			continue
		}
		tried++
		a.run(&sub, args[i:])
	}
}

// maxGuesses bounds how many arguments of one program are tried as programs.
const maxGuesses = 64

// commandNames are the options whose value is a command line wherever a program has one of them.
const commandNames names = "-c -e -x --command --cmd --exec --execute --shell-command --script --scripts --run --eval --on-change"

// commandOptions looks into the command line that a program the tables do not know is given by an option.
func (a *analysis) commandOptions(sc *scope, name string, args []Word) {
	if strings.HasSuffix(name, "grep") || sc.guessing {
		return
	}
	for i, w := range args {
		option, val, glued := strings.Cut(w.Text, "=")
		if !commandNames.has(option) {
			continue
		}
		if !glued && i+1 < len(args) {
			val = args[i+1].Text
		}
		if strings.Contains(val, " ") {
			a.guessText(sc.under(name), val)
		}
	}
}

// imageProgram follows an image that is called like a program: what stands after it may be the program's own words.
func (a *analysis) imageProgram(sc *scope, in inner) {
	name, _, _ := strings.Cut(in.image.Text, "@")
	name = name[strings.LastIndexByte(name, '/')+1:]
	name, _, _ = strings.Cut(name, ":")
	if name = strings.TrimSuffix(name, "-cli"); ruleFor(name) != nil {
		sub := *sc
		sub.quiet = true
		a.run(&sub, append([]Word{part(in.image, name)}, in.words...))
	}
}

// guessQuoted looks into the quoted words of a program that joins its words for a shell. The shell takes them apart
// again, but what was meant may be what stands in the quotes ("ssh host bash -c 'rm -rf x'").
func (a *analysis) guessQuoted(sc *scope, words []Word) {
	for _, w := range words {
		if w.Quoted && strings.Contains(w.Text, " ") {
			a.guessText(sc, w.Text)
		}
	}
}

// requote writes words so that a shell reads them back as they are.
func requote(words []Word) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		if !w.Resolved() {
			b.WriteString(w.Text)
			continue
		}
		b.WriteByte('\'')
		b.WriteString(strings.ReplaceAll(w.Text, "'", `'\''`))
		b.WriteByte('\'')
	}
	return b.String()
}
