package opencode

import (
	"github.com/grimoire-kit/grimoire/emitters/prose"
	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

// instructions emits the file that opencode.json lists: what opencode loads
// nowhere else. It is the only place that can name the entry persona, since
// nothing a plugin answers at the start of a session reaches the model.
func (e emitter) instructions(s *surface.Surface, names map[string]string) (pluginsdk.File, error) {
	data := struct {
		Entry       *entry
		Gates       bool
		Skills      bool
		Deny, Ask   string
		HasCommands bool
	}{
		Skills:      len(s.Skills) > 0,
		HasCommands: len(s.Commands) > 0,
		Deny:        prose.CodeList(s.Permissions.Deny),
		Ask:         prose.CodeList(s.Permissions.Ask),
	}
	var sources []string
	if a, ok := s.Entry(); ok {
		data.Entry = &entry{
			Name:        prose.Code(names[a.Name]),
			Description: prose.Inline(a.Description),
			Definition:  prose.Code(a.DefinitionRef),
			Verbs:       prose.CodeList(a.Tools),
		}
		sources = append(sources, a.DefinitionRef)
	}
	if h, ok := s.Hook(surface.Stop); ok && s.Governed && h.Enforcement == surface.Blocking {
		data.Gates = true
	}
	body, err := e.templates.Render(s.Language, "instructions", data)
	if err != nil {
		return pluginsdk.File{}, err
	}
	return managed(instructionsPath, string(body), sources...), nil
}

type entry struct{ Name, Description, Definition, Verbs string }
