package project

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/grimoire-kit/grimoire/pluginsdk"
)

func TestSplitFrontmatter(t *testing.T) {
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
		"block too large":  {"---\na: " + strings.Repeat("x", maxFrontmatter) + "\n---\nb", "", "b", 0, "64 KiB"},
		"literal":          {"---\na: 1\ndescription: |\n  d\n  e\n---\nb", "d\ne", "b", 3, ""},
		"escapes":          {"---\ndescription: \"d\\u00e9\\n\\\"e\"\n---\n", "dé\n\"e", "", 2, ""},
		"alias":            {"---\na: &x d\ndescription: *x\n---\n", "d", "", 3, ""},
		"alias to itself":  {"---\ndescription: &x [*x]\n---\n", "", "", 2, ""},
	} {
		t.Run(name, func(t *testing.T) {
			fm := splitFrontmatter(tt.text)
			if tt.fault != "" {
				if fm.fault == nil || !strings.Contains(fm.fault.text.EN, tt.fault) || fm.fields != nil {
					t.Fatalf("fault %v, fields %v; want %s", fm.fault, fm.fields, tt.fault)
				}
			} else if fm.fault != nil {
				t.Fatalf("fault %+v", fm.fault)
			}
			f := fm.fields["description"]
			if got, _ := f.scalar(); got != tt.description || f.line != tt.line {
				t.Errorf("description %q on line %d; want %q on %d", got, f.line, tt.description, tt.line)
			}
			if fm.body != tt.body {
				t.Errorf("body %q, want %q", fm.body, tt.body)
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
			fm := splitFrontmatter("<!-- c -->\n---\n" + tt.block + "---\n")
			if fm.fault == nil || fm.fault.line != tt.line+2 {
				t.Fatalf("fault %+v, want line %d", fm.fault, tt.line+2)
			}
			if words := fm.fault.text; words.FR == words.EN != (name == "unknown anchor") {
				t.Errorf("%+v is not in both languages", words)
			}
		})
	}
}

// What would blow a reader up costs what its bytes cost.
func TestHostileYAML(t *testing.T) {
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c < 'z'; c++ {
		ref := strings.Repeat("*"+string(c-1)+",", 9)
		bomb += string(c) + ": &" + string(c) + " [" + ref[:len(ref)-1] + "]\n"
	}
	for name, block := range map[string]string{
		"alias bomb":     bomb + "tools: *y\nskills: *y\nmodel_affinity: {reasoning: *y}\n",
		"deep flow":      "tools: " + strings.Repeat("[", maxFrontmatter-100) + "\n",
		"deep mapping":   "tools: " + strings.Repeat("{a: ", maxFrontmatter/5) + "\n",
		"deep block":     "tools:\n" + strings.Repeat("- ", maxFrontmatter/3) + "a\n",
		"many keys":      strings.Repeat("? a\n", maxFrontmatter/5),
		"broken, many":   strings.Repeat("a: [x] [y]\n", maxFrontmatter/12),
		"self reference": "tools: &t [*t]\nmodel_affinity: &m {reasoning: *m}\nskills: &s [*s]\n",
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			p := load(t, map[string]string{"_grimoire/agents/x.md": "---\n" + block + "---\nb\n"})
			if len(p.Surface.Agents) != 1 || len(p.Warnings) == 0 {
				t.Errorf("agents %v, warnings %v; want one agent and a warning", p.Surface.Agents, p.Warnings)
			}
			// Expanded, the first takes hours; the margin is for slow machines.
			if d := time.Since(start); d > 20*time.Second {
				t.Errorf("took %s", d)
			}
		})
	}
}

// Any description and hint that an emitter writes is read back as it was.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := strings.TrimSpace(rapid.StringMatching(`[ -~éœ‘’—\n\t:#'"{}\[\]&*!|>%@-]{0,80}`).Draw(t, "description"))
		text := pluginsdk.Frontmatter(pluginsdk.Field{Key: "description", Value: want}, pluginsdk.Field{Key: "argument-hint", Value: want})
		d := document{fm: splitFrontmatter(text + "body"), warn: func(_ int, _, en string) { t.Fatal(en) }}
		if got := d.text("description", ""); got != want {
			t.Fatalf("%q came back as %q", want, got)
		}
		if got := d.hint(); got != want {
			t.Fatalf("hint %q came back as %q", want, got)
		}
	})
}

func FuzzSplitFrontmatter(f *testing.F) {
	for _, s := range []string{
		"", "---\n---\n", "---\na: b\n---\nbody", "<!-- x -->\n---\r\na: [b, {c: d}]\r\n---\r\n", "<!--\n---\n",
		"---\na: &x [*x]\n---\n", "---\na: b: c\n---\n", "\ufeff---\n? [a]\n: b\n---", "---\n\t\n---\n", "---\n<<: {a: b}\n---",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		fm := splitFrontmatter(text)
		lines := 1 + strings.Count(unixLines(text), "\n")
		if fm.fault != nil && (fm.fields != nil || fm.fault.line < 1 || fm.fault.line > lines+1) {
			t.Fatalf("fault %+v of %d lines, fields %v", fm.fault, lines, fm.fields)
		}
		if !strings.HasSuffix(unixLines(text), fm.body) {
			t.Fatalf("body %q is not the end of the text", fm.body)
		}
		for key, field := range fm.fields {
			if field.line < fm.line || field.line > lines {
				t.Fatalf("%q on line %d of %d", key, field.line, lines)
			}
			if list, _ := field.items(splitWords); len(list) > len(text) {
				t.Fatalf("%d items out of %d bytes", len(list), len(text))
			}
		}
	})
}
