package merge

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
)

// Bounds on a file. Settings files are kilobytes and a few levels deep; what is
// past these is refused before anything recurses or is copied.
const (
	MaxBytes = 8 << 20
	MaxDepth = 1000

	maxRescan = 1 << 28 // bytes scanned by the edits of one step
)

// Comments are blanked with bytes that JSON allows nowhere outside a string, so
// that an edit can tell them from whitespace, and one that runs to the end of its
// line from one that does not.
const (
	blockComment = 1
	lineComment  = 2
)

// doc is a document and its map: clean is src with the BOM and the comments
// blanked at equal length, so an offset in one is an offset in the other. gjson
// is not used for offsets: it gives none for keys and commas, and hides
// duplicate keys.
type doc struct {
	src, clean []byte
	root       int // offset of the root value
	levels     map[int]container
	style
}

// parse scans and validates a whole document.
func parse(src []byte) (*doc, error) {
	if len(src) > MaxBytes {
		return nil, &LimitError{What: tooLarge, Max: MaxBytes}
	}
	d, strict, err := scan(src)
	if err != nil {
		return nil, err
	}
	if !json.Valid(strict) {
		return nil, d.invalid(strict)
	}
	d.root = d.skip(0)
	d.style = d.detect()
	return d, nil
}

// invalid says where strict stops being JSON, and why.
func (d *doc) invalid(strict []byte) error {
	if len(bytes.TrimSpace(strict)) == 0 && bytes.ContainsRune(d.src, '/') {
		return d.unreadable(len(strict), wantJSON, gotNoValue)
	}
	var raw json.RawMessage
	err := json.Unmarshal(strict, &raw)
	at := len(strict)
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) && syntax.Offset > 0 {
		at = min(int(syntax.Offset)-1, len(strict))
	}
	return d.unreadable(at, wantJSON, err.Error())
}

// scan makes the map of src, and the strict JSON it amounts to: no BOM, no
// comments, no trailing commas.
func scan(src []byte) (d *doc, strict []byte, err error) {
	d = &doc{src: src, clean: slices.Clone(src), levels: map[int]container{}}
	if at, got := notUTF8JSON(src); got != "" {
		return nil, nil, d.unreadable(at, wantUTF8, got)
	}
	strict = slices.Clone(src)
	blank := func(from, to int, with byte) {
		for i := from; i < to; i++ {
			d.clean[i], strict[i] = with, ' '
		}
	}
	i := 0
	if bytes.HasPrefix(src, []byte("\xEF\xBB\xBF")) {
		blank(0, 3, blockComment)
		i = 3
	}
	depth := 0
	// The last significant byte and the one before it tell a trailing comma, which
	// must follow a value.
	last, before := -1, -1
	for i < len(src) {
		switch c := src[i]; {
		case isSpace(c):
			i++
			continue
		case c == '/' && i+1 < len(src) && src[i+1] == '/':
			end := i
			for end < len(src) && !isNewline(src[end]) {
				end++
			}
			blank(i, end, lineComment)
			i = end
			continue
		case c == '/' && i+1 < len(src) && src[i+1] == '*':
			n := bytes.Index(src[i+2:], []byte("*/"))
			if n < 0 {
				return nil, nil, d.unreadable(i, wantJSON, gotOpenComment)
			}
			blank(i, i+n+4, blockComment)
			i += n + 4
			continue
		case c == '"':
			before, last = last, i
			i = stringEnd(src, i)
			continue
		case c == '{' || c == '[':
			if depth++; depth > MaxDepth {
				line, column := d.position(i)
				return nil, nil, &LimitError{What: tooDeep, Max: MaxDepth, Line: line, Column: column}
			}
		case c == '}' || c == ']':
			depth--
			if last >= 0 && src[last] == ',' && before >= 0 && bytes.IndexByte([]byte("{[,:"), src[before]) < 0 {
				strict[last] = ' '
			}
		}
		before, last = last, i
		i++
	}
	return d, strict, nil
}

// notUTF8JSON finds the byte that shows that a file is no UTF-8 text: the byte
// order mark of UTF-16 or UTF-32, or a NUL. got is "" where there is none.
func notUTF8JSON(src []byte) (at int, got string) {
	if bytes.HasPrefix(src, []byte("\xFE\xFF")) || bytes.HasPrefix(src, []byte("\xFF\xFE")) {
		return 0, gotUTF16
	}
	if at = bytes.IndexByte(src, 0); at >= 0 {
		return at, gotNUL
	}
	return 0, ""
}

// stringEnd gives the offset after the string that opens at i, or the end of b.
func stringEnd(b []byte, i int) int {
	for i++; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(b)
}

func isSpace(c byte) bool   { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
func isNewline(c byte) bool { return c == '\n' || c == '\r' }
func isComment(c byte) bool { return c == blockComment || c == lineComment }

func hasNewline(b []byte) bool { return bytes.ContainsAny(b, "\r\n") }
