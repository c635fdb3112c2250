package command

import (
	"fmt"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Shell is the language of the line that is judged.
type Shell string

// The shells that hosts hand a line to.
const (
	POSIX      Shell = "" // sh, bash, zsh
	PowerShell Shell = "powershell"
	Cmd        Shell = "cmd"
)

// Options says how a line is to be read.
type Options struct {
	// Shell is the shell that the host would give the line to. A POSIX line that does not parse as one is read as
	// PowerShell too, because some hosts name no shell.
	Shell Shell
	// Dir is the folder that the line starts in, relative to the project, with forward slashes; empty for the project's
	// own. It says which folder a word without one is in (cat token, in secrets/).
	Dir string
}

// Analyze says what the line would run. It never panics and its time is bounded; a line that it cannot judge has
// Unjudged set.
func Analyze(line string, opt Options) Facts {
	a := &analysis{functions: map[string]*function{}, aliases: map[string]string{}, gitAliases: map[string]string{}}
	if len(line) > MaxBytes {
		a.facts.Unjudged = TooLong
		return a.facts
	}
	// A NUL cannot be part of an argument, and Unknown is spelled with one.
	line = strings.ReplaceAll(strings.TrimPrefix(line, "\ufeff"), Unknown, " ")
	if strings.Contains(line, "\r") {
		line = strings.ReplaceAll(line, "\r\n", "\n")
	}
	sc := &scope{vars: variables{}, start: opt.Dir}
	switch opt.Shell {
	case PowerShell:
		a.powershell(sc, line)
	case Cmd:
		a.cmdLine(sc, line)
	default:
		a.text(sc, line)
	}
	a.uncalled(sc)
	a.facts.ReadOnly = a.facts.Mutation == "" && a.facts.Unjudged == "" && len(a.facts.Opaque) == 0 &&
		(len(a.facts.Programs) > 0 || a.neutral)
	return a.facts
}

// analysis is the work on one line.
type analysis struct {
	facts     Facts
	functions map[string]*function
	declared  []*function
	aliases   map[string]string
	// gitAliases are the aliases that git is given on the line.
	gitAliases map[string]string
	composed   composed
	parsers    map[syntax.LangVariant]*syntax.Parser
	steps      int
	values     int // most values of any variable that the current call used
	neutral    bool
}

// function is a shell function that the line declares.
type function struct {
	body   *syntax.Stmt
	sc     *scope
	called bool
	active bool
}

// scope is where a piece of the line runs.
type scope struct {
	src   string
	vars  variables
	args  []Word // positional parameters; nil when they belong to the session
	arg0  string // $0, where the line gives it
	stdin input
	start string // the folder that the line starts in
	via   []string
	depth int
	alt   int // which of a variable's values is followed
	// uncertain says that what is assigned here may not hold afterwards.
	uncertain bool
	// quiet says that only destructive shapes are of interest: a guess about what a program does with its words.
	quiet bool
	// guessing says that the words are taken from the arguments of a program that is not known to run them.
	guessing bool
	// bulk says that the program is run for many files, so that a plain rm is a mass deletion; found are the names that
	// they were searched by, where all of them are known.
	bulk  bool
	found []string
}

// branch is the scope of something that may or may not run, or that runs in a shell of its own.
func (sc *scope) branch() *scope {
	sub := *sc
	sub.uncertain = true
	return &sub
}

// under is the scope of what the wrapper name runs.
func (sc *scope) under(name string) *scope {
	sub := *sc
	sub.via = append(slices.Clip(sc.via), name)
	sub.depth++
	return &sub
}

// slice returns the text of a node.
func (sc *scope) slice(n syntax.Node) string {
	from, to := int(n.Pos().Offset()), int(n.End().Offset())
	if from < 0 || to > len(sc.src) || from >= to {
		return ""
	}
	return sc.src[from:to]
}

// step counts work; it is false once the line has had its share.
func (a *analysis) step() bool {
	if a.steps++; a.steps > MaxSteps {
		a.unjudged(TooComplex, "")
		return false
	}
	return true
}

// weigh counts text that was put together as work, so that variables cannot double their way to any size.
func (a *analysis) weigh(text string) bool {
	a.steps += len(text) / 16
	return a.step()
}

func (a *analysis) unjudged(r Reason, detail string) {
	if a.facts.Unjudged == "" {
		a.facts.Unjudged, a.facts.Detail = r, detail
	}
}

// text reads src as a shell line and follows it.
func (a *analysis) text(sc *scope, src string) {
	if strings.TrimSpace(src) == "" {
		return
	}
	src = strings.ReplaceAll(src, Unknown, unknownParam)
	if sc.depth > MaxDepth || tooDeep(src) {
		a.unjudged(TooDeep, "")
		return
	}
	if sc.depth > 0 && !a.weigh(src) || !a.step() {
		return
	}
	sub := *sc
	sub.src, sub.guessing = src, false
	sub.depth++
	stmts, err := a.parse(src, syntax.LangBash)
	if err != nil && !looksLikePowerShell(src) {
		if zsh, zerr := a.parse(src, syntax.LangZsh); zerr == nil {
			stmts, err = zsh, nil
		}
	}
	// Shells run a line statement by statement: what stands before an error still runs.
	a.stmts(&sub, stmts)
	if err != nil && !a.powershellScript(sc, src) {
		a.mutate(sc, src)
		a.unjudged(Syntax, err.Error())
	}
}

// deeper says that one more text inside a text may be followed.
func (a *analysis) deeper(sc *scope, text string) bool {
	if sc.depth >= MaxDepth || tooDeep(text) {
		a.unjudged(TooDeep, "")
		return false
	}
	return a.weigh(text)
}

// unknownParam is how a part that is not known is spelled when a text is parsed again: a parameter without a value.
const unknownParam = "${?}"

func (a *analysis) parse(src string, lang syntax.LangVariant) (stmts []*syntax.Stmt, err error) {
	p := a.parsers[lang]
	if p == nil {
		p = syntax.NewParser(syntax.Variant(lang))
		if a.parsers == nil {
			a.parsers = map[syntax.LangVariant]*syntax.Parser{}
		}
		a.parsers[lang] = p
	}
	// A line that makes the parser fail is a line that is not judged, not a hook that dies.
	defer func() {
		if r := recover(); r != nil {
			delete(a.parsers, lang)
			err = fmt.Errorf("parse the line: %v", r)
		}
	}()
	for stmt, failure := range p.StmtsSeq(strings.NewReader(src)) {
		// The sequence does not take an early end well: it is read to its own.
		if failure != nil {
			err = failure
			continue
		}
		stmts = append(stmts, stmt)
	}
	return stmts, err
}

// uncalled looks into functions that are declared and not called: a later line may call them. What they would run with
// arguments that nobody gave is not a fact, so that only destructive shapes count.
func (a *analysis) uncalled(sc *scope) {
	for _, f := range a.declared {
		if !f.called {
			f.called = true
			sub := *f.sc
			sub.quiet = true
			sub.depth = sc.depth + 1
			a.stmt(&sub, f.body)
		}
	}
}

func (a *analysis) opaque(sc *scope, fragment string) {
	if sc.quiet {
		return
	}
	fragment = readable(fragment)
	if !slices.Contains(a.facts.Opaque, fragment) && len(a.facts.Opaque) < maxFacts {
		a.facts.Opaque = append(a.facts.Opaque, fragment)
	}
	a.mutate(sc, fragment)
}

func (a *analysis) destructive(l Label, fragment string) {
	f := Finding{l, readable(fragment)}
	if !slices.Contains(a.facts.Destructive, f) && len(a.facts.Destructive) < maxFacts {
		a.facts.Destructive = append(a.facts.Destructive, f)
	}
	if a.facts.Mutation == "" {
		a.facts.Mutation = f.Fragment
	}
}

func (a *analysis) mutate(sc *scope, fragment string) {
	if !sc.quiet && a.facts.Mutation == "" {
		a.facts.Mutation = readable(fragment)
	}
}

// mutates is mutate for the words of a program.
func (a *analysis) mutates(sc *scope, words []Word) {
	if !sc.quiet && a.facts.Mutation == "" {
		a.mutate(sc, join(words))
	}
}

func (a *analysis) target(sc *scope, t Target) {
	if sc.quiet || t.Word.Text == "" {
		return
	}
	if len(a.facts.Targets) >= maxTargets {
		if t.Access != Touch {
			a.unjudged(TooComplex, "") // a file that matters may be among those that have no place left
		}
		return
	}
	if t.Access == Read && (shows.has(t.Program) || t.Program == "<") {
		t.Dir = sc.folder()
	}
	a.facts.Targets = append(a.facts.Targets, t)
}

// maxTargets bounds the list of files.
const maxTargets = 4 * maxFacts

// maxFacts bounds the lists of facts; no reader needs more of them.
const maxFacts = 256

// maxFragment is the longest fragment that a message shows, in bytes.
const maxFragment = 160

// readable makes a fragment fit for a message.
func readable(s string) string {
	s = strings.ReplaceAll(s, unknownParam, "…")
	s = strings.ReplaceAll(s, Unknown, "…")
	s = strings.TrimSpace(s)
	if len(s) > maxFragment {
		s = strings.ToValidUTF8(s[:maxFragment], "") + "…"
	}
	return s
}

// join writes words in one line. What a line can make longer than any line is cut.
func join(words []Word) string {
	var b strings.Builder
	for i, w := range words {
		if b.Len() > MaxBytes {
			break
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.Text)
	}
	return b.String()
}
