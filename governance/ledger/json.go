package ledger

import (
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/grimoire-kit/grimoire/governance/canonical"
)

// object spells one JSON object, key after key.
type object struct{ buf []byte }

func newObject() *object { return &object{buf: append(make([]byte, 0, 512), '{')} }

func (o *object) key(k string) {
	if len(o.buf) > 1 {
		o.buf = append(o.buf, ',', ' ')
	}
	o.buf = appendText(o.buf, k)
	o.buf = append(o.buf, ':', ' ')
}

func (o *object) text(k, s string) {
	o.key(k)
	o.buf = appendText(o.buf, s)
}

// given writes the key only where there is something to say.
func (o *object) given(k, s string) {
	if s != "" {
		o.text(k, s)
	}
}

func (o *object) texts(k string, list []string) {
	o.key(k)
	o.buf = append(o.buf, '[')
	for i, s := range list {
		if i > 0 {
			o.buf = append(o.buf, ',', ' ')
		}
		o.buf = appendText(o.buf, s)
	}
	o.buf = append(o.buf, ']')
}

func (o *object) number(k string, n int64) {
	o.key(k)
	o.buf = strconv.AppendInt(o.buf, n, 10)
}

func (o *object) raw(k, json string) {
	o.key(k)
	o.buf = append(o.buf, json...)
}

func (o *object) rest(unknown []member) {
	for _, m := range unknown {
		o.raw(m.key, m.json)
	}
}

func (o *object) bytes() []byte { return append(o.buf, '}') }

func (o *object) String() string { return string(o.bytes()) }

// A member is a key that this version does not know, with its value as it was
// spelled.
type member struct{ key, json string }

// appendText appends s as a JSON string that stays on one line.
func appendText(dst []byte, s string) []byte {
	s = strings.ToValidUTF8(s, "\ufffd")
	if strings.ContainsAny(s, "\u0085\u2028\u2029") {
		return append(dst, escapeLineEnds(string(canonical.AppendString(nil, s)))...)
	}
	return canonical.AppendString(dst, s)
}

// lineEnds are characters that end a line for some readers of text, Python's
// str.splitlines among them, though not for JSON.
var lineEnds = strings.NewReplacer("\u0085", `\u0085`, "\u2028", `\u2028`, "\u2029", `\u2029`)

func escapeLineEnds(json string) string { return lineEnds.Replace(json) }

// breaks may stand between the values of a JSON text, and nowhere else.
var breaks = strings.NewReplacer("\n", " ", "\r", " ")

// oneLine puts a JSON text on one line for every reader.
func oneLine(json string) string { return escapeLineEnds(breaks.Replace(json)) }

// text is a string value, "" for anything else.
func text(v gjson.Result) string {
	if v.Type == gjson.String {
		return v.Str
	}
	return ""
}

// texts are the strings of a list; what is not a string is left out.
func texts(v gjson.Result) []string {
	var out []string
	if v.IsArray() {
		v.ForEach(func(_, t gjson.Result) bool {
			if t.Type == gjson.String {
				out = append(out, t.Str)
			}
			return true
		})
	}
	return out
}

// get is the value under a key, of equal keys the last, as in Python.
func get(o gjson.Result, key string) gjson.Result {
	var found gjson.Result
	if o.IsObject() {
		o.ForEach(func(k, v gjson.Result) bool {
			if k.Str == key {
				found = v
			}
			return true
		})
	}
	return found
}
