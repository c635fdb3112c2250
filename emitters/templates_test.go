package emitters_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var action = regexp.MustCompile(`\{\{-?\s*(.*?)\s*-?\}\}`)

// A text that exists in one language only, or says less in one, is a text
// half the users never get.
func TestTemplatesSayTheSameInBothLanguages(t *testing.T) {
	french, err := filepath.Glob("*/templates/fr/*.tmpl")
	if err != nil || len(french) == 0 {
		t.Fatalf("no template found: %v", err)
	}
	english, err := filepath.Glob("*/templates/en/*.tmpl")
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range english {
		english[i] = strings.Replace(name, "/en/", "/fr/", 1)
	}
	if !slices.Equal(french, english) {
		t.Fatalf("French has %q, English %q", french, english)
	}
	for _, name := range french {
		fr, en := actions(t, name), actions(t, strings.Replace(name, "/fr/", "/en/", 1))
		if !slices.Equal(fr, en) {
			t.Errorf("%s: actions differ\nfr %q\nen %q", name, fr, en)
		}
	}
}

func actions(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, m := range action.FindAllStringSubmatch(string(text), -1) {
		out = append(out, m[1])
	}
	return out
}
