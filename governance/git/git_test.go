package git

import (
	"context"
	"errors"
	"os/exec"
	"strings"
	"testing"
)

func TestAsk(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("without git")
	}
	dir := t.TempDir()
	t.Setenv("GIT_DIR", "/nowhere") // the environment does not choose the repository
	if out, err := Ask(t.Context(), dir, "init", "-q"); err != nil || out != "" {
		t.Fatal(out, err)
	}
	if out, err := Ask(t.Context(), dir, "rev-parse", "--is-inside-work-tree"); err != nil || out != "true\n" {
		t.Error(out, err)
	}
	if _, err := Ask(t.Context(), dir, "rev-parse", "--verify", "HEAD"); err == nil || !strings.Contains(err.Error(), "git rev-parse") {
		t.Error(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Ask(ended, dir, "status"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestAskWithoutGit(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := Ask(t.Context(), t.TempDir(), "status"); !errors.Is(err, exec.ErrNotFound) {
		t.Error(err)
	}
}

func TestBounded(t *testing.T) {
	b := bounded{left: 3}
	for _, p := range []string{"ab", "cd", "ef"} {
		if n, err := b.Write([]byte(p)); n != 2 || err != nil {
			t.Fatal(n, err)
		}
	}
	if b.kept.String() != "abc" || b.left >= 0 {
		t.Errorf("%q, %d", b.kept.String(), b.left)
	}
}
