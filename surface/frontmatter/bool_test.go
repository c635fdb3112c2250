package frontmatter

import "testing"

func TestBool(t *testing.T) {
	for text, want := range map[string]string{
		"true": "true", "False": "false", "yes": "true", "YES": "true", "No": "false", "on": "true", "OFF": "false", "!!bool yes": "true",
		"yEs": "", "y": "", "1": "", "\"yes\"": "", "'true'": "", "!!str yes": "", "[yes]": "", "~": "",
	} {
		n, f := Document([]byte(text))
		if f != nil {
			t.Fatal(f)
		}
		got := ""
		if v, ok := Bool(n); ok && v {
			got = "true"
		} else if ok {
			got = "false"
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
