//go:build unix

package decide

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/grimoire-kit/grimoire/governance/trace"
)

// A pipe where the trace should be holds nobody up.
func TestTraceIsAPipe(t *testing.T) {
	root := repo(t, map[string]string{profileFile: profile("governed")})
	path := filepath.Join(root, filepath.FromSlash(trace.File))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(path, 0o644); err != nil {
		t.Skip(err)
	}
	started := time.Now()
	if a := bash(t, root, "rm -rf build"); decisionOf(a) != "deny" || strings.Contains(string(a.Stdout), "no decision within") {
		t.Errorf("%s", a.Stdout)
	}
	if took := time.Since(started); took > MaxDeadline/2 {
		t.Errorf("it waited %s", took)
	}
}
