package slug

import (
	"strings"
	"testing"
)

func TestSlug(t *testing.T) {
	for in, want := range map[string]string{
		"scribe":                 "scribe",
		"Scribe_2.x":             "Scribe_2.x",
		"Product Owner":          "product-owner",
		"  Équipe  Œuvre & Fils": "equipe-oeuvre-fils",
		"e\u0301crit":            "ecrit",
		"ﬁn":                     "fin",
		"a/b\\c:d":               "a-b-c-d",
		"../../etc/passwd":       "etc-passwd",
		"--help":                 "help",
		".hidden":                "hidden",
		"dot.":                   "dot",
		"Dot. . .":               "dot",
		"con":                    "con_",
		"NUL":                    "nul_",
		"aux.helper":             "aux_.helper",
		"com1":                   "com1_",
		"com10":                  "com10",
		"console":                "console",
		"a\nb":                   "a-b",
		"a\x00b":                 "a-b",
		"写作助手":                   "",
		"—":                      "",
		"":                       "",
		strings.Repeat("é", 300): strings.Repeat("e", maxLength),
	} {
		got := Of(in)
		if got != want {
			t.Errorf("slug(%q) = %q, want %q", in, got, want)
		}
		if got != "" && !Is(got) {
			t.Errorf("slug(%q) = %q, which is no slug", in, got)
		}
	}
}

func FuzzSlug(f *testing.F) {
	for _, s := range []string{"scribe", "Éa b", "con.x", "a..", "lpt9", strings.Repeat("a.", 60), "ǅ", "con_."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Of(s)
		if got == "" {
			return
		}
		if !Is(got) {
			t.Errorf("slug(%q) = %q, which is no slug", s, got)
		}
		if again := Of(got); again != got {
			t.Errorf("slug(%q) = %q, then %q", s, got, again)
		}
	})
}
