package frontmatter

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSplit(t *testing.T) {
	for name, tt := range map[string]struct {
		text        string
		description string
		body        string
		line        int // of the description
		fault       string
	}{
		"plain":            {"---\ndescription: d\n---\nb\n", "d", "b\n", 2, ""},
		"CRLF":             {"---\r\ndescription: d\r\n---\r\nb\r\nc", "d", "b\nc", 2, ""},
		"CR":               {"---\rdescription: d\r---\rb", "d", "b", 2, ""},
		"blank lines":      {"\n \n---\ndescription: d\n---\n", "d", "", 4, ""},
		"trailing blanks":  {"--- \t\ndescription: d\n--- \nb", "d", "b", 2, ""},
		"comments":         {"<!-- a\n--- \n-->\n<!--b--><!---->\n---\ndescription: d\n---\nb", "d", "b", 6, ""},
		"BOM after it":     {"<!-- a -->\ufeff\n---\ndescription: d\n---\nb", "d", "b", 3, ""},
		"empty block":      {"---\n---\nb", "", "b", 0, ""},
		"no end of line":   {"---\ndescription: d\n---", "d", "", 2, ""},
		"comments only":    {"---\n# nothing\n---\nb", "", "b", 0, ""},
		"dashes in body":   {"---\ndescription: d\n---\nb\n---\nc", "d", "b\n---\nc", 2, ""},
		"none":             {"# T\n---\ndescription: d\n---\n", "", "# T\n---\ndescription: d\n---\n", 0, ""},
		"four dashes":      {"----\ndescription: d\n----\n", "", "----\ndescription: d\n----\n", 0, ""},
		"empty":            {"", "", "", 0, ""},
		"unclosed":         {"---\ndescription: d\n", "", "---\ndescription: d\n", 0, "never closed by a --- line"},
		"unclosed comment": {"\n<!-- a\n---\ndescription: d\n---\n", "", "\n<!-- a\n---\ndescription: d\n---\n", 0, "the comment is never closed"},
		"list":             {"---\n- a\n---\nb", "", "b", 0, "`key: value` lines"},
		"key twice":        {"---\na: 1\na: 2\n---\nb", "", "b", 0, "the key a is written twice"},
		"block too large":  {"---\na: " + strings.Repeat("x", maxBlock) + "\n---\nb", "", "b", 0, "64 KiB"},
		"literal":          {"---\na: 1\ndescription: |\n  d\n  e\n---\nb", "d\ne", "b", 3, ""},
		"escapes":          {"---\ndescription: \"d\\u00e9\\n\\\"e\"\n---\n", "dé\n\"e", "", 2, ""},
		"alias":            {"---\na: &x d\ndescription: *x\n---\n", "d", "", 3, ""},
		"alias to itself":  {"---\ndescription: &x [*x]\n---\n", "", "", 2, ""},
	} {
		t.Run(name, func(t *testing.T) {
			fm := Split(tt.text)
			if tt.fault != "" {
				if fm.Fault == nil || !strings.Contains(fm.Fault.Text.EN, tt.fault) || fm.Fields != nil {
					t.Fatalf("fault %v, fields %v; want %s", fm.Fault, fm.Fields, tt.fault)
				}
			} else if fm.Fault != nil {
				t.Fatalf("fault %+v", fm.Fault)
			}
			f := fm.Fields["description"]
			if got, _ := f.Scalar(); got != tt.description || f.Line != tt.line {
				t.Errorf("description %q on line %d; want %q on %d", got, f.Line, tt.description, tt.line)
			}
			if fm.Body != tt.body {
				t.Errorf("body %q, want %q", fm.Body, tt.body)
			}
		})
	}
}

// The line named is the one a person has to look at.
func TestFaultLine(t *testing.T) {
	for name, tt := range map[string]struct {
		block string
		line  int // in the block, from 1
	}{
		"colon in a value":     {"name: a\ndescription: b: c\nx: y\n", 2},
		"colon, first line":    {"description: b: c\n", 1},
		"tab":                  {"name: a\n\tb: c\n", 2},
		"two flow lists":       {"name: a\nb: c\nhint: [x] [y]\nd: e\n", 3},
		"text after braces":    {"name: {{a}}-b\n", 1},
		"quote closed by next": {"a: 1\nname: \"a\nb: \"c\"\n", 3},
		"at sign":              {"a: 1\nb: @x\n", 2},
		"unclosed quote":       {"a: 1\nb: \"x\nc: 2\n", 2},
		"unclosed list":        {"a: 1\nb: [x\nc: 2\n", 2},
		"unknown anchor":       {"a: 1\nb: *z\nc: 2\n", 2},
		"control character":    {"a: 1\nb: \x01\n", 2},
		"long":                 {strings.Repeat("# a long comment\n", 300) + "a: b: c\n", 301},
		"key twice":            {"a: 1\nb: 2\na: 3\n", 3},
	} {
		t.Run(name, func(t *testing.T) {
			fm := Split("<!-- c -->\n---\n" + tt.block + "---\n")
			if fm.Fault == nil || fm.Fault.Line != tt.line+2 {
				t.Fatalf("fault %+v, want line %d", fm.Fault, tt.line+2)
			}
			if words := fm.Fault.Text; words.FR == words.EN {
				t.Errorf("%+v is not in both languages", words)
			}
		})
	}
}

func FuzzSplit(f *testing.F) {
	for _, s := range []string{
		"", "---\n---\n", "---\na: b\n---\nbody", "<!-- x -->\n---\r\na: [b, {c: d}]\r\n---\r\n", "<!--\n---\n",
		"---\na: &x [*x]\n---\n", "---\na: b: c\n---\n", "\ufeff---\n? [a]\n: b\n---", "---\n\t\n---\n", "---\n<<: {a: b}\n---",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		fm := Split(text)
		lines := 1 + strings.Count(UnixLines(text), "\n")
		if fm.Fault != nil && (fm.Fields != nil || fm.Fault.Line < 1 || fm.Fault.Line > lines+1) {
			t.Fatalf("fault %+v of %d lines, fields %v", fm.Fault, lines, fm.Fields)
		}
		if !strings.HasSuffix(strings.ToValidUTF8(UnixLines(text), "\uFFFD"), fm.Body) {
			t.Fatalf("body %q is not the end of the text", fm.Body)
		}
		if !utf8.ValidString(fm.Raw+fm.Body) || (fm.Stray > 0) == utf8.ValidString(text) || fm.Stray > lines {
			t.Fatalf("raw %q, body %q, stray bytes on line %d of %d", fm.Raw, fm.Body, fm.Stray, lines)
		}
		for key, field := range fm.Fields {
			if field.Line < fm.Line || field.Line > lines {
				t.Fatalf("%q on line %d of %d", key, field.Line, lines)
			}
			if list, _ := field.Items(Words); len(list) > len(text) {
				t.Fatalf("%d items out of %d bytes", len(list), len(text))
			}
		}
	})
}
