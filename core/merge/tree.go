package merge

import (
	"bytes"
	"encoding/json"
	"reflect"
)

// Type is the JSON type of a value.
type Type string

// The JSON types.
const (
	Object  Type = "object"
	Array   Type = "array"
	String  Type = "string"
	Number  Type = "number"
	Boolean Type = "boolean"
	Null    Type = "null"
)

// container is one level of the tree: an object or an array with its items.
// Levels are read when they are needed, so a large file costs what its outer
// levels cost.
type container struct {
	open, close int // offsets of the brackets
	items       []item
}

// item is a member of an object or an element of an array.
type item struct {
	start    int // of the key, or of the value in an array
	keyEnd   int // in an object
	val, end int // the value
	comma    int // offset of the comma after it, or -1
	key      string
}

func (d *doc) kind(at int) Type {
	switch d.clean[at] {
	case '{':
		return Object
	case '[':
		return Array
	case '"':
		return String
	case 't', 'f':
		return Boolean
	case 'n':
		return Null
	}
	return Number
}

// skip passes whitespace and comments.
func (d *doc) skip(i int) int {
	for i < len(d.clean) && (isSpace(d.clean[i]) || isComment(d.clean[i])) {
		i++
	}
	return i
}

// valueEnd gives the offset after the value at i. The document is valid.
func (d *doc) valueEnd(i int) int {
	switch d.clean[i] {
	case '"':
		return stringEnd(d.clean, i)
	case '{', '[':
		depth := 0
		for i < len(d.clean) {
			switch d.clean[i] {
			case '"':
				i = stringEnd(d.clean, i)
				continue
			case '{', '[':
				depth++
			case '}', ']':
				depth--
			}
			i++
			if depth == 0 {
				break
			}
		}
		return i
	}
	for i < len(d.clean) {
		c := d.clean[i]
		if isSpace(c) || isComment(c) || c == ',' || c == '}' || c == ']' {
			break
		}
		i++
	}
	return i
}

// container gives the level that opens at offset at. The outer levels are asked for
// by every op, so a level once read is kept.
func (d *doc) container(at int) container {
	c, known := d.levels[at]
	if !known {
		c = d.readLevel(at)
		d.levels[at] = c
	}
	return c
}

func (d *doc) readLevel(at int) container {
	c := container{open: at}
	i := d.skip(at + 1)
	for d.clean[i] != '}' && d.clean[i] != ']' {
		it := item{start: i, val: i, comma: -1}
		if d.clean[at] == '{' {
			it.keyEnd = stringEnd(d.clean, i)
			it.key = d.str(i, it.keyEnd)
			it.val = d.skip(d.skip(it.keyEnd) + 1)
		}
		it.end = d.valueEnd(it.val)
		i = d.skip(it.end)
		if d.clean[i] == ',' {
			it.comma = i
			i = d.skip(i + 1)
		}
		c.items = append(c.items, it)
	}
	c.close = i
	return c
}

// str decodes the string literal in [from, to).
func (d *doc) str(from, to int) string {
	if bytes.IndexByte(d.src[from:to], '\\') < 0 {
		return string(d.src[from+1 : to-1])
	}
	var s string
	// A literal of a valid document always decodes.
	_ = json.Unmarshal(d.src[from:to], &s)
	return s
}

// member finds a key of an object. A key that stands twice is refused: hosts
// disagree on which of the two counts.
func (d *doc) member(c container, steps []any, key string) (it item, found bool, err error) {
	for _, m := range c.items {
		if m.key != key {
			continue
		}
		if found {
			e := d.shape(append(steps, key), m.start, wantOneKey)
			e.Got = gotDuplicate
			return item{}, false, e
		}
		it, found = m, true
	}
	return it, found, nil
}

// walk follows p as far as it exists: at is the deepest value found and depth
// the number of keys that led to it. Everything passed through is an object.
func (d *doc) walk(p Path) (at, depth int, err error) {
	at = d.root
	for depth = range p {
		if d.kind(at) != Object {
			return at, depth, d.shape(p[:depth].steps(), at, string(Object))
		}
		it, found, err := d.member(d.container(at), p[:depth].steps(), p[depth])
		if err != nil || !found {
			return at, depth, err
		}
		at = it.val
	}
	return at, len(p), nil
}

// equal compares the value at an offset with raw by meaning: spelling, spacing
// and the order of keys do not count.
func (d *doc) equal(at int, raw json.RawMessage) bool {
	return sameJSON(d.strictValue(at), raw)
}

// strictValue is the value at an offset without comments and trailing commas.
func (d *doc) strictValue(at int) json.RawMessage {
	_, strict, err := scan(d.src[at:d.valueEnd(at)])
	if err != nil {
		return nil
	}
	return strict
}

func sameJSON(a, b []byte) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}
