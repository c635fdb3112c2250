package doctor

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/core/host"
	"github.com/grimoire-kit/grimoire/core/merge"
	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

// node is a value of a JSON document with its place. encoding/json alone keeps
// no place, and gjson hides keys that stand twice.
type node struct {
	kind    merge.Type
	line    int
	text    string // of a string
	number  float64
	yes     bool
	members []member // of an object, in file order
	items   []*node  // of an array

	parent *node
	step   string // from the parent: .key or [3]
}

// path is the value's place in its document: $.hooks.PreToolUse[0].
func (n *node) path() string {
	var steps []string
	for ; n.parent != nil; n = n.parent {
		steps = append(steps, n.step)
	}
	slices.Reverse(steps)
	return "$" + strings.Join(steps, "")
}

type member struct {
	key   string
	value *node
}

// syntaxError is a text that is not JSON.
type syntaxError struct {
	line, column int
	why          surface.Text
}

// get returns the member called key, or nil. Of a key that stands twice hosts
// read the last (observed on Claude Code 2.1.332).
func (n *node) get(key string) *node {
	if n == nil {
		return nil
	}
	for _, m := range slices.Backward(n.members) {
		if m.key == key {
			return m.value
		}
	}
	return nil
}

func (n *node) is(kinds ...merge.Type) bool { return n != nil && slices.Contains(kinds, n.kind) }

// repeated lists the keys of an object that stand more than once, where they
// stand last.
func (n *node) repeated() []member {
	var out []member
	seen := map[string]bool{}
	for _, m := range n.members {
		if seen[m.key] {
			out = append(out, m)
		}
		seen[m.key] = true
	}
	return out
}

const byteOrderMark = "\ufeff"

// parseJSON reads strict JSON. A byte order mark is the caller's to accept.
func parseJSON(src []byte) (*node, *syntaxError) {
	var whole json.RawMessage
	if err := json.Unmarshal(src, &whole); err != nil {
		line, column := fault.JSONPlace(src, err)
		return nil, &syntaxError{line, column, fault.JSON(err)}
	}
	r := &jsonReader{dec: json.NewDecoder(bytes.NewReader(src)), src: src, line: 1}
	r.dec.UseNumber()
	return r.value(nil, ""), nil
}

// parseJSONC reads JSON with comments and trailing commas.
func parseJSONC(src []byte) (*node, *syntaxError) {
	strict, err := merge.Strict(src)
	if err != nil {
		var shape *merge.ShapeError
		if errors.As(err, &shape) {
			return nil, &syntaxError{shape.Line, shape.Column, shape.Reason()}
		}
		return nil, &syntaxError{1, 1, host.TextOf(err)}
	}
	return parseJSON(strict)
}

// jsonReader walks a document that is known to be valid, so that no token can
// fail.
type jsonReader struct {
	dec  *json.Decoder
	src  []byte
	at   int64 // lines are counted up to here
	line int
}

func (r *jsonReader) token() (json.Token, int) {
	t, _ := r.dec.Token()
	end := r.dec.InputOffset()
	r.line += bytes.Count(r.src[r.at:end], []byte("\n"))
	r.at = end
	return t, r.line
}

func (r *jsonReader) value(parent *node, step string) *node {
	t, line := r.token()
	n := &node{line: line, parent: parent, step: step}
	switch v := t.(type) {
	case json.Delim:
		if v == '[' {
			n.kind = merge.Array
			for r.dec.More() {
				n.items = append(n.items, r.value(n, fmt.Sprintf("[%d]", len(n.items))))
			}
		} else {
			n.kind = merge.Object
			for r.dec.More() {
				key, _ := r.token()
				name, _ := key.(string)
				n.members = append(n.members, member{name, r.value(n, jsonKey(name))})
			}
		}
		r.token()
	case string:
		n.kind, n.text = merge.String, v
	case json.Number:
		n.kind = merge.Number
		n.number, _ = v.Float64()
	case bool:
		n.kind, n.yes = merge.Boolean, v
	default:
		n.kind = merge.Null
	}
	return n
}

// jsonKey is a step of a path, quoted where a plain word could be misread.
func jsonKey(key string) string {
	plain := key != "" && !strings.ContainsFunc(key, func(r rune) bool {
		return r != '_' && r != '-' && r != '$' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
	if plain {
		return "." + key
	}
	quoted, _ := json.Marshal(key) // a string always encodes
	return "[" + string(quoted) + "]"
}

// frenchTypes are the JSON types as French sentences want them.
var frenchTypes = map[merge.Type]string{
	merge.Object: "un objet", merge.Array: "un tableau", merge.String: "une chaîne",
	merge.Number: "un nombre", merge.Boolean: "true ou false", merge.Null: "null",
}

var englishTypes = map[merge.Type]string{
	merge.Object: "an object", merge.Array: "an array", merge.String: "a string",
	merge.Number: "a number", merge.Boolean: "true or false", merge.Null: "null",
}

// wanted says which types were expected.
func wanted(kinds []merge.Type) surface.Text {
	fr, en := make([]string, len(kinds)), make([]string, len(kinds))
	for i, k := range kinds {
		fr[i], en[i] = frenchTypes[k], englishTypes[k]
	}
	return surface.Text{
		FR: strings.Join(fr, " ou ") + " était attendu",
		EN: strings.Join(en, " or ") + " was expected",
	}
}
