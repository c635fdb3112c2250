package command

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// maxFields bounds how many words one word may expand to.
const maxFields = 256

// fields expands words as the shell would: braces, quotes, known variables and substitutions, then splitting.
func (a *analysis) fields(sc *scope, words []*syntax.Word) []Word {
	out := make([]Word, 0, len(words))
	for _, w := range words {
		out = a.field(sc, out, w)
	}
	return out
}

func (a *analysis) field(sc *scope, out []Word, w *syntax.Word) []Word {
	source := sc.slice(w)
	if len(w.Parts) == 1 {
		if lit, ok := w.Parts[0].(*syntax.Lit); ok && !strings.ContainsAny(lit.Value, "\\{*?[") {
			return append(out, Word{Text: lit.Value, Source: source})
		}
	}
	syntax.SplitBraces(w)
	for i, parts := range expandBraces(w.Parts) {
		if i == maxFields || !a.step() {
			break
		}
		e := expansion{a: a, sc: sc, out: out, source: source, split: true}
		e.parts(parts, false)
		e.flush()
		out = e.out
	}
	return out
}

// single expands w without splitting, as in an assignment or after a redirection operator.
func (a *analysis) single(sc *scope, w *syntax.Word) Word {
	if w == nil {
		return Word{}
	}
	e := expansion{a: a, sc: sc, source: sc.slice(w)}
	e.parts(w.Parts, false)
	return e.word()
}

// document expands the body of a here-document, which is read like text in double quotes unless its tag is quoted.
func (a *analysis) document(sc *scope, r *syntax.Redirect) string {
	if r.Hdoc == nil {
		return ""
	}
	if strings.ContainsAny(sc.slice(r.Word), `'"\`) {
		return r.Hdoc.Lit()
	}
	e := expansion{a: a, sc: sc}
	e.parts(r.Hdoc.Parts, true)
	return string(e.buf)
}

// expansion builds the fields of one word.
type expansion struct {
	a      *analysis
	sc     *scope
	out    []Word
	source string
	split  bool

	buf          []byte
	used         bool // the field exists even if empty
	quoted, glob bool
	feed         *input
}

func (e *expansion) word() Word {
	return Word{Text: string(e.buf), Source: e.source, Quoted: e.quoted, Glob: e.glob, feed: e.feed}
}

func (e *expansion) flush() {
	if (e.used || len(e.buf) > 0) && len(e.out) < maxFields*4 {
		e.out = append(e.out, e.word())
	}
	e.buf, e.used, e.glob, e.feed = nil, false, false, nil
}

func (e *expansion) parts(parts []syntax.WordPart, inQuotes bool) {
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			e.literal(p.Value, inQuotes)
		case *syntax.SglQuoted:
			e.used, e.quoted = true, true
			if p.Dollar {
				e.buf = append(e.buf, unescapeANSI(p.Value)...)
			} else {
				e.buf = append(e.buf, p.Value...)
			}
		case *syntax.DblQuoted:
			// "$@" with no arguments gives no field at all; any other quoted part gives one.
			e.used = e.used || !isAllArgs(p)
			e.quoted = true
			e.parts(p.Parts, true)
		case *syntax.ParamExp:
			e.param(p, inQuotes)
		case *syntax.CmdSubst:
			e.value(e.a.substitution(e.sc, p), inQuotes)
		case *syntax.ArithmExp:
			e.a.nested(e.sc, p.X)
			e.buf = append(e.buf, Unknown...)
		case *syntax.ProcSubst:
			sub := e.sc.branch()
			e.a.stmts(sub, p.Stmts)
			e.buf = append(e.buf, Unknown...)
			if p.Op == syntax.CmdIn {
				e.feed = &input{kind: fromPipe, stmts: p.Stmts, sc: sub}
			}
		case *syntax.ExtGlob:
			e.glob = true
			e.buf = append(e.buf, '*')
		case *syntax.BraceExp:
			for i, elem := range p.Elems {
				if i > 0 {
					e.buf = append(e.buf, ',')
				}
				e.parts(elem.Parts, inQuotes)
			}
		}
	}
}

// literal appends unquoted or double-quoted text, removing the backslashes that the shell removes.
func (e *expansion) literal(s string, inQuotes bool) {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '\\' && i+1 < len(s) {
			next := s[i+1]
			switch {
			case next == '\n':
				i++
				continue
			case !inQuotes || strings.IndexByte("$`\"\\", next) >= 0:
				i++
				e.quoted = true
				c = next
			}
		} else if !inQuotes && (c == '*' || c == '?' || c == '[') {
			e.glob = true
		}
		e.buf = append(e.buf, c)
	}
}

