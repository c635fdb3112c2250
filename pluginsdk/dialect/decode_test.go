package dialect_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/pluginsdk/dialect"
	"github.com/grimoire-kit/grimoire/surface"
)

func TestVariants(t *testing.T) {
	d := parse(t, lantern)
	tests := []struct {
		name, payload string
		cause         dialect.Cause
		detail        string
		session, tool string
		family        surface.ToolFamily
	}{
		{"the first that fits", `{"v":"2","t":{"n":"sh","a":{"line":"x"}},"s":"1","e":"before"}`, "", "", "1", "sh", surface.FamilyRead},
		{"another value", `{"v":"3","t":{"n":"sh"},"sid":"2","event":"BeforeTool","tool":"sh"}`, "", "", "2", "sh", surface.FamilyExecute},
		{"another type", `{"v":"2","t":"sh","sid":"2","event":"BeforeTool","tool":"sh"}`, "", "", "2", "sh", surface.FamilyExecute},
		{"nested field before the flat one", `{"session":{"id":"1"},"sid":"2","event":"Done"}`, "", "", "1", "", ""},
		{"an empty value does not count", `{"session":{"id":""},"sid":"2","event":"Done"}`, "", "", "2", "", ""},
		{"null does not count", `{"session":null,"sid":"2","event":"Done"}`, "", "", "2", "", ""},
		{"ignored shape", `{"ended":1,"sid":"2","event":"Done"}`, dialect.IgnoredEvent, "it is over", "", "", ""},
		{"absent is absent", `{"ended":1,"alive":1,"sid":"2","event":"Done"}`, "", "", "2", "", ""},
		{"ignored event", `{"event":"Tick","sid":"2"}`, dialect.IgnoredEvent, "Tick: a clock", "2", "", ""},
		{"no tool", `{"event":"BeforeTool","sid":"2"}`, dialect.NoTool, "", "2", "", ""},
		{"of two keys the last counts", `{"event":"Done","event":"BeforeTool","sid":"1","sid":"2","tool":"put","tool":"sh"}`, "", "", "2", "sh", surface.FamilyExecute},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := d.Decode([]byte(tt.payload), "")
			if c.NotEvaluated != tt.cause || c.Detail != tt.detail || c.Session != tt.session || c.Tool != tt.tool || c.Family != tt.family {
				t.Errorf("%+v", c)
			}
		})
	}
	guest := d.Decode([]byte(`{"guest":{"name":"x"}}`), "before_tool")
	if guest.BelongsTo != "other" || guest.SilentIf != "hooks/pre-tool-use.json" || guest.NotEvaluated != dialect.OtherHost {
		t.Errorf("%+v", guest)
	}
}

func TestNoVariantFits(t *testing.T) {
	only := `"when": [{"path": "must", "is": "present"}], "event": {"paths": ["event"]`
	d := parse(t, with(t, `"event": {"paths": ["event"]`, only))
	c := d.Decode([]byte(`{"event":"Done"}`), "stop")
	if c.NotEvaluated != dialect.UnknownShape || c.Event != surface.Stop {
		t.Errorf("%+v", c)
	}
}

func TestTools(t *testing.T) {
	d := parse(t, lantern)
	tests := []struct {
		tool, input string
		family      surface.ToolFamily
		args        []dialect.Arg
	}{
		{"sh", `{"line":"ls","path":"not asked for"}`, surface.FamilyExecute, []dialect.Arg{{Kind: dialect.Command, Key: "line", Value: "ls"}}},
		{"tool_a", `{"path":"x"}`, surface.FamilyMCP, []dialect.Arg{{Kind: dialect.Path, Key: "path", Value: "x"}}},            // those of "*"
		{"tool_x_a", `{"path":"x"}`, surface.FamilyNetwork, nil},                                                               // the longer pattern
		{"tool_a", `{"command":"rm"}`, surface.FamilyMCP, []dialect.Arg{{Kind: dialect.Command, Key: "command", Value: "rm"}}}, // stays what it is
		{"zork", `{"command":"rm"}`, surface.FamilyExecute, []dialect.Arg{{Kind: dialect.Command, Key: "command", Value: "rm"}}},
		{"zork", `{"path":["a","b",{"c":1},null,3]}`, surface.FamilyOther, []dialect.Arg{{Kind: dialect.Path, Key: "path", Value: "a"}, {Kind: dialect.Path, Key: "path", Value: "b"}, {Kind: dialect.Path, Key: "path", Value: "3"}}},
		{"zork", `{"path":{"a":"b"}}`, surface.FamilyOther, nil},
		{"zork", `{"edits":[{"path":"a"},{"x":1},{"path":"b"}]}`, surface.FamilyOther, []dialect.Arg{{Kind: dialect.Path, Key: "edits.#.path", Value: "a"}, {Kind: dialect.Path, Key: "edits.#.path", Value: "b"}}},
		{"zork", `{"edits":{"path":"a"}}`, surface.FamilyOther, nil},
		{"zork", `{"path":"a","path":"b"}`, surface.FamilyOther, []dialect.Arg{{Kind: dialect.Path, Key: "path", Value: "b"}}},
		{"zork", `[]`, surface.FamilyOther, nil},
		{"zork", `null`, surface.FamilyOther, nil},
	}
	for _, tt := range tests {
		c := d.Decode([]byte(`{"sid":"1","event":"BeforeTool","tool":"`+tt.tool+`","args":`+tt.input+`}`), "")
		if c.NotEvaluated != "" || c.Family != tt.family || !slices.Equal(c.Args, tt.args) {
			t.Errorf("%s %s: %s, %s %+v", tt.tool, tt.input, c.NotEvaluated, c.Family, c.Args)
		}
	}
}

