package doctor

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/core/tree"
	"github.com/grimoire-kit/grimoire/surface"
)

// write makes a project of its own with these files.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// read looks at the files as one host does: "fail file:line: path: …".
func read(t *testing.T, hostAlias string, files map[string]string) []string {
	t.Helper()
	dir, err := tree.Open(write(t, files))
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	r := &reading{tree: dir}
	readers[hostAlias](r)
	var out []string
	for _, f := range r.found {
		if f.text.FR == "" || f.text.FR == f.text.EN {
			t.Errorf("not in both languages: %q, %q", f.text.FR, f.text.EN)
		}
		out = append(out, fmt.Sprintf("%s %s", []string{"info", "warn", "fail"}[f.severity], f.text.EN))
	}
	return out
}

// expectReading checks that each finding begins with what is wanted, in order.
func expectReading(t *testing.T, got []string, want ...string) {
	t.Helper()
	ok := len(got) == len(want)
	for i := 0; ok && i < len(want); i++ {
		ok = strings.HasPrefix(got[i], want[i])
	}
	if !ok {
		t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

// Each mistake was put into a real file beside a deny rule: Claude Code 2.1.332
// let the refused call run exactly where the file is said to be ignored.
func TestClaudeSettings(t *testing.T) {
	const file = ".claude/settings.json"
	handler := `{"type":"command","command":"true"}`
	hooks := func(event, groups string) string { return `{"hooks":{"` + event + `":` + groups + `}}` }
	for name, tt := range map[string]struct {
		text string
		want []string
	}{
		"fine":             {"{\n\"x-own\": 1,\n" + hooks("PreToolUse", `[{"matcher":"","hooks":[`+handler+`]}]`)[1:], nil},
		"byte order mark":  {"\ufeff{}", nil},
		"hooks null":       {`{"hooks":null}`, nil},
		"comment":          {"{\n  // why\n  \"model\": \"opus\"\n}", []string{"fail .claude/settings.json:2: a comment or a trailing comma (column 3)"}},
		"trailing comma":   {"{\n\"model\": \"opus\",\n}", []string{"fail .claude/settings.json:3: a comment or a trailing comma"}},
		"empty":            {"", []string{"fail .claude/settings.json:1: this is not valid JSON"}},
		"cut":              {`{"a":`, []string{"fail .claude/settings.json:1: this is not valid JSON (column 6"}},
		"list":             {`[]`, []string{"fail .claude/settings.json:1: $: an object was expected; Claude Code ignores the whole file"}},
		"no hooks array":   {"{\"hooks\":{\"PreToolUse\":[\n{\"matcher\":\"Bash\"}]}}", []string{"fail .claude/settings.json:2: $.hooks.PreToolUse[0]: no hooks array"}},
		"legacy entry":     {hooks("PermissionRequest", `[`+handler+`]`), []string{"fail .claude/settings.json:1: $.hooks.PermissionRequest[0]: no hooks array"}},
		"event object":     {hooks("PreToolUse", `{"hooks":[]}`), []string{"fail .claude/settings.json:1: $.hooks.PreToolUse: an array was expected; Claude Code ignores"}},
		"entry string":     {hooks("PreToolUse", `["x"]`), []string{"fail .claude/settings.json:1: $.hooks.PreToolUse[0]: an object was expected"}},
		"matcher unclosed": {hooks("PreToolUse", `[{"matcher":"Bash(","hooks":[`+handler+`]}]`), []string{"warn .claude/settings.json:1: $.hooks.PreToolUse[0].matcher: \"Bash(\" is no regular expression: no tool matches it"}},
		"matcher star":     {hooks("PreToolUse", `[{"matcher":"*Bash","hooks":[`+handler+`]}]`), []string{"warn .claude/settings.json:1: $.hooks.PreToolUse[0].matcher: \"*Bash\" is no regular"}},
		"matchers":         {hooks("PreToolUse", `[{"matcher":"*","hooks":[]},{"matcher":"A, B","hooks":[]},{"matcher":"(?!Read)(?<x>.*)\\d","hooks":[]},{"matcher":"[^]","hooks":[]}]`), nil},
		"matcher number":   {hooks("PreToolUse", `[{"matcher":1,"hooks":[]}]`), []string{"fail .claude/settings.json:1: $.hooks.PreToolUse[0].matcher: a string"}},
		"no command":       {hooks("PreToolUse", `[{"hooks":[{"type":"command"}]}]`), []string{"fail .claude/settings.json:1: $.hooks.PreToolUse[0].hooks[0]: the key command is missing"}},
		"no type":          {hooks("PreToolUse", `[{"hooks":[{"command":"true"}]}]`), []string{"fail .claude/settings.json:1: $.hooks.PreToolUse[0].hooks[0]: the key type"}},
		"unknown type":     {hooks("PreToolUse", `[{"hooks":[{"type":"x","command":"true"}]}]`), []string{"fail .claude/settings.json:1: $.hooks.PreToolUse[0].hooks[0].type: unknown type"}},
		"prompt, agent":    {hooks("PreToolUse", `[{"hooks":[{"type":"prompt","prompt":"x"},{"type":"agent","prompt":"x"}]}]`), nil},
		"http without url": {hooks("PreToolUse", `[{"hooks":[{"type":"http"}]}]`), []string{"fail .claude/settings.json:1: $.hooks.PreToolUse[0].hooks[0]: the key url"}},
		"time-out zero":    {hooks("PreToolUse", `[{"hooks":[{"type":"command","command":"true","timeout":0}]}]`), []string{"fail .claude/settings.json:1: $.hooks.PreToolUse[0].hooks[0].timeout: a number"}},
		"time-out text":    {hooks("PreToolUse", `[{"hooks":[{"type":"command","command":"true","timeout":"9"}]}]`), []string{"fail .claude/settings.json:1: $.hooks.PreToolUse[0].hooks[0].timeout: a number"}},
		"args text":        {hooks("PreToolUse", `[{"hooks":[{"type":"command","command":"true","args":"x"}]}]`), []string{"fail .claude/settings.json:1: $.hooks.PreToolUse[0].hooks[0].args: an array"}},
		"if number":        {hooks("PreToolUse", `[{"hooks":[{"type":"command","command":"true","if":1}]}]`), []string{"fail .claude/settings.json:1: $.hooks.PreToolUse[0].hooks[0].if: a string"}},
		"another event's": {hooks("PostToolUse", `[{"matcher":"Bash"},"x",{"hooks":[{"type":"command"}]}]`), []string{
			"warn .claude/settings.json:1: $.hooks.PostToolUse[0]: no hooks array",
			"warn .claude/settings.json:1: $.hooks.PostToolUse[1]: an object",
			"warn .claude/settings.json:1: $.hooks.PostToolUse[2].hooks[0]: the key command is missing; Claude Code skips this entry"}},
		"unknown event":        {hooks("preToolUse", `[]`), []string{"warn .claude/settings.json:1: $.hooks.preToolUse: unknown event: these hooks never run"}},
		"hooks list":           {`{"hooks":[]}`, []string{"fail .claude/settings.json:1: $.hooks: an object was expected; Claude Code runs no hook"}},
		"event twice":          {"{\"hooks\":{\"PreToolUse\":[],\n\"PreToolUse\":[]}}", []string{"fail .claude/settings.json:2: $.hooks.PreToolUse: the key is written twice"}},
		"hooks twice":          {`{"hooks":{},"hooks":{}}`, []string{"fail .claude/settings.json:1: $.hooks: the key is written twice"}},
		"own key twice":        {`{"x":1,"x":2}`, nil},
		"switched off":         {`{"disableAllHooks":true}`, []string{"fail .claude/settings.json:1: $.disableAllHooks: every hook is switched off"}},
		"not switched off":     {`{"disableAllHooks":false}`, nil},
		"switch text":          {`{"disableAllHooks":"yes"}`, []string{"fail .claude/settings.json:1: $.disableAllHooks: true or false was expected"}},
		"deny text":            {"{\"permissions\":{\n \"deny\": \"Read(./.env)\"}}", []string{"fail .claude/settings.json:2: $.permissions.deny: an array was expected"}},
		"allow null":           {`{"permissions":{"allow":null}}`, []string{"fail .claude/settings.json:1: $.permissions.allow: an array"}},
		"ask object":           {`{"permissions":{"ask":{}}}`, []string{"fail .claude/settings.json:1: $.permissions.ask: an array"}},
		"permissions list":     {`{"permissions":[]}`, []string{"fail .claude/settings.json:1: $.permissions: an object"}},
		"mode":                 {`{"permissions":{"defaultMode":"zork"}}`, []string{"fail .claude/settings.json:1: $.permissions.defaultMode: a mode that"}},
		"known mode":           {`{"permissions":{"defaultMode":"acceptEdits"}}`, nil},
		"rule number":          {`{"permissions":{"deny":["Read(./.env)",1]}}`, []string{"warn .claude/settings.json:1: $.permissions.deny[1]: a string was expected; Claude Code skips this rule"}},
		"rule cut":             {`{"permissions":{"deny":["Read(./.env"]}}`, []string{"warn .claude/settings.json:1: $.permissions.deny[0]: unbalanced"}},
		"write rule":           {`{"permissions":{"deny":["Write(./x)"],"allow":["Write(./x)"]}}`, []string{"warn .claude/settings.json:1: $.permissions.deny[0]: Write(./x) stops nothing"}},
		"model number":         {`{"model":3}`, []string{"fail .claude/settings.json:1: $.model: a string"}},
		"env list":             {`{"env":[]}`, []string{"fail .claude/settings.json:1: $.env: an object"}},
		"env value":            {`{"env":{"A":1}}`, nil},
		"statusLine text":      {`{"statusLine":"x"}`, []string{"fail .claude/settings.json:1: $.statusLine: an object"}},
		"enabledMcpjson text":  {`{"enabledMcpjsonServers":"x"}`, nil},
		"name with a new line": {"{\"hooks\":{\"a\\nb\":[]}}", []string{`warn .claude/settings.json:1: $.hooks["a\nb"]: unknown event`}},
	} {
		t.Run(name, func(t *testing.T) {
			expectReading(t, read(t, "claude", map[string]string{file: tt.text}), tt.want...)
		})
	}
	got := read(t, "claude", map[string]string{".claude/settings.local.json": "{,}"})
	expectReading(t, got, "fail .claude/settings.local.json:1: this is not valid JSON")
}

// Claude Code loads no agent without a name and a description, or with
// anything above its frontmatter; it forgives what is not YAML.
func TestClaudeAgents(t *testing.T) {
	got := read(t, "claude", map[string]string{
		".claude/agents/fine.md":       "---\nname: fine\ndescription: a: b: c\n---\nx",
		".claude/agents/marked.md":     "\ufeff---\r\nname: m\r\ndescription: >-\r\n  long\r\n---\r\nx",
		".claude/agents/a/above.md":    "<!-- mine -->\n---\nname: a\ndescription: b\n---\n",
		".claude/agents/bare.md":       "Just text\n---\nname: no\n---\n",
		".claude/agents/empty.md":      "---\nname: e\ndescription: \"\"\n---\n",
		".claude/agents/nameless.md":   "---\ndescription: d\n---\n",
		".claude/agents/open.md":       "---\nname: o\n",
		".claude/agents/not-an-md.txt": "",
	})
	slices.Sort(got)
	expectReading(t, got,
		"warn .claude/agents/a/above.md:1: something stands before the --- line; the host does not load this agent",
		"warn .claude/agents/bare.md:1: no frontmatter",
		"warn .claude/agents/empty.md:2: description: missing",
		"warn .claude/agents/nameless.md:2: name: missing",
		"warn .claude/agents/open.md:1: no frontmatter")
}

// Claude Code takes a skill's name from its folder, and nothing else for one.
func TestSkills(t *testing.T) {
	got := read(t, "claude", map[string]string{
		".claude/skills/fine/SKILL.md":     "no frontmatter is needed",
		".claude/skills/fine/notes/use.md": "x",
		".claude/skills/README.md":         "x",
		".claude/skills/flat.md":           "x",
		".claude/skills/low/skill.md":      "x",
		".claude/skills/a/b/SKILL.md":      "x",
	})
	expectReading(t, got,
		"warn .claude/skills/a/b/SKILL.md: one folder too many",
		"warn .claude/skills/flat.md: a lone file",
		"warn .claude/skills/low/skill.md: the name is spelled SKILL.md")
	got = read(t, "opencode", map[string]string{
		".opencode/skill/a/b/SKILL.md":  "---\nname: fine\n---\n",
		".opencode/skills/c/SKILL.md":   "---\ndescription: d\n---\n",
		".opencode/skills/bad/SKILL.md": "---\nname: [\n---\n",
	})
	expectReading(t, got,
		"warn .opencode/skills/bad/SKILL.md:1: no frontmatter that can be read",
		"warn .opencode/skills/c/SKILL.md:2: name: missing")
}

// Each mistake was put into a real file beside a hook that refuses: Copilot CLI
// 1.0.102 let the call run exactly where the file or its hooks are said to go.
func TestCopilotReadsClaudeSettings(t *testing.T) {
	const file = ".claude/settings.json"
	handler := `{"type":"command","command":"true"}`
	hooks := func(event, groups string) string { return `{"hooks":{"` + event + `":` + groups + `}}` }
	for name, tt := range map[string]struct {
		text string
		want []string
	}{
		"fine":               {hooks("PreToolUse", `[{"matcher":"Bash","hooks":[`+handler+`]}]`), nil},
		"byte order mark":    {"\ufeff{}", []string{"fail .claude/settings.json:1: the file begins with a byte order mark; Copilot rejects"}},
		"comment":            {"{ // x\n}", []string{"fail .claude/settings.json:1: a comment or a trailing comma"}},
		"empty matcher":      {hooks("PostToolUse", `[{"matcher":"","hooks":[`+handler+`]}]`), []string{"fail .claude/settings.json:1: $.hooks.PostToolUse[0].matcher: an empty matcher is not taken; remove the key, or write \"*\"; Copilot runs no hook"}},
		"unread matcher":     {hooks("Stop", `[{"matcher":"","hooks":[`+handler+`]}]`), nil},
		"no command":         {hooks("Stop", `[{"hooks":[{"type":"command"}]}]`), []string{"fail .claude/settings.json:1: $.hooks.Stop[0].hooks[0]: no command"}},
		"agent":              {hooks("Stop", `[{"hooks":[{"type":"agent","prompt":"x"}]}]`), []string{"fail .claude/settings.json:1: $.hooks.Stop[0].hooks[0].type: Copilot does not run the type agent"}},
		"prompt":             {hooks("Stop", `[{"hooks":[{"type":"prompt","prompt":"x"}]}]`), []string{"fail .claude/settings.json:1: $.hooks.Stop[0].hooks[0].type: Copilot does not run the type prompt"}},
		"http":               {hooks("Stop", `[{"hooks":[{"type":"http","url":"http://127.0.0.1"}]}]`), nil},
		"nothing in a group": {hooks("Stop", `[{"matcher":"x"}]`), []string{"fail .claude/settings.json:1: $.hooks.Stop[0]: no command"}},
		"time-out text":      {hooks("Stop", `[{"hooks":[{"type":"command","command":"true","timeout":"9"}]}]`), []string{"fail .claude/settings.json:1: $.hooks.Stop[0].hooks[0].timeout: a number"}},
		"event object":       {hooks("Stop", `{"hooks":[]}`), nil},
		"unknown event":      {hooks("Zork", `[{"hooks":[{"type":"agent"}]}]`), nil},
		"switched off":       {`{"disableAllHooks":true}`, []string{"fail .claude/settings.json:1: $.disableAllHooks: every hook is switched off"}},
	} {
		t.Run(name, func(t *testing.T) {
			expectReading(t, read(t, "copilot", map[string]string{file: tt.text}), tt.want...)
		})
	}
	got := read(t, "copilot", map[string]string{
		".github/copilot/settings.json":       hooks("Stop", `[{"type":"command"}]`),
		".github/copilot/settings.local.json": `{"disableAllHooks": true}`,
	})
	expectReading(t, got,
		"fail .github/copilot/settings.json:1: $.hooks.Stop[0]: no command",
		"fail .github/copilot/settings.local.json:1: $.disableAllHooks")
}

func TestCopilotHookFiles(t *testing.T) {
	for text, want := range map[string][]string{
		`{"version":1,"hooks":{"preToolUse":[{"bash":"true","timeoutSec":3}]}}`: nil,
		`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"true"}]}]}}`:  nil,
		`{"version":2,"hooks":{}}`:            {"fail .github/hooks/a/x.json:1: $.version: version 1 is the only one"},
		`{"version":"1","hooks":{}}`:          {"fail .github/hooks/a/x.json:1: $.version: version 1"},
		"\ufeff{\"hooks\":{}}":                {"fail .github/hooks/a/x.json:1: the file begins with a byte order mark"},
		"{\n// why\n\"hooks\":{}}":            {"fail .github/hooks/a/x.json:2: a comment or a trailing comma (column 1)"},
		`{"hooks":[]}`:                        {"fail .github/hooks/a/x.json:1: $.hooks: a hooks object"},
		`[]`:                                  {"fail .github/hooks/a/x.json:1: $: an object"},
		`{}`:                                  {"fail .github/hooks/a/x.json:1: $: a hooks object"},
		`{"disableAllHooks":true,"hooks":{}}`: {"fail .github/hooks/a/x.json:1: $.disableAllHooks: the hooks of this file"},
		`{"hooks":{"Stop":[{"type":"command"}]}}`:                     {"warn .github/hooks/a/x.json:1: $.hooks.Stop[0]: no command (command, bash or exec); Copilot skips"},
		`{"hooks":{"PreToolUse":[{"matcher":"","bash":"x"}]}}`:        {"warn .github/hooks/a/x.json:1: $.hooks.PreToolUse[0].matcher: an empty matcher"},
		`{"hooks":{"AgentStop":[],"Stop":{}}}`:                        {"warn .github/hooks/a/x.json:1: $.hooks.AgentStop: unknown event", "warn .github/hooks/a/x.json:1: $.hooks.Stop: an array"},
		`{"hooks":{"Stop":[7]},"_managed":true,"description":"ours"}`: {"warn .github/hooks/a/x.json:1: $.hooks.Stop[0]: an object"},
	} {
		expectReading(t, read(t, "copilot", map[string]string{".github/hooks/a/x.json": text}), want...)
	}
	got := read(t, "copilot", map[string]string{".github/agents/a.agent.md": "---\ntools: ['read']\n---\n", ".github/agents/b.md": "---\ndescription: 'b'\n---\n"})
	expectReading(t, got, "warn .github/agents/a.agent.md:2: description: missing")
	got = read(t, "copilot", map[string]string{
		".github/agents/a.md":   "---\nname: a\ndescription: use when: asked\n---\n",
		".github/hooks/x.json":  `{"hooks":{"PreToolUse":[{"matcher":"[a","bash":"x"}],"Stop":[{"matcher":"[a","bash":"x"}]}}`,
		".github/agents/b.yaml": "a: b: c",
	})
	expectReading(t, got,
		"warn .github/hooks/x.json:1: $.hooks.PreToolUse[0].matcher: \"[a\" is no regular expression",
		"warn .github/agents/a.md:3: the frontmatter is not YAML (a colon inside a value without quotes); the host does not load this agent")
}

func TestOpencode(t *testing.T) {
	for name, tt := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"fine": {map[string]string{
			"opencode.jsonc":            "{ // ours\n\"permission\": {\"bash\": {\"*\": \"allow\", \"rm *\": \"deny\"}, \"edit\": \"ask\"},\n}",
			".opencode/agent/a.md":      "---\ndescription: a\nmode: subagent\ntools:\n  bash: false\n---\n",
			".opencode/plugin/x.ts":     "export const X = async () => ({})\nexport default X\nexport function f() {}\n",
			".opencode/plugin/sub/y.ts": "export const V = 1\n",
		}, nil},
		"not JSON":      {map[string]string{".opencode/opencode.json": `{"permission": `}, []string{"fail .opencode/opencode.json:1: this is not valid JSON (column 16"}},
		"blank":         {map[string]string{"opencode.json": "\n"}, nil},
		"value":         {map[string]string{"opencode.json": "{\"permission\":{\n\"bash\":\"refuse\"}}"}, []string{"fail opencode.json:2: $.permission.bash: \"allow\", \"ask\" or \"deny\" was expected; opencode does not start"}},
		"pattern value": {map[string]string{"opencode.json": `{"permission":{"bash":{"rm *":true}}}`}, []string{"fail opencode.json:1: $.permission.bash[\"rm *\"]: \"allow\""}},
		"order":         {map[string]string{"opencode.json": `{"permission":{"bash":{"rm *":"deny","*":"allow"}}}`}, []string{"warn opencode.json:1: $.permission.bash[\"*\"]: the last pattern that matches wins"}},
		"agent's":       {map[string]string{"opencode.json": `{"agent":{"a":{"permission":{"edit":"no"},"tools":["x"]}}}`}, []string{"fail opencode.json:1: $.agent.a.permission.edit", "fail opencode.json:1: $.agent.a.tools: tools is an object"}},
		"agent's mode":  {map[string]string{"opencode.json": "{\"agent\":{\"a\":{\"mode\":\"all\"},\n\"b\":{\"mode\":\"sub\"}}}"}, []string{"fail opencode.json:2: $.agent.b.mode: subagent, primary or all was expected; opencode does not start"}},
		"server":        {map[string]string{"opencode.json": `{"mcp":{"ok":{"type":"local","command":["npx"]},"far":{"type":"remote","url":"https://x"},"no":{"type":"local","command":"npx x"}}}`}, []string{"fail opencode.json:1: $.mcp.no.command: the command is an array, program first"}},
		"shapes":        {map[string]string{"opencode.json": `{"instructions":"x","mcp":[]}`}, []string{"fail opencode.json:1: $.instructions: an array", "fail opencode.json:1: $.mcp: an object"}},
		"twins": {map[string]string{"opencode.json": `{"instructions":["a"],"plugin":[]}`, "opencode.jsonc": `{"instructions":["b"]}`},
			[]string{"warn opencode.jsonc:1: $.instructions: replaces the list of the same name in opencode.json"}},
		"agent, list of tools":   {map[string]string{".opencode/agent/n/a.md": "---\ndescription: a\ntools: [bash]\n---\n"}, []string{"fail .opencode/agent/n/a.md:3: tools: Claude Code's form ([bash])"}},
		"agent, string of tools": {map[string]string{".opencode/agents/a.md": "---\ntools: Read, Bash\ndescription: a\n---\n"}, []string{"fail .opencode/agents/a.md:2: tools: Claude Code's form (Read, Bash)"}},
		"agent, block of tools":  {map[string]string{".opencode/agents/a.md": "---\ndescription: a\ntools:\n  - bash\n---\n"}, []string{"fail .opencode/agents/a.md:3: tools: Claude Code's form (a list)"}},
		"agent, mode":            {map[string]string{".opencode/agent/a.md": "---\ndescription: a\nmode: labmode\n---\n"}, []string{"fail .opencode/agent/a.md:3: mode: labmode"}},
		"agent, silent":          {map[string]string{".opencode/agent/a.md": "---\nmode: all\n---\n", ".opencode/agent/b.md": "no block", ".opencode/agent/c.md": "---\na: [\n---\n"}, []string{"warn .opencode/agent/a.md:2: description: missing; the agent is loaded"}},
		"plugin":                 {map[string]string{".opencode/plugin/x.js": "\nexport const VERSION = \"1\"\nexport const X = async () => ({})\n"}, []string{"warn .opencode/plugin/x.js:2: the export VERSION is not a function"}},
		"guard":                  {map[string]string{".opencode/plugin/grimoire-guard.js": "export const N = 3\n"}, []string{"fail .opencode/plugin/grimoire-guard.js:1: the export N"}},
	} {
		t.Run(name, func(t *testing.T) { expectReading(t, read(t, "opencode", tt.files), tt.want...) })
	}
}

func TestProseHosts(t *testing.T) {
	expectReading(t, read(t, "codex", map[string]string{".codex/hooks.json": `{"description":"x","version":1,"hooks":{}}`}),
		"fail .codex/hooks.json:1: $.version: unknown key")
	expectReading(t, read(t, "codex", map[string]string{".codex/hooks.json": ""}), "fail .codex/hooks.json:1: this is not valid JSON")
	expectReading(t, read(t, "gemini", map[string]string{".gemini/settings.json": "{\"hooks\":{\"zzz\":[],\n\"BeforeTool\":{}}}"}),
		"warn .gemini/settings.json:1: $.hooks.zzz: unknown event", "warn .gemini/settings.json:2: $.hooks.BeforeTool: an array was expected; Gemini CLI discards")
	expectReading(t, read(t, "gemini", map[string]string{".gemini/settings.json": "{"}), "fail .gemini/settings.json:1: this is not valid JSON")
}

// A file that is not there is nothing to remark on, and a hostile one is a
// finding like any other.
func TestFilesThatCannotBeRead(t *testing.T) {
	for alias := range readers {
		if got := read(t, alias, nil); len(got) > 0 {
			t.Errorf("%s of an empty project: %v", alias, got)
		}
	}
	large := read(t, "claude", map[string]string{".claude/settings.json": strings.Repeat("[", maxValues+1)})
	expectReading(t, large, "warn .claude/settings.json: too large to be examined")
	// What a sync merges is looked at, however long its texts.
	long := read(t, "claude", map[string]string{".claude/settings.json": `{"x": "` + strings.Repeat("x", 2<<20) + `", "model": 1}`})
	expectReading(t, long, "fail .claude/settings.json:1: $.model: a string was expected")
	root := write(t, map[string]string{".claude/agents/a\x1b[31m.md": "x"})
	if err := os.Symlink("/etc/passwd", filepath.Join(root, ".claude", "settings.json")); err != nil {
		t.Skip(err)
	}
	dir, err := tree.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	r := &reading{tree: dir}
	readAsClaude(r)
	var all strings.Builder
	for _, f := range r.found {
		all.WriteString(f.text.In(surface.English) + "\n")
	}
	if got := all.String(); !strings.Contains(got, ".claude/settings.json: a symbolic link leads outside the project") || strings.Contains(got, "\x1b") {
		t.Errorf("%q", got)
	}
}
