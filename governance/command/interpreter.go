package command

import "strings"

// interpreter follows python -c and its like.
func (a *analysis) interpreter(sc *scope, lang *language, name string, words []Word) {
	var codes []Word
	var file *Word
	args := words[1:]
	module, checks := false, false
	i := 0
options:
	for ; i < len(args); i++ {
		t := args[i].Text
		switch {
		case lang.verb != "" && t == lang.verb && i == 0 && (name == "deno" || name == "bun"):
			for i++; i < len(args) && strings.HasPrefix(args[i].Text, "-"); i++ {
			}
			if i < len(args) {
				codes = append(codes, args[i])
			}
			i++
			break options
		case t == "--":
			i++
			break options
		case len(t) < 2 || t[0] != '-':
			break options
		case lang.inert.has(t):
			a.record(sc, name, words[:1])
			a.mutates(sc, words)
			return
		case strings.HasPrefix(t, "--"), lang.codeLong.has(t):
			option, val, glued := strings.Cut(t, "=")
			if lang.codeLong.has(option) {
				if glued {
					codes = append(codes, part(args[i], val))
				} else if i+1 < len(args) {
					i++
					codes = append(codes, args[i])
				}
			} else if option == "--env-file" && glued {
				a.target(sc, Target{Word: part(args[i], val), Access: Read, Program: name})
			}
		default:
			for j := 1; j < len(t); j++ {
				switch {
				case strings.IndexByte(lang.code, t[j]) >= 0:
					if j+1 < len(t) && lang != javascript && lang != perl {
						codes = append(codes, part(args[i], t[j+1:]))
						j = len(t)
					} else if i+1 < len(args) && j+1 == len(t) {
						i++
						codes = append(codes, args[i])
					}
				case t[j] == 'c' && (lang == perl || lang == ruby || lang == javascript), t[j] == 'l' && lang == php:
					checks = true
				case t[j] == 'm' && lang == python:
					module = true
					i++
					break options
				case lang == perl && (t[j] == 'i' || t[j] == '0' || t[j] == 'F'):
					if t[j] == 'i' && j+1 < len(t) && t[j+1] == '.' || t[j] == 'F' {
						j = len(t)
					}
				case strings.IndexByte(lang.valued, t[j]) >= 0:
					if j+1 == len(t) {
						i++
						if lang == awk && t[j] == 'f' && i < len(args) {
							file = &args[i]
						}
					}
					j = len(t)
				}
			}
			if lang == python && len(codes) > 0 {
				i++
				break options
			}
		}
	}
	rest := args[min(i, len(args)):]
	if lang.operand && file == nil && len(rest) > 0 {
		codes = append(codes, rest[0])
		rest = rest[1:]
	}
	if len(codes) == 0 && file == nil && !module && !checks && len(rest) > 0 && sc.runsFound(rest[0], lang.extensions) {
		a.opaque(sc, join(words))
	}
	a.interpreted(sc, lang, name, words, codes, rest, file != nil || module)
}

// interpreted follows the programs that an interpreter was given.
func (a *analysis) interpreted(sc *scope, lang *language, name string, words, codes, rest []Word, elsewhere bool) {
	if !sc.quiet {
		a.facts.Programs = append(a.facts.Programs, Program{Name: name, Path: words[0].Text, Args: words[1:], Via: sc.via})
	}
	a.mutates(sc, words)
	a.argumentTargets(sc, name, &arguments{}, rest)
	sub := sc.under(name)
	if len(rest) > 0 && len(codes) == 0 {
		a.framework(sc, programName(rest[0].Text), rest[1:])
	}
	for _, c := range codes {
		if strings.Trim(c.Text, " \n"+Unknown) == "" && !c.Resolved() {
			a.opaque(sc, join(words))
			continue
		}
		a.code(sub, lang, c.Text)
	}
	if len(codes) > 0 || elsewhere {
		return
	}
	if len(rest) > 0 && !isStdin(rest[0].Text) {
		if rest[0].feed != nil {
			a.codeFrom(sub, lang, *rest[0].feed, words)
		}
		a.runComposed(sc, rest[0], func(in input) { a.codeFrom(sub, lang, in, words) })
		return
	}
	a.codeFrom(sub, lang, sc.stdin, words)
}

func (a *analysis) codeFrom(sc *scope, lang *language, in input, words []Word) {
	switch in = a.settle(in); in.kind {
	case fromText:
		a.code(sc, lang, in.text)
	case fromTerminal:
		a.interactive(sc, words)
	case fromFile, fromIdiom:
	default:
		a.opaque(sc, piped(in, words))
	}
}
