package scaffold

import (
	"bytes"
	"reflect"
	"testing"

	"go.yaml.in/yaml/v3"
)

// Whatever project-context.yaml holds, it is a prefix of what is written, and
// says the same but for the hosts; or it is left alone.
func FuzzAddHosts(f *testing.F) {
	for _, s := range []string{"", "project: {name: a}\n", "a: |+\n  b\n\n", "{a: b}", "---\na: 1\n", "a: 1\n...\n", "# x", "a: &a [*a]\n", "\ta: 1", "a:\r\n  b: 1\r\n", "'a", "? a\n", "hosts2: 1\nhosts: 2\n", "- a\n"} {
		f.Add([]byte(s))
	}
	const section = "hosts:\n  enabled: [claude]\n"
	f.Fuzz(func(t *testing.T, text []byte) {
		out := withHosts(text, section)
		if out == nil {
			return
		}
		if !bytes.HasPrefix(out, text) {
			t.Fatalf("%q does not begin with %q", out, text)
		}
		var before, after map[string]any
		if yaml.Unmarshal(text, &before) != nil || yaml.Unmarshal(out, &after) != nil {
			t.Fatalf("%q cannot be read", out)
		}
		for key, value := range before {
			if !reflect.DeepEqual(after[key], value) {
				t.Fatalf("%q changes %s", out, key)
			}
		}
		if len(after) != len(before)+1 {
			t.Fatalf("%q: %v became %v", out, before, after)
		}
	})
}

// A manifest comes with a cloned repository.
func FuzzManifest(f *testing.F) {
	for _, s := range []string{"", "{}", `{"version":1,"files":{"a":"b"}}`, `{"version":1,"files":null}`, `{"version":2}`, "[", `{"version":1}x`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := decodeManifest(data)
		if m == nil || err != nil && len(m) > 0 {
			t.Fatalf("%v beside %v", m, err)
		}
		text, err := m.encode()
		if err != nil {
			t.Fatal(err)
		}
		if again, err := decodeManifest(text); err != nil || !reflect.DeepEqual(again, m) {
			t.Fatalf("%v became %v: %v", m, again, err)
		}
	})
}
