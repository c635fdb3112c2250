package command

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

func (a *analysis) stmts(sc *scope, stmts []*syntax.Stmt) {
	for _, s := range stmts {
		a.stmt(sc, s)
	}
}

// stmt follows one statement: its redirections, then what it runs.
func (a *analysis) stmt(sc *scope, s *syntax.Stmt) {
	if s == nil || !a.step() {
		return
	}
	if sc.depth >= MaxDepth {
		a.unjudged(TooDeep, "")
		return
	}
	sub := *sc
	sub.depth++
	a.redirections(&sub, s.Redirs)
	a.outputs(sc, s)
	if sub.uncertain == sc.uncertain && (s.Background || s.Coprocess) {
		sub.uncertain = true
	}
	a.command(&sub, s.Cmd)
}

// redirections follows what stands after >, < and <<, and makes the standard input of sc.
func (a *analysis) redirections(sc *scope, redirs []*syntax.Redirect) {
	for _, r := range redirs {
		switch r.Op {
		case syntax.Hdoc, syntax.DashHdoc:
			body := a.document(sc, r)
			if forStdin(r) {
				sc.stdin = input{kind: fromText, text: body}
			}
			continue
		}
		w := a.single(sc, r.Word)
		op := r.Op.String()
		switch r.Op {
		case syntax.WordHdoc:
			if forStdin(r) {
				sc.stdin = input{kind: fromText, text: w.Text + "\n"}
			}
		case syntax.RdrIn:
			if forStdin(r) {
				sc.stdin = input{kind: fromFile, text: w.Text}
				if w.feed != nil {
					sc.stdin = *w.feed
				}
			}
			a.target(sc, Target{Word: w, Access: Read, Program: op})
		case syntax.RdrInOut:
			a.written(sc, w, op)
			a.target(sc, Target{Word: w, Access: Read, Program: op})
			if forStdin(r) {
				sc.stdin = input{kind: fromFile, text: w.Text}
			}
		case syntax.DplIn:
			if forStdin(r) {
				sc.stdin = input{kind: fromElsewhere}
			}
		case syntax.DplOut:
			// ">&2" duplicates a descriptor; ">& file" is an old spelling of "&>".
			if w.Text != "-" && strings.Trim(w.Text, "0123456789-") != "" {
				a.written(sc, w, op)
			}
		default:
			a.written(sc, w, op)
		}
	}
}

// outputs remembers the files that a statement writes by redirection.
func (a *analysis) outputs(sc *scope, s *syntax.Stmt) {
	if sc.quiet || s.Cmd == nil {
		return
	}
	for _, r := range s.Redirs {
		switch r.Op {
		case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll:
			if r.N == nil || r.N.Value == "1" {
				quiet := *sc
				quiet.quiet = true
				from := *sc
				a.compose(sc, a.single(&quiet, r.Word), input{kind: fromPipe, stmts: []*syntax.Stmt{s}, sc: &from}, r.Op == syntax.AppOut || r.Op == syntax.AppAll)
			}
		}
	}
}

func forStdin(r *syntax.Redirect) bool { return r.N == nil || r.N.Value == "0" }

// harmlessDevice says that path may be written to without changing anything.
func harmlessDevice(path string) bool {
	switch path {
	case "/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "NUL", "nul", "$null":
		return true
	}
	return strings.HasPrefix(path, "/dev/fd/")
}

// written records a file that a redirection or a program writes.
func (a *analysis) written(sc *scope, w Word, by string) {
	if harmlessDevice(w.Text) || w.Text == Unknown && w.Source != "" && strings.HasPrefix(w.Source, ">(") {
		return
	}
	a.mutate(sc, by+" "+w.Text)
	a.target(sc, Target{Word: w, Access: Write, Program: by})
	if blockDevice(w.Text) {
		a.destructive(RawDeviceWrite, by+" "+w.Text)
	}
}

