package policy

import (
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/surface"
)

// Pattern selects tool calls, in the words of Claude Code's permissions:
// `*`, `Tool`, `Tool(body)`, `Tool(prefix:*)`.
//
// The name is compared with the host's own name of the tool and with the
// names other hosts give the same tool, so that one rule holds everywhere.
type Pattern struct {
	text string
	name string // glob
	body string // glob over the call's detail, "*" where there is none
}

var everyCall = Pattern{text: "*", name: "*", body: "*"}

// ParsePattern reads a pattern. It reports false for a text that could never
// match a call: empty, without a name or a body, or with a parenthesis that is
// not closed at the end.
func ParsePattern(s string) (Pattern, bool) {
	name, body, found := strings.Cut(s, "(")
	if !found {
		return Pattern{text: s, name: s, body: "*"}, s != "" && !strings.Contains(s, ")")
	}
	body, closed := strings.CutSuffix(body, ")")
	return Pattern{text: s, name: name, body: body}, closed && name != "" && body != ""
}

// String returns the pattern as it was written.
func (p Pattern) String() string { return p.text }

// All reports whether the pattern selects every call.
func (p Pattern) All() bool { return p.name == "*" && p.body == "*" }

// matches reports whether a pattern selects the call. A call without a detail
// is selected only by bodies that ask for nothing.
func (c *Call) matches(p Pattern) bool {
	if !p.matchName(c.Tool, c.Family) {
		return false
	}
	return p.body == "*" || slices.ContainsFunc(c.details(), func(d string) bool { return d != "" && matchBody(p.body, d) })
}

func (p Pattern) matchName(raw string, family surface.ToolFamily) bool {
	if glob(p.name, raw) {
		return true
	}
	if family == surface.FamilyMCP {
		return p.matchMCP(raw)
	}
	if !strings.Contains(p.name, "*") {
		return sameTool(p.name, raw)
	}
	// A wildcard ranges over the host's own names and Claude Code's, in which
	// rules are written; ranging over every host's would select by accident.
	return slices.ContainsFunc(byName()[raw], func(t *tool) bool { return glob(p.name, t.names[0]) })
}

func (p Pattern) matchMCP(raw string) bool {
	if p.name == "mcp__*" { // any server, however the host spells its tools
		return true
	}
	return slices.ContainsFunc(mcpSpellings(p.name), func(s string) bool { return glob(s, raw) }) ||
		slices.ContainsFunc(mcpSpellings(raw), func(s string) bool { return glob(p.name, s) })
}

// matchBody compares a body with a call's detail. `prefix:*` selects details
// that are the prefix or start with it as whole words.
func matchBody(body, detail string) bool {
	if prefix, ok := strings.CutSuffix(body, ":*"); ok {
		rest, ok := strings.CutPrefix(detail, prefix)
		return ok && (rest == "" || rest[0] == ' ')
	}
	return glob(body, detail)
}

// glob matches the whole of s, `*` being the only wildcard, in linear memory
// and without backtracking over more than the last `*`.
func glob(pattern, s string) bool {
	p, i, star, mark := 0, 0, -1, 0
	for i < len(s) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, mark = p, i
			p++
		case p < len(pattern) && pattern[p] == s[i]:
			p++
			i++
		case star >= 0:
			mark++
			p, i = star+1, mark
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}

// families are the calls a host must show for the pattern to be able to
// match: nil stands for all of them.
func (p Pattern) families() []surface.ToolFamily {
	if strings.HasPrefix(p.name, "mcp__") {
		return []surface.ToolFamily{surface.FamilyMCP}
	}
	known := byName()[p.name]
	if strings.Contains(p.name, "*") || len(known) == 0 {
		return nil
	}
	var out []surface.ToolFamily
	for _, t := range known {
		if !slices.Contains(out, t.family) {
			out = append(out, t.family)
		}
	}
	return out
}
