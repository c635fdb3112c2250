package canonical

import (
	"slices"
	"strings"
)

// MaxDepth is how deeply values may be nested: recursion is what a hostile
// payload would use to overflow the stack, and no recover helps then.
const MaxDepth = 500

// Value is one parsed JSON value.
type Value struct {
	kind    kind
	text    string // a string's value, or a literal's canonical spelling
	items   []Value
	members []member
}

type kind byte

const (
	literal kind = iota // number, true, false, null
	text
	list
	object
)

type member struct {
	key   string
	value Value
}

// String returns the text under key of an object, if a text stands there.
func (v *Value) String(key string) (string, bool) {
	for i := range v.members {
		if m := &v.members[i]; m.key == key && m.value.kind == text {
			return m.value.text, true
		}
	}
	return "", false
}

// SetString replaces the value under a key that an object has.
func (v *Value) SetString(key, s string) {
	for i := range v.members {
		if v.members[i].key == key {
			v.members[i].value = Value{kind: text, text: s}
		}
	}
}

// Drop removes keys from an object.
func (v *Value) Drop(keys ...string) {
	v.members = slices.DeleteFunc(v.members, func(m member) bool { return slices.Contains(keys, m.key) })
}

// Append appends the canonical spelling of v to dst.
func (v *Value) Append(dst []byte) []byte {
	switch v.kind {
	case text:
		return AppendString(dst, v.text)
	case list:
		dst = append(dst, '[')
		for i := range v.items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = v.items[i].Append(dst)
		}
		return append(dst, ']')
	case object:
		dst = append(dst, '{')
		for i := range v.members {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = AppendString(dst, v.members[i].key)
			dst = append(dst, ':')
			dst = v.members[i].value.Append(dst)
		}
		return append(dst, '}')
	}
	return append(dst, v.text...)
}

// sortMembers orders keys by code point and keeps the last of equal ones, as
// Python's parser does. Code point order is the byte order of UTF-8.
func sortMembers(ms []member) []member {
	slices.SortStableFunc(ms, func(a, b member) int { return strings.Compare(a.key, b.key) })
	out := ms[:0]
	for i, m := range ms {
		if i+1 < len(ms) && ms[i+1].key == m.key {
			continue
		}
		out = append(out, m)
	}
	return out
}

const hexDigits = "0123456789abcdef"

// AppendString appends s as a JSON string. Bytes that are not UTF-8 pass
// unchanged: two texts that differ must not become one.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, s[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		case '\b':
			dst = append(dst, '\\', 'b')
		case '\f':
			dst = append(dst, '\\', 'f')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	dst = append(dst, s[from:]...)
	return append(dst, '"')
}
