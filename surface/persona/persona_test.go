package persona

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/frontmatter"
	"github.com/grimoire-kit/grimoire/surface/slug"
)

// The boundaries existing projects have must not move.
func TestInfer(t *testing.T) {
	for text, want := range map[string]string{
		"Observe et rapporte.":            "[read search]",
		"Elle RÉDIGE la documentation.":   "[read search edit]",
		"Il lance les vérifications.":     "[read search execute]",
		"Implémente puis déploie.":        "[read search edit execute]",
		"Credits where due":               "[read search edit]", // a plain substring: cr-edit-s
		"Keeps things running":            "[read search]",      // "run " needs its blank
		"Will run it":                     "[read search execute]",
		"Browses the web and fetches":     "[read search]",
		"écrit":                           "[read search edit]",
		"Tests; the test suite is theirs": "[read search execute]",
	} {
		if got := fmt.Sprint(infer("", text)); got != want {
			t.Errorf("infer(%q) = %s, want %s", text, got, want)
		}
		if got := fmt.Sprint(infer(text, "")); got != want {
			t.Errorf("infer of the description %q = %s, want %s", text, got, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{
		"", "---\nname: a\ntools: [read]\n---\nwrite", "---\nname: {{x}}\n---\n", "---\nname: a: b\n---\n", "name: 'x'\n", "```\nname: x\n```\n",
		"---\nname: *a\n---\n", "---\nname: \"Été 写\"\ndescription: >\n  x\n---\n", "---\nextends: kit\ntitle: x\n---\n", "~~~\n```\nname: y",
		"---\nmodel_affinity: &a {reasoning: *a}\nskills: *a\ncontext: [*a]\nmax_turns: *a\n---\n",
	} {
		f.Add("scribe", s)
	}
	f.Fuzz(func(t *testing.T, stem, text string) {
		p, not := Read(File{Path: "p/" + stem + ".md", Stem: stem}, text)
		if not != nil {
			if not.Text.EN == "" || not.Text.FR == "" || not.Line < 0 {
				t.Fatalf("not %+v", not)
			}
			return
		}
		if !slug.Is(p.Name) {
			t.Fatalf("name %q", p.Name)
		}
		if d := p.Description(); utf8.ValidString(text) && !utf8.ValidString(d) {
			t.Fatalf("description %q is not UTF-8", d)
		}
		p.Affinity()
		p.MaxTurns()
		p.ExtendsKit()
		p.List("skills", frontmatter.Words)
		p.List("context", frontmatter.OneWord)
		tools := p.Tools()
		if p.Block.Fault != nil && (!slices.Equal(tools, Watching()) || len(p.Notes) == 0) {
			t.Fatalf("broken frontmatter gives %v, warnings %v", tools, p.Notes)
		}
		lines := 2 + strings.Count(frontmatter.UnixLines(text), "\n")
		for _, w := range p.Notes {
			if w.Line < 0 || w.Line > lines || w.Text.EN == "" || w.Text.FR == "" || !surface.Printable(w.Text.EN) {
				t.Fatalf("warning %+v of %d lines", w, lines)
			}
		}
	})
}
