package dialect

import (
	"reflect"
	"testing"
)

func TestPatchChanges(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []Change
	}{
		{"Windows line ends", "*** Begin Patch\r\n*** Add File: a\r\n+x\r\n*** End Patch\r\n", []Change{{Path: "a", New: "x\n", Whole: true}}},
		{"indented", "  *** Begin Patch\n  *** Update File: a b\n@@\n-x\n+y\n", []Change{{Path: "a b", Old: "x\n", New: "y\n"}}},
		{"two hunks are two edits", "*** Update File: a\n@@ f\n-x\n+y\n@@ g\n z\n+w\n", []Change{{Path: "a", Old: "x\n", New: "y\n"}, {Path: "a", Old: "z\n", New: "z\nw\n"}}},
		{"move without an edit", "*** Update File: a\n*** Move to: b\n", []Change{{Path: "a", Removed: true}, {Path: "b"}}},
		{"update without a hunk", "*** Update File: a\n*** Delete File: b", []Change{{Path: "a"}, {Path: "b", Removed: true}}},
		{"no end", "*** Add File: a\n+x", []Change{{Path: "a", New: "x\n", Whole: true}}},
		{"header in an added line", "*** Add File: a\n+*** Delete File: b\n", []Change{{Path: "a", New: "*** Delete File: b\n", Whole: true}}},
		{"two new files", "*** Add File: a\n+1\n*** Add File: b\n+2\n+3\n", []Change{{Path: "a", New: "1\n", Whole: true}, {Path: "b", New: "2\n3\n", Whole: true}}},
		{"lines before any file", "-x\n+y\n*** End of File\n*** Zork: a\n", nil},
		{"nothing", "", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := patchChanges(tt.text); !reflect.DeepEqual(got, tt.want) {
				t.Errorf("%+v\nwant %+v", got, tt.want)
			}
		})
	}
}

func TestMatches(t *testing.T) {
	for _, tt := range []struct {
		pattern, name string
		want          bool
	}{
		{"*", "", true}, {"*", "x", true}, {"a*", "a", true}, {"a*", "ba", false}, {"*a", "ba", true}, {"*a", "ab", false},
		{"a*b", "ab", true}, {"a*b", "a-b-b", true}, {"a*b", "b", false}, {"a*b*c", "abbc", true}, {"a*b*c", "acb", false},
		{"aa*a", "aa", false}, {"*-*", "server-tool", true}, {"*-*", "tool", false}, {"a", "a", true}, {"a", "ab", false},
	} {
		if got := matches(tt.pattern, tt.name); got != tt.want {
			t.Errorf("matches(%q, %q) = %t", tt.pattern, tt.name, got)
		}
	}
}
