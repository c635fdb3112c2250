package pluginsdk

import "testing"

func TestCode(t *testing.T) {
	for in, want := range map[string]string{
		"a/b.md":       "`a/b.md`",
		"a\n# Title":   "`a # Title`",
		"with ` tick":  "`` with ` tick ``",
		"with `` tick": "``` with `` tick ```",
		" spaced  out": "`spaced out`",
	} {
		if got := Code(in); got != want {
			t.Errorf("Code(%q) = %q, want %q", in, got, want)
		}
	}
}
