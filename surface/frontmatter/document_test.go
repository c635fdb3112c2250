package frontmatter

import (
	"fmt"
	"strings"
	"testing"
)

func TestDocument(t *testing.T) {
	wide := ""
	for i := range 3 * few {
		wide += fmt.Sprintf("k%d: 1\n", i)
	}
	for text, want := range map[string]string{
		"a: 1\nb: {c: 2}\n":                      "",
		"":                                       "",
		"---\na: 1\n---\n":                       "",
		"a: 1\nb: 2\na: 3\n":                     "line 3: the key a is written twice, first on line 1",
		"a: 1\n\"a\": 3\n":                       "line 2: the key a is written twice, first on line 1",
		"a:\n- b: 1\n  c: 2\n  b: 3\n":           "line 4: the key b is written twice, first on line 2",
		"a: &x {b: 1}\nc: *x\nd: {<<: *x, b: 2}": "",
		"a: {<<: {b: 1}, <<: {c: 1}}":            "line 1: the key << is written twice, first on line 1",
		wide:                                     "",
		wide + "k5: 2\n":                         fmt.Sprintf("line %d: the key k5 is written twice, first on line 6", 3*few+1),
		"a: 1\n---\nb: 2\n":                      "line 3: a second YAML document begins here",
		"a: 1\n---\n- [\n":                       "line 3: a value is missing",
		"a: [\n":                                 "line 1: a value is missing",
		"x: y\n<<<<<<< HEAD\na: 1\n=======\na: 2\n>>>>>>> b\n": "line 2: a git conflict was left here",
	} {
		_, f := Document([]byte(text))
		got := ""
		if f != nil {
			got = f.Placed().EN
		}
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%.80q: %q, want %q", text, got, want)
		}
	}
}
