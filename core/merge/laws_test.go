package merge

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The ops and the target of the tests are those of a governed project: what the
// Claude Code and opencode emitters ask for.
var (
	bash   = "Bash|Edit|Write"
	denies = Path{"permissions", "deny"}
	allows = Path{"permissions", "allow"}
	server = Path{"mcp", "grimoire"}

	ours = Target{
		OwnsCommand: func(command string) bool {
			return strings.HasPrefix(command, "grimoire-hook ") || command == "grimoire standard activation-context"
		},
		OwnsArgs: func(command string, args []string) bool { return command == "grimoire-hook" },
		OwnsString: func(p Path, v string) bool {
			return (slices.Equal(p, denies) || slices.Equal(p, allows)) && slices.Contains(rules, v) ||
				slices.Equal(p, Path{"instructions"}) && v == "AGENTS.md"
		},
		OwnsKey: func(p Path, v json.RawMessage) bool {
			return slices.Equal(p, server) && (sameJSON(v, mcpServer) || sameJSON(v, oldServer))
		},
	}
	rules     = []string{"Read(./**/.env)", "Read(./**/<x>&y)", "Bash(grimoire:*)", "Bash(git log:*)"}
	mcpServer = json.RawMessage(`{"type":"local","command":["grimoire-mcp"],"enabled":true}`)
	oldServer = json.RawMessage(`{"type":"local","command":["grimoire-mcp","--old"]}`)
)

func hookOp(event string, matcher *string, timeout string) EnsureHook {
	return EnsureHook{Event: event, Matcher: matcher, Handler: json.RawMessage(
		`{"type":"command","command":"grimoire-hook --host claude --event ` + event + `","timeout":` + timeout + `}`)}
}

func claudeOps() []Op {
	return []Op{
		Expect{Path{"permissions"}, Object},
		Expect{denies, Array},
		hookOp("SessionStart", nil, "30"),
		hookOp("PreToolUse", &bash, "10"),
		hookOp("Stop", nil, "60"),
		EnsureString{denies, rules[0]},
		EnsureString{denies, rules[1]},
		EnsureString{allows, rules[2]},
		SetKey{server, mcpServer},
	}
}

// checkLaws applies ops to src and checks what must hold for any bytes: src is
// refused with one of the named errors and left alone, or the laws hold. It
// reports whether src was accepted.
func checkLaws(t rapid.TB, src []byte, ops []Op) (out []byte, rec Record, accepted bool) {
	before := bytes.Clone(src)
	out, rec, err := Apply(src, ops, Record{}, ours)
	if !bytes.Equal(src, before) {
		t.Fatalf("Apply wrote into its input %q", before)
	}
	if err != nil {
		var shape *ShapeError
		var conflict *ConflictError
		var limit *LimitError
		if !errors.As(err, &shape) && !errors.As(err, &conflict) && !errors.As(err, &limit) {
			t.Fatalf("%q refused without a named error: %v", src, err)
		}
		if !bytes.Equal(out, src) {
			t.Fatalf("%q refused but changed to %q", src, out)
		}
		return out, rec, false
	}

	stored, err := json.Marshal(rec)
	if err != nil {
		t.Fatal(err)
	}
	var read Record
	if err := json.Unmarshal(stored, &read); err != nil {
		t.Fatal(err)
	}
	again, recAgain, err := Apply(out, ops, read, ours)
	if err != nil || !bytes.Equal(again, out) {
		t.Fatalf("second Apply of\n%q\nmade of\n%q\n%q\n(%v)", src, out, again, err)
	}
	if storedAgain, _ := json.Marshal(recAgain); !bytes.Equal(storedAgain, stored) {
		t.Fatalf("second Apply of %q changed the record %s to %s", src, stored, storedAgain)
	}

	undone, err := Remove(out, read, ours)
	if err != nil {
		t.Fatalf("Remove of %q: %v", out, err)
	}
	clean, err := Remove(src, Record{}, ours)
	if err != nil {
		t.Fatalf("Remove of %q: %v", src, err)
	}
	if bytes.Equal(clean, src) { // it held nothing of ours
		if !bytes.Equal(undone, src) {
			t.Fatalf("unmerge of\n%q\nthrough\n%q\nwith %s gave\n%q", src, out, stored, undone)
		}
		if !subsequence(significant(src), significant(out)) {
			t.Fatalf("merge of\n%q\nlost foreign bytes:\n%q", src, out)
		}
	}
	if again, err := Remove(undone, Record{}, ours); err != nil || !bytes.Equal(again, undone) {
		t.Fatalf("after the unmerge of %q something of ours was left: %q (%v)", src, undone, err)
	}
	if list, err := Owned(undone, Record{}, ours); err != nil || len(list) > 0 {
		t.Fatalf("after the unmerge of %q entries of ours are told: %v (%v)", src, list, err)
	}
	list, err := Owned(out, read, ours)
	if err != nil {
		t.Fatalf("entries of ours in %q: %v", out, err)
	}
	if (len(list) == 0) != bytes.Equal(undone, out) && len(out) > 0 {
		t.Fatalf("entries of ours in %q: %v, and the unmerge gives %q", out, list, undone)
	}
	return out, rec, true
}

// significant is a document without its whitespace.
func significant(b []byte) []byte {
	return bytes.Map(func(r rune) rune {
		if r < 0x80 && isSpace(byte(r)) {
			return -1
		}
		return r
	}, b)
}

