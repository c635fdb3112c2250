package dialect_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/grimoire-kit/grimoire/pluginsdk/dialect"
	"github.com/grimoire-kit/grimoire/surface"
)

func TestEncode(t *testing.T) {
	d := parse(t, lantern)
	at := func(event string) *dialect.Call {
		c := d.Decode([]byte(`{"sid":"1","event":"`+event+`","tool":"sh"}`), "")
		return &c
	}
	short := d.Decode([]byte(`{"v":"2","t":{"n":"sh"},"s":"1","e":"before"}`), "")
	tests := []struct {
		name    string
		call    *dialect.Call
		outcome dialect.Outcome
		reply   dialect.Reply
		stdout  string
		stderr  string
		exit    int
	}{
		{"silence of the host", at("Done"), dialect.NoOpinion, dialect.Reply{Reason: "unused"}, `{}`, "", 0},
		{"exit code and stderr", at("BeforeTool"), dialect.Refuse, dialect.Reply{Reason: "no"}, ``, "no", 3},
		{"context beside a refusal that has no place for it", at("BeforeTool"), dialect.Refuse, dialect.Reply{Reason: "no", Context: "also"}, ``, "no\n\nalso", 3},
		{"the variant's own answer", &short, dialect.Refuse, dialect.Reply{Reason: "no"}, `{"no":"no"}`, "", 0},
		{"every event's answer, under a variant", &short, dialect.Context, dialect.Reply{Context: "c"}, `{"event":"before","text":"c","n":1}`, "", 0},
		{"a key without a text is left out", at("Done"), dialect.BlockStop, dialect.Reply{Reason: "go on"}, `{"deep":{"why":"go on"},"end":true}`, "", 0},
		{"a key with one is there", at("Done"), dialect.BlockStop, dialect.Reply{Reason: "go on", Context: "c"}, `{"deep":{"why":"go on","more":"c"},"end":true}`, "", 0},
		{"an ask that the host cannot put is a refusal", at("BeforeTool"), dialect.Ask, dialect.Reply{Reason: "sure?"}, ``, "sure?", 3},
		{"a refusal where only a stop can be blocked", at("Done"), dialect.Refuse, dialect.Reply{Reason: "no"}, `{"deep":{"why":"no"},"end":true}`, "", 0},
		{"a block where only a tool can be refused", at("BeforeTool"), dialect.BlockStop, dialect.Reply{Reason: "no"}, ``, "no", 3},
		{"a refusal where nothing can be held up is told", at("Told"), dialect.Refuse, dialect.Reply{Reason: "no"}, `{"event":"Told","text":"no","n":1}`, "", 0},
		{"a context without a text is silence", at("Told"), dialect.Context, dialect.Reply{Reason: "unused"}, `{}`, "", 0},
		{"a grant", at("Asked"), dialect.Grant, dialect.Reply{}, `{"allow":true}`, "", 0},
		{"a grant of anything else is silence", at("BeforeTool"), dialect.Grant, dialect.Reply{}, `{}`, "", 0},
		{"an answer that is declared silent", at("Asked"), dialect.Ask, dialect.Reply{Reason: "sure?"}, ``, "", 0},
		{"texts are never read as placeholders", at("BeforeTool"), dialect.Refuse, dialect.Reply{Reason: "{context}"}, ``, "{context}", 3},
		{"a reason of nothing but controls is none", at("BeforeTool"), dialect.Refuse, dialect.Reply{Reason: "\x00\x1b"}, ``, "Grimoire : refusé sans motif / refused without a reason", 3},
		{"controls are dropped", at("BeforeTool"), dialect.Refuse, dialect.Reply{Reason: "a\x1b[31mb\x00\r\n\tc\x7f\xff"}, ``, "a[31mb\n\tc\uFFFD", 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := d.Encode(tt.call, tt.outcome, tt.reply)
			if string(a.Stdout) != tt.stdout || string(a.Stderr) != tt.stderr || a.Exit != tt.exit {
				t.Errorf("stdout %s\nstderr %q\nexit %d", a.Stdout, a.Stderr, a.Exit)
			}
		})
	}
}

func TestCan(t *testing.T) {
	d := parse(t, lantern)
	c := d.Decode([]byte(`{"sid":"1","event":"BeforeTool","tool":"sh"}`), "")
	for o, want := range map[dialect.Outcome]bool{
		dialect.NoOpinion: true, dialect.Refuse: true, dialect.Context: true,
		dialect.Ask: false, dialect.BlockStop: false, dialect.Grant: false,
	} {
		if d.Can(&c, o) != want {
			t.Errorf("Can(%s) = %t", o, !want)
		}
	}
}

// A text that is too long for the host ends in a pointer to the rest and is
// exactly as long as the host takes, counted as JavaScript does.
func TestContextIsCutAtTheLimit(t *testing.T) {
	d := parse(t, lantern) // 40 characters
	c := d.Decode([]byte(`{"sid":"1","event":"Told"}`), "")
	if c.Event != surface.SessionStart {
		t.Fatal(c.Event)
	}
	for _, tt := range []struct{ name, text, more, want string }{
		{"fits", strings.Repeat("a", 40), "file", strings.Repeat("a", 40)},
		{"one too many", strings.Repeat("a", 41), "see file", strings.Repeat("a", 29) + "\n… see file"},
		{"accents are one each", strings.Repeat("é", 40), "see file", strings.Repeat("é", 40)},
		{"beyond the basic plane they are two", strings.Repeat("😀", 20), "see file", strings.Repeat("😀", 20)},
		{"and are never halved", strings.Repeat("😀", 21), "see file", strings.Repeat("😀", 14) + "\n… see file"},
		{"without a pointer", strings.Repeat("a", 41), "", strings.Repeat("a", 38) + "\n…"},
		{"a pointer that does not fit", strings.Repeat("a", 41), strings.Repeat("p", 50), strings.Repeat("a", 39) + "…"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := d.Encode(&c, dialect.Context, dialect.Reply{Context: tt.text, More: tt.more})
			var got struct{ Text string }
			if err := json.Unmarshal(a.Stdout, &got); err != nil {
				t.Fatal(err)
			}
			if got.Text != tt.want {
				t.Errorf("%q", got.Text)
			}
			if n := len(utf16.Encode([]rune(got.Text))); n > d.Limits.ContextChars {
				t.Errorf("%d characters", n)
			}
		})
	}
}