// blockDevice says that path names a disk.
func blockDevice(path string) bool {
	name, ok := strings.CutPrefix(path, "/dev/")
	if !ok {
		return false
	}
	for _, prefix := range []string{"sd", "hd", "vd", "xvd", "nvme", "mmcblk", "disk", "rdisk", "mapper/", "md", "loop", "dm-", "disk/"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

func (a *analysis) command(sc *scope, cmd syntax.Command) {
	switch c := cmd.(type) {
	case nil:
	case *syntax.CallExpr:
		a.call(sc, c)
	case *syntax.BinaryCmd:
		a.chain(sc, c)
	case *syntax.Subshell:
		a.stmts(sc.branch(), c.Stmts)
	case *syntax.Block:
		a.stmts(sc, c.Stmts)
	case *syntax.IfClause:
		for clause := c; clause != nil; clause = clause.Else {
			a.stmts(sc, clause.Cond)
			a.stmts(sc.branch(), clause.Then)
		}
	case *syntax.WhileClause:
		a.stmts(sc, c.Cond)
		a.stmts(sc.branch(), c.Do)
	case *syntax.ForClause:
		a.loop(sc, c)
	case *syntax.CaseClause:
		a.single(sc, c.Word)
		for _, item := range c.Items {
			for _, p := range item.Patterns {
				a.single(sc, p)
			}
			a.stmts(sc.branch(), item.Stmts)
		}
	case *syntax.FuncDecl:
		a.declare(sc, c)
	case *syntax.TimeClause:
		a.stmt(sc, c.Stmt)
	case *syntax.CoprocClause:
		a.stmt(sc.branch(), c.Stmt)
	case *syntax.DeclClause:
		a.neutral = true
		a.assign(sc, c.Args)
		a.nameReference(sc, c)
	case *syntax.TestClause:
		a.neutral = true
		a.nested(sc, c.X)
	case *syntax.ArithmCmd:
		a.neutral = true
		a.nested(sc, c.X)
	case *syntax.LetClause:
		a.neutral = true
		for _, x := range c.Exprs {
			a.nested(sc, x)
		}
	case *syntax.TestDecl:
		a.stmt(sc, c.Body)
	}
}

// chain follows a && b, a || b and a | b. The parser nests them to the left, one level an operator, so that a long line
// is walked with a loop.
func (a *analysis) chain(sc *scope, c *syntax.BinaryCmd) {
	var links []*syntax.BinaryCmd
	first := c.X
	for links = append(links, c); ; links = append(links, c) {
		next, ok := first.Cmd.(*syntax.BinaryCmd)
		if !ok || len(first.Redirs) > 0 {
			break
		}
		c, first = next, next.X
	}
	a.stmt(sc, first)
	for i := len(links) - 1; i >= 0; i-- {
		link := links[i]
		sub := sc.branch()
		if link.Op == syntax.Pipe || link.Op == syntax.PipeAll {
			sub.stdin = input{kind: fromPipe, stmts: []*syntax.Stmt{link.X}, sc: sc}
		}
		a.stmt(sub, link.Y)
	}
}

// loop follows a for loop once, its variable standing for each of its words.
func (a *analysis) loop(sc *scope, c *syntax.ForClause) {
	sub := sc.branch()
	switch l := c.Loop.(type) {
	case *syntax.WordIter:
		words := a.fields(sc, l.Items)
		if !l.InPos.IsValid() {
			words = sc.args
		}
		var values []value
		for _, w := range words {
			if len(values) == maxValues {
				break
			}
			values = append(values, value{elems: []string{w.Text}})
		}
		if values != nil {
			sc.vars[l.Name.Value] = values
		}
	case *syntax.CStyleLoop:
		a.nested(sc, l.Init)
		a.nested(sc, l.Cond)
		a.nested(sc, l.Post)
	}
	a.stmts(sub, c.Do)
}

func (a *analysis) declare(sc *scope, c *syntax.FuncDecl) {
	a.mutate(sc, sc.slice(c))
	names := c.Names
	if c.Name != nil {
		names = append(names, c.Name)
	}
	f := &function{body: c.Body, sc: sc}
	a.declared = append(a.declared, f)
	for _, n := range names {
		a.functions[n.Value] = f
	}
}

// nested follows the substitutions inside an expression that is no command of its own.
func (a *analysis) nested(sc *scope, n syntax.Node) {
	if n == nil {
		return
	}
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst:
			a.stmts(sc.branch(), n.Stmts)
			return false
		case *syntax.ProcSubst:
			a.stmts(sc.branch(), n.Stmts)
			return false
		}
		return true
	})
}

// substitution follows $(…) and returns what it would print, where that can be known.
func (a *analysis) substitution(sc *scope, p *syntax.CmdSubst) string {
	sub := sc.branch()
	sub.depth++
	a.stmts(sub, p.Stmts)
	out := a.settle(input{kind: fromPipe, stmts: p.Stmts, sc: sub})
	switch out.kind {
	case fromText:
		return strings.TrimRight(out.text, "\n")
	case fromIdiom:
		return "" // nothing that needs judging
	}
	return Unknown
}

// assign records assignments and reports the files that a declaration names.
func (a *analysis) assign(sc *scope, assigns []*syntax.Assign) {
	for _, as := range assigns {
		if as.Name == nil {
			if as.Value != nil {
				a.single(sc, as.Value)
			}
			continue
		}
		name := as.Name.Value
		if as.Index != nil {
			a.nested(sc, as.Index)
		}
		var v value
		switch {
		case as.Array != nil:
			v.array = true
			for _, elem := range as.Array.Elems {
				if elem.Index != nil {
					a.nested(sc, elem.Index)
				}
				if elem.Value != nil {
					for _, w := range a.fields(sc, []*syntax.Word{elem.Value}) {
						v.elems = append(v.elems, w.Text)
					}
				}
			}
		case as.Naked:
			continue
		default:
			w := a.single(sc, as.Value)
			if w.feed != nil && (name == "BASH_ENV" || name == "ENV") {
				a.fed(sc.under(name), *w.feed, []Word{w})
			}
			v.elems = []string{w.Text}
		}
		if n, ok := elementIndex(as); ok {
			v = withElement(sc.vars[name], n, v.text())
		}
		if as.Append {
			if old, ok := a.variable(sc, name); ok {
				if v.array {
					v.elems = append(append([]string(nil), old.elems...), v.elems...)
				} else {
					v.elems = []string{old.text() + v.text()}
				}
			} else {
				v.elems = append([]string{Unknown}, v.elems...)
			}
		}
		sc.vars.set(name, v, sc.uncertain)
		a.hijack(sc, name, v.text())
	}
}

