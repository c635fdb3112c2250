package policy

import (
	"slices"
	"strings"
	"sync"

	"github.com/grimoire-kit/grimoire/surface"
)

// tool is one thing an agent does, under every name a host gives it. The
// first name is the one Claude Code uses, in which most rules are written.
//
// Sources: payloads of Claude Code 2.1.332, Copilot CLI 1.0.102, opencode
// 1.18.33, Codex CLI 0.171.0 and Gemini CLI 0.61.0; VS Code documented.
type tool struct {
	names  []string
	family surface.ToolFamily
}

var tools = []tool{
	{[]string{"Bash", "bash", "run_in_terminal", "runInTerminal", "runTerminalCommand", "create_and_run_task", "shell", "local_shell",
		"run_shell_command", "exec_command", "powershell", "PowerShell"}, surface.FamilyExecute},
	{[]string{"Write", "write", "create", "create_file", "createFile", "write_file", "apply_patch", "applyPatch", "patch"}, surface.FamilyWrite},
	{[]string{"Edit", "edit", "str_replace", "str_replace_editor", "replace", "replace_string_in_file",
		"insert_edit_into_file", "editFiles", "apply_patch", "applyPatch", "patch"}, surface.FamilyWrite},
	{[]string{"MultiEdit", "multiedit", "multi_replace_string_in_file"}, surface.FamilyWrite},
	{[]string{"NotebookEdit", "edit_notebook_file"}, surface.FamilyWrite},
	{[]string{"Read", "read", "view", "read_file", "readFile", "read_many_files", "view_image"}, surface.FamilyRead},
	{[]string{"Grep", "grep", "rg", "grep_search", "search_file_content"}, surface.FamilyRead},
	{[]string{"Glob", "glob", "file_search"}, surface.FamilyRead},
	{[]string{"LS", "ls", "list", "list_dir", "list_directory"}, surface.FamilyRead},
	{[]string{"WebFetch", "webfetch", "web_fetch", "fetch_webpage"}, surface.FamilyNetwork},
	{[]string{"WebSearch", "websearch", "web_search", "google_web_search"}, surface.FamilyNetwork},
	{[]string{"Agent", "Task", "task", "agent", "runSubagent", "invoke_agent", "spawn_agent", "collaborationspawn_agent"}, surface.FamilyDelegation},
	{[]string{"Skill", "skill", "activate_skill"}, surface.FamilyOther},
	{[]string{"TodoWrite", "todowrite", "write_todos", "update_todo"}, surface.FamilyOther},
}

// editors are tools that a rule about Edit also covers: they edit files in
// another format, and a rule that names the plain one means them too.
var editors = []string{"MultiEdit", "NotebookEdit"}

// byName indexes tools; a name may stand for several (apply_patch both
// writes and edits). It is made when it is first needed: most calls of the
// hook are held against no pattern.
var byName = sync.OnceValue(func() map[string][]*tool {
	m := map[string][]*tool{}
	for i := range tools {
		for _, n := range tools[i].names {
			m[n] = append(m[n], &tools[i])
		}
	}
	edit := m["Edit"][0]
	for _, name := range editors {
		for _, n := range m[name][0].names {
			m[n] = append(m[n], edit)
		}
	}
	return m
})

// sameTool reports whether a host's tool name is the tool a rule calls by
// the plain word name (no wildcard).
func sameTool(name, raw string) bool {
	if name == raw {
		return true
	}
	for _, t := range byName()[raw] {
		if slices.Contains(t.names, name) {
			return true
		}
	}
	return false
}

// mcpSpellings are the names hosts give the tool of an MCP server that
// Claude Code calls mcp__server__tool: Gemini mcp_server_tool, Copilot
// server-tool, opencode server_tool. It is nil for any other name. Either
// part may hold wildcards.
func mcpSpellings(name string) []string {
	rest, ok := strings.CutPrefix(name, "mcp__")
	if !ok {
		return nil
	}
	server, tool, ok := strings.Cut(rest, "__")
	if !ok || server == "" || tool == "" {
		return nil
	}
	return []string{"mcp_" + server + "_" + tool, server + "-" + tool, server + "_" + tool}
}
