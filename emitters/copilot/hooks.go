package copilot

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

// handler is one entry of an event's list.
type handler struct {
	Type    string `json:"type"`
	Command string `json:"command"`
	Timeout int    `json:"timeout"` // seconds
}

// heard are the hooks whose event tells something of the calls they are about.
// A command that fails is a success for Copilot, with its exit code in the text
// (observed CLI 1.0.102): the failures of commands alone are none it tells of.
func heard(hooks []surface.Hook) []surface.Hook {
	return slices.DeleteFunc(slices.Clone(hooks), func(h surface.Hook) bool {
		return h.Event == surface.PostToolUseFailure && slices.Equal(h.Matcher, []surface.ToolFamily{surface.FamilyExecute})
	})
}

// hookFile is one file a hook. It names no matcher: Copilot's are read in two
// ways and VS Code ignores them, so the hook itself selects the calls. The
// time-out is explicit, since Copilot runs the tool when it is reached.
func hookFile(h surface.Hook, l surface.Language) (pluginsdk.File, error) {
	name, ok := wireNames[h.Event]
	if !ok {
		return pluginsdk.File{}, fmt.Errorf("GitHub Copilot has no event %q", h.Event)
	}
	doc := struct {
		Version int                  `json:"version"`
		Hooks   map[string][]handler `json:"hooks"`
	}{1, map[string][]handler{name: {{"command", pluginsdk.HookCommand(alias, name, h, l), h.Timeout}}}}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // the command stays the line people can paste
	enc.SetIndent("", "  ")
	if err := enc.Encode(doc); err != nil {
		return pluginsdk.File{}, err
	}
	return pluginsdk.File{
		Path:    hooksDir + "grimoire-" + strings.ReplaceAll(string(h.Event), "_", "-") + ".json",
		Content: b.Bytes(), Ownership: pluginsdk.OwnedByHooks,
	}, nil
}
