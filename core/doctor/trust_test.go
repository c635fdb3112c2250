package doctor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Only what the keys say counts, and nothing else of the files is shown.
func TestTrust(t *testing.T) {
	const secret = "sk-very-secret"
	for name, tt := range map[string]struct {
		host, file, text string // <ROOT> and <ABOVE> stand for folders
		env              map[string]string
		said             bool
	}{
		"claude, never started":    {"claude", "", "", nil, false},
		"claude, trusted":          {"claude", ".claude.json", `{"projects": {"<ROOT>": {"hasTrustDialogAccepted": true}}}`, nil, false},
		"claude, above":            {"claude", ".claude.json", `{"projects": {"<ABOVE>": {"hasTrustDialogAccepted": true}}}`, nil, false},
		"claude, refused":          {"claude", ".claude.json", `{"key": "` + secret + `", "projects": {"<ROOT>": {"hasTrustDialogAccepted": false, "x": "` + secret + `"}}}`, nil, true},
		"claude, not known":        {"claude", ".claude.json", `{"key": "` + secret + `"}`, nil, true},
		"claude, not JSON":         {"claude", ".claude.json", secret, nil, false},
		"copilot, never started":   {"copilot", "", "", nil, false},
		"copilot, trusted":         {"copilot", ".copilot/config.json", "// by copilot\n" + `{"trustedFolders": ["<ROOT>"]}`, nil, false},
		"copilot, above":           {"copilot", ".copilot/config.json", `{"trustedFolders": ["<ABOVE>"]}`, nil, false},
		"copilot, below":           {"copilot", ".copilot/config.json", `{"trustedFolders": ["<ROOT>/sub"]}`, nil, true},
		"copilot, not known":       {"copilot", ".copilot/config.json", `{"token": "` + secret + `"}`, nil, true},
		"copilot, by a variable":   {"copilot", ".copilot/config.json", `{}`, map[string]string{"COPILOT_ALLOW_ALL": "true"}, false},
		"copilot, another word":    {"copilot", ".copilot/config.json", `{}`, map[string]string{"COPILOT_ALLOW_ALL": "1"}, true},
		"opencode, no plugins":     {"opencode", "", "", map[string]string{"OPENCODE_PURE": "1"}, true},
		"opencode has no such key": {"opencode", ".copilot/config.json", `{}`, nil, false},
	} {
		home, above := t.TempDir(), t.TempDir()
		root := filepath.Join(above, "repo")
		if err := os.MkdirAll(filepath.Join(root, ".git"), 0o755); err != nil {
			t.Fatal(err)
		}
		if tt.file != "" {
			file := filepath.Join(home, tt.file)
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			text := strings.NewReplacer("<ROOT>", root, "<ABOVE>", above).Replace(tt.text)
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		e := &examination{root: root}
		e.Getenv = func(name string) string {
			if name == "HOME" {
				return home
			}
			return tt.env[name]
		}
		found := e.trust(tt.host)
		if (len(found) > 0) != tt.said {
			t.Errorf("%s: %+v", name, found)
		}
		for _, f := range found {
			if f.severity == failure || strings.Contains(f.text.EN+f.text.FR, secret) {
				t.Errorf("%s: %+v", name, f)
			}
		}
	}
}
