package decide

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A secret is one wherever the call starts from, and whoever is asked to show it.
func TestSecretsByFolder(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{"_grimoire", "secrets", "src/secrets"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "secrets", "token"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		cwd, tool, input string
		refused          bool
	}{
		"cat in the folder":        {"secrets", "Bash", `{"command":"cat token"}`, true},
		"read in the folder":       {"secrets", "Read", `{"file_path":"token"}`, true},
		"search of the folder":     {"", "Grep", `{"pattern":"x","path":"secrets"}`, true},
		"search, everything in it": {"", "Grep", `{"pattern":"x","path":"secrets","glob":"*"}`, true},
		"search, code in it":       {"", "Grep", `{"pattern":"x","path":"secrets","glob":"*.go"}`, false},
		"a folder of code":         {"", "Grep", `{"pattern":"x","path":"src/secrets"}`, false},
		"a pattern of the folder":  {"", "Bash", `{"command":"cd s*s && cat token"}`, true},
		"a pattern of nothing":     {"", "Bash", `{"command":"cd s*s && cat absent"}`, false},
		"cat elsewhere":            {"src", "Bash", `{"command":"cat token"}`, false},
		"search elsewhere":         {"", "Grep", `{"pattern":"x","path":"src"}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			payload := fmt.Sprintf(`{"session_id":"s","hook_event_name":"PreToolUse","permission_mode":"default","cwd":%q,"tool_name":%q,"tool_input":%s}`,
				filepath.Join(root, tt.cwd), tt.tool, tt.input)
			got := string(ask(t, root, "claude", "PreToolUse", payload).Stdout)
			if refused := strings.Contains(got, `"deny"`); refused != tt.refused {
				t.Errorf("refused %v: %s", refused, got)
			}
		})
	}
}
