package merge

import (
	"strings"
	"testing"
)

// One op, the smallest file that shows the case, and every byte of the result.
func TestHooks(t *testing.T) {
	const (
		stop   = `{"type":"command","command":"grimoire-hook --host claude --event Stop","timeout":60}`
		old    = `{"type":"command","command":"grimoire-hook --old","timeout":5}`
		legacy = `{"command":"grimoire standard activation-context"}`
		mine   = `{"type":"command","command":"./mine.sh"}`
	)
	wantStop := []Op{hookOp("Stop", nil, "60")}
	wantBash := []Op{EnsureHook{Event: "Stop", Matcher: &bash, Handler: []byte(stop)}}
	for _, tt := range []struct {
		name      string
		ops       []Op
		src, want string
	}{
		{"a new event", wantStop, `{"a":1}`, `{"a":1,"hooks":{"Stop":[{"hooks":[` + stop + `]}]}}`},
		{"behind the user's group", wantStop,
			`{"hooks":{"Stop":[{"hooks":[` + mine + `]}]}}`,
			`{"hooks":{"Stop":[{"hooks":[` + mine + `]},{"hooks":[` + stop + `]}]}}`},
		{"ours as asked, in the user's group: not a byte", wantStop,
			`{"hooks":{"Stop":[{"hooks":[` + mine + `, {"timeout":6e1, "command":"grimoire\u002dhook --host claude --event Stop", "type":"command"} ]}]}}`, ""},
		{"ours brought up to date in place", wantStop,
			`{"hooks":{"Stop":[{"hooks":[` + mine + `,{"type":"command", /* x */ "command":"grimoire-hook --old", "timeout": 5, "async":true}]}]}}`,
			`{"hooks":{"Stop":[{"hooks":[` + mine + `,{"type":"command", /* x */ "command":"grimoire-hook --host claude --event Stop", "timeout": 60}]}]}}`},
		{"a missing member is added", wantStop,
			`{"hooks":{"Stop":[{"hooks":[{"command":"grimoire-hook --old"}]}]}}`,
			`{"hooks":{"Stop":[{"hooks":[{"command":"grimoire-hook --host claude --event Stop","type":"command","timeout":60}]}]}}`},
		{"several of ours collapse to one", wantStop,
			`{"hooks":{"Stop":[{"hooks":[` + old + `]},{"hooks":[` + old + `,` + mine + `]},{"hooks":[` + stop + `]}]}}`,
			`{"hooks":{"Stop":[{"hooks":[` + mine + `]},{"hooks":[` + stop + `]}]}}`},
		{"the matcher of a group that is ours", wantBash,
			`{"hooks":{"Stop":[{"matcher":"Bash","note":1,"hooks":[` + stop + `]}]}}`,
			`{"hooks":{"Stop":[{"matcher":"Bash|Edit|Write","note":1,"hooks":[` + stop + `]}]}}`},
		{"a matcher where there was none", wantBash,
			`{"hooks":{"Stop":[{"hooks":[` + stop + `]}]}}`,
			`{"hooks":{"Stop":[{"hooks":[` + stop + `],"matcher":"Bash|Edit|Write"}]}}`},
		{"a matcher that goes", wantStop,
			`{"hooks":{"Stop":[{"matcher":"","hooks":[` + stop + `]}]}}`,
			`{"hooks":{"Stop":[{"hooks":[` + stop + `]}]}}`},
		{"the user's matcher stays, ours moves out of their group", wantBash,
			`{"hooks":{"Stop":[{"matcher":"Bash","hooks":[` + stop + `,` + mine + `]}]}}`,
			`{"hooks":{"Stop":[{"matcher":"Bash","hooks":[` + mine + `]},{"matcher":"Bash|Edit|Write","hooks":[` + stop + `]}]}}`},
		{"a legacy entry is replaced", wantStop,
			`{"hooks":{"Stop":[{"command":"./old.sh"},` + legacy + `]}}`,
			`{"hooks":{"Stop":[{"command":"./old.sh"},{"hooks":[` + stop + `]}]}}`},
		{"the exec form", wantStop,
			`{"hooks":{"Stop":[{"hooks":[{"command":"grimoire-hook","args":["--host","claude"]},{"command":"cat","args":["grimoire-hook "]},{"command":"x","args":7}]}]}}`,
			`{"hooks":{"Stop":[{"hooks":[{"command":"grimoire-hook --host claude --event Stop","type":"command","timeout":60},{"command":"cat","args":["grimoire-hook "]},{"command":"x","args":7}]}]}}`},
		{"an event that is not asked for goes, with its key", wantStop,
			`{"hooks":{"Gone":[{"hooks":[` + old + `]}],"Stop":[{"hooks":[` + stop + `]}]}}`,
			`{"hooks":{"Stop":[{"hooks":[` + stop + `]}]}}`},
		{"an event that is not asked for keeps the user's", wantStop,
			`{"hooks":{"Gone":[{"hooks":[` + old + `,` + mine + `]},` + legacy + `],"Odd":{"x":1},"Stop":[{"hooks":[` + stop + `]}]}}`,
			`{"hooks":{"Gone":[{"hooks":[` + mine + `]}],"Odd":{"x":1},"Stop":[{"hooks":[` + stop + `]}]}}`},
		{"a comma that stands apart goes with its item", nil,
			`{"hooks":{"Stop":[` + legacy + ` ,{"hooks":[]},]}}`,
			`{"hooks":{"Stop":[{"hooks":[]},]}}`},
		{"a comment to the end of the line does not swallow the bracket", nil,
			`{"hooks":{"Stop":[{"hooks":[` + mine + `, // mine` + "\n" + old + `]}]}}`,
			`{"hooks":{"Stop":[{"hooks":[` + mine + ` // mine` + "\n" + `]}]}}`},
		{"a group of ours that the user added a key to stays", nil,
			`{"hooks":{"Stop":[{"note":1,"hooks":[` + stop + `]}]}}`,
			`{"hooks":{"Stop":[{"note":1,"hooks":[]}]}}`},
		{"a comment in a group of ours stays", nil,
			`{"hooks":{"Stop":[{"hooks":[` + stop + ` /* why */]}]}}`,
			`{"hooks":{"Stop":[{"hooks":[ /* why */]}]}}`},
		{"no hooks asked for, none of ours there", nil, `{"hooks":"x"}`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.want == "" {
				tt.want = tt.src
			}
			out, _, err := Apply([]byte(tt.src), tt.ops, Record{}, ours)
			if err != nil || string(out) != tt.want {
				t.Errorf("got  %s\nwant %s\n(%v)", out, tt.want, err)
			}
			checkLaws(t, []byte(tt.src), tt.ops)
		})
	}
}

