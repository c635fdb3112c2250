package managed

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/core/merge"
)

func sample() Record {
	return Record{
		Directories: []string{"_grimoire/hosts", ".claude/agents", ".claude"},
		Merges: map[string]Merge{
			"opencode.jsonc": {Hosts: []string{"host-opencode"}, Values: merge.Record{File: true, Keys: []string{"/mcp"}}},
			".claude/settings.json": {
				Hosts:   []string{"host-claude-code-cli"},
				Values:  merge.Record{Strings: map[string][]string{"/permissions/deny": {"Read(./**/.env)"}}},
				Pending: &Pending{Before: Digest([]byte("{}")), Hosts: []string{"host-claude-code-cli"}},
			},
		},
	}
}

func TestRecordRoundTrip(t *testing.T) {
	data, err := sample().Encode()
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := sample().Encode(); string(again) != string(data) {
		t.Error("the same record has two encodings")
	}
	r, err := DecodeRecord(data)
	if err != nil {
		t.Fatal(err)
	}
	want := sample()
	want.Directories = []string{".claude", "_grimoire/hosts"} // sorted, outermost only
	if !reflect.DeepEqual(r, want) {
		t.Errorf("got %+v\nwant %+v\n%s", r, want, data)
	}
	if strings.Contains(string(data), "\\u003") || !strings.HasSuffix(string(data), "}\n") {
		t.Errorf("encoding:\n%s", data)
	}
}

