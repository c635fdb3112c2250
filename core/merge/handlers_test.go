package merge

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func TestDropHandlers(t *testing.T) {
	owned := func(entry json.RawMessage) bool {
		return strings.Contains(string(entry), `"ours"`) && !strings.Contains(string(entry), `"mine"`)
	}
	for name, tt := range map[string]struct{ src, want string }{
		"a list of two": {
			"{\n  \"hooks\": {\n    \"a\": [\n      {\"bash\": \"mine\"},\n      {\"bash\": \"ours\"}\n    ]\n  }\n}\n",
			"{\n  \"hooks\": {\n    \"a\": [\n      {\"bash\": \"mine\"}\n    ]\n  }\n}\n"},
		"an event of ours": {
			"{\"hooks\": {\"a\": [{\"bash\": \"ours\"}, {\"bash\": \"ours\"}],\r\n\t\"b\": [{\"bash\":   \"mine\"}]}, \"version\": 1}",
			"{\"hooks\": {\"b\": [{\"bash\":   \"mine\"}]}, \"version\": 1}"},
		"a group":                 {`{"hooks": {"a": [{"matcher": "x", "hooks": [{"command": "ours"}, {"command": "mine"}]}]}}`, `{"hooks": {"a": [{"matcher": "x", "hooks": [{"command": "mine"}]}]}}`},
		"an event written twice":  {`{"hooks": {"a": [{"c": "ours"}], "a": [{"c": "mine"}, {"c": "ours"}]}}`, `{"hooks": {"a": [{"c": "mine"}]}}`},
		"an empty list of theirs": {`{"hooks": {"a": [ ], "b": [{"c": "ours"}]}, "more": {}}`, `{"hooks": {"a": [ ]}, "more": {}}`},
		"all of them":             {`{"hooks": {"a": [{"c": "ours"}]}, "note": "x"}`, `{"hooks": {}, "note": "x"}`},
		"elsewhere":               {`{"not": [{"c": "ours"}]}`, `{"not": [{"c": "ours"}]}`},
		"not a list":              {`{"hooks": {"c": "ours"}}`, `{"hooks": {"c": "ours"}}`},
		"comments":                {"{\"hooks\": {\"a\": [ // all\n {\"c\": \"ours\"}, // ours\n {\"c\": \"mine\"}, ]}}", "{\"hooks\": {\"a\": [ // all\n  // ours\n {\"c\": \"mine\"}, ]}}"},
	} {
		got, err := DropHandlers([]byte(tt.src), owned)
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: %v\n%q, want\n%q", name, err, got, tt.want)
		}
	}
	const twice = `{"hooks": {"a": [{"c": "ours"}]}, "hooks": {}}`
	var shape *ShapeError
	if got, err := DropHandlers([]byte(twice), owned); !errors.As(err, &shape) || string(got) != twice {
		t.Errorf("%v: %s", err, got)
	}
	many := `{"hooks": {"a": [` + strings.Repeat(`{"c": "ours"},`, 50000) + `{"c": "mine"}]}}`
	var limit *LimitError
	if got, err := DropHandlers([]byte(many), owned); !errors.As(err, &limit) || string(got) != many {
		t.Errorf("%v", err)
	}
}

// Whatever the file: it is refused and left alone, or bytes of it are left out and
// nothing is added, what remains is valid, and a second time finds nothing.
func FuzzDropHandlers(f *testing.F) {
	for _, seed := range []string{
		`{"hooks": {"a": [{"c": "ours"}, {"c": 1}]}}`, "{\"hooks\": {\"a\": [ // x\n {\"c\": \"ours\"}, /* y */ ], }}", `{"hooks": [[{"c": "ours"}], [[]], "x"]}`,
	} {
		f.Add([]byte(seed))
	}
	owned := func(entry json.RawMessage) bool { return strings.Contains(string(entry), `"ours"`) }
	f.Fuzz(func(t *testing.T, src []byte) {
		out, err := DropHandlers(src, owned)
		if err != nil {
			if string(out) != string(src) {
				t.Fatalf("%q became %q: %v", src, out, err)
			}
			return
		}
		rest := out
		for _, b := range src {
			if len(rest) > 0 && rest[0] == b {
				rest = rest[1:]
			}
		}
		if len(rest) > 0 {
			t.Fatalf("%q became %q", src, out)
		}
		if again, err := DropHandlers(out, owned); err != nil || string(again) != string(out) {
			t.Fatalf("%q, then %q: %v", out, again, err)
		}
	})
}
