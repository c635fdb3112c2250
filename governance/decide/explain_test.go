package decide

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/grimoire-kit/grimoire/governance/policy"
	"github.com/grimoire-kit/grimoire/pluginsdk/dialect"
)

// files lists everything below root with its size.
func files(t *testing.T, root string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err == nil && !e.IsDir() {
			b.WriteString(path + " " + info.ModTime().String() + "\n")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// What explain says is what the hook answers, and it leaves nothing behind.
func TestExplainIsTheHook(t *testing.T) {
	root := repo(t, map[string]string{policy.File: budgets + "  - id: no-make\n    verdict_on_match: block\n    tool_pattern: \"Bash(make:*)\"\n"})
	for range 2 {
		bash(t, root, "touch x")
	}
	for _, line := range []string{"ls", "touch x", "rm -rf x", "cat .env", "make", "$X", "git push -f", "echo 'rm -rf /'", "(", ""} {
		before := files(t, root)
		e, err := Explain(Request{Host: "claude", Dir: root, Now: time.Now, Getenv: func(string) string { return "" }}, line, "s")
		if err != nil {
			t.Fatal(err)
		}
		payload := call("s", "PreToolUse", "Bash", args{"command": line})
		again, err := Explain(Request{Host: "claude", Dir: root, Now: time.Now, Getenv: func(string) string { return "" }, Payload: strings.NewReader(payload)}, "", "")
		if err != nil {
			t.Fatal(err)
		}
		if files(t, root) != before {
			t.Errorf("%q: explaining wrote something", line)
		}
		if e.Outcome != again.Outcome {
			t.Errorf("%q: as a line %s, as a payload %s", line, e.Outcome, again.Outcome)
		}
		if len(e.Rules) < 10 {
			t.Errorf("%q: %d rules explained", line, len(e.Rules))
		}
		copyOf := t.TempDir()
		if err := os.CopyFS(copyOf, os.DirFS(root)); err != nil {
			t.Fatal(err)
		}
		if a := bash(t, copyOf, line); string(a.Stdout) != string(e.Answer.Stdout) || a.Exit != e.Answer.Exit {
			t.Errorf("%q\nexplained %s\nanswered  %s", line, e.Answer.Stdout, a.Stdout)
		}
	}
}

func TestExplainNothingToJudge(t *testing.T) {
	root := repo(t, nil)
	r := Request{Host: "claude", Event: "PreToolUse", Dir: root, Now: time.Now, Getenv: func(string) string { return "" }, Payload: strings.NewReader("{")}
	e, err := Explain(r, "", "")
	if err != nil || e.NotEvaluated != dialect.NotJSON || e.Outcome != dialect.NoOpinion {
		t.Errorf("%+v, %v", e, err)
	}
	r.Host = "zork"
	if _, err := Explain(r, "", ""); err == nil {
		t.Error("an unknown host is explained")
	}
}
