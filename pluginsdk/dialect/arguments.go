package dialect

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/grimoire-kit/grimoire/surface"
)

// readTool fills what the tool tables say about the call: name, family,
// arguments and edits.
func (c *Call) readTool(own, common toolTable, input gjson.Result) {
	t, ok := own.find(c.Tool)
	if !ok {
		t, ok = common.find(c.Tool)
	}
	if !ok {
		t = tool{family: surface.FamilyOther}
	}
	if t.generic {
		if every, ok := common.find(everyTool); ok {
			t.args = every.args
		}
	}
	c.Canonical = c.Tool
	if t.as != "" {
		c.Canonical = t.as
	}
	c.Family = t.family
	input = unwrap(input)
	members := pick(input, t.args)
	edits := edits{}
	for _, a := range t.args {
		read := func(i int, v gjson.Result) {
			if a.kind == Words {
				c.follow(v)
				return
			}
			if a.kind == Command && v.IsArray() {
				c.add(a.kind, a.path, commandLine(v))
				return
			}
			for _, text := range texts(v) {
				c.add(a.kind, a.path, text)
				edits.add(i, a.kind, text)
			}
		}
		if a.path == whole {
			read(-1, input)
			continue
		}
		key, rest, _ := strings.Cut(a.path, ".")
		each(members.get(key), rest, -1, read)
	}
	c.Changes = append(c.Changes, edits.changes()...)
	// A tool that no table names and that takes a command runs it.
	unknown := t.name == everyTool || t.generic
	if unknown && c.Family == surface.FamilyOther && slices.ContainsFunc(c.Args, func(a Arg) bool { return a.Kind == Command }) {
		c.Family = surface.FamilyExecute
	}
}

const everyTool = "*"

// texts returns what a value says: itself, or the elements of a list. An
// object says nothing.
func texts(v gjson.Result) []string {
	switch {
	case v.IsObject():
		return nil
	case !v.IsArray():
		return []string{v.String()}
	}
	var out []string
	v.ForEach(func(_, item gjson.Result) bool {
		if !item.IsObject() && !item.IsArray() && item.Type != gjson.Null {
			out = append(out, item.String())
		}
		return true
	})
	return out
}

// unwrap reads an input that is a JSON document inside a string: some hosts
// hand on the model's arguments as they came.
func unwrap(input gjson.Result) gjson.Result {
	if input.Type == gjson.String && strings.HasPrefix(strings.TrimSpace(input.Str), "{") && !tooDeep(input.Str) && gjson.Valid(input.Str) {
		return gjson.Parse(input.Str)
	}
	return input
}

// add records an argument and what can be read in it.
func (c *Call) add(k Kind, key, value string) {
	if value == "" {
		return
	}
	switch k {
	case Path, Pattern:
		value = localPath(value)
	case Folder:
		value = localPath(value)
		c.WorkDir = below(c.Cwd, value)
	case URL:
		if p := localPath(value); p != value {
			c.Args = append(c.Args, Arg{Path, key, p})
		}
	case Patch:
		c.addPatch(key, value)
	case Command:
		if patch, ok := shellPatch(value); ok {
			c.addPatch(key, patch)
		}
	}
	c.Args = append(c.Args, Arg{k, key, value})
}

// follow puts words behind the command that stands before them.
func (c *Call) follow(words gjson.Result) {
	if len(c.Args) == 0 || c.Args[len(c.Args)-1].Kind != Command {
		return
	}
	line := &c.Args[len(c.Args)-1].Value
	if words.IsArray() {
		*line += " " + commandLine(words)
	} else if words.Type == gjson.String {
		*line += " " + words.Str
	}
}

func (c *Call) addPatch(key, text string) {
	for _, change := range patchChanges(text) {
		c.Changes = append(c.Changes, change)
		c.Args = append(c.Args, Arg{Path, key, change.Path})
	}
}

// edits gathers old and new texts by the element of the array they stand in;
// -1 is the tool's input itself.
type edits map[int]*Change

func (e edits) add(index int, k Kind, value string) {
	c := e[index]
	if c == nil {
		c = &Change{}
		e[index] = c
	}
	switch k {
	case Path:
		if c.Path == "" {
			c.Path = localPath(value)
		}
	case Old:
		c.Old = value
	case New:
		c.New = value
	case Content:
		c.New, c.Whole = value, true
	}
}

// changes returns the edits in order. One in an array that names no file
// changes the file the input names.
func (e edits) changes() []Change {
	outer := e[-1]
	var out []Change
	for _, i := range slices.Sorted(maps.Keys(e)) {
		c := e[i]
		if c.Path == "" && outer != nil {
			c.Path = outer.Path
		}
		if c.Path != "" && (c.Old != "" || c.New != "" || c.Whole) {
			out = append(out, *c)
		}
	}
	return out
}

// localPath turns a file: URI into the path it names, and leaves anything
// else alone.
func localPath(s string) string {
	rest, ok := cutFold(s, "file://")
	if !ok {
		return s
	}
	if i := strings.IndexByte(rest, '/'); i >= 0 && (i == 0 || strings.EqualFold(rest[:i], "localhost")) {
		rest = rest[i:]
	}
	if path, err := url.PathUnescape(rest); err == nil {
		rest = path
	}
	if len(rest) > 2 && rest[0] == '/' && rest[2] == ':' {
		rest = rest[1:] // file:///C:/x
	}
	return rest
}

// below joins path to folder, unless it is absolute on some system.
func below(folder, path string) string {
	drive := len(path) > 1 && path[1] == ':'
	if folder == "" || drive || strings.HasPrefix(path, "/") || strings.HasPrefix(path, `\\`) || strings.HasPrefix(path, "~") {
		return path
	}
	return strings.TrimRight(folder, "/") + "/" + path
}

func cutFold(s, prefix string) (string, bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}

// commandLine joins a command given as words, each quoted where a shell would
// read it otherwise.
func commandLine(words gjson.Result) string {
	var b strings.Builder
	words.ForEach(func(_, word gjson.Result) bool {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		w := word.String()
		if w != "" && !strings.ContainsFunc(w, needsQuoting) {
			b.WriteString(w)
		} else {
			b.WriteString("'" + strings.ReplaceAll(w, "'", `'\''`) + "'")
		}
		return true
	})
	return b.String()
}

func needsQuoting(c rune) bool {
	return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("_-./=:,@%+", c))
}
