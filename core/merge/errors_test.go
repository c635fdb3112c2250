package merge

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func TestRefusals(t *testing.T) {
	for _, tt := range []struct {
		src  string
		want ShapeError
	}{
		{`[1]`, ShapeError{JSONPath: "$", Line: 1, Column: 1, Want: "object", Got: "array"}},
		{"\n // c\n null", ShapeError{JSONPath: "$", Line: 3, Column: 2, Want: "object", Got: "null"}},
		{"{\n  \"é\": 1, \"hooks\": []\n}", ShapeError{JSONPath: "$.hooks", Line: 2, Column: 20, Want: "object", Got: "array"}},
		{`{"hooks":{"Stop":{}}}`, ShapeError{JSONPath: "$.hooks.Stop", Line: 1, Column: 18, Want: wantGroups, Got: "object"}},
		{"{\"hooks\":{\"Stop\":[\r\n  \"x\"]}}", ShapeError{JSONPath: "$.hooks.Stop[0]", Line: 2, Column: 3, Want: wantGroup, Got: "string"}},
		{`{"hooks":{"Stop":[{"matcher":"x"}]}}`, ShapeError{JSONPath: "$.hooks.Stop[0]", Line: 1, Column: 19, Want: wantGroup, Got: gotNoHooks}},
		{`{"hooks":{"Stop":[{"matcher":[],"hooks":[]}]}}`, ShapeError{JSONPath: "$.hooks.Stop[0].matcher", Line: 1, Column: 30, Want: "string", Got: "array"}},
		{`{"hooks":{"Stop":[{"hooks":{}}]}}`, ShapeError{JSONPath: "$.hooks.Stop[0].hooks", Line: 1, Column: 28, Want: wantHandlers, Got: "object"}},
		{`{"hooks":{"Stop":[{"hooks":[{},7]}]}}`, ShapeError{JSONPath: "$.hooks.Stop[0].hooks[1]", Line: 1, Column: 32, Want: "object", Got: "number"}},
		{`{"hooks":{"Stop":[{"hooks":[{"command":true}]}]}}`, ShapeError{JSONPath: "$.hooks.Stop[0].hooks[0].command", Line: 1, Column: 40, Want: "string", Got: "boolean"}},
		{`{"permissions":7}`, ShapeError{JSONPath: "$.permissions", Line: 1, Column: 16, Want: "object", Got: "number"}},
		{`{"permissions":{"deny":"x"}}`, ShapeError{JSONPath: "$.permissions.deny", Line: 1, Column: 24, Want: "array", Got: "string"}},
		{`{"permissions":{"allow":"x"}}`, ShapeError{JSONPath: "$.permissions.allow", Line: 1, Column: 25, Want: wantStrings, Got: "string"}},
		{`{"mcp":[]}`, ShapeError{JSONPath: "$.mcp", Line: 1, Column: 8, Want: "object", Got: "array"}},
		{`{"hooks":{}, "hooks":{}}`, ShapeError{JSONPath: "$.hooks", Line: 1, Column: 14, Want: wantOneKey, Got: gotDuplicate}},
		{`{"hooks":{"Stop":[],"St\u006fp":[]}}`, ShapeError{JSONPath: "$.hooks.Stop", Line: 1, Column: 21, Want: wantOneKey, Got: gotDuplicate}},
		{`{"hooks":{"Gone":[{"hooks":[{"command":"grimoire-hook x"}]}],"Gone":1}}`, ShapeError{JSONPath: "$.hooks.Gone", Line: 1, Column: 62, Want: wantOneKey, Got: gotDuplicate}},
		{`{"hooks":{"Stop":[{"hooks":[],"hooks":[]}]}}`, ShapeError{JSONPath: "$.hooks.Stop[0].hooks", Line: 1, Column: 31, Want: wantOneKey, Got: gotDuplicate}},
		{`{"hooks":{"Stop":[{"hooks":[{"command":"grimoire-hook x","x y":1,"x y":2}]}]}}`, ShapeError{JSONPath: `$.hooks.Stop[0].hooks[0]["x y"]`, Line: 1, Column: 66, Want: wantOneKey, Got: gotDuplicate}},
		{"{\"a\": 1\n /* ", ShapeError{Line: 2, Column: 2, Want: wantJSON, Got: gotOpenComment}},
		{"{\"a\":\x00}", ShapeError{Line: 1, Column: 6, Want: wantUTF8, Got: gotNUL}},
		{"\xFF\xFE{\x00}\x00", ShapeError{Line: 1, Column: 1, Want: wantUTF8, Got: gotUTF16}},
		{"{\n \"a\": 01}", ShapeError{Line: 2, Column: 8, Want: wantJSON, Got: "invalid character '1' after object key:value pair"}},
		{"{\n\"a\": 'x'}", ShapeError{Line: 2, Column: 6, Want: wantJSON, Got: `invalid character '\'' looking for beginning of value`}},
		{`{"a":[,]}`, ShapeError{Line: 1, Column: 7, Want: wantJSON, Got: "invalid character ',' looking for beginning of value"}},
		{`{"a":1,,}`, ShapeError{Line: 1, Column: 8, Want: wantJSON, Got: "invalid character ',' looking for beginning of object key string"}},
		{"{\"a\":1\x01}", ShapeError{Line: 1, Column: 7, Want: wantJSON, Got: `invalid character '\x01' after object key:value pair`}},
		{`{"a":1`, ShapeError{Line: 1, Column: 6, Want: wantJSON, Got: "unexpected end of JSON input"}},
		{"// later\n", ShapeError{Line: 2, Column: 1, Want: wantJSON, Got: gotNoValue}},
		{" \n", ShapeError{Line: 1, Column: 2, Want: wantJSON, Got: "unexpected end of JSON input"}},
	} {
		_, _, ok := checkLaws(t, []byte(tt.src), claudeOps())
		_, _, err := Apply([]byte(tt.src), claudeOps(), Record{}, ours)
		var got *ShapeError
		if ok || !errors.As(err, &got) {
			t.Errorf("%q: %v, want a ShapeError", tt.src, err)
			continue
		}
		got.at = 0
		if *got != tt.want {
			t.Errorf("%q:\ngot  %+v\nwant %+v", tt.src, *got, tt.want)
		}
	}
}

