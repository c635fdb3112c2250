package canonical

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// The wanted spellings were produced by CPython's json module.
func TestAppend(t *testing.T) {
	tests := []struct{ in, want string }{
		{`{"b":1, "a": [true,false,null]}`, `{"a":[true,false,null],"b":1}`},
		{`{"a":1,"a":2}`, `{"a":2}`},
		{`{"é":1,"z":2,"😀":3,"\ue000":4}`, "{\"z\":2,\"é\":1,\"\ue000\":4,\"😀\":3}"},
		{`"caf\u00e9 \u2028 <&> \/ \u007f"`, "\"café \u2028 <&> / \x7f\""},
		{`"\u0000\u001f\b\f\n\r\t\"\\"`, `"\u0000\u001f\b\f\n\r\t\"\\"`},
		{`"\ud83d\ude00"`, `"😀"`},
		{`"\ud83d"`, "\"\xed\xa0\xbd\""},
		{`"\ude00\ud83d"`, "\"\xed\xb8\x80\xed\xa0\xbd\""},
		{`"\ud83dA"`, "\"\xed\xa0\xbdA\""},
		{`-0`, `0`},
		{`-0.0`, `-0.0`},
		{`1.0`, `1.0`},
		{`1e2`, `100.0`},
		{`1e16`, `1e+16`},
		{`123456789012345678`, `123456789012345678`},
		{`123456789012345678901234567890`, `123456789012345678901234567890`},
		{`123456789012345678.0`, `1.2345678901234568e+17`},
		{`9999999999999998.0`, `9999999999999998.0`},
		{`0.0001`, `0.0001`},
		{`0.00001`, `1e-05`},
		{`1E400`, `Infinity`},
		{`-1E400`, `-Infinity`},
		{` [ ] `, `[]`},
		{` { } `, `{}`},
	}
	for _, tt := range tests {
		v, ok := Parse([]byte(tt.in))
		if !ok {
			t.Errorf("%s: not read", tt.in)
			continue
		}
		if got := string(v.Append(nil)); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, in := range []string{
		``, ` `, `{`, `[`, `{"a"}`, `{"a":}`, `{"a":1,}`, `[1,]`, `01`, `1.`, `.5`, `1e`, `+1`, `-`, `tru`, `nul`,
		`"a`, `"\x"`, `"\u12"`, `"\`, "\"\n\"", `1 2`, `{a:1}`, `{1:2}`,
		strings.Repeat("[", 5_000_000), strings.Repeat(`{"a":`, 100_000),
	} {
		if _, ok := Parse([]byte(in)); ok {
			t.Errorf("%.40q was read", in)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"b":1,"a":[1.5,"\ud83d",null]}`, `"\ud83d\ude00"`, `1e400`, `[[[]]]`, "\"\xff\""} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		v, ok := Parse(in)
		if ok && !json.Valid(in) {
			t.Fatalf("%q is not JSON", in)
		}
		if !ok {
			return
		}
		once := v.Append(nil)
		if bytes.Contains(once, []byte("Infinity")) {
			return // Python's spelling, which is not JSON
		}
		again, ok := Parse(once)
		if !ok || !bytes.Equal(again.Append(nil), once) {
			t.Fatalf("%q: canonical form %q is not stable", in, once)
		}
	})
}
