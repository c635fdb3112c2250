package pluginsdk

import (
	"strings"
	"testing"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"
)

func TestFrontmatter(t *testing.T) {
	turns := 30
	got := Frontmatter(
		Field{"name", "scribe"},
		Field{"description", "l'écrivain: oui"},
		Field{"tools", []string{"read", "it's"}},
		Field{"background", true},
		Field{"user-invocable", false},
		Field{"maxTurns", &turns},
		Field{"multi", "a\nb"},
		Field{"none", ""},
		Field{"nolist", []string{}},
		Field{"noint", (*int)(nil)},
	)
	want := `---
name: 'scribe'
description: 'l''écrivain: oui'
tools: ['read', 'it''s']
background: true
user-invocable: false
maxTurns: 30
multi: "a\nb"
---
`
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// Any string comes back from a YAML parser as it went in, on one line.
func TestQuoteRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		checkQuote(t, rapid.String().Draw(t, "s"))
	})
}

func FuzzQuote(f *testing.F) {
	for _, s := range []string{"", "'", "\"", "a: b", "- x", "\u2028", "\x00", "\xff", "---", "\ufeffx", "é\r\n", "#", "%"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { checkQuote(t, s) })
}

func checkQuote(t interface{ Fatalf(string, ...any) }, s string) {
	q := Quote(s)
	if strings.ContainsAny(q, "\r\n") {
		t.Fatalf("Quote(%q) spans lines: %q", s, q)
	}
	var got map[string]string
	if err := yaml.Unmarshal([]byte("k: "+q+"\n"), &got); err != nil {
		t.Fatalf("Quote(%q) = %s does not parse: %v", s, q, err)
	}
	if want := strings.ToValidUTF8(s, string(utf8.RuneError)); got["k"] != want {
		t.Fatalf("Quote(%q) = %s reads back as %q", s, q, got["k"])
	}
}
