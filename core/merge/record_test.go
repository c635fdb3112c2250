package merge

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"
)

func ensure(p Path, values ...string) []Op {
	var ops []Op
	for _, v := range values {
		ops = append(ops, EnsureString{p, v})
	}
	return ops
}

func apply(t *testing.T, src string, ops []Op, rec Record) (string, Record) {
	t.Helper()
	out, rec, err := Apply([]byte(src), ops, rec, ours)
	if err != nil {
		t.Fatalf("Apply to %q: %v", src, err)
	}
	return string(out), rec
}

func remove(t *testing.T, src string, rec Record) string {
	t.Helper()
	out, err := Remove([]byte(src), rec, ours)
	if err != nil {
		t.Fatalf("Remove from %q: %v", src, err)
	}
	return string(out)
}

func TestStrings(t *testing.T) {
	a, b := rules[0], rules[2]

	// Only what we added is recorded, and only that goes when it is not wanted.
	src := `{"permissions":{"deny":["` + a + `","mine"]}}`
	out, rec := apply(t, src, ensure(denies, a, b, b), Record{})
	if want := `{"permissions":{"deny":["` + a + `","mine","` + b + `"]}}`; out != want {
		t.Errorf("got %s", out)
	}
	if want := map[string][]string{"/permissions/deny": {b}}; !reflect.DeepEqual(rec.Strings, want) {
		t.Errorf("recorded %v", rec.Strings)
	}
	if out, rec := apply(t, out, ensure(denies, a), rec); out != src || !rec.IsZero() {
		t.Errorf("a rule no longer wanted: %s, %+v", out, rec)
	}

	// Taken out by hand it is added again; added once more by hand one stays.
	if again, rec2 := apply(t, src, ensure(denies, a, b), rec); again != out || !reflect.DeepEqual(rec2, rec) {
		t.Errorf("after the user took ours out: %s, %+v", again, rec2)
	}
	twice := `{"permissions":{"deny":["` + b + `","mine","` + b + `"]}}`
	if got := remove(t, twice, rec); got != `{"permissions":{"deny":["`+b+`","mine"]}}` {
		t.Errorf("with the user's own copy: %s", got)
	}

	// What is added to our arrays by hand stays.
	out, rec = apply(t, "{\n}\n", ensure(denies, a), Record{})
	edited := "{\n  \"permissions\": {\n    \"deny\": [\n      \"" + a + "\",\n      \"mine\" // why\n    ]\n  }\n}\n"
	if out != "{\n  \"permissions\": {\n    \"deny\": [\n      \""+a+"\"\n    ]\n  }\n}\n" {
		t.Errorf("got %q", out)
	}
	if got := remove(t, edited, rec); got != "{\n  \"permissions\": {\n    \"deny\": [\n      \"mine\" // why\n    ]\n  }\n}\n" {
		t.Errorf("got %q", got)
	}
}

// What is left of an array, and of what held it, when our last item goes.
func TestRemoveString(t *testing.T) {
	recorded := Record{Strings: map[string][]string{"/permissions/deny": {rules[0]}}}
	foundEmpty := recorded.clone()
	foundEmpty.setSpace("/permissions/deny", "")
	for _, tt := range []struct {
		rec         Record
		array, want string
	}{
		{recorded, `["` + rules[0] + `", "mine"]`, `["mine"]`},
		{recorded, `["mine", "` + rules[0] + `", "too"]`, `["mine", "too"]`},
		{recorded, "[\n  \"" + rules[0] + "\", // about ours\n  \"mine\"\n]", "[ // about ours\n  \"mine\"\n]"},
		{recorded, `["` + rules[0] + `" /* why */]`, `[ /* why */]`},
		{recorded, `["` + rules[0] + `"]`, ""},
		{foundEmpty, `["` + rules[0] + `"]`, `[]`},
		{foundEmpty, "[\"" + rules[0] + "\" // mine\n]", "[ // mine\n]"},
		{foundEmpty, "[\n  \"" + rules[0] + "\" /* mine */\n]", "[ /* mine */]"},
	} {
		want := `{}`
		if tt.want != "" {
			want = `{"permissions":{"deny":` + tt.want + `}}`
		}
		if got := remove(t, `{"permissions":{"deny":`+tt.array+`}}`, tt.rec); got != want {
			t.Errorf("%s: got %q, want %q", tt.array, got, want)
		}
	}
}

