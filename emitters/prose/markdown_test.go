package prose

import (
	"strings"
	"testing"
	"unicode"
)

func TestCell(t *testing.T) {
	for in, want := range map[string]string{
		"":                               "",
		"plain — é":                      "plain — é",
		"a | b":                          `a \| b`,
		`a \| b`:                         `a \\\| b`,
		"one\ntwo\r\n\tthree":            "one two three",
		"`code`":                         "\\`code\\`",
		"<b>--></b>":                     "&lt;b&gt;--&gt;&lt;/b&gt;",
		"![x](http://h/?q)":              `!\[x\](http://h/?q)`,
		"@~/.ssh/id_rsa":                 "&#64;~/.ssh/id_rsa",
		"bidi\u202eoverride\u2028line":   "bidi override line",
		"zero\u200bwidth\x00\x1b[31m":    `zero width \[31m`,
		"not utf-8 \xff":                 "not utf-8 \uFFFD",
		"<!-- grimoire:managed -->\n---": "&lt;!-- grimoire:managed --&gt; ---",
	} {
		if got := Cell(in); got != want {
			t.Errorf("Cell(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestCodeCell(t *testing.T) {
	for in, want := range map[string]string{
		"":             "",
		"a/b.md":       "`a/b.md`",
		"a|b":          "`a\\|b`",
		"a`b":          "`` a`b ``",
		"`a``b":        "``` `a``b ```",
		"a\nb":         "`a b`",
		"read:**/.env": "`read:**/.env`",
	} {
		if got := CodeCell(in); got != want {
			t.Errorf("CodeCell(%q) = %q, want %q", in, got, want)
		}
	}
}

// Whatever a description holds, it stays one cell of one row.
func FuzzCell(f *testing.F) {
	for _, seed := range []string{"a | b", "`", "\\|", "-->", "<!--", "@x", "\u2028", "\xff|", "![a](b)"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		for name, out := range map[string]string{"Cell": Cell(in), "CodeCell": CodeCell(in)} {
			if strings.ContainsFunc(out, unicode.IsControl) {
				t.Errorf("%s(%q) = %q holds a control character", name, in, out)
			}
			if cells(out) != 1 {
				t.Errorf("%s(%q) = %q is %d cells", name, in, out, cells(out))
			}
		}
		if out := Cell(in); strings.ContainsAny(out, "<>@") {
			t.Errorf("Cell(%q) = %q opens HTML or an import", in, out)
		}
	})
}

// cells counts the cells of a table row the way GFM does: a pipe ends a cell
// unless a backslash stands right before it. A backslash that is itself
// escaped still leaves an odd number of them in what Cell writes.
func cells(row string) int {
	n := 1
	for i := range len(row) {
		if row[i] == '|' && (i == 0 || row[i-1] != '\\') {
			n++
		}
	}
	return n
}
