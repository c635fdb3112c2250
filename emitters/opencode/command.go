package opencode

import (
	"regexp"
	"strings"

	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

// positional arguments count from one here and from zero elsewhere, and the
// last one takes all the rest.
var positional = regexp.MustCompile(`\$[0-9]`)

// command emits one command.
func command(l surface.Language, c surface.Command) pluginsdk.File {
	head := pluginsdk.Frontmatter(pluginsdk.Field{Key: "description", Value: c.Description})
	body := strings.TrimSpace(defuse(c.Body))
	if c.ArgumentHint != "" && !strings.Contains(body, "$ARGUMENTS") {
		body += "\n\n" + l.Text("Argument reçu : $ARGUMENTS", "Argument received: $ARGUMENTS")
	}
	return managed(".opencode/command/"+c.Slug+".md", head+"\n"+body+"\n", c.Ref)
}

// defuse keeps the text of a body and takes away what opencode does with it
// before the model reads it, with no permission check and past every plugin
// (observed 1.18.33): it fills in the arguments, then runs each !`line` in a
// shell and attaches each @file. A space parts the two marks of a shell line;
// an @ in a code span names no file. The model reads both, and uses its own
// tools, which are guarded.
//
// An argument may be empty, and then joins what stands around it: "!$1`line`"
// runs, "x $1@file" attaches.
func defuse(body string) string {
	var b strings.Builder
	for i := range len(body) {
		switch c := body[i]; {
		case c == '!' && i+1 < len(body) && strings.IndexByte("`$@", body[i+1]) >= 0:
			b.WriteString("! ")
		case c == '@' && attaches(body[:i]):
			b.WriteString("`@`")
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// attaches reports whether an @ behind this text can name a file: opencode
// passes over one that follows a word or a backtick. Behind an argument it is
// anyone's guess.
func attaches(before string) bool {
	for i := len(before) - 1; i >= 0; i-- {
		switch c := before[i]; {
		case c == '$':
			return true
		case c == '_', '0' <= c && c <= '9', 'a' <= c|0x20 && c|0x20 <= 'z':
			continue
		default:
			return i == len(before)-1 && c != '`'
		}
	}
	return before == ""
}