func TestSetKey(t *testing.T) {
	set := func(v json.RawMessage) []Op { return []Op{SetKey{server, v}} }

	out, rec := apply(t, `{"mcp":{"x":1}}`, set(oldServer), Record{})
	if want := `{"mcp":{"x":1,"grimoire":` + string(oldServer) + `}}`; out != want || !reflect.DeepEqual(rec.Keys, []string{"/mcp/grimoire"}) {
		t.Errorf("set: %s, %+v", out, rec)
	}
	out, rec = apply(t, out, set(mcpServer), rec)
	if want := `{"mcp":{"x":1,"grimoire":` + string(mcpServer) + `}}`; out != want {
		t.Errorf("replaced: %s", out)
	}
	lines := "{\n  \"mcp\": {\"grimoire\": " + string(oldServer) + "}\n}"
	if got, _ := apply(t, lines, set(mcpServer), rec); got != "{\n  \"mcp\": {\"grimoire\": {\"type\": \"local\", \"command\": [\"grimoire-mcp\"], \"enabled\": true}}\n}" {
		t.Errorf("replaced on its line: %s", got)
	}
	mixed := "{\n  \"mcp\": {\n    \"grimoire\": " + string(oldServer) + ", \"x\": 1}\n}"
	if got, _ := apply(t, mixed, set(json.RawMessage(`{"command":["grimoire-mcp"]}`)), rec); got != "{\n  \"mcp\": {\n    \"grimoire\": {\n      \"command\": [\n        \"grimoire-mcp\"\n      ]\n    }, \"x\": 1}\n}" {
		t.Errorf("replaced on lines: %q", got)
	}
	if got, rec := apply(t, out, nil, rec); got != `{"mcp":{"x":1}}` || !rec.IsZero() {
		t.Errorf("no longer wanted: %s, %+v", got, rec)
	}

	// The user's identical value is not ours; another value is a conflict, also
	// when the record claims it: somebody edited it.
	mine := `{"mcp":{"grimoire":` + string(mcpServer) + `}}`
	if got, rec := apply(t, mine, set(mcpServer), Record{}); got != mine || !rec.IsZero() || remove(t, mine, rec) != mine {
		t.Errorf("identical: %s, %+v", got, rec)
	}
	edited := "{\n  \"mcp\": {\"grimoire\": {\"command\": \"mine\"}}\n}"
	for _, rec := range []Record{{}, rec} {
		got, _, err := Apply([]byte(edited), set(mcpServer), rec, ours)
		var conflict *ConflictError
		if !errors.As(err, &conflict) || conflict.JSONPath != "$.mcp.grimoire" || conflict.Line != 2 || conflict.Column != 23 || string(got) != edited {
			t.Errorf("edited by hand: %s, %v", got, err)
		}
		if remove(t, edited, rec) != edited {
			t.Error("what was edited by hand was removed")
		}
	}
}

// A record is read from a clone of somebody's repository.
func TestHostileRecord(t *testing.T) {
	src := `{"model":"x","env":{},"permissions":{"deny":["secret","` + rules[0] + `"],"other":["` + rules[0] + `"]},"mcp":{"mine":` + string(mcpServer) + `,"grimoire":1},"e":[]}`
	rec := Record{
		File: true,
		Strings: map[string][]string{
			"": {"x"}, "/": {""}, "/model": {"x"}, "/permissions/deny": {"secret"}, "/permissions/other": {rules[0]}, "no pointer": {"x"}, "/~2/~": {"x"},
		},
		Keys:  []string{"", "/", "/model", "/env", "/mcp", "/mcp/mine", "/mcp/grimoire", "/permissions/deny", "/nothing/there"},
		Space: map[string]string{"": "evil", "/env": `"PATH":"evil"`, "/e": "1", "/permissions": " "},
	}
	if got := remove(t, src, rec); got != src {
		t.Errorf("Remove made %s", got)
	}
	if got, _ := apply(t, src, nil, rec); got != src {
		t.Errorf("Apply made %s", got)
	}
	// Whitespace is all that a record can bring in, and what goes is ours.
	ownRule := `{"permissions":{"deny":["` + rules[0] + `"]}}`
	rec = Record{Strings: map[string][]string{"/permissions/deny": {rules[0]}}, Space: map[string]string{"/permissions/deny": `"evil"`}}
	if got := remove(t, ownRule, rec); got != `{}` {
		t.Errorf("Remove made %s", got)
	}
	rec.Space["/permissions/deny"] = " \n"
	if got := remove(t, ownRule, rec); got != "{\"permissions\":{\"deny\":[ \n]}}" {
		t.Errorf("Remove made %s", got)
	}
}

func TestCreatedFile(t *testing.T) {
	out, rec := apply(t, "", claudeOps(), Record{})
	if !rec.File {
		t.Error("the record does not say that the file is ours")
	}
	if got, err := Remove([]byte(out), rec, ours); got != nil || err != nil {
		t.Errorf("Remove = %q, %v, want nil: delete the file", got, err)
	}
	if got := remove(t, "// mine\n"+out, rec); got != "// mine\n{}\n" {
		t.Errorf("with a comment of the user: %q", got)
	}
	if out, rec, err := Apply(nil, []Op{Expect{denies, Array}}, Record{}, ours); out != nil || !rec.IsZero() || err != nil {
		t.Errorf("nothing to write made %q, %+v, %v", out, rec, err)
	}
}

func TestOpsThatCannotBe(t *testing.T) {
	for _, ops := range [][]Op{
		{EnsureString{nil, "x"}},
		{SetKey{nil, mcpServer}},
		{SetKey{server, json.RawMessage(`{`)}},
		{hookOp("", nil, "1")},
		{hookOp("Stop", nil, "1"), hookOp("Stop", &bash, "1")},
		{EnsureHook{Event: "Stop", Handler: json.RawMessage(`{"command":"./not-ours"}`)}},
		{EnsureHook{Event: "Stop", Handler: json.RawMessage(`{"command":"grimoire-hook x",}`)}},
		{EnsureHook{Event: "Stop", Handler: json.RawMessage(`[]`)}},
	} {
		if out, _, err := Apply([]byte("{}"), ops, Record{}, ours); err == nil || string(out) != "{}" {
			t.Errorf("%+v: %q, %v", ops, out, err)
		}
	}
}
