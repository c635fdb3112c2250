package managed

import (
	"encoding/json"
	"slices"

	"github.com/grimoire-kit/grimoire/core/merge"
	"github.com/grimoire-kit/grimoire/pluginsdk"
)

// Owns reports whether a file found at f's path is one that grimoire wrote.
// edited is true when someone changed it since, as far as its marker can tell.
func Owns(f pluginsdk.File, content []byte) (ours, edited bool) {
	if f.Ownership == pluginsdk.OwnedByHooks {
		return OwnsHooksFile(content), false
	}
	m, ok := pluginsdk.FindMarker(f.Path, content)
	return ok, ok && m.Edited
}

// commandKeys are the keys under which a hook handler names what it runs:
// Copilot's and VS Code's spellings beside Claude Code's.
var commandKeys = []string{"command", "bash", "powershell", "exec", "linux", "osx", "windows"}

// OwnsHooksFile reports whether a JSON file of hooks, which cannot carry a
// marker, is ours: it holds hooks and nothing else, at least one of them, and
// each runs grimoire-hook.
func OwnsHooksFile(content []byte) bool {
	var doc map[string]json.RawMessage
	if json.Unmarshal(content, &doc) != nil {
		return false
	}
	for key := range doc {
		if key != "hooks" && key != "version" {
			return false
		}
	}
	var hooks any
	if json.Unmarshal(doc["hooks"], &hooks) != nil {
		return false
	}
	n, ok := countHooks(hooks)
	return ok && n > 0
}

// SharesHooks reports whether a JSON file of hooks runs grimoire-hook and is not
// ours for all that: somebody added to it what is theirs.
func SharesHooks(content []byte) bool {
	var doc map[string]any
	return json.Unmarshal(content, &doc) == nil && !OwnsHooksFile(content) && runsHookBelow(doc["hooks"])
}

// WithoutHooks takes what runs grimoire-hook out of a JSON file of hooks that also
// holds what is somebody else's, whose bytes stay. It reports false where that
// cannot be done: one entry that runs both, or a shape that no host has.
func WithoutHooks(content []byte) (rest []byte, ok bool) {
	rest, err := merge.DropHandlers(content, func(entry json.RawMessage) bool {
		var v any
		if json.Unmarshal(entry, &v) != nil {
			return false
		}
		n, ours := countHooks(v)
		return ours && n > 0
	})
	var doc map[string]any
	if err != nil || json.Unmarshal(rest, &doc) != nil || runsHookBelow(doc["hooks"]) {
		return content, false
	}
	return rest, true
}

// runsHookBelow reports whether any command below v is ours.
func runsHookBelow(v any) bool {
	switch v := v.(type) {
	case []any:
		return slices.ContainsFunc(v, runsHookBelow)
	case map[string]any:
		for _, key := range commandKeys {
			if line, ok := v[key].(string); ok && runs(line, v["args"]) {
				return true
			}
		}
		for _, value := range v {
			if runsHookBelow(value) {
				return true
			}
		}
	}
	return false
}

// countHooks counts the commands below v; ok is false as soon as one is not ours.
func countHooks(v any) (n int, ok bool) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			m, ok := countHooks(item)
			if !ok {
				return 0, false
			}
			n += m
		}
	case map[string]any:
		if kind, has := v["type"]; has && kind != "command" {
			return 0, false
		}
		for _, key := range commandKeys {
			command, has := v[key]
			if !has {
				continue
			}
			line, isString := command.(string)
			if !isString || !runs(line, v["args"]) {
				return 0, false
			}
			n++
		}
		for _, value := range v {
			switch value.(type) {
			case []any, map[string]any:
				m, ok := countHooks(value)
				if !ok {
					return 0, false
				}
				n += m
			}
		}
	}
	return n, true
}

func runs(command string, args any) bool {
	list, ok := args.([]any)
	if !ok {
		return args == nil && RunsHook(command)
	}
	words := make([]string, len(list))
	for i, a := range list {
		if words[i], ok = a.(string); !ok {
			return false
		}
	}
	return RunsHookArgs(command, words)
}