func TestDecodeRecordRefuses(t *testing.T) {
	many := `{"version":1,"directories":[` + strings.Repeat(`"a",`, maxRecordItems) + `"a"]}`
	for name, data := range map[string]string{
		"empty":               "",
		"not JSON":            "<<<<<<< HEAD\n",
		"another version":     `{"version":2}`,
		"no version":          `{}`,
		"unknown key":         `{"version":1,"commands":["x"]}`,
		"text behind":         `{"version":1} x`,
		"absolute directory":  `{"version":1,"directories":["/etc"]}`,
		"directory outside":   `{"version":1,"directories":["../x"]}`,
		"git's directory":     `{"version":1,"directories":[".git/refs"]}`,
		"merge outside":       `{"version":1,"merges":{"../x.json":{}}}`,
		"host that is none":   `{"version":1,"merges":{"x.json":{"hosts":["a b"]}}}`,
		"pending host":        `{"version":1,"merges":{"x.json":{"pending":{"hosts":[""]}}}}`,
		"wrong type":          `{"version":1,"merges":[]}`,
		"too many":            many,
		"too large":           `{"version":1,"directories":["` + strings.Repeat("a", maxRecord) + `"]}`,
		"deep beyond reason":  strings.Repeat("[", 100000),
		"unknown key, values": `{"version":1,"merges":{"x.json":{"values":{"commands":{}}}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			r, err := DecodeRecord([]byte(data))
			if err == nil || !r.Empty() || !strings.HasPrefix(err.Error(), RecordPath+": ") {
				t.Errorf("%+v, %v", r, err)
			}
		})
	}
}

func TestRecordErrorNamesTheRemedy(t *testing.T) {
	for data, want := range map[string][2]string{
		"{\n<<<<<<< HEAD\n":                      {"ligne 2", "keep one of the two sides"},
		`{"version": 99, "entries": {"a": [1]}}`: {"version 99", "update grimoire"},
		`{"version": 1`:                          {"supprime-le", "delete it to start anew"},
	} {
		_, err := DecodeRecord([]byte(data))
		var e *RecordError
		if !errors.As(err, &e) || !strings.Contains(e.Text().FR, want[0]) || !strings.Contains(e.Text().EN, want[1]) {
			t.Errorf("%q: %v", data, err)
		}
	}
}

func TestSettle(t *testing.T) {
	old, next := merge.Record{Keys: []string{"/old"}}, merge.Record{Keys: []string{"/new"}}
	m := Merge{Hosts: []string{"a"}, Values: old, Pending: &Pending{Before: Digest([]byte("old")), Hosts: []string{"b"}, Values: next}}
	for content, want := range map[string]string{"old": "/old", "new": "/new", "new, and edited": "/new", "": "/new"} {
		if got := m.Settle([]byte(content)); got.Pending != nil || got.Values.Keys[0] != want {
			t.Errorf("with %q: %+v, want %s", content, got, want)
		}
	}
	m.Pending.Before = ""
	if got := m.Settle(nil); got.Values.Keys[0] != "/old" {
		t.Errorf("a file that was to be created: %+v", got)
	}
}

func TestCreated(t *testing.T) {
	r := Record{Directories: []string{".claude"}}
	for dir, want := range map[string]bool{".claude": true, ".claude/agents": true, ".claudette": false, ".": false, "_grimoire": false, "_grimoire/hosts": true, "_grimoire/hosts/skills": true} {
		if r.Created(dir) != want {
			t.Errorf("%s: %v", dir, !want)
		}
	}
}

func FuzzDecodeRecord(f *testing.F) {
	data, _ := sample().Encode()
	f.Add(data)
	f.Add([]byte(`{"version":1,"directories":["a","a/b"]}`))
	f.Add([]byte(`{"version":1,"merges":{"x.json":{"hosts":["h"],"values":{"file":true,"space":{"/a":" "}},"empty":true,"pending":{"before":"00"}}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := DecodeRecord(data)
		if err != nil {
			return
		}
		once, err := r.Encode()
		if err != nil {
			t.Fatal(err)
		}
		again, err := DecodeRecord(once)
		if err != nil {
			t.Fatalf("%v in %s", err, once)
		}
		if twice, _ := again.Encode(); string(twice) != string(once) {
			t.Fatalf("not stable: %s and %s", once, twice)
		}
	})
}

func TestOwnsHooksFile(t *testing.T) {
	const ours = `"grimoire-hook --host copilot --event PreToolUse"`
	ok := []string{
		`{"hooks":{"PreToolUse":[{"type":"command","command":%s,"timeout":10}]}}`,
		`{"version":1,"hooks":{"preToolUse":[{"type":"command","bash":%s,"timeoutSec":10}]}}`,
		`{"hooks":{"Stop":[{"matcher":"x","hooks":[{"command":%s}]}]}}`,
		`{"hooks":{"Stop":[{"command":"grimoire host hook --event Stop"}],"PreToolUse":[{"command":%s}]}}`,
		`{"hooks":{"Stop":[{"type":"command","exec":"/opt/grimoire-hook","args":["--host","copilot"]},{"command":%s}]}}`,
	}
	for _, format := range ok {
		if doc := strings.Replace(format, "%s", ours, 1); !OwnsHooksFile([]byte(doc)) {
			t.Errorf("not ours: %s", doc)
		}
	}
	theirs := []string{
		``, `[]`, `{}`, `null`, `{"hooks":{}}`, `{"hooks":null}`, `{"hooks":{"Stop":[]}}`, `grimoire-hook`,
		`{"hooks":{"Stop":[{"command":%s}]},"disableAllHooks":true}`,
		`{"hooks":{"Stop":[{"command":%s},{"command":"./mine.sh"}]}}`,
		`{"hooks":{"Stop":[{"command":%s,"powershell":"./mine.ps1"}]}}`,
		`{"hooks":{"Stop":[{"command":%s},{"type":"http","url":"http://127.0.0.1"}]}}`,
		`{"hooks":{"Stop":[{"command":%s},{"type":"prompt","prompt":"be nice"}]}}`,
		`{"hooks":{"Stop":[{"command":[%s]}]}}`,
		`{"hooks":{"Stop":[{"command":%s,"args":["a",3]}]}}`,
		`{"hooks":{"Stop":[{"command":%s}]}} // mine`,
		`{"hooks":{"Stop":[{"command":"echo grimoire-hook"}]}}`,
	}
	for _, format := range theirs {
		if doc := strings.Replace(format, "%s", ours, 1); OwnsHooksFile([]byte(doc)) {
			t.Errorf("taken for ours: %s", doc)
		}
	}
	if OwnsHooksFile([]byte(fmt.Sprintf(`{"hooks":%s%s}`, strings.Repeat("[", 20000), strings.Repeat("]", 20000)))) {
		t.Error("deep nesting")
	}
}
