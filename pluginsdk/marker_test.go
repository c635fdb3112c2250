package pluginsdk

import (
	"strings"
	"testing"
)

func TestManagedRoundTrip(t *testing.T) {
	long := "---\ndescription: '" + strings.Repeat("x", 9000) + "'\n---\nBody\n"
	for name, content := range map[string]string{
		"a.md":      "# Title\n",
		"b.md":      "---\nname: 'x'\n---\nBody\n",
		"crlf.md":   "---\r\nname: 'x'\r\n---\r\nBody\r\n",
		"bom.md":    "\ufeff---\nname: 'x'\n---\nBody\n",
		"long.md":   long,
		"open.md":   "---\nnever closed\n",
		"empty.md":  "",
		"g.js":      "export const x = 1\n",
		"r.mdc":     "---\nalwaysApply: true\n---\n",
		"p.toml":    "a = 1\n",
		"nonl.yaml": "a: 1",
	} {
		t.Run(name, func(t *testing.T) {
			out := Managed(name, []byte(content))
			m, ok := FindMarker(name, out)
			if !ok || m.Edited || m.Digest == "" {
				t.Fatalf("marker = %+v, %v in %q", m, ok, out)
			}
			if strings.HasPrefix(content, "---\n") && !strings.HasPrefix(string(out), "---\n") && name != "open.md" {
				t.Errorf("something stands before the frontmatter: %q", out[:20])
			}
			crlf := strings.ReplaceAll(strings.ReplaceAll(string(out), "\r\n", "\n"), "\n", "\r\n")
			if m, ok := FindMarker(name, []byte(crlf)); !ok || m.Edited {
				t.Errorf("a CRLF checkout counts as edited: %+v %v", m, ok)
			}
			edited := append(append([]byte(nil), out...), "more\n"...)
			if m, ok := FindMarker(name, edited); !ok || !m.Edited {
				t.Errorf("an edit goes unseen: %+v %v", m, ok)
			}
		})
	}
}

func TestFindMarkerOnlyAtItsPlace(t *testing.T) {
	marker := strings.TrimSpace(string(Managed("x.md", nil)))
	for name, c := range map[string]struct {
		file, content string
		want          bool
	}{
		"first line":             {"a.md", marker + "\n# T\n", true},
		"the kit's own, no hash": {"a.md", "---\nname: x\n---\n<!-- grimoire:managed — regenerated, edit the source -->\n", true},
		"bare":                   {"a.md", "<!-- grimoire:managed -->\n", true},
		"blank lines before it":  {"a.md", "---\nname: x\n---\n\n\n" + marker + "\n", true},
		"quoted in the text":     {"a.md", "# Notes\n\n" + marker + "\n", false},
		"quoted in a code block": {"a.md", "```\n" + marker + "\n```\n", false},
		"inside a sentence":      {"a.md", "The line <!-- grimoire:managed --> means ours\n", false},
		"sentence after it":      {"a.md", "<!-- grimoire:managed --> is our marker -->\n", false},
		"another word":           {"a.md", "<!-- grimoire:managedish -->\n", false},
		"indented":               {"a.md", "    " + marker + "\n", false},
		"in the frontmatter":     {"a.md", "---\nname: x\n" + marker + "\n---\nbody\n", false},
		"wrong comment syntax":   {"a.js", marker + "\n", false},
		"javascript":             {"a.js", "// grimoire:managed\n", true},
	} {
		t.Run(name, func(t *testing.T) {
			if _, got := FindMarker(c.file, []byte(c.content)); got != c.want {
				t.Errorf("FindMarker = %v, want %v", got, c.want)
			}
		})
	}
}

func FuzzFindMarker(f *testing.F) {
	f.Add("a.md", "---\nname: x\n---\n<!-- grimoire:managed -->\n")
	f.Add("a.js", "// grimoire:managed sha256=")
	f.Fuzz(func(t *testing.T, name, content string) {
		if _, ok := FindMarker(name, []byte(content)); ok {
			return
		}
		if m, ok := FindMarker(name, Managed(name, []byte(content))); !ok || m.Edited {
			t.Fatalf("inserted marker not found: %+v %v", m, ok)
		}
	})
}
