package main

// jsonList is a JSON answer that is a list of objects, written as printJSON
// writes one and without holding it as a whole: there may be ten thousand.
type jsonList struct {
	a   *app
	buf []byte
	n   int
}

// enough is how much of an answer is written at once, in bytes.
const enough = 64 << 10

// add writes one more element, a valid JSON text.
func (l *jsonList) add(json string) error {
	between := ",\n  "
	if l.n == 0 {
		between = "[\n  "
	}
	l.n++
	l.buf = appendIndented(append(l.buf, between...), json, 1)
	if len(l.buf) < enough {
		return nil
	}
	return l.flush()
}

// end writes what is left.
func (l *jsonList) end() error {
	if l.n == 0 {
		l.buf = append(l.buf, '[')
	} else {
		l.buf = append(l.buf, '\n')
	}
	l.buf = append(l.buf, "]\n"...)
	return l.flush()
}

func (l *jsonList) flush() error {
	l.a.answered = true
	_, err := l.a.out.Write(l.buf)
	l.buf = l.buf[:0]
	return err
}

// appendIndented spells a valid JSON text as json.Indent does with two spaces,
// at a depth.
func appendIndented(dst []byte, json string, depth int) []byte {
	line := func() {
		dst = append(dst, '\n')
		for range depth {
			dst = append(dst, "  "...)
		}
	}
	empty := false // nothing yet in the object or list
	for i := 0; i < len(json); i++ {
		c := json[i]
		if c == ' ' || c == '\t' || c == '\n' || c == '\r' {
			continue
		}
		if empty && c != '}' && c != ']' {
			depth++
			line()
		}
		switch c {
		case '{', '[':
			empty = true
			dst = append(dst, c)
			continue
		case '}', ']':
			if !empty {
				depth--
				line()
			}
			dst = append(dst, c)
		case ',':
			dst = append(dst, c)
			line()
		case ':':
			dst = append(dst, ": "...)
		case '"':
			end := i + 1
			for end < len(json) && json[end] != '"' {
				if json[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end+1, len(json))
			dst = append(dst, json[i:end]...)
			i = end - 1
		default:
			dst = append(dst, c)
		}
		empty = false
	}
	return dst
}
