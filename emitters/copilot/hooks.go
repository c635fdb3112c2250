package copilot

import (
	"bytes"
	"encoding/json"
	"fmt"
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
