package doctor

import (
	"fmt"
	"strings"
	"testing"
)

func TestHead(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "- above=false",
		"---\nname: a\n---\nx":             "2 broken=false name=true",
		"\ufeff---\r\nname: a\r\n---\r\n":  "2 broken=false name=true",
		"---  \nname: a\n---\t\n":          "2 broken=false name=true",
		"---\nname: a: b\n---\n":           "2 broken=true name=true",
		"---\nname: ''\n---\n":             "2 broken=false name=false",
		"---\nname:\n---\n":                "2 broken=false name=false",
		"---\nx: >-\n  name: a\n---\n":     "2 broken=false name=false",
		"---\nname: >-\n  long\n---\n":     "2 broken=false name=true",
		"---\nname: a\n":                   "- above=false",
		"\n---\nname: a\n---\n":            "- above=true",
		"<!-- a\nb -->\n---\nname: a\n---": "- above=true",
		"<!-- open\n---\nname: a\n---\n":   "- above=false",
		"text\n---\nname: a\n---\n":        "- above=false",
		"---\nname: a\n" + strings.Repeat("#", maxFrontmatter) + "\n---\n": "2 broken=true name=true",
	} {
		h := headOf([]byte(text))
		got := fmt.Sprintf("- above=%v", h.above)
		if h.present {
			got = fmt.Sprintf("%d broken=%v name=%v", h.line, h.broken, h.says("name"))
		}
		if got != want {
			t.Errorf("%.40q: got %s, want %s", text, got, want)
		}
	}
}

func FuzzHead(f *testing.F) {
	for _, s := range []string{"---\nname: a\n---\n", "<!-- x -->\n---\na: &a [*a]\n---\n", "---\n? [a]\n: b\n---", "---\r\n---", "\ufeff---\na: !!binary x\n---\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		h := headOf([]byte(text))
		if line, _, ok := h.find("name"); ok && (!h.present || line < 2 || line > 1+strings.Count(text, "\n")) {
			t.Fatalf("name on line %d of %q", line, text)
		}
		h.says("name")
	})
}
