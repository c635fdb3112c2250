package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/emitters"
	"github.com/grimoire-kit/grimoire/governance/contract"
)

var update = flag.Bool("update", false, "rewrite testdata/answers/*.txt from what the program answers")

var (
	before     = regexp.MustCompile(`reToolUse\.|BeforeTool\.|tool\.execute\.before`)
	commandKey = regexp.MustCompile(`"(command|cmd)": *"(?:[^"\\]|\\.)*"`)
	pathKey    = regexp.MustCompile(`"(path|file_path|filePath|absolute_path)": *"(?:[^"\\]|\\.)*"`)
	// spared are tools that give a file a whole new text, which shows nothing
	// of the old one, those whose "command" is a patch, and a payload that also
	// tells the command of the tool's server.
	spared = regexp.MustCompile(`\.(Write|write|create|write_file|apply_patch|mcp_lab_touchit)\.`)
)

// TestReplay gives the program every payload that hosts were seen to send, as
// the host would, and holds each byte of its answers: in an enrolled project,
// with a budget and an approval, in French.
func TestReplay(t *testing.T) {
	for _, host := range emitters.Dialects() {
		replay(t, host, host)
	}
	// Copilot runs Claude Code's hook file too: where it has none of ours for
	// itself, it is answered through that one.
	replay(t, "copilot", "claude")
}

func replay(t *testing.T, from, called string) {
	t.Run(from+" calls "+called, func(t *testing.T) {
		captures, err := contract.Captures(filepath.Join("..", "..", "governance", "contract", "testdata", "captures", from))
		if err != nil || len(captures) == 0 {
			t.Fatalf("%d captures, %v", len(captures), err)
		}
		var got bytes.Buffer
		for _, c := range captures {
			if strings.Contains(c.File, "/product-") {
				continue // runs with this program, held by a test of their own
			}
			payloads := []string{string(c.Stdin)}
			if before.MatchString(c.File) {
				for _, twin := range []string{
					commandKey.ReplaceAllString(payloads[0], `"$1":"touch PROOF && rm -rf build"`),
					pathKey.ReplaceAllString(payloads[0], `"$1":"<PROJECT>/.env"`),
				} {
					if twin != payloads[0] {
						payloads = append(payloads, twin)
					}
				}
			}
			for i, payload := range payloads {
				root := repo(t, map[string]string{
					"_grimoire/standard/standard-profile.yaml": "profile: governed\n",
					"_grimoire/kit/agents/concierge.md":        "---\ndescription: Triage, clarification, routage\ntools: [read, search]\n---\n",
					"project-context.yaml":                     "user: {language: Français}\n",
				})
				a := run(t, root, strings.ReplaceAll(payload, "<PROJECT>", root), nil, "--host", called, "--event", c.Event)
				fmt.Fprintf(&got, "%s\n  exit %d\n", c.File+strings.Repeat(" (hostile)", min(i, 1)), a.exit)
				for _, s := range []struct{ name, text string }{{"stdout", a.stdout}, {"stderr", a.stderr}} {
					if s.text != "" {
						fmt.Fprintf(&got, "  %s %s\n", s.name, strings.ReplaceAll(strings.ReplaceAll(s.text, root, "<PROJECT>"), "\n", "\n         "))
					}
				}
				if refused := strings.Contains(a.stdout, `"deny"`) || a.exit == 2; i > 0 && !refused && !spared.MatchString(c.File) {
					t.Errorf("%s is not refused: %s\n%s", c.File, payload, a.stdout)
				}
			}
		}
		record := filepath.Join("testdata", "answers", from+"-"+called+".txt")
		if *update {
			if err := os.MkdirAll(filepath.Dir(record), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(record, got.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(record)
		if err != nil {
			t.Fatal(err)
		}
		g, w := strings.Split(got.String(), "\n"), strings.Split(string(want), "\n")
		for i := range max(len(g), len(w)) {
			if i >= len(g) || i >= len(w) || g[i] != w[i] {
				t.Fatalf("line %d differs from %s (run with -update to accept):\n got %s\nwant %s", i+1, record, at(g, i), at(w, i))
			}
		}
	})
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(nothing)"
}