// value appends an expanded text; outside quotes it is split at blanks.
func (e *expansion) value(text string, inQuotes bool) {
	if !e.a.weigh(text) {
		return
	}
	if inQuotes || !e.split {
		e.buf = append(e.buf, text...)
		return
	}
	blanks := " \t\n"
	if own := e.sc.vars["IFS"]; len(own) > 0 {
		blanks = own[len(own)-1].text()
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case strings.IndexByte(blanks, c) >= 0:
			e.flush()
		default:
			if c == '*' || c == '?' || c == '[' {
				e.glob = true
			}
			e.buf = append(e.buf, c)
		}
	}
}

// elements appends an array or "$@": one field an element.
func (e *expansion) elements(elems []string, inQuotes bool) {
	for i, elem := range elems {
		if i > 0 {
			e.flush()
		}
		e.used = e.used || inQuotes
		e.value(elem, inQuotes)
	}
}

func isAllArgs(q *syntax.DblQuoted) bool {
	if len(q.Parts) != 1 {
		return false
	}
	p, ok := q.Parts[0].(*syntax.ParamExp)
	return ok && (p.Param != nil && (p.Param.Value == "@") || p.Index != nil)
}

// param appends ${…}.
func (e *expansion) param(p *syntax.ParamExp, inQuotes bool) {
	v, known := e.lookup(p)
	if p.Index != nil {
		e.a.nested(e.sc, p.Index)
	}
	if p.Exp != nil {
		v, known = e.operator(p.Exp, v, known)
	}
	switch {
	case !known || p.Length || p.Width || p.Names != 0 || p.NestedParam != nil:
		e.buf = append(e.buf, Unknown...)
		return
	case p.Slice != nil:
		v = value{elems: []string{slice(v.text(), p.Slice)}}
	case p.Repl != nil:
		orig, with := e.a.single(e.sc, p.Repl.Orig), e.a.single(e.sc, p.Repl.With)
		n := 1
		if p.Repl.All {
			n = -1
		}
		text := Unknown
		if orig.Resolved() && !orig.Glob {
			text = strings.Replace(v.text(), orig.Text, with.Text, n)
		}
		v = value{elems: []string{text}}
	}
	if v.array {
		e.elements(v.elems, inQuotes)
		return
	}
	e.value(v.text(), inQuotes)
}

// lookup finds the value of the parameter itself, before any operator.
func (e *expansion) lookup(p *syntax.ParamExp) (value, bool) {
	if p.Param == nil {
		return value{}, false
	}
	name := p.Param.Value
	if p.Excl {
		v, ok := e.a.variable(e.sc, name)
		if !ok {
			return value{}, false
		}
		name = v.text()
	}
	v, ok := e.a.variable(e.sc, name)
	if !ok || p.Index == nil {
		return v, ok
	}
	index, ok := p.Index.(*syntax.Word)
	if !ok {
		return value{}, false
	}
	switch i := index.Lit(); i {
	case "@", "*":
		v.array = true
		return v, true
	default:
		n, err := strconv.Atoi(i)
		if err != nil || n < 0 || n >= len(v.elems) {
			return value{}, false
		}
		return value{elems: v.elems[n : n+1]}, true
	}
}

// operator applies ${x:-word} and its like. A default is taken as the value of a variable that the line does not set.
func (e *expansion) operator(x *syntax.Expansion, v value, known bool) (value, bool) {
	arg := e.a.single(e.sc, x.Word)
	text := v.text()
	switch x.Op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
		if !known || text == "" {
			return value{elems: []string{arg.Text}}, true
		}
		return v, true
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		if known {
			return value{elems: []string{arg.Text}}, true
		}
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		return v, known
	case syntax.RemSmallPrefix, syntax.RemLargePrefix:
		if known && !arg.Glob {
			return value{elems: []string{strings.TrimPrefix(text, arg.Text)}}, true
		}
	case syntax.RemSmallSuffix, syntax.RemLargeSuffix:
		if known && !arg.Glob {
			return value{elems: []string{strings.TrimSuffix(text, arg.Text)}}, true
		}
	case syntax.LowerAll, syntax.LowerFirst:
		return value{elems: []string{strings.ToLower(text)}}, known
	case syntax.UpperAll, syntax.UpperFirst:
		return value{elems: []string{strings.ToUpper(text)}}, known
	}
	return value{}, false
}

