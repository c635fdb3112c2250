package policy

import (
	"encoding/json"
	"strings"

	"github.com/grimoire-kit/grimoire/surface"
)

// The calls of the tests, as package decide would describe them.

const testRoot = "/home/user/proj"

func bash(line string) *Call {
	return shell("Bash", line)
}

// shell describes a command line by splitting it naively: the tests' lines
// have no quotes around separators.
func shell(tool, line string) *Call {
	input, _ := json.Marshal(map[string]string{"command": line})
	c := &Call{Tool: tool, Family: surface.FamilyExecute, Kind: KindToolUse, Mutation: Controlled,
		Command: line, Root: testRoot, Input: input}
	for _, part := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune("&;|\n", r) }) {
		words := strings.Fields(part)
		if i := indexOf(words, ">"); i >= 0 && i+1 < len(words) {
			c.Changes = append(c.Changes, Change{Path: words[i+1]})
			words = words[:i]
		}
		if len(words) > 0 {
			name := words[0][strings.LastIndexByte(words[0], '/')+1:]
			c.Programs = append(c.Programs, Program{Name: name, Args: words[1:]})
		}
	}
	return c
}

func indexOf(words []string, w string) int {
	for i := range words {
		if words[i] == w {
			return i
		}
	}
	return -1
}

func reading(c *Call) *Call {
	c.Mutation = ReadOnly
	return c
}

func destroying(c *Call) *Call {
	c.Mutation = Destructive
	c.DestructiveLabel = surface.Text{FR: "suppression récursive ou forcée", EN: "recursive or forced delete"}
	return c
}

func write(tool, path string) *Call {
	input, _ := json.Marshal(map[string]string{"file_path": path, "content": "x"})
	return &Call{Tool: tool, Family: surface.FamilyWrite, Kind: KindFileWrite, Mutation: Controlled, Root: testRoot,
		Targets: []string{path}, Changes: []Change{{Path: path}}, Input: input}
}

func read(tool, path string) *Call {
	input, _ := json.Marshal(map[string]string{"file_path": path})
	return &Call{Tool: tool, Family: surface.FamilyRead, Kind: KindToolUse, Mutation: ReadOnly, Root: testRoot,
		Targets: []string{path}, Input: input}
}

func secret(tool, path string) *Call {
	c := read(tool, path)
	c.Kind, c.Family, c.SecretFragment = KindSecretAccess, surface.FamilySecret, path
	return c
}

func mcp(tool, input string) *Call {
	return &Call{Tool: tool, Family: surface.FamilyMCP, Kind: KindToolUse, Mutation: Controlled, Root: testRoot, Input: []byte(input)}
}
