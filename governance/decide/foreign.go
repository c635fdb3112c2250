package decide

import (
	"slices"
	"strings"
	"unicode"

	"github.com/grimoire-kit/grimoire/governance/command"
	"github.com/grimoire-kit/grimoire/governance/policy"
	"github.com/grimoire-kit/grimoire/governance/secrets"
	"github.com/grimoire-kit/grimoire/pluginsdk/dialect"
	"github.com/grimoire-kit/grimoire/surface"
)

// foreign settles what a tool changes of which nothing is known but its name
// and its arguments: that of an MCP server, or one that the host's dialect does
// not list. It changes something if it is given a text for a file, or if its
// name says so.
func (f *facts) foreign(c *dialect.Call) {
	p := f.call
	verb := ""
	if c.Family == surface.FamilyMCP {
		verb = changingVerb(c.Tool)
	}
	if verb == "" && len(p.Changes) == 0 {
		return
	}
	if p.Mutation == policy.ReadOnly {
		p.Mutation = policy.Controlled
	}
	if len(p.Targets) > 0 {
		p.Kind = policy.KindFileWrite
	}
	for _, t := range p.Targets {
		if !slices.ContainsFunc(p.Changes, func(ch policy.Change) bool { return ch.Path == t }) {
			p.Changes = append(p.Changes, policy.Change{Path: t, Removed: verb != "" && strings.Contains("delete move rename remove", verb)})
		}
	}
}

// changingVerb is the word of an MCP tool's name that says it changes
// something, "" where there is none. The name of the server says nothing.
func changingVerb(tool string) string {
	words := wordsOf(tool)
	if at := strings.LastIndex(tool, "__"); at >= 0 {
		words = wordsOf(tool[at:])
	} else if len(words) > 1 {
		words = words[1:]
	}
	for _, w := range words {
		switch w {
		case "write", "edit", "create", "delete", "move", "rename", "remove", "patch", "append", "put", "insert", "replace", "update", "upload", "copy":
			return w
		}
	}
	return ""
}

// wordsOf takes a name like write_file, write-file or writeFile apart.
func wordsOf(name string) []string {
	var b strings.Builder
	for i, r := range name {
		if i > 0 && unicode.IsUpper(r) {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return strings.FieldsFunc(b.String(), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// programsIn are the command lines that would run the programs and statements
// among a call's arguments. Of a program the language is not told: it is taken
// for each that is read here.
func programsIn(c *dialect.Call) []string {
	var out []string
	quoted := func(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
	for _, code := range c.Values(dialect.Code) {
		for _, interpreter := range []string{"python3 -c ", "node -e ", "ruby -e "} {
			out = append(out, interpreter+quoted(code))
		}
	}
	for _, q := range c.Values(dialect.Query) {
		first, _, _ := strings.Cut(strings.TrimSpace(q), " ")
		if slices.Contains(statements, strings.ToLower(first)) {
			out = append(out, "psql -c "+quoted(q))
		}
	}
	return out
}

// statements are the words that a statement for a database begins with, unlike
// a question in words.
var statements = []string{"alter", "begin", "create", "delete", "drop", "explain", "grant", "insert", "merge", "select", "set", "truncate", "update", "use", "with"}

// code adds the facts of a program of which the language is not known: only
// what is surely found in it counts.
func (f *facts) code(line string) {
	facts := command.Analyze(line, command.Options{})
	if len(facts.Destructive) > 0 && f.call.Mutation != policy.Destructive {
		f.call.Mutation, f.call.DestructiveLabel = policy.Destructive, facts.Destructive[0].Label.Text()
	}
	if m, ok := secrets.InCommand(facts); ok {
		f.secret(m)
	}
	f.call.Changes = append(f.call.Changes, changes(line, facts)...)
}