// slice applies ${x:offset:length} where both are plain numbers.
func slice(text string, s *syntax.Slice) string {
	number := func(x syntax.ArithmExpr, otherwise int) (int, bool) {
		if x == nil {
			return otherwise, true
		}
		w, ok := x.(*syntax.Word)
		if !ok {
			return 0, false
		}
		n, err := strconv.Atoi(w.Lit())
		return n, err == nil && n >= 0
	}
	from, ok := number(s.Offset, 0)
	if !ok {
		return Unknown
	}
	length, ok := number(s.Length, len(text))
	if !ok {
		return Unknown
	}
	from = min(from, len(text))
	return text[from:min(from+min(length, len(text)), len(text))]
}

// expandBraces turns {a,b} into one list of parts for each alternative.
func expandBraces(parts []syntax.WordPart) [][]syntax.WordPart {
	out := [][]syntax.WordPart{nil}
	for _, part := range parts {
		brace, ok := part.(*syntax.BraceExp)
		if !ok {
			for i := range out {
				out[i] = append(out[i], part)
			}
			continue
		}
		var alternatives [][]syntax.WordPart
		if brace.Sequence {
			alternatives = sequence(brace)
		} else {
			for _, elem := range brace.Elems {
				alternatives = append(alternatives, expandBraces(elem.Parts)...)
			}
		}
		var next [][]syntax.WordPart
		for _, head := range out {
			for _, alt := range alternatives {
				if len(next) == maxFields {
					break
				}
				next = append(next, append(append([]syntax.WordPart(nil), head...), alt...))
			}
		}
		out = next
	}
	return out
}

// sequence expands {a..e} and {1..5}.
func sequence(brace *syntax.BraceExp) [][]syntax.WordPart {
	lit := func(s string) []syntax.WordPart { return []syntax.WordPart{&syntax.Lit{Value: s}} }
	if len(brace.Elems) < 2 {
		return [][]syntax.WordPart{lit(Unknown)}
	}
	from, to := brace.Elems[0].Lit(), brace.Elems[1].Lit()
	format := strconv.Itoa
	first, err1 := strconv.Atoi(from)
	last, err2 := strconv.Atoi(to)
	if err1 != nil || err2 != nil {
		if len(from) != 1 || len(to) != 1 {
			return [][]syntax.WordPart{lit(Unknown)}
		}
		first, last = int(from[0]), int(to[0])
		format = func(n int) string { return string(rune(n)) }
	}
	step := 1
	if last < first {
		step = -1
	}
	var out [][]syntax.WordPart
	for n := first; len(out) < maxFields; n += step {
		out = append(out, lit(format(n)))
		if n == last {
			break
		}
	}
	return out
}

// unescapeANSI decodes the body of $'…'.
func unescapeANSI(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch c := s[i]; c {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r':
			b.WriteByte('\r')
		case 'a', 'b', 'f', 'v', 'e', 'E':
			b.WriteByte(' ')
		case 'x':
			i += writeCode(&b, s[i+1:], 16, 2, false)
		case 'u':
			i += writeCode(&b, s[i+1:], 16, 4, true)
		case 'U':
			i += writeCode(&b, s[i+1:], 16, 8, true)
		case '0', '1', '2', '3', '4', '5', '6', '7':
			i += writeCode(&b, s[i:], 8, 3, false) - 1
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// writeCode writes the character whose number starts s and returns how many digits it took.
func writeCode(b *strings.Builder, s string, base, most int, runes bool) int {
	n := 0
	for n < len(s) && n < most {
		if _, err := strconv.ParseUint(s[n:n+1], base, 8); err != nil {
			break
		}
		n++
	}
	code, err := strconv.ParseUint(s[:n], base, 32)
	switch {
	case err != nil:
	case runes && code <= utf8.MaxRune:
		b.WriteRune(rune(code))
	case !runes:
		b.WriteByte(byte(code))
	}
	return n
}
