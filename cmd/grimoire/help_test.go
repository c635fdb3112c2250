package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/surface"
)

// helpOf gives every command's help in language l, by the command's path.
func helpOf(t *testing.T, l surface.Language) map[string]string {
	t.Helper()
	var out bytes.Buffer
	a := &app{out: &out, err: &out, lang: l, environ: func(string) string { return "" }}
	root := newRoot(a)
	help := map[string]string{}
	walk(root, func(c *cobra.Command) {
		if c.Hidden {
			return
		}
		out.Reset()
		if err := c.Help(); err != nil {
			t.Fatal(err)
		}
		help[c.CommandPath()] = out.String()
	})
	return help
}

// Each command and each group of them shows how it is called.
func TestHelpHasExamples(t *testing.T) {
	for path, text := range helpOf(t, surface.English) {
		if _, examples, ok := strings.Cut(text, "\nExamples:\n"); !ok || !strings.HasPrefix(examples, "  grimoire") && !strings.Contains(examples, path) {
			t.Errorf("%s --help has no example", path)
		}
	}
}

// cobraWords are the library's own, which a French reader must not meet.
var cobraWords = regexp.MustCompile(`\[flags\]|\[command\]|Usage:|Flags:|Examples:|Aliases:|Commands:|\(default|Use "|Generate|autocompletion|Help (about|provides)|[Tt]o load|[Yy]our|[Dd]isable\b|\b(help|version) for\b|\b(string|strings|int|duration)\b`)

func TestFrenchHelp(t *testing.T) {
	help := helpOf(t, surface.French)
	if len(help) < 25 {
		t.Fatalf("%d commands", len(help))
	}
	for path, text := range help {
		for _, found := range cobraWords.FindAllString(text, -1) {
			t.Errorf("%s --help, in French, says %q", path, found)
		}
	}
}

// Both languages tell of the same commands, flags and examples.
func TestHelpInBothLanguages(t *testing.T) {
	fr, en := helpOf(t, surface.French), helpOf(t, surface.English)
	for path, text := range en {
		if other, ok := fr[path]; !ok || strings.Count(other, "--") != strings.Count(text, "--") && path != "grimoire" {
			t.Errorf("%s:\n%s\n%s", path, text, other)
		}
	}
}
