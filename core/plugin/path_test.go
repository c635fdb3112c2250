package plugin

import (
	"path"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCheckPath(t *testing.T) {
	for _, p := range []string{
		"CLAUDE.md", ".claude/agents/scribe.md", ".github/hooks/grimoire.json", "a/b c/é.md",
		".gitignore", ".gitattributes", "dot.git.md", "_grimoire/hosts/other.json", "console/com10.md", "a/..b/c",
	} {
		if err := checkPath(p); err != nil {
			t.Errorf("%q is refused: %v", p, err)
		}
	}
	for _, p := range []string{
		"", ".", "..", "../a", "a/../b", "a/..", "./a", "a//b", "a/", "/etc/passwd", "/", `a\b`, `..\a`, `C:\a`, "C:/a", "c:a",
		"a:stream", "//host/share", "a\x00b", "a\nb", "a\x7fb", "\xff", "a/b\xc3",
		".git", ".git/config", ".GIT/config", "sub/.Git/hooks/pre-commit", "git~1/config", "GIT~1", ".g\u200cit/config", ".git\ufeff/x",
		".git./config", ".git /config", "a./b", "a ",
		"CON", "con.md", "a/NUL", "aux.tar.gz", "COM1", "lpt9.txt", "COM¹", "conin$", "nul .txt",
		"a<b", "a>b", `a"b`, "a|b", "a?b", "a*b",
		"_grimoire/hosts/ownership.json", "_Grimoire/Hosts/OWNERSHIP.json",
		strings.Repeat("a", 256), strings.Repeat("a/", 600) + "a",
	} {
		if err := checkPath(p); err == nil {
			t.Errorf("%q is accepted", p)
		}
	}
}

func FuzzCheckPath(f *testing.F) {
	for _, p := range []string{"a/b", "../a", "a/../../b", ".git/config", ".GIT", "C:/x", "a\\..\\b", "con", "_grimoire/hosts/ownership.json", ".g\u200cit/x"} {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, p string) {
		if checkPath(p) != nil {
			return
		}
		// Whatever is accepted stays in the project and out of .git, by other
		// means than those of the check.
		if !filepath.IsLocal(p) || path.Clean(p) != p || !utf8.ValidString(p) {
			t.Errorf("%q is accepted", p)
		}
		root := filepath.FromSlash("/project")
		if !strings.HasPrefix(filepath.Join(root, p), root+string(filepath.Separator)) {
			t.Errorf("%q leaves the project", p)
		}
		for _, name := range strings.Split(strings.ToLower(p), "/") {
			if name == ".git" || name == ".." || name == "" {
				t.Errorf("%q is accepted", p)
			}
		}
	})
}

func TestUnder(t *testing.T) {
	owns := []string{".claude/", "CLAUDE.md"}
	for p, want := range map[string]bool{
		"CLAUDE.md": true, ".claude/agents/a.md": true,
		"CLAUDE.md.bak": false, ".claude": false, ".claudette/a": false, "sub/CLAUDE.md": false, "CLAUDE.md/a": false,
	} {
		if got := under(p, owns); got != want {
			t.Errorf("under(%q) = %v", p, got)
		}
	}
}
