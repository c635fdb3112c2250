package command

import "strings"

type tokenKind int

const (
	tokName tokenKind = iota
	tokString
	tokCommand // `…` and %x(…), where the language runs it
	tokSign
)

// token is a piece of a program in a scripting language.
type token struct {
	kind tokenKind
	text string
}

// tokens splits a program into names, strings and signs. It knows comments and string quotes; that is enough to tell a
// call from a text that mentions one.
func (l *language) tokens(src string) []token {
	var out []token
	for i := 0; i < len(src); {
		c := src[i]
		switch {
		case c == ' ' || c == '\t' || c == '\r':
			i++
		case c == '\n':
			out = append(out, token{tokSign, ";"})
			i++
		case strings.HasPrefix(src[i:], l.comment) && !(l == perl && i > 0 && (src[i-1] == '$' || src[i-1] == 'q')):
			end := strings.IndexByte(src[i:], '\n')
			if end < 0 {
				return out
			}
			i += end
		case l.comment == "//" && strings.HasPrefix(src[i:], "/*"):
			end := strings.Index(src[i:], "*/")
			if end < 0 {
				return out
			}
			i += end + 2
		case strings.HasPrefix(src[i:], `"""`), strings.HasPrefix(src[i:], `'''`):
			end := strings.Index(src[i+3:], src[i:i+3])
			if end < 0 {
				end = len(src) - i - 3
			}
			out = append(out, token{tokString, src[i+3 : i+3+end]})
			i = min(len(src), i+end+6)
		case c == '"' || c == '\'' || c == '`':
			text, next := quoted(src, i)
			kind := tokString
			if c == '`' && !l.backticks && l != python && l != awk {
				kind = tokCommand
			}
			out = append(out, token{kind, text})
			i = next
		case letter(c) || c == '$' && l == javascript:
			end := i + 1
			for end < len(src) && (letter(src[end]) || src[end] >= '0' && src[end] <= '9') {
				end++
			}
			name := src[i:end]
			if text, next, ok := l.percentQuote(src, name, end); ok {
				kind := tokString
				if name == "qx" {
					kind = tokCommand
				}
				out = append(out, token{kind, text})
				i = next
				continue
			}
			// A prefix of a string (f"…", rb'…') is no name.
			if end < len(src) && (src[end] == '"' || src[end] == '\'') && l == python && len(name) <= 2 {
				i = end
				if strings.ContainsAny(name, "fF") && !strings.HasPrefix(src[end+1:], src[end:end+1]) {
					var text string
					text, i = quoted(src, end)
					out = append(out, token{tokString, interpolated(text)})
				}
				continue
			}
			out = append(out, token{tokName, name})
			i = end
		case c == '%' && l == ruby && i+2 < len(src) && strings.IndexByte("xqQwW", src[i+1]) >= 0 && closing(src[i+2]) != 0:
			text, next := delimited(src, i+2)
			kind := tokString
			if src[i+1] == 'x' {
				kind = tokCommand
			}
			out = append(out, token{kind, text})
			i = next
		default:
			out = append(out, token{tokSign, src[i : i+1]})
			i++
		}
	}
	return out
}

// interpolated replaces what stands in the braces of an f-string: by its text if it is one, else by Unknown.
func interpolated(text string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "{")
		inside, after, closed := strings.Cut(rest, "}")
		if !ok || !closed {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(before)
		if n := len(inside); n > 1 && (inside[0] == '"' || inside[0] == '\'') && inside[n-1] == inside[0] {
			b.WriteString(inside[1 : n-1])
		} else {
			b.WriteString(Unknown)
		}
		text = after
	}
}

// maxFolded is the longest string that fold makes longer, in bytes: longer ones spell no name and no path.
const maxFolded = 4096

// fold makes one string of those that are only written apart ('rm' + 'Sync').
func (l *language) fold(toks []token) []token {
	sign := "+"
	if l == perl || l == php || l == lua || l == nvimLua || l == vimscript {
		sign = "."
	}
	out := toks[:0]
	for i := 0; i < len(toks); i++ {
		t := toks[i]
		if n := len(out); n > 1 && t.kind == tokString && out[n-1].kind == tokSign && out[n-1].text == sign {
			at := n - 2
			if (l == lua || l == nvimLua || l == vimscript) && at > 0 && out[at].text == sign {
				at--
			}
			if out[at].kind == tokString && len(out[at].text) < maxFolded {
				out[at].text += t.text
				out = out[:at+1]
				continue
			}
		}
		out = append(out, t)
	}
	return out
}

// percentQuote reads q(…), qq{…} and qx/…/ of perl.
func (l *language) percentQuote(src, name string, at int) (text string, next int, ok bool) {
	if l != perl || name != "q" && name != "qq" && name != "qx" && name != "qw" {
		return "", 0, false
	}
	for at < len(src) && src[at] == ' ' {
		at++
	}
	if at >= len(src) || closing(src[at]) == 0 {
		return "", 0, false
	}
	text, next = delimited(src, at)
	return text, next, true
}

func closing(open byte) byte {
	switch open {
	case '(':
		return ')'
	case '{':
		return '}'
	case '[':
		return ']'
	case '<':
		return '>'
	case '/', '|', '!', '#', '~':
		return open
	}
	return 0
}

// delimited reads the text between src[at] and its closing sign.
func delimited(src string, at int) (string, int) {
	end := strings.IndexByte(src[at+1:], closing(src[at]))
	if end < 0 {
		return src[at+1:], len(src)
	}
	return src[at+1 : at+1+end], at + end + 2
}

// quoted reads the string that starts at src[at] and removes its backslashes.
func quoted(src string, at int) (string, int) {
	var b strings.Builder
	quote := src[at]
	for i := at + 1; i < len(src); i++ {
		switch {
		case src[i] == quote:
			return b.String(), i + 1
		case src[i] == '\\' && i+1 < len(src):
			i++
			switch src[i] {
			case 'n':
				b.WriteByte('\n')
			case 't':
				b.WriteByte('\t')
			case '\n':
			case 'x':
				i += writeCode(&b, src[i+1:], 16, 2, false)
			default:
				b.WriteByte(src[i])
			}
		default:
			b.WriteByte(src[i])
		}
	}
	return b.String(), len(src)
}

// callArgs returns the tokens between the brackets of a call, or up to the end of the statement.
func callArgs(toks []token, at int) []token {
	toks = toks[:min(len(toks), at+maxCall)]
	if toks[at].kind == tokSign && toks[at].text == "(" {
		depth := 0
		for i := at; i < len(toks); i++ {
			if toks[i].kind != tokSign {
				continue
			}
			switch toks[i].text {
			case "(":
				depth++
			case ")":
				if depth--; depth == 0 {
					return toks[at+1 : i]
				}
			}
		}
		return toks[at+1:]
	}
	for i := at; i < len(toks); i++ {
		if toks[i].kind == tokSign && (toks[i].text == ";" || toks[i].text == "}") {
			return toks[at:i]
		}
	}
	return toks[at:]
}

func renderTokens(toks []token) string {
	var b strings.Builder
	for i, t := range toks {
		if b.Len() > maxFragment {
			break
		}
		switch t.kind {
		case tokString:
			b.WriteString("'" + t.text + "'")
		default:
			if i > 0 && t.kind == tokName && toks[i-1].kind == tokName {
				b.WriteByte(' ')
			}
			b.WriteString(t.text)
		}
	}
	return b.String()
}
