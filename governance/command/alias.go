package command

import "strings"

// imports maps the names that a program gives to what it imports or assigns, to what they stand for: a module
// ("child_process") or a call with its module ("subprocess.run"). All lower case.
type imports map[string]string

// imported reads the imports and the plain assignments of a program: "import subprocess as s", "from os import remove",
// "const {rmSync: x} = require('fs')", "s = os.system".
func (l *language) imported(toks []token) imports {
	if l != python && l != javascript {
		return nil
	}
	in := imports{}
	sign := func(i int, s string) bool {
		return i >= 0 && i < len(toks) && toks[i].kind == tokSign && toks[i].text == s
	}
	name := func(i int) string {
		if i < 0 || i >= len(toks) || toks[i].kind != tokName {
			return ""
		}
		return strings.ToLower(toks[i].text)
	}
	for i := range toks {
		if len(in) > maxFacts {
			break
		}
		switch word := name(i); {
		case word == "as" && name(i-1) != "" && name(i+1) != "":
			in[name(i+1)] = in.whole(name(i - 1))
		case l == python && word == "import" && name(i-1) == "os" && sign(i+1, "*"):
			in["remove"] = "os.remove"
		case l == python && word == "import" && name(fromBefore(toks, i)) == "from":
			for j := i + 1; j < len(toks) && !sign(j, ";"); j++ {
				if n := name(j); n != "" && n != "as" && name(j-1) != "as" {
					in[n] = name(i-1) + "." + n
				}
			}
		case word == "from" && name(i-1) != "" && i+1 < len(toks) && toks[i+1].kind == tokString:
			in[name(i-1)] = module(toks[i+1].text)
		case (word == "require" || word == "__import__" || word == "import_module") && sign(i+1, "(") && i+3 < len(toks) && toks[i+2].kind == tokString:
			if sign(i-1, "=") && name(i-2) != "" && !sign(i+4, ".") {
				in[name(i-2)] = module(toks[i+2].text)
			}
		case sign(i, ":") && l == javascript && (l.dangerous(name(i-1)) || name(i-1) == "promises") && name(i+1) != "" && destructured(toks, i):
			in[name(i+1)] = name(i - 1)
		case l.dangerous(word) && sign(i-1, ".") && !sign(i+1, "("):
			if to := assignedTo(toks, i); to != "" {
				in[to] = word
				if receiver := name(i - 2); receiver != "" {
					in[to] = receiver + "." + word
				}
			}
		}
	}
	return in
}

// fromBefore is where "from" stands before "module.name import" at toks[at].
func fromBefore(toks []token, at int) int {
	i := at - 2
	for i > 1 && toks[i].kind == tokSign && toks[i].text == "." {
		i -= 2
	}
	return i
}

// whole resolves a name that was imported before.
func (in imports) whole(name string) string {
	if known, ok := in[name]; ok {
		return known
	}
	return name
}

// call resolves a name that is called without a receiver.
func (in imports) call(name string) (receiver, called string) {
	known := in.whole(name)
	if at := strings.LastIndexByte(known, '.'); at >= 0 {
		return known[:at], known[at+1:]
	}
	return "", known
}

// dangerous says that a call of that name may delete or run a command.
func (l *language) dangerous(name string) bool { return l.deletes.has(name) || l.shells.has(name) }

// module is the last part of a module's name ("node:fs/promises").
func module(name string) string {
	return strings.ToLower(name[strings.LastIndexAny(name, ":/")+1:])
}

// maxStatement is how many tokens are looked at for the start or the end of a statement.
const maxStatement = 40

// assignedTo returns the variable that the statement around toks[at] assigns, if that is all it does.
func assignedTo(toks []token, at int) string {
	for i := at - 1; i > 0 && i > at-maxStatement && toks[i].text != ";"; i-- {
		if toks[i].kind == tokSign && toks[i].text == "=" && toks[i-1].kind == tokName {
			return strings.ToLower(toks[i-1].text)
		}
	}
	return ""
}

// destructured says that the braces around toks[at] are taken apart: { a: b } = …
func destructured(toks []token, at int) bool {
	for i := at; i+1 < len(toks) && i < at+maxStatement; i++ {
		if toks[i].kind == tokSign && toks[i].text == "}" {
			return toks[i+1].text == "="
		}
	}
	return false
}
