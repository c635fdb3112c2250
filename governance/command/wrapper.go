package command

import (
	"slices"
	"strings"
)

// wrapper says how a program that runs another one is called. One table describes them all; what has a syntax of its
// own (find, xargs, shells, interpreters) has a function in programs.
type wrapper struct {
	// short and long are the options whose value is a word of its own.
	short string
	long  names
	// text and textLong are the options whose value is given to a shell.
	text     string
	textLong names
	// textAnywhere says that those options count after the operands too (su, script, flock).
	textAnywhere bool
	// appends says that the words after such an option belong to its text (env -S).
	appends bool
	// shellArgs says that what stands after "--" are arguments of a shell (su).
	shellArgs bool
	// operands is how many words stand before the command.
	operands int
	// ends says that no option of the wrapper stands after its last operand.
	ends bool
	// assigns says that NAME=value words may stand before the command.
	assigns bool
	// joined says that the words of the command are joined and given to a shell.
	joined bool
	// program is the long option whose value is the program itself (docker run --entrypoint).
	program string
	// starts are the options after which the command stands; a call without one wraps nothing (just --command).
	starts names
	// verbs are the sub-commands that run something; the options above then are the global ones.
	verbs verbs
	// neutral says that the wrapped program decides whether the whole only reads.
	neutral bool
	// session says that without a command it opens a shell on the terminal, as the options in sessionFlags do.
	session      bool
	sessionFlags string
	// inert are short options with which nothing is run (sudo -l, command -v).
	inert string
}

// verbs lists wrappers by name. It is a slice, which is laid out when the program is built: a map would be filled at the
// start of every hook.
type verbs []verb

type verb struct {
	name string
	*wrapper
}

func (vs verbs) find(name string) *wrapper {
	for _, v := range vs {
		if v.name == name {
			return v.wrapper
		}
	}
	return nil
}

// inner is what a wrapper runs.
type inner struct {
	words   []Word   // the program and its arguments
	texts   []Word   // shell lines
	assigns []string // NAME=value words
	session bool     // it opens a shell on the terminal
	inert   bool     // it runs nothing
	neutral bool     // what it runs decides whether the whole only reads
	image   Word     // the image of a container, whose own program may be what runs
	// ordinary says that this call of it wraps nothing (docker ps).
	ordinary bool
}

// split takes the words of a call of w apart; words[0] is the wrapper itself.
func (w *wrapper) split(words []Word) inner {
	in := inner{neutral: w.neutral}
	if w.starts != "" {
		at := slices.IndexFunc(words, func(word Word) bool { return w.starts.has(word.Text) })
		in.ordinary = at < 1
		in.words = words[at+1:]
		return in
	}
	operands, options, session := w.operands, true, w.session
	var entry []Word
	i := 1
scan:
	for ; i < len(words); i++ {
		t := words[i].Text
		if w.appends && len(in.texts) > 0 {
			break
		}
		switch {
		case options && t == "--":
			if w.shellArgs && i+1 < len(words) {
				in.words = append([]Word{{Text: "sh", Source: "sh"}}, words[i+1:]...)
				return in
			}
			options = false
			if !w.textAnywhere {
				// What follows is the command: no operand of the wrapper may stand there, but for those that still miss.
				if operands == 0 || operands > 1 {
					i++
					operands = 0
					break scan
				}
			}
			continue
		case options && len(t) > 2 && strings.HasPrefix(t, "--"):
			name, val, glued := strings.Cut(t[2:], "=")
			switch {
			case w.textLong.has(name):
				if !glued && i+1 < len(words) {
					i++
					in.texts = append(in.texts, words[i])
				} else if glued {
					in.texts = append(in.texts, Word{Text: val, Source: words[i].Source, Quoted: words[i].Quoted})
				}
			case w.program != "" && name == w.program:
				if !glued && i+1 < len(words) {
					i++
					entry = words[i : i+1]
				} else if glued {
					entry = []Word{part(words[i], val)}
				}
			case name == "help" || name == "version":
				in.inert = true
				return in
			case !glued && w.long.has(name):
				i++
			}
			continue
		case options && len(t) > 1 && t[0] == '-':
			for j := 1; j < len(t); j++ {
				c := t[j : j+1]
				switch {
				case strings.Contains(w.text, c):
					if j+1 < len(t) {
						in.texts = append(in.texts, Word{Text: strings.TrimPrefix(t[j+1:], "="), Source: words[i].Source})
					} else if i+1 < len(words) {
						i++
						in.texts = append(in.texts, words[i])
					}
					j = len(t)
				case strings.Contains(w.short, c):
					if j+1 == len(t) {
						i++
					}
					j = len(t)
				case strings.Contains(w.inert, c):
					in.inert = true
					return in
				case strings.Contains(w.sessionFlags, c):
					session = true
				}
			}
			continue
		case w.assigns && isAssignment(t):
			in.assigns = append(in.assigns, t)
			continue
		}
		if operands > 0 {
			if operands--; operands == 0 && w.ends {
				in.image = words[i]
				i++
				break scan
			}
			continue
		}
		break scan
	}
	rest := words[min(i, len(words)):]
	if w.appends && len(in.texts) > 0 {
		in.texts[0].Text += " " + requote(rest)
		return in
	}
	if entry != nil {
		rest = append(slices.Clip(entry), rest...)
	}
	if w.verbs != nil {
		if len(rest) == 0 {
			return inner{ordinary: true}
		}
		sub := w.verbs.find(rest[0].Text)
		if sub == nil {
			return inner{ordinary: true}
		}
		return sub.split(rest)
	}
	if w.textAnywhere {
		for j := i; j < len(words); j++ {
			t := words[j].Text
			if len(t) > 1 && t[0] == '-' && (strings.Contains(w.text, t[len(t)-1:]) && t[1] != '-' || w.textLong.has(strings.TrimLeft(t, "-"))) && j+1 < len(words) {
				in.texts = append(in.texts, words[j+1])
				return in
			}
		}
	}
	switch {
	case len(rest) == 0:
		in.session = session && len(in.texts) == 0
	case w.joined:
		text := rest[0]
		if len(rest) > 1 {
			text = Word{Text: join(rest), Source: join(rest), Quoted: true}
		}
		in.texts = append(in.texts, text)
	default:
		in.words = rest
	}
	return in
}

// isAssignment says that s has the form NAME=value.
func isAssignment(s string) bool {
	name, _, ok := strings.Cut(s, "=")
	if !ok || name == "" {
		return false
	}
	for i := 0; i < len(name); i++ {
		c := name[i]
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return true
}
