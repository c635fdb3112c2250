package policy

import (
	"encoding/json"
	"strings"
	"testing"
)

// The wanted values come from CPython: hashlib.sha256 over
// tool + "\0" + json.dumps(input, sort_keys=True, separators=(",", ":"),
// ensure_ascii=False), with "surrogatepass" for the lone surrogate.
func TestFingerprintIsTheExistingKits(t *testing.T) {
	for _, tt := range []struct{ tool, input, want string }{
		{"Bash", `{"command":"rm  -r   a","description":"x","timeout":5}`, "81455a15f6d63794da43ebce271d471ee9ae7f92cfeefa7b45779ea09841daaf"},
		{"Bash", `{"timeout":1,"command":" rm -r a ","run_in_background":true}`, "ab3444b29e0ea147bdda8c4f9e6eab22bd3d777546d80a8b1faf4fd40a8d853a"},
		{"run_in_terminal", `{"command":"git  push","explanation":"e","goal":"g","isBackground":false}`, "82705bb5f866dfab159bb8b67eef785b76dc00f43624ae3b93a655b39ef38af9"},
		{"Write", `{"file_path":"é.txt","content":"a\u0000\ud83d<&>\u2028"}`, "6419b8a7d72f2714336453822132710bbe65ff5d36051670ef7e54249a3dadb7"},
		{"mcp__lab__t", `{"b":[1,2.5,1e16,-0.0],"a":{"z":null,"y":true}}`, "17ca9a4ec6b8eb3513cc72dcd60241c5368590ef45aeec39d177646121d4d80a"},
		{"Bash", `{"cmd":"  ","script":"a\tb  'c  d'"}`, "97e00cfd4ef2b15c84a85d8745fc5e87cae2b635d5f205feea0ec45d98a9a200"},
	} {
		if got := Fingerprint(tt.tool, []byte(tt.input)); got != tt.want {
			t.Errorf("%s %s: got %s", tt.tool, tt.input, got)
		}
	}
}

func TestFingerprintTellsActionsApart(t *testing.T) {
	command := func(s string) string {
		b, _ := json.Marshal(map[string]string{"command": s})
		return string(b)
	}
	tests := []struct {
		name, tool, a, b string
		same             bool
	}{
		{"blanks", "Bash", command("rm  a \t b"), command(" rm a b "), true},
		{"blanks in quotes", "Bash", command(`rm 'a  b'`), command(`rm 'a b'`), false},
		{"quoted or not", "Bash", command(`rm "a b"`), command(`rm a b`), false},
		{"${…}", "Bash", command("echo ${x:-a  b}"), command("echo ${x:-a b}"), false},
		{"$[…]", "Bash", command("echo $[1  + 1]"), command("echo $[1 + 1]"), false},
		{"extglob", "Bash", command("rm @(a  b)"), command("rm @(a b)"), false},
		{"class", "Bash", command("rm [a  b]"), command("rm [a b]"), false},
		{"backslash", "Bash", command(`rm a\  b`), command(`rm a\ b`), false},
		{"newline", "Bash", command("rm a\nrm  b"), command("rm a\nrm b"), false},
		{"open quote", "Bash", command("rm 'a  b"), command("rm 'a b"), false},
		{"typographic quotes", "Bash", command("rm “a  b”"), command("rm “a b”"), false},
		{"no-break space", "Bash", command("rm a\u00a0b"), command("rm a b"), false},
		{"other command", "Bash", command("rmdir a"), command("rm a"), false},
		{"other tool", "Bash", command("rm a"), command("rm a"), true},
		{"description and timeout", "Bash", `{"command":"a","description":"x","timeout":1}`, `{"command":"a"}`, true},
		{"background counts", "Bash", `{"command":"a","run_in_background":true}`, `{"command":"a"}`, false},
		{"explanation and goal", "run_in_terminal", `{"command":"a","explanation":"x","goal":"y"}`, `{"command":"a"}`, true},
		{"explanation elsewhere", "Bash", `{"command":"a","explanation":"x"}`, `{"command":"a"}`, false},
		{"description elsewhere", "run_in_terminal", `{"command":"a","description":"x"}`, `{"command":"a"}`, false},
		{"content", "Write", `{"file_path":"a","content":"x"}`, `{"file_path":"a","content":"y"}`, false},
		{"cwd", "Bash", `{"command":"a","cwd":"/x"}`, `{"command":"a","cwd":"/y"}`, false},
		{"MCP argument", "mcp__a__b", `{"x":{"y":1}}`, `{"x":{"y":2}}`, false},
		{"key order", "mcp__a__b", `{"x":1,"y":2}`, `{ "y":2, "x":1}`, true},
		{"two lone surrogates", "Write", `{"content":"\ud83d"}`, `{"content":"\ud83e"}`, false},
		{"patch as a bare text", "apply_patch", `"*** Begin Patch\n+a"`, `"*** Begin Patch\n+b"`, false},
		{"no input", "Bash", ``, `{}`, true},
		{"not JSON", "Bash", `{"a":`, `{"b":`, false},
		{"too deep", "Bash", strings.Repeat("[", 600) + strings.Repeat("]", 600), strings.Repeat("[", 601) + strings.Repeat("]", 601), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Fingerprint(tt.tool, []byte(tt.a)) == Fingerprint(tt.tool, []byte(tt.b)); got != tt.same {
				t.Errorf("same = %v", got)
			}
		})
	}
	if Fingerprint("Bash", []byte(command("a"))) == Fingerprint("bash", []byte(command("a"))) {
		t.Error("two tools share a fingerprint")
	}
}

func FuzzNormalizeCommand(f *testing.F) {
	for _, s := range []string{"rm  -r a", "a 'b  c' d", `a "b`, "é  b", "a\x1cb", " \t", "$(a  b)"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := normalizeCommand(s)
		if twice := normalizeCommand(once); twice != once {
			t.Errorf("%q: %q, then %q", s, once, twice)
		}
		// Only blanks may go: what is left without them is what was there.
		strip := func(s string) string {
			return strings.Map(func(r rune) rune {
				if r == ' ' || r == '\t' {
					return -1
				}
				return r
			}, s)
		}
		if strip(once) != strip(trim(s)) {
			t.Errorf("%q became %q", s, once)
		}
		// Words outside quotes stay the same words.
		if !strings.ContainsAny(s, `'"`) && strings.Join(strings.Fields(trim(s)), " ") != strings.Join(strings.Fields(once), " ") {
			t.Errorf("%q: words changed to %q", s, once)
		}
	})
}

func FuzzFingerprint(f *testing.F) {
	f.Add("Bash", []byte(`{"command":"rm  a"}`))
	f.Add("Write", []byte(`{"content":"\ud83d"}`))
	f.Add("x", []byte(`[1,[2,{"a":null}]]`))
	f.Fuzz(func(t *testing.T, tool string, input []byte) {
		if got := Fingerprint(tool, input); len(got) != 64 {
			t.Errorf("%q", got)
		}
	})
}
