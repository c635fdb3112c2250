package surface

import (
	"strings"
	"testing"
)

func TestShownAndQuoted(t *testing.T) {
	for in, want := range map[string][2]string{
		"scribe":    {"scribe", `"scribe"`},
		"é œ":       {"é œ", `"é œ"`},
		"a\x1b[2Jb": {`"a\x1b[2Jb"`, `"a\x1b[2Jb"`},
		"\xff":      {`"\xff"`, `"` + "\ufffd" + `"`},
	} {
		if got := Shown(in); got != want[0] {
			t.Errorf("Shown(%q) = %s, want %s", in, got, want[0])
		}
		if got := Quoted(in); !Printable(got) || got != want[1] && in != "\xff" {
			t.Errorf("Quoted(%q) = %s, want %s", in, got, want[1])
		}
	}
	if got := Quoted(strings.Repeat("é", 61)); got != `"`+strings.Repeat("é", 60)+`…"` {
		t.Errorf("Quoted cuts to %s", got)
	}
}
