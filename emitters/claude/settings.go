package claude

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

// handler is one entry of a hook group.
type handler struct {
	Type    string `json:"type"`
	Command string `json:"command"`
	Timeout int    `json:"timeout"` // seconds
}

// settings asks for our hooks and permission rules in the user's settings. It
// first states the shapes it counts on: Claude Code drops the whole file, in
// silence, for one that is not so (observed 2.1.332).
func settings(s *surface.Surface) (pluginsdk.Merge, error) {
	rules := permissionRules(s.Permissions)
	ops := []pluginsdk.Op{expect("object", "hooks"), expect("object", "permissions")}
	for _, list := range rules {
		ops = append(ops, expect("array", "permissions", list.name))
	}
	for _, h := range s.Hooks {
		name, ok := wireNames[h.Event]
		if !ok {
			return pluginsdk.Merge{}, fmt.Errorf("hook %s: Claude Code has no event %q", h.Decision, h.Event)
		}
		entry, err := encode(handler{"command", pluginsdk.HookCommand(alias, name, h, s.Language), h.Timeout})
		if err != nil {
			return pluginsdk.Merge{}, fmt.Errorf("hook %s: %w", h.Decision, err)
		}
		ops = append(ops, expect("array", "hooks", name), pluginsdk.Op{
			Kind: pluginsdk.OpEnsureHook, Path: []string{"hooks", name},
			Matcher: matcher(h, deniesReads(s.Permissions)), Value: entry,
		})
	}
	for _, list := range rules {
		for _, rule := range list.rules {
			value, err := encode(rule)
			if err != nil {
				return pluginsdk.Merge{}, fmt.Errorf("permission %s: %w", rule, err)
			}
			ops = append(ops, pluginsdk.Op{
				Kind: pluginsdk.OpEnsureString, Path: []string{"permissions", list.name}, Value: value,
			})
		}
	}
	// Claude Code drops the file for a comment or a trailing comma (observed
	// 2.1.332), and Copilot its hooks (1.0.102).
	return pluginsdk.Merge{Path: settingsFile, Plain: true, Ops: ops}, nil
}

func expect(shape string, path ...string) pluginsdk.Op {
	return pluginsdk.Op{Kind: pluginsdk.OpExpect, Path: path, Value: json.RawMessage(`"` + shape + `"`)}
}

// encode keeps `>`, `&` and `<` as people write them in a shell line.
func encode(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(b.Bytes()), nil
}

type ruleList struct {
	name  string
	rules []string
}

// permissionRules is the table in Claude Code's words, without the rules that
// it has no word for.
func permissionRules(p surface.Permissions) []ruleList {
	lists := []ruleList{{"deny", p.Deny}, {"ask", p.Ask}, {"allow", p.Allow}}
	for i, list := range lists {
		var rules []string
		for _, neutral := range list.rules {
			if rule, ok := permissionRule(neutral); ok {
				rules = append(rules, rule)
			}
		}
		lists[i].rules = rules
	}
	return lists
}

// permissionRule translates one rule. An edit rule is `Edit(path)`, which also
// covers Write and a shell's redirection; `Write(path)` stops nothing
// (observed 2.1.332).
func permissionRule(neutral string) (string, bool) {
	verb, what, _ := strings.Cut(neutral, ":")
	switch surface.ToolVerb(verb) {
	case surface.Read:
		return "Read(" + pathPattern(what) + ")", true
	case surface.Edit:
		return "Edit(" + pathPattern(what) + ")", true
	case surface.Execute:
		prefix, open := strings.CutSuffix(what, "*")
		if prefix = strings.TrimSpace(prefix); open && prefix == "" {
			return "Bash", true
		} else if open {
			return "Bash(" + prefix + ":*)", true
		}
		return "Bash(" + prefix + ")", true
	}
	return "", false
}

// pathPattern anchors a glob at the project. The dot of `.env` is part of its
// name; only `./` and `/` in front are dropped.
func pathPattern(glob string) string {
	for {
		short := strings.TrimPrefix(strings.TrimPrefix(glob, "./"), "/")
		if short == glob {
			return "./" + glob
		}
		glob = short
	}
}

func deniesReads(p surface.Permissions) bool {
	for _, rule := range p.Deny {
		if strings.HasPrefix(rule, string(surface.Read)+":") {
			return true
		}
	}
	return false
}
