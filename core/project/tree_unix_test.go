//go:build unix

package project

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A pipe in place of a file is listed; waiting for a writer would hang.
func TestPipe(t *testing.T) {
	root := write(t, map[string]string{"_grimoire/agents/dev.md": ""})
	for _, path := range []string{"_grimoire/agents/pipe.md", ".mcp.json"} {
		if err := syscall.Mkfifo(filepath.Join(root, path), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p, err := Load(root, hosts)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Skipped) != 1 || !strings.Contains(p.Skipped[0].Reason.EN, "not a regular file") {
		t.Errorf("skipped %+v", p.Skipped)
	}
	if len(p.Warnings) != 1 || p.Warnings[0].Path != mcpFile {
		t.Errorf("warnings %+v", p.Warnings)
	}
	if err := syscall.Mkfifo(filepath.Join(root, ConfigFile), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(root, hosts); err == nil || !strings.Contains(err.Error(), ConfigFile+": it is not a regular file (GR001)") {
		t.Errorf("got %v", err)
	}
}