// elementIndex is the number in x[3]=…
func elementIndex(as *syntax.Assign) (int, bool) {
	w, ok := as.Index.(*syntax.Word)
	if !ok || as.Array != nil {
		return 0, false
	}
	n, err := strconv.Atoi(w.Lit())
	return n, err == nil && n >= 0 && n < maxFields
}

// withElement is an array with one of its elements set; those before it that nobody set are empty.
func withElement(held []value, n int, text string) value {
	v := value{array: true}
	if len(held) > 0 {
		v.elems = append(v.elems, held[len(held)-1].elems...)
	}
	for len(v.elems) <= n {
		v.elems = append(v.elems, "")
	}
	v.elems[n] = text
	return v
}

// nameReference makes a variable of "declare -n" stand for another one.
func (a *analysis) nameReference(sc *scope, c *syntax.DeclClause) {
	refers := c.Variant.Value == "nameref"
	for _, as := range c.Args {
		switch {
		case as.Name == nil && as.Value != nil:
			option := as.Value.Lit()
			refers = refers || strings.HasPrefix(option, "-") && strings.Contains(option, "n")
		case refers && as.Name != nil && as.Value != nil:
			sc.vars.set(as.Name.Value, value{elems: []string{a.single(sc, as.Value).Text}, ref: true}, sc.uncertain)
		}
	}
}

// hijack looks at variables that change or name what a later program runs.
func (a *analysis) hijack(sc *scope, name, text string) {
	switch name {
	case "PAGER", "GIT_PAGER", "MANPAGER", "EDITOR", "VISUAL", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "GIT_SSH_COMMAND",
		"GIT_SSH", "GIT_EXTERNAL_DIFF", "GIT_ASKPASS", "SSH_ASKPASS", "LESSOPEN", "PROMPT_COMMAND", "BROWSER":
		if !strings.Contains(text, Unknown) {
			a.guessText(sc.under(name), strings.TrimLeft(text, "|-"))
		}
	case "PS1", "PS2", "PS4", "PROMPT":
		if strings.ContainsAny(text, "$`") && !strings.Contains(text, Unknown) {
			a.guessText(sc.under(name), ": "+text)
		}
	case "PATH", "LD_PRELOAD", "LD_LIBRARY_PATH", "BASH_ENV", "ENV", "DYLD_INSERT_LIBRARIES":
		a.mutate(sc, name+"="+text)
	}
}

// variable returns the value that the current pass follows.
func (a *analysis) variable(sc *scope, name string) (value, bool) {
	if sc.args != nil {
		switch name {
		case "0":
			if sc.arg0 != "" {
				return value{elems: []string{sc.arg0}}, true
			}
		case "@", "*":
			v := value{array: true}
			for _, w := range sc.args {
				v.elems = append(v.elems, w.Text)
			}
			return v, true
		}
		if len(name) == 1 && name[0] >= '1' && name[0] <= '9' {
			if i := int(name[0] - '1'); i < len(sc.args) {
				return value{elems: []string{sc.args[i].Text}}, true
			}
			return value{elems: []string{""}}, true
		}
	}
	values := sc.vars[name]
	if len(values) == 0 {
		text, ok := ambient[name]
		return value{elems: []string{text}}, ok
	}
	a.values = max(a.values, len(values))
	v := values[min(sc.alt, len(values)-1)]
	if meant := sc.vars[v.text()]; v.ref && len(meant) > 0 {
		return meant[min(sc.alt, len(meant)-1)], true
	}
	return v, !v.ref
}

// call follows a simple command, once for each value that its variables may hold.
func (a *analysis) call(sc *scope, c *syntax.CallExpr) {
	outer := a.values
	for alt := 0; alt < maxValues; alt++ {
		a.values = 1
		sub := *sc
		sub.alt = alt
		if len(c.Args) == 0 {
			a.neutral = true
			a.assign(&sub, c.Assigns)
		} else {
			// Assignments before a program hold for that program only, but a shell expands the words first.
			words := a.fields(&sub, c.Args)
			if len(c.Assigns) > 0 {
				sub.uncertain = true
				a.assign(&sub, c.Assigns)
			}
			if len(words) == 0 {
				a.neutral = true
			}
			a.run(&sub, words)
		}
		if alt+1 >= a.values {
			break
		}
	}
	a.values = max(outer, a.values)
}
