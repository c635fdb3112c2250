package sync

import (
	"bytes"
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/pluginsdk"
)

// handWrittenFiles are what people have in a CLAUDE.md or an AGENTS.md.
var handWrittenFiles = map[string]string{
	"plain":            "# Mine\n\nText.\n",
	"no final newline": "# Mine\n\nText.",
	"CRLF":             "# Mine\r\n\r\nText.\r\n",
	"CRLF, no newline": "# Mine\r\nText.",
	"BOM":              "\ufeff# Mine\n",
	"BOM only":         "\ufeff",
	"empty":            "",
	"one newline":      "\n",
	"blank lines":      "# Mine\n\n\n\n",
	"mixed endings":    "a\nb\r\nc\n",
	"lone CR":          "a\rb\r",
	"frontmatter":      "---\nx: 1\n---\nText\n",
	"closed fence":     "```\n" + sectionEnd + "\n```\n",
	"quotes a section": "~~~\n" + sectionBegin + " -->\nold\n" + sectionEnd + "\n~~~\ntext\n",
	"quotes in a line": "The line `" + sectionBegin + " -->` begins ours\n",
	"not UTF-8":        "\xff\xfe\n",
}

func TestSectionInHandWrittenFile(t *testing.T) {
	opt := Options{EntrySections: true}
	for name, have := range handWrittenFiles {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			write(t, root, "ONE.md", have)
			before := snapshot(t, root, false)
			first, second := one(entry("ONE.md", "---\nalwaysApply: true\n---\n# One\n\nfirst\n")), one(entry("ONE.md", "# One\n\nsecond\n"))

			run(t, root, opt, first)
			got := read(t, root, "ONE.md")
			if !strings.HasPrefix(got, have) || !strings.Contains(got, "first") || strings.Contains(got[len(have):], "alwaysApply") {
				t.Fatalf("file is %q", got)
			}
			if strings.Contains(have, "\r\n") && !strings.Contains(got, "first\r\n") && name != "mixed endings" {
				t.Errorf("line endings: %q", got)
			}
			set := prepare(t, root, opt, first)
			if c := change(t, set, "ONE.md"); c.Action != Unchanged || c.Kind != Section {
				t.Errorf("the second run: %s %s", c.Action, c.Kind)
			}
			run(t, root, opt, second)
			if got := read(t, root, "ONE.md"); !strings.HasPrefix(got, have) || !strings.Contains(got, "second") || strings.Contains(got, "first") {
				t.Errorf("updated file is %q", got)
			}
			// Without the option the section goes, and the file is the conflict it was.
			r := run(t, root, Options{}, second)
			if h := r.Hosts[0]; read(t, root, "ONE.md") != have || len(h.Written) != 1 || len(h.Skipped) != 1 || !strings.Contains(h.Skipped[0].Reason.EN, "written by hand") {
				t.Errorf("switched off: %q, %+v", read(t, root, "ONE.md"), r)
			}
			if r := run(t, root, Options{}, second); len(r.Hosts[0].Written) != 0 || len(r.Hosts[0].Skipped) != 1 {
				t.Errorf("switched off, the second run: %+v", r)
			}
			run(t, root, opt, second)
			remove(t, root, Options{}, second)
			sameSnapshot(t, "after removal", before, snapshot(t, root, false))
		})
	}
}

