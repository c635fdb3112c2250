package merge

import (
	"fmt"
	"testing"
)

func TestOwned(t *testing.T) {
	const (
		stop   = `{"type":"command","command":"grimoire-hook --host claude --event Stop","timeout":60}`
		mine   = `{"type":"command","command":"./mine.sh"}`
		legacy = `{"command":"grimoire standard activation-context"}`
	)
	rec := Record{Strings: map[string][]string{"/permissions/deny": {rules[0], "mine too"}}, Keys: []string{"/gone"}}
	for _, tt := range []struct{ name, src, want string }{
		{"no file", "", "[]"},
		{"nothing of ours", `{"hooks":{"Stop":[{"hooks":[` + mine + `]}]}}`, "[]"},
		{"a hook beside the user's", `{"hooks":{"Stop":[{"hooks":[` + mine + `,` + stop + `]}]}}`, "[$.hooks.Stop[0].hooks[1]]"},
		{"the legacy shape", `{"hooks":{"Stop":[` + legacy + `]}}`, "[$.hooks.Stop[0]]"},
		{"an event of another shape", `{"hooks":{"Odd":{},"Stop":[{"hooks":[` + stop + `]}]}}`, "[$.hooks.Stop[0].hooks[0]]"},
		{"of two equal rules the last", `{"permissions":{"deny":["` + rules[0] + `","x","` + rules[0] + `"]}}`, "[$.permissions.deny[2]]"},
		{"what no table can hold", `{"permissions":{"deny":["mine too"]}}`, "[]"},
		{"another shape", `{"permissions":{"deny":{}}}`, "[]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			list, err := Owned([]byte(tt.src), rec, ours)
			if err != nil {
				t.Fatal(err)
			}
			paths := []string{}
			for _, e := range list {
				paths = append(paths, e.JSONPath)
			}
			if fmt.Sprint(paths) != tt.want {
				t.Errorf("got %v, want %s", paths, tt.want)
			}
		})
	}
	if _, err := Owned([]byte(`{"hooks": `), rec, ours); err == nil {
		t.Error("a file that is not JSON")
	}
}

func TestOwnedValueIgnoresLayout(t *testing.T) {
	var values []string
	for _, src := range []string{
		`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"grimoire-hook --x"}]}]}}`,
		"{ // c\n \"hooks\": {\"Stop\": [ {\"hooks\": [ {\"command\": \"grimoire\\u002dhook --x\", \"type\": \"command\",} ]} ]}}",
		`{"hooks":{"Stop":[{"matcher":"","hooks":[{"type":"command","command":"grimoire-hook --x"}]}]}}`,
	} {
		list, err := Owned([]byte(src), Record{}, ours)
		if err != nil || len(list) != 1 {
			t.Fatalf("%v, %v", list, err)
		}
		values = append(values, list[0].Value)
	}
	if values[0] != values[1] || values[0] == values[2] {
		t.Errorf("%q", values)
	}
}
