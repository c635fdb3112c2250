package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// A list that is written piece by piece is the one that printJSON writes.
func TestJSONList(t *testing.T) {
	objects := []string{
		`{}`, `{"a": []}`, `{"a":{},"b":[{}]}`, ` { "a" : [ ] , "b":[1, 2.5e3, null,true] } `,
		`{"quote": "\"", "end": "\\", "two": "\\\"", "{\"[": "},]: \u2028 é <&>"}`, `[[[]],"",{"":""}]`, `"x"`, `12`,
		`{"long": "` + strings.Repeat("é\\n", 50_000) + `"}`,
	}
	for n := range len(objects) + 1 {
		var got, want bytes.Buffer
		l := jsonList{a: &app{out: &got}}
		list := []json.RawMessage{}
		for _, o := range objects[:n] {
			if err := l.add(o); err != nil {
				t.Fatal(err)
			}
			list = append(list, json.RawMessage(o))
		}
		if err := l.end(); err != nil {
			t.Fatal(err)
		}
		if err := (&app{out: &want}).printJSON(list); err != nil {
			t.Fatal(err)
		}
		if got.String() != want.String() {
			t.Fatalf("%d elements:\n%.400s\nwant:\n%.400s", n, got.String(), want.String())
		}
	}
}

func FuzzIndented(f *testing.F) {
	f.Add(`{"a": ["\"", {}], "b": {"c": []}}`)
	f.Fuzz(func(t *testing.T, s string) {
		var want bytes.Buffer
		if !json.Valid([]byte(s)) || json.Indent(&want, []byte(s), "    ", "  ") != nil {
			appendIndented(nil, s, 2) // whatever it is
			return
		}
		if got := string(appendIndented(nil, s, 2)); got != strings.TrimRight(want.String(), " \t\r\n") {
			t.Fatal(fmt.Sprintf("%q", got), want.String())
		}
	})
}