// Inserted text takes the file's indentation, newlines and density, and a comment
// at the end of a line stays with the item it is about.
func TestStyle(t *testing.T) {
	rule := []Op{EnsureString{denies, "x"}}
	for _, tt := range []struct {
		name      string
		src, want string
	}{
		{"two spaces", "{\n  \"a\": 1\n}\n", "{\n  \"a\": 1,\n  \"permissions\": {\n    \"deny\": [\n      \"x\"\n    ]\n  }\n}\n"},
		{"four spaces, no final newline", "{\n    \"a\": 1\n}", "{\n    \"a\": 1,\n    \"permissions\": {\n        \"deny\": [\n            \"x\"\n        ]\n    }\n}"},
		{"tabs, CRLF and a BOM", "\xEF\xBB\xBF{\r\n\t\"a\": 1\r\n}\r\n", "\xEF\xBB\xBF{\r\n\t\"a\": 1,\r\n\t\"permissions\": {\r\n\t\t\"deny\": [\r\n\t\t\t\"x\"\r\n\t\t]\r\n\t}\r\n}\r\n"},
		{"minified", `{"a":1}`, `{"a":1,"permissions":{"deny":["x"]}}`},
		{"empty, on one line", `{"permissions":{"deny":[ ]}}`, `{"permissions":{"deny":[ "x" ]}}`},
		{"one line, spaced", `{ "a": 1 }`, `{ "a": 1, "permissions": {"deny": ["x"]} }`},
		{"trailing commas", "{\n  \"permissions\": {\n    \"deny\": [\n      \"a\",\n    ],\n  },\n}", "{\n  \"permissions\": {\n    \"deny\": [\n      \"a\",\n      \"x\",\n    ],\n  },\n}"},
		{"a comment about the last item", "{\n  \"permissions\": {\n    \"deny\": [\n      \"a\" // why\n      // more\n    ]\n  }\n}", "{\n  \"permissions\": {\n    \"deny\": [\n      \"a\", // why\n      \"x\"\n      // more\n    ]\n  }\n}"},
		{"an array on one line", "{\n  \"permissions\": {\n    \"deny\": [\"a\", \"b\"]\n  }\n}", "{\n  \"permissions\": {\n    \"deny\": [\"a\", \"b\", \"x\"]\n  }\n}"},
		{"a tight array", "{\n  \"permissions\": {\n    \"deny\": [\"a\",\"b\"]\n  }\n}", "{\n  \"permissions\": {\n    \"deny\": [\"a\",\"b\",\"x\"]\n  }\n}"},
		{"an empty array", "{\n  \"permissions\": {\n    \"deny\": []\n  }\n}", "{\n  \"permissions\": {\n    \"deny\": [\n      \"x\"\n    ]\n  }\n}"},
		{"colons without a space", "{\n \"a\":1\n}", "{\n \"a\":1,\n \"permissions\":{\n  \"deny\":[\n   \"x\"\n  ]\n }\n}"},
		{"numbers, escapes, duplicates, unknown keys", "{\n  \"n\": 1.50e+3, \"s\": \"\\u00e9\\/\",\n  \"n\": -0,\n  \"permissions\": {\"deny\": [\"x\"]}\n}", ""},
		{"nothing", "", "{\n  \"permissions\": {\n    \"deny\": [\n      \"x\"\n    ]\n  }\n}\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.want == "" {
				tt.want = tt.src
			}
			out, _, err := Apply([]byte(tt.src), rule, Record{}, ours)
			if err != nil || string(out) != tt.want {
				t.Errorf("got  %q\nwant %q\n(%v)", out, tt.want, err)
			}
		})
	}
}

