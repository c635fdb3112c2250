package opencode

import (
	"regexp"
	"strings"

	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

// What opencode does to a command's body before the model reads it, with no
// permission check and past every plugin (observed 1.18.33): it fills in the
// arguments, then runs each !`line` in a shell and attaches each @file. A
// body can hide either behind an argument that will be empty, as in
// "!$1`line`".
var (
	inlineShell = regexp.MustCompile("!((?:\\$(?:ARGUMENTS|[0-9]+))*)`")
	attachment  = regexp.MustCompile("(^|[^\\w`]|\\$(?:ARGUMENTS|[0-9]+))(@[^\\s`,)\\]\"']+)")
	// positional arguments count from one here and from zero elsewhere, and
	// the last one takes all the rest.
	positional = regexp.MustCompile(`\$[0-9]`)
)

// command emits one command.
func command(l surface.Language, c surface.Command) pluginsdk.File {
	head := pluginsdk.Frontmatter(pluginsdk.Field{Key: "description", Value: c.Description})
	body := strings.TrimSpace(defuse(c.Body))
	if c.ArgumentHint != "" && !strings.Contains(body, "$ARGUMENTS") {
		body += "\n\n" + l.Text("Argument reçu : $ARGUMENTS", "Argument received: $ARGUMENTS")
	}
	return managed(".opencode/command/"+c.Slug+".md", head+"\n"+body+"\n", c.Ref)
}

// defuse keeps the text of a body and takes away what opencode would do with
// it: the model reads the line or the name, and uses its own tools, which
// are guarded. A space parts the shell line's two marks; a file's name in a
// code span is not attached.
func defuse(body string) string {
	body = inlineShell.ReplaceAllString(body, "! ${1}`")
	return attachment.ReplaceAllString(body, "${1}`${2}`")
}
