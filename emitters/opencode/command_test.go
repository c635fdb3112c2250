package opencode

import (
	"regexp"
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

func TestDefuse(t *testing.T) {
	for in, want := range map[string]string{
		"plain `code` and a!":      "plain `code` and a!",
		"me@example.com `@a`":      "me@example.com `@a`",
		"!`touch x`":               "! `touch x`",
		"a!`b` !`c`":               "a! `b` ! `c`",
		"!$1`x` !$ARG$1UMENTS`y`":  "! $1`x` ! $ARG$1UMENTS`y`",
		"read @.env, then @~/.ssh": "read `@`.env, then `@`~/.ssh",
		"@a/@b.md":                 "`@`a/`@`b.md",
		"$1@.env a$ARGUMENTS@b":    "$1`@`.env a$ARGUMENTS`@`b",
		"@@.env":                   "`@``@`.env",
		"(see @x.md)":              "(see `@`x.md)",
		"é@x":                      "é`@`x",
	} {
		if got := defuse(in); got != want {
			t.Errorf("defuse(%q) = %q, want %q", in, got, want)
		}
	}
}

// What opencode looks for once it has filled in the arguments. Go has no
// look-behind: the first group stands for it.
var (
	runs   = regexp.MustCompile("!`([^`]+)`")
	joins  = regexp.MustCompile("(^|[^\\w`])@[^\\s`,]")
	number = regexp.MustCompile(`\$[0-9]+`)
)

// Whatever a body holds, and with no argument given, opencode finds nothing
// in it to run or to attach.
func FuzzDefuse(f *testing.F) {
	for _, seed := range []string{"!`a`", "!$1`a`", "!$$11`a`", "!$ARG$1UMENTS`a`", "@.env", "$1@.env", "x$1@a", "`$1@a", "@@a", "@a/@b", "!!``a`", "$ARGUMENTS@$1.env", "@$1.env", "\"@../a\""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		out := defuse(body)
		filled := strings.ReplaceAll(number.ReplaceAllString(out, ""), "$ARGUMENTS", "")
		if hit := runs.FindString(filled); hit != "" {
			t.Errorf("body %q becomes %q, of which opencode runs %q", body, filled, hit)
		}
		if hit := joins.FindString(filled); hit != "" {
			t.Errorf("body %q becomes %q, of which opencode attaches %q", body, filled, hit)
		}
		if again := defuse(out); again != out {
			t.Errorf("defusing %q twice gives %q", out, again)
		}
	})
}

func TestCommandArguments(t *testing.T) {
	for _, tt := range []struct{ name, hint, body, want string }{
		{"hint, no placeholder", "[task]", "Do it.", "Do it.\n\nArgument received: $ARGUMENTS\n"},
		{"hint and placeholder", "[task]", "Do $ARGUMENTS.", "Do $ARGUMENTS.\n"},
		{"no hint", "", "\n\nDo it.\n\n", "Do it.\n"},
	} {
		f := command(surface.English, surface.Command{Slug: "c", Description: "d", ArgumentHint: tt.hint, Body: tt.body, Ref: "r"})
		_, got, _ := strings.Cut(string(f.Content), " -->\n\n")
		if got != tt.want {
			t.Errorf("%s: body %q, want %q", tt.name, got, tt.want)
		}
		if _, ok := pluginsdk.FindMarker(f.Path, f.Content); !ok || f.Path != ".opencode/command/c.md" {
			t.Errorf("%s: %s has no marker:\n%s", tt.name, f.Path, f.Content)
		}
	}
}
