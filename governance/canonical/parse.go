package canonical

import (
	"math"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Parse reads the one JSON value in src. It reports false for anything that
// is not JSON or is nested deeper than MaxDepth.
func Parse(src []byte) (Value, bool) {
	p := parser{src: src}
	v, ok := p.value(0)
	p.space()
	return v, ok && p.at == len(src)
}

type parser struct {
	src []byte
	at  int
}

func (p *parser) space() {
	for p.at < len(p.src) {
		switch p.src[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		default:
			return
		}
	}
}

// next skips blanks and consumes c if it stands there.
func (p *parser) next(c byte) bool {
	p.space()
	if p.at < len(p.src) && p.src[p.at] == c {
		p.at++
		return true
	}
	return false
}

func (p *parser) value(depth int) (Value, bool) {
	p.space()
	if p.at >= len(p.src) || depth > MaxDepth {
		return Value{}, false
	}
	switch p.src[p.at] {
	case '{':
		p.at++
		return p.object(depth)
	case '[':
		p.at++
		return p.list(depth)
	case '"':
		s, ok := p.str()
		return Value{kind: text, text: s}, ok
	case 't':
		return p.word("true")
	case 'f':
		return p.word("false")
	case 'n':
		return p.word("null")
	}
	return p.number()
}

func (p *parser) object(depth int) (Value, bool) {
	v := Value{kind: object}
	if p.next('}') {
		return v, true
	}
	for {
		p.space()
		if p.at >= len(p.src) || p.src[p.at] != '"' {
			return v, false
		}
		key, ok := p.str()
		if !ok || !p.next(':') {
			return v, false
		}
		item, ok := p.value(depth + 1)
		if !ok {
			return v, false
		}
		v.members = append(v.members, member{key, item})
		if p.next('}') {
			v.members = sortMembers(v.members)
			return v, true
		}
		if !p.next(',') {
			return v, false
		}
	}
}

func (p *parser) list(depth int) (Value, bool) {
	v := Value{kind: list}
	if p.next(']') {
		return v, true
	}
	for {
		item, ok := p.value(depth + 1)
		if !ok {
			return v, false
		}
		v.items = append(v.items, item)
		if p.next(']') {
			return v, true
		}
		if !p.next(',') {
			return v, false
		}
	}
}

func (p *parser) word(w string) (Value, bool) {
	if len(p.src)-p.at < len(w) || string(p.src[p.at:p.at+len(w)]) != w {
		return Value{}, false
	}
	p.at += len(w)
	return Value{text: w}, true
}

// str reads a string whose opening quote is next. A surrogate without its
// other half is kept as its three-byte form, so that it stays distinct.
func (p *parser) str() (string, bool) {
	p.at++
	start := p.at
	for p.at < len(p.src) {
		switch c := p.src[p.at]; {
		case c == '"':
			s := string(p.src[start:p.at])
			p.at++
			return s, true
		case c == '\\':
			return p.escaped(append([]byte(nil), p.src[start:p.at]...))
		case c < 0x20:
			return "", false
		default:
			p.at++
		}
	}
	return "", false
}

func (p *parser) escaped(out []byte) (string, bool) {
	for p.at < len(p.src) {
		c := p.src[p.at]
		p.at++
		switch {
		case c == '"':
			return string(out), true
		case c < 0x20:
			return "", false
		case c != '\\':
			out = append(out, c)
			continue
		}
		if p.at >= len(p.src) {
			return "", false
		}
		c = p.src[p.at]
		p.at++
		switch c {
		case '"', '\\', '/':
			out = append(out, c)
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'u':
			r, ok := p.hex4()
			if !ok {
				return "", false
			}
			out = p.appendUnit(out, r)
		default:
			return "", false
		}
	}
	return "", false
}

func (p *parser) appendUnit(out []byte, r rune) []byte {
	if !utf16.IsSurrogate(r) {
		return utf8.AppendRune(out, r)
	}
	if before := p.at; p.at+1 < len(p.src) && p.src[p.at] == '\\' && p.src[p.at+1] == 'u' {
		p.at += 2
		if low, ok := p.hex4(); ok {
			if joined := utf16.DecodeRune(r, low); joined != utf8.RuneError {
				return utf8.AppendRune(out, joined)
			}
		}
		p.at = before
	}
	return append(out, 0xE0|byte(r>>12), 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
}

func (p *parser) hex4() (rune, bool) {
	if len(p.src)-p.at < 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(string(p.src[p.at:p.at+4]), 16, 16)
	if err != nil {
		return 0, false
	}
	p.at += 4
	return rune(n), true
}

func (p *parser) number() (Value, bool) {
	start, float := p.at, false
	if p.at < len(p.src) && p.src[p.at] == '-' {
		p.at++
	}
	whole := p.at
	if !p.digits() || (p.src[whole] == '0' && p.at-whole > 1) {
		return Value{}, false
	}
	if p.at < len(p.src) && p.src[p.at] == '.' {
		p.at++
		float = true
		if !p.digits() {
			return Value{}, false
		}
	}
	if p.at < len(p.src) && (p.src[p.at] == 'e' || p.src[p.at] == 'E') {
		p.at++
		float = true
		if p.at < len(p.src) && (p.src[p.at] == '+' || p.src[p.at] == '-') {
			p.at++
		}
		if !p.digits() {
			return Value{}, false
		}
	}
	s := string(p.src[start:p.at])
	switch {
	case float:
		f, _ := strconv.ParseFloat(s, 64) // out of range gives ±Inf, as in Python
		s = Float(f)
	case s == "-0":
		s = "0"
	}
	return Value{text: s}, true
}

func (p *parser) digits() bool {
	from := p.at
	for p.at < len(p.src) && p.src[p.at] >= '0' && p.src[p.at] <= '9' {
		p.at++
	}
	return p.at > from
}

// Float spells f as Python's repr does: the shortest digits that read back
// as f, always with a point or an exponent.
func Float(f float64) string {
	switch {
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	case math.IsNaN(f):
		return "NaN"
	}
	if a := math.Abs(f); a != 0 && (a < 1e-4 || a >= 1e16) {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	s := strconv.FormatFloat(f, 'f', -1, 64)
	for i := range len(s) {
		if s[i] == '.' {
			return s
		}
	}
	return s + ".0"
}