// What cannot be judged is said, and never ends the hook.
func TestPayloadsThatCannotBeRead(t *testing.T) {
	d := parse(t, lantern)
	for _, tt := range []struct {
		name    string
		payload []byte
		cause   dialect.Cause
	}{
		{"none", nil, dialect.Empty},
		{"white space", []byte(" \n\t"), dialect.Empty},
		{"truncated", []byte(`{"sid":"1","event":"BeforeTool","tool":"sh","args":{"line":"ls`), dialect.NotJSON},
		{"two objects", []byte(`{}{}`), dialect.NotJSON},
		{"words", []byte(`hello`), dialect.NotJSON},
		{"list", []byte(`[{"sid":"1"}]`), dialect.NotObject},
		{"text", []byte(`"sid"`), dialect.NotObject},
		{"null", []byte(`null`), dialect.NotObject},
		{"not UTF-8", []byte("{\"sid\":\"\xff\xfe\"}"), dialect.NotUTF8},
		{"UTF-16", []byte("{\x00\"\x00s\x00\"\x00:\x001\x00}\x00"), dialect.NotJSON},
		{"nested too deep", []byte(`{"a":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `}`), dialect.TooDeep},
		{"brackets that never end", bytes.Repeat([]byte("["), 1<<20), dialect.TooDeep},
		{"50 MB", append(append([]byte(`{"sid":"`), bytes.Repeat([]byte("x"), 50<<20)...), `"}`...), dialect.TooLarge},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := d.Decode(tt.payload, "BeforeTool")
			if c.NotEvaluated != tt.cause || c.Event != surface.PreToolUse {
				t.Errorf("%q at %q, want %q", c.NotEvaluated, c.Event, tt.cause)
			}
			if a := d.Encode(&c, dialect.NoOpinion, dialect.Reply{}); string(a.Stdout) != "{}" || a.Exit != 0 {
				t.Errorf("silence is %q, exit %d", a.Stdout, a.Exit)
			}
			// It may still be refused, in the words of the first shape there is.
			if a := d.Encode(&c, dialect.Refuse, dialect.Reply{Reason: "late"}); string(a.Stdout) != `{"no":"late"}` {
				t.Errorf("a refusal is %q, exit %d", a.Stdout, a.Exit)
			}
		})
	}
}

// Brackets in texts are no nesting, and a long text is no reason to give up.
func TestPayloadsThatLookBad(t *testing.T) {
	d := parse(t, lantern)
	text := strings.Repeat(`[{\"`, 1<<20)
	c := d.Decode([]byte(`{"sid":"1","event":"BeforeTool","args":{"line":"`+text+`"},"tool":"sh"}`), "")
	if c.NotEvaluated != "" || len(c.Values(dialect.Command)) != 1 {
		t.Errorf("%s, %d arguments", c.NotEvaluated, len(c.Args))
	}
	many := `{"sid":"1","event":"BeforeTool","tool":"zork","args":{"path":[` + strings.Repeat(`"a",`, 200_000) + `"b"]}}`
	if c := d.Decode([]byte(many), ""); len(c.Args) != 200_001 || c.Args[200_000].Value != "b" {
		t.Errorf("%s, %d arguments: nothing may hide behind many", c.NotEvaluated, len(c.Args))
	}
	if c := d.Decode([]byte("\uFEFF"+`{"sid":"1","event":"Done"}`), ""); c.NotEvaluated != "" {
		t.Errorf("a byte order mark: %s", c.NotEvaluated)
	}
}

func FuzzDecode(f *testing.F) {
	for _, payload := range []string{
		``, `{}`, `[]`, `{"a":`, `{"sid":"1","event":"BeforeTool","tool":"sh","args":{"line":["a","b c"]}}`,
		`{"sid":"1","event":"BeforeTool","tool":"zork","args":{"edits":[{"path":"file:///a%2"},[[]]],"path":"file://"}}`,
		`{"v":"2","t":{"n":"sh","a":"{\"line\":\"x\"}"},"s":1,"e":"before"}`,
		`{"sid":"1","event":"BeforeTool","tool":"patch","args":"*** Begin Patch\n*** Add File: a\n+b\n*** Move to: c\n@@\n-d\n"}`,
		`{"guest":{"name":"x"}}`, `{"ended":1}`, "{\"a\":\"\xff\"}", `{"sid":"\ud800","event":"Done"}`,
	} {
		f.Add([]byte(payload), "BeforeTool")
	}
	patching := with(f, `{"line": "command"}`, `{"line": "command", ".": "patch", "edits.#.old": "old", "edits.#.path": "path"}`)
	d := parse(f, strings.Replace(patching, `"command": "command"`, `".": "patch", "command": "command"`, 1))
	f.Fuzz(func(t *testing.T, payload []byte, event string) {
		c := d.Decode(payload, event)
		if len(c.Args) > 3*len(payload) {
			t.Errorf("%d arguments in %d bytes", len(c.Args), len(payload))
		}
		if c.NotEvaluated == "" && c.Event == "" {
			t.Error("evaluated without an event")
		}
		for _, o := range dialect.Outcomes {
			a := d.Encode(&c, o, dialect.Reply{Reason: string(payload), Context: string(payload), More: event})
			if o == dialect.Refuse && c.Event == surface.PreToolUse && len(a.Stdout)+len(a.Stderr) == 0 {
				t.Error("a refusal that says nothing")
			}
		}
	})
}
