package command

import "strings"

// lisps are the programs that evaluate a Lisp expression of their command line; emacs is an editor and one of them.
const lisps names = "emacs emacsclient xemacs guile racket sbcl clisp ecl clj clojure bb janet"

// What a Lisp calls what it deletes, what it hands to a shell or starts, and what it only prints. The part of a name before
// a colon or a slash is that of a module.
const (
	lispTrees names = "delete-directory/files delete-directory-tree delete-tree del-tree"
	lispRuns  names = "shell-command shell-command-to-string shell-command-on-region async-shell-command call-process call-process-region " +
		"call-process-shell-command process-file process-file-shell-command start-process start-process-shell-command " +
		"start-file-process make-process process-lines compile eshell-command system system* shell sh process execute " +
		"run-program run-shell-command open-pipe open-input-pipe subprocess"
	lispPrints names = "message princ print prin1 insert error format concat display displayln println warn re-search-forward " +
		"search-forward replace-regexp-in-string string-match"
	lispLoops names = "mapc mapcar dolist dotimes while for-each map doseq run! directory-files directory-files-recursively for for/list"
)

// lispTexts follows the expressions among the arguments of a Lisp, and the files of them that the line itself writes.
func (a *analysis) lispTexts(sc *scope, args []Word) {
	for _, w := range args {
		text := w.Text
		if _, val, ok := strings.Cut(text, "="); ok && strings.HasPrefix(text, "-") {
			text = val
		}
		if strings.HasPrefix(strings.TrimLeft(text, " \n'"), "(") {
			a.lisp(sc, text)
			continue
		}
		follow := func(in input) {
			if in = a.settle(in); in.kind == fromText {
				a.lisp(sc, in.text)
			}
		}
		if w.feed != nil {
			follow(*w.feed)
		}
		a.runComposed(sc, w, follow)
	}
	if in := a.settle(sc.stdin); in.kind == fromText {
		a.lisp(sc, in.text)
	}
}

// list is one list of a Lisp text that is being read.
type list struct {
	head    string
	strings []Word
	all     bool // something asks for what is below as well: t, :recursive
}

// lisp looks at each list of a text once it is closed: what its head does with the strings in it.
func (a *analysis) lisp(sc *scope, src string) {
	if sc.depth >= MaxDepth || tooDeep(src) || !a.weigh(src) {
		return
	}
	many := sc.bulk
	open := []list{{}}
	for i := 0; i < len(src); {
		top := &open[len(open)-1]
		switch c := src[i]; {
		case c == '(' || c == '[':
			open = append(open, list{})
			i++
		case (c == ')' || c == ']') && len(open) > 1:
			a.lispCall(sc, *top, src, many)
			open = open[:len(open)-1]
			outer := &open[len(open)-1]
			if lispRuns.has(top.head) || top.head != "" && outer.head == "" {
				outer = &list{} // what a call is given is its own
			}
			outer.strings = append(outer.strings, top.strings...)
			i++
		case c == '"':
			text, next := quoted(src, i)
			if top.head == "" {
				top.head = " " // a list of data
			}
			top.strings = append(top.strings, Word{Text: text, Source: text, Quoted: true})
			i = next
		case c == ';':
			end := strings.IndexByte(src[i:], '\n')
			if end < 0 {
				return
			}
			i += end
		case strings.IndexByte(" \t\n\r'`,#^@\\){}]", c) >= 0:
			i++
		default:
			end := i
			for end < len(src) && strings.IndexByte(" \t\n\r()[]\"';`", src[end]) < 0 {
				end++
			}
			symbol := strings.ToLower(src[i:end])
			many = many || lispLoops.has(symbol)
			if many && symbol == "delete-file" && top.head != "" { // it is passed on
				a.destructive(RecursiveDelete, src)
			}
			if top.head == "" {
				top.head = symbol
			} else if symbol == "t" || symbol == ":recursive" || symbol == ":validate" || symbol == "#t" {
				top.all = true
			}
			i = end
		}
	}
}

// lispCall judges one list.
func (a *analysis) lispCall(sc *scope, l list, src string, many bool) {
	if !a.step() {
		return
	}
	name := l.head
	if at := strings.LastIndexAny(name, ":/"); at > 0 && !lispTrees.has(name) {
		name = name[at+1:]
	}
	switch {
	case lispTrees.has(name), name == "delete-directory" && l.all, name == "f-delete" && l.all, name == "delete-file" && many:
		a.destructive(RecursiveDelete, src)
	case lispRuns.has(name):
		sub := *sc
		sub.depth++
		for _, w := range l.strings {
			a.shellIn(&sub, w.Text)
		}
		if len(l.strings) > 1 {
			a.guess(&sub, l.strings)
		}
	case lispPrints.has(name):
	default:
		access := Read
		if strings.HasPrefix(name, "write") || name == "append-to-file" || name == "spit" {
			access = Write
		}
		for _, w := range l.strings {
			if len(w.Text) <= 256 && !strings.ContainsAny(w.Text, " \n") {
				a.target(sc, Target{Word: w, Access: access, Program: sc.via[len(sc.via)-1]})
			}
		}
	}
}
