// Package bench measures `grimoire host sync` on generated projects: how long
// each part takes, how that grows with the number of personas, and how much
// memory each process needs.
//
//	go test ./golden/bench -run Memory -v -bench .
//
// ruler.sh compares with another tool on the same content. Nobody imports it.
package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const config = `project:
  name: "bench"
user:
  language: "English"
agents:
  entry: "persona-0000"
hosts:
  enabled: [claude, copilot, opencode, codex, cursor, gemini]
`

// persona has what a real one has: a boundary, affinities, and a page of text.
const persona = `---
name: "persona-%04[1]d"
description: "Specialist number %[1]d: reviews the changes of its part: code, tests, pages"
tools: [read, search, edit]
model_affinity: {reasoning: %[2]s, context_window: medium, speed: fast, cost: medium}
---
# Specialist %[1]d

%[3]s`

const skill = `---
name: "skill-%[1]d"
description: "How part %[1]d is reviewed"
tools: [read]
---
%[2]s`

const command = `---
description: "Review part %[1]d"
argument-hint: "[path]"
tools: [read, execute]
---
%[2]s`

// paragraph is some twenty lines, the length of a section of a real persona.
var paragraph = strings.Repeat("Read the definition first, then answer within the boundary: no file outside the part.\n", 20)

// writeProject writes a project with n personas, five skills and five commands,
// and all six hosts enabled.
func writeProject(root string, n int) error {
	files := map[string]string{"project-context.yaml": config}
	for i := range n {
		reasoning := []string{"low", "medium", "high"}[i%3]
		files[fmt.Sprintf("_grimoire/kit/agents/persona-%04d.md", i)] = fmt.Sprintf(persona, i, reasoning, paragraph)
	}
	for i := range 5 {
		files[fmt.Sprintf("_grimoire/kit/skills/skill-%d.md", i)] = fmt.Sprintf(skill, i, paragraph)
		files[fmt.Sprintf("_grimoire/kit/commands/command-%d.md", i)] = fmt.Sprintf(command, i, paragraph)
	}
	for name, content := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			return err
		}
	}
	return nil
}