func TestSectionInTheMiddle(t *testing.T) {
	root := t.TempDir()
	write(t, root, "ONE.md", "# Mine\n")
	run(t, root, Options{EntrySections: true}, one(entry("ONE.md", "first\n")))
	write(t, root, "ONE.md", read(t, root, "ONE.md")+"\nMore of mine.\n")
	r := run(t, root, Options{EntrySections: true}, one(entry("ONE.md", "second\n")))
	got := read(t, root, "ONE.md")
	if !strings.HasPrefix(got, "# Mine\n\n"+sectionBegin) || !strings.HasSuffix(got, "second\n"+sectionEnd+"\n\nMore of mine.\n") || len(r.Hosts[0].Edited) > 0 {
		t.Fatalf("%q, %+v", got, r)
	}
	write(t, root, "ONE.md", strings.Replace(got, "second", "by hand", 1))
	set := prepare(t, root, Options{EntrySections: true}, one(entry("ONE.md", "third\n")))
	if c := change(t, set, "ONE.md"); !c.Edited || c.Action != Write {
		t.Errorf("an edit goes unseen: %+v", c)
	}
	apply(t, set)
	remove(t, root, Options{}, one(entry("ONE.md", "third\n")))
	if got := read(t, root, "ONE.md"); got != "# Mine\n\nMore of mine.\n" {
		t.Errorf("after removal %q", got)
	}
}

func TestSectionRefused(t *testing.T) {
	begin := sectionBegin + " -->"
	tests := []struct{ name, have, want string }{
		{"two begins", "a\n" + begin + "\n" + begin + "\n" + sectionEnd + "\n", "line 3: a second"},
		{"two sections", begin + "\n" + sectionEnd + "\n" + begin + "\n" + sectionEnd + "\n", "line 3: a second"},
		{"no end", "a\n\n" + begin + "\ntext\n", "line 3: the grimoire:managed section that begins here has no end"},
		{"no begin", "a\n" + sectionEnd + "\n", "line 2: a grimoire:managed section ends"},
		{"open fence", "a\n```go\ncode\n", "line 2: a code block is never closed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			write(t, root, "ONE.md", tt.have)
			set := prepare(t, root, Options{EntrySections: true, Force: true}, one(entry("ONE.md", "x\n")))
			c := change(t, set, "ONE.md")
			if c.Action != Refused || !strings.Contains(c.Reason.EN, tt.want) || c.Reason.FR == c.Reason.EN {
				t.Fatalf("%s: %q", c.Action, c.Reason.EN)
			}
			apply(t, set)
			if got := read(t, root, "ONE.md"); got != tt.have {
				t.Errorf("file is %q", got)
			}
		})
	}
	t.Run("text that holds a section", func(t *testing.T) {
		root := t.TempDir()
		write(t, root, "ONE.md", "mine\n")
		set := prepare(t, root, Options{EntrySections: true}, one(entry("ONE.md", "x\n"+sectionEnd+"\n")))
		if c := change(t, set, "ONE.md"); c.Action != Refused {
			t.Fatal(c.Action)
		}
	})
}

func FuzzSection(f *testing.F) {
	for _, have := range handWrittenFiles {
		f.Add([]byte(have), []byte("body\n"), []byte("other"))
	}
	f.Add([]byte(sectionBegin+" -->\nx\n"+sectionEnd), []byte("b"), []byte("\r\n"))
	f.Fuzz(func(t *testing.T, src, body, other []byte) {
		body = sectionBody(pluginFile(body))
		other = sectionBody(pluginFile(other))
		have, err := findSection(src)
		if err != nil {
			return
		}
		once, err := putSection(src, have, body)
		if err != nil {
			return
		}
		put, err := findSection(once)
		if err != nil || put == nil || put.edited {
			t.Fatalf("our section is %+v, %v in %q", put, err, once)
		}
		if twice, err := putSection(once, put, body); err != nil || !bytes.Equal(twice, once) {
			t.Fatalf("put twice: %q, %v; once %q", twice, err, once)
		}
		if changed, err := putSection(once, put, other); err == nil {
			if s, err := findSection(changed); err != nil || s == nil {
				t.Fatalf("replaced: %v in %q", err, changed)
			} else if back, err := putSection(changed, s, body); err != nil || !bytes.Equal(back, once) {
				t.Fatalf("replaced and back: %q, was %q", back, once)
			}
		}
		if have == nil {
			if back := dropSection(once, put); !bytes.Equal(back, src) {
				t.Fatalf("removed: %q, was %q", back, src)
			}
		}
	})
}

func pluginFile(body []byte) pluginsdk.File {
	return pluginsdk.File{Path: "A.md", Content: body}
}