// Every line of a long settings file but ours is there afterwards, in order.
func TestLongFile(t *testing.T) {
	src := longFile(5000)
	out, _, ok := checkLaws(t, src, claudeOps())
	if !ok {
		t.Fatal("refused")
	}
	rest := strings.Split(string(out), "\n")
	for _, line := range strings.Split(string(src), "\n") {
		for len(rest) > 0 && strings.TrimSuffix(rest[0], ",") != strings.TrimSuffix(line, ",") {
			rest = rest[1:]
		}
		if len(rest) == 0 {
			t.Fatalf("line %q is gone", line)
		}
	}
}

func longFile(lines int) []byte {
	var b strings.Builder
	b.WriteString("{\n  \"model\": \"opus\", // the big one\n  \"permissions\": {\n    \"allow\": [\n")
	for ; lines > 0; lines-- {
		b.WriteString("      \"Bash(make target-" + strings.Repeat("x", lines%17) + ":*)\", // rule\n")
	}
	b.WriteString("    ],\n  },\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": [\n          { \"type\": \"command\", \"command\": \"./mine.sh\" }\n        ]\n      }\n    ]\n  }\n}\n")
	return []byte(b.String())
}

func BenchmarkApply(b *testing.B) {
	src := longFile(5000)
	out, rec, err := Apply(src, claudeOps(), Record{}, ours)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("first", func(b *testing.B) {
		b.SetBytes(int64(len(src)))
		for b.Loop() {
			_, _, _ = Apply(src, claudeOps(), Record{}, ours)
		}
	})
	b.Run("again", func(b *testing.B) {
		b.SetBytes(int64(len(out)))
		for b.Loop() {
			_, _, _ = Apply(out, claudeOps(), rec, ours)
		}
	})
	b.Run("remove", func(b *testing.B) {
		b.SetBytes(int64(len(out)))
		for b.Loop() {
			_, _ = Remove(out, rec, ours)
		}
	})
}
