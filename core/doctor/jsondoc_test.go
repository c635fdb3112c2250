package doctor

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/core/merge"
)

// outline is every value of a document with its place.
func outline(n *node) string {
	out := fmt.Sprintf("%d %s %s\n", n.line, n.path(), n.kind)
	for _, m := range n.members {
		out += outline(m.value)
	}
	for _, it := range n.items {
		out += outline(it)
	}
	return out
}

func TestPlaces(t *testing.T) {
	n, wrong := parseJSONC([]byte("{ // x\n\n\"a\": [1,\r\n  {\"b c\": null},],\n\"a\": \"é\\n\", \"t\": true}\n"))
	if wrong != nil {
		t.Fatal(wrong)
	}
	want := strings.TrimLeft(`
1 $ object
3 $.a array
3 $.a[0] number
4 $.a[1] object
4 $.a[1]["b c"] null
5 $.a string
5 $.t boolean
`, "\n")
	if got := outline(n); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if last := n.get("a"); last.text != "é\n" || len(n.repeated()) != 1 || n.get("none") != nil || n.get("none").get("x") != nil {
		t.Errorf("a = %+v", last)
	}
}

func TestWhereJSONEnds(t *testing.T) {
	for text, want := range map[string]string{
		"":              "1:1",
		"{":             "1:2",
		"{\n  \"é\" 1}": "2:7",
		"[1,\n2,]":      "2:3",
		"{} x":          "1:4",
	} {
		_, wrong := parseJSON([]byte(text))
		if wrong == nil {
			t.Errorf("%q was accepted", text)
		} else if got := fmt.Sprintf("%d:%d", wrong.line, wrong.column); got != want {
			t.Errorf("%q: at %s, want %s (%s)", text, got, want, wrong.why.EN)
		}
	}
}

// Whatever a file holds, it is read or turned down with a place in it.
func FuzzParseJSON(f *testing.F) {
	for _, s := range []string{`{"a":[1,{"b":null}]}`, "[1,2,]", "{ // x\n}", "/*", "\ufeff{}", `{"a":1,"a":2}`, "[[[[", `"\ud800"`, "1e999", "\x00"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		n, wrong := parseJSON(src)
		if (n != nil) != json.Valid(src) || (n == nil) != (wrong != nil) {
			t.Fatalf("valid %v, node %v, error %v", json.Valid(src), n != nil, wrong)
		}
		lines := 1 + strings.Count(string(src), "\n")
		if wrong != nil && (wrong.line < 1 || wrong.line > lines || wrong.column < 1) {
			t.Fatalf("at %d:%d of %d lines", wrong.line, wrong.column, lines)
		}
		if n != nil {
			again, _ := parseJSONC(src)
			if again == nil || outline(again) != outline(n) {
				t.Fatal("JSON is not the same JSONC")
			}
			if n.kind == merge.Object && n.line > lines {
				t.Fatal("past the end")
			}
		}
	})
}