// Earlier edits move text; the place in the message is where the user reads it.
func TestRefusalPointsIntoTheUsersFile(t *testing.T) {
	src := "{\n  \"a\": 1,\n  \"permissions\": {\n    \"deny\": []\n  },\n  \"instructions\": 7\n}\n"
	ops := append(claudeOps(), EnsureString{Path{"instructions"}, "AGENTS.md"})
	out, _, err := Apply([]byte(src), ops, Record{}, ours)
	var got *ShapeError
	if !errors.As(err, &got) || got.Line != 6 || got.Column != 19 || got.JSONPath != "$.instructions" || string(out) != src {
		t.Errorf("got %v and %q", err, out)
	}
}

func TestLimits(t *testing.T) {
	nested := func(n int) string { return `{"a":` + strings.Repeat("[", n) + strings.Repeat("]", n) + "}" }
	many := `{"hooks":{"Stop":[{"hooks":[` + strings.Repeat(`{"command":"grimoire-hook x"},`, 100_000) + `]}]}}`
	for _, tt := range []struct {
		name, src string
		what      string
	}{
		{"at the depth bound", nested(MaxDepth - 1), ""},
		{"past the depth bound", nested(MaxDepth), tooDeep},
		{"far past it, never closed", strings.Repeat(`{"a":[`, 1<<20), tooDeep},
		{"past the size bound", `{"a":"` + strings.Repeat("x", MaxBytes) + `"}`, tooLarge},
		{"a hundred thousand hooks of ours", many, tooMany},
		{"the same in an event not asked for", strings.Replace(many, "Stop", "Gone", 1), tooMany},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, _, err := Apply([]byte(tt.src), claudeOps(), Record{}, ours)
			var limit *LimitError
			switch {
			case tt.what == "" && err != nil:
				t.Errorf("refused: %v", err)
			case tt.what != "" && (!errors.As(err, &limit) || limit.What != tt.what):
				t.Errorf("got %v, want a LimitError on %s", err, tt.what)
			}
		})
	}
}

// A value of ours that would carry the file past a bound is refused like a file
// that is past it.
func TestLimitOfTheResult(t *testing.T) {
	deep := json.RawMessage(strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth))
	large := quote(strings.Repeat("x", MaxBytes))
	for _, value := range []json.RawMessage{deep, large} {
		out, rec, err := Apply([]byte("{}"), []Op{SetKey{server, value}}, Record{}, ours)
		var limit *LimitError
		if !errors.As(err, &limit) || string(out) != "{}" || !rec.IsZero() {
			t.Errorf("got %.40q, %+v, %v", out, rec, err)
		}
	}
}

// What is of no use to us costs no time however much there is of it.
func TestManyForeignShapes(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"hooks":{`)
	for b.Len() < 4<<20 {
		b.WriteString(`"a":[7],`)
	}
	b.WriteString(`}}`)
	if _, _, err := Apply([]byte(b.String()), nil, Record{}, ours); err != nil {
		t.Error(err)
	}
}

func TestTextsInBothLanguages(t *testing.T) {
	for _, phrase := range []string{
		string(Object), string(Array), string(String), string(Number), string(Boolean), string(Null),
		wantJSON, wantUTF8, wantOneKey, wantStrings, wantGroups, wantGroup, wantHandlers,
		gotUTF16, gotNUL, gotDuplicate, gotOpenComment, gotNoHooks, tooLarge, tooDeep, tooMany,
	} {
		if french[phrase] == "" {
			t.Errorf("%q has no French", phrase)
		}
	}
	shape := &ShapeError{JSONPath: "$.permissions.deny", Line: 3, Column: 7, Want: wantStrings, Got: string(Number)}
	if got := shape.Text(); got.EN != "line 3, column 7, $.permissions.deny: want array of strings, got number" ||
		got.FR != "ligne 3, colonne 7, $.permissions.deny : attendu un tableau de chaînes, trouvé un nombre" {
		t.Errorf("got %+v", got)
	}
	limit := &LimitError{What: tooDeep, Max: MaxDepth, Line: 1, Column: 9}
	if got := limit.Text(); got.EN != "line 1, column 9: more than 1000 levels of nesting" ||
		got.FR != "ligne 1, colonne 9 : plus de 1000 niveaux d'imbrication" {
		t.Errorf("got %+v", got)
	}
}