func subsequence(sub, of []byte) bool {
	for _, c := range of {
		if len(sub) > 0 && sub[0] == c {
			sub = sub[1:]
		}
	}
	return len(sub) == 0
}

func TestLawsByStyle(t *testing.T) {
	for _, src := range []string{
		"", "{}", "{ }", "{}\n", "{\n}\n", "{\n\n}", "{\t}", " {} ", "{ /* c */ }", "{ // c\n}", "{\n  // c\n}", "{/**/}", "{// */\n}",
		"\xEF\xBB\xBF{}", "\xEF\xBB\xBF{\r\n}\r\n", "// head\n{} // tail", "{}/* tail */",
		`{"a":1}`, `{"a": 1}`, `{ "a": 1 }`, `{"a":1,}`, `{ "a" : 1 , }`, `{"a":1/*c*/}`, `{"a":1,/*c*/}`, `{/*b*/"a":1}`,
		"{\"a\":1// c\n}", "{\"a\":1,// c\n}", "{\"a\":1/*x*/// c\n\n}",
		"{\n  \"a\": 1\n}", "{\n\t\"a\": 1\n}\n", "{\n    \"a\": 1,\n}\n", "{\r\n  \"a\": 1\r\n}\r\n", "{\r  \"a\": 1\r}",
		"{\n  \"a\": 1 // why\n}\n", "{\n  \"a\": 1, // why  \n  // end\n}\n", "{\n  \"a\": 1   \n}", "{\n\"a\":1\n}",
		"{\n  \"a\": 1 /* x\n y */\n}", "{ \"a\": 1\n}", "{\n  \"a\": 1 }", "{\n  \"a\": 1 // c\n  }",
		`{"hooks":{}}`, `{"hooks": { } , "permissions": {/*p*/}}`, `{"permissions":{"deny":[]}}`, `{"permissions":{"deny":[ ],"allow":[/*x*/]}}`,
		"{\n  \"permissions\": {\n    \"deny\": []\n  }\n}\n", "{\n  \"permissions\": {\n    \"deny\": [\n    ]\n  }\n}\n",
		"{\n  \"permissions\": {\n    \"deny\": [ // none\n    ]\n  }\n}\n",
		"{\n  \"permissions\": {\"deny\": [\"a\", \"b\",]},\n}\n", "{\n  \"permissions\": {\"deny\": [\"a\" // x\n]}}",
		`{"permissions":{"deny":["Read(./**/.env)"]}}`, `{"permissions":{"deny":["Read(.\u002f**/.env)", 7, null]}}`,
		`{"hooks":{"Stop":[]}}`, `{"hooks":{"Stop":[ ],"Other":{"x":1}}}`,
		`{"hooks":{"Stop":[{"hooks":[]}]}}`, `{"hooks":{"Stop":[{"matcher":"","hooks":[{"type":"command","command":"./x"}]}]}}`,
		"{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": [\n          { \"type\": \"prompt\", \"prompt\": \"p\" } // mine\n        ]\n      }\n    ]\n  }\n}\n",
		"{\n  \"hooks\": {\"Stop\": [{\n    \"hooks\": []\n  }]}\n}", `{"hooks":{"Stop":[{"command":"./legacy.sh"}]}}`,
		`{"mcp":{}}`, `{"mcp":{"other":{}}}`, `{"mcp":{"grimoire":{"enabled":true,"command":["grimoire-mcp"],"type":"local"}}}`,
		`{"a":1,"a":2}`, `{"x":{"hooks":1,"hooks":2}}`, `{"n":1.50e+3,"s":"\u00e9\/","t":[1,[2,],{}],}`, "{\"a\":\"// no\",\"b\":\"/* no */\"}",
		"{\n  \"a\": {\n    \"deep\": [\n      1\n    ]\n  }\n}",
	} {
		if _, _, ok := checkLaws(t, []byte(src), claudeOps()); !ok {
			_, _, err := Apply([]byte(src), claudeOps(), Record{}, ours)
			t.Errorf("%q was refused: %v", src, err)
		}
	}
}

// An upgrade that asks for less, more and other things still ends where Remove
// gives the user's file back.
func TestRemoveAfterUpgrade(t *testing.T) {
	later := []Op{
		hookOp("PreToolUse", nil, "20"),
		hookOp("PostToolUse", &bash, "10"),
		EnsureString{allows, rules[2]},
		EnsureString{allows, rules[3]},
		EnsureString{Path{"instructions"}, "AGENTS.md"},
	}
	for _, src := range []string{
		"", "{}", "{ }", "{\n}\n", "{ // c\n}\n", `{"permissions":{ }}`, `{"hooks":{"Stop":[ ]},"permissions":{"deny":[/**/]}}`,
		"{\n\t\"permissions\": {\n\t\t\"allow\": [\"x\"], // why\n\t},\n}\n", `{"instructions":[]}`,
	} {
		for _, steps := range [][][]Op{{claudeOps(), later}, {later, claudeOps()}, {claudeOps(), later, claudeOps()}, {claudeOps(), nil}, {claudeOps(), nil, later}} {
			out, rec := []byte(src), Record{}
			var err error
			for _, ops := range steps {
				if out, rec, err = Apply(out, ops, rec, ours); err != nil {
					t.Fatalf("%q: %v", src, err)
				}
			}
			undone, err := Remove(out, rec, ours)
			if err != nil || string(undone) != src {
				t.Errorf("Remove(%q, %+v) = %q, %v, want %q", out, rec, undone, err, src)
			}
		}
	}
}
