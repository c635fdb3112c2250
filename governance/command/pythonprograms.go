package command

import "strings"

// pythonPrograms follows the modules of Python in which a name is a program: sh.rm("-rf", "x"), sh.git.reset("--hard"),
// and plumbum's rm["-rf", "x"]() and local["rm"].
func (a *analysis) pythonPrograms(sc *scope, p *script) {
	sh, plumbum := false, false
	for i, t := range p.toks {
		if t.kind == tokName && i > 0 && p.toks[i-1].kind == tokName && (p.toks[i-1].text == "import" || p.toks[i-1].text == "from") {
			sh = sh || t.text == "sh"
			plumbum = plumbum || t.text == "plumbum"
		}
	}
	if !sh && !plumbum {
		return
	}
	for i, t := range p.toks {
		if t.kind != tokName || i > 0 && (p.toks[i-1].text == "." || p.toks[i-1].text == "import" || p.toks[i-1].text == "from") {
			continue
		}
		module, program, whole := strings.Cut(p.imports.whole(strings.ToLower(t.text)), ".")
		var words []Word
		switch {
		case sh && module == "sh", plumbum && module == "cmd" && whole:
			if whole {
				words = append(words, Word{Text: program})
			}
		case plumbum && (module == "plumbum" || module == "local"):
		default:
			continue
		}
		if words = programWords(p.toks[i+1:], words); len(words) > 1 {
			a.run(sc, words)
		}
	}
}

// programWords are the words of a call whose program and sub-commands are names: what follows in brackets and round them.
func programWords(toks []token, words []Word) []Word {
	for i := 0; i+1 < min(len(toks), maxCall); {
		switch {
		case toks[i].kind == tokSign && toks[i].text == "." && toks[i+1].kind == tokName:
			switch name := toks[i+1].text; name {
			case "cmd", "local", "bake", "Command", "popen", "run", "bg":
			default:
				words = append(words, Word{Text: strings.ReplaceAll(name, "_", "-")})
			}
			i += 2
		case toks[i].kind == tokSign && (toks[i].text == "(" || toks[i].text == "["):
			depth := 0
			for ; i < min(len(toks), maxCall); i++ {
				t := toks[i]
				switch {
				case t.kind == tokString && (toks[i-1].kind != tokSign || toks[i-1].text != "="):
					words = append(words, Word{Text: t.text, Source: t.text, Quoted: true})
				case t.kind == tokSign && (t.text == "(" || t.text == "["):
					depth++
				case t.kind == tokSign && (t.text == ")" || t.text == "]"):
					depth--
				}
				if depth == 0 {
					break
				}
			}
			i++
		default:
			return words
		}
	}
	return words
}
