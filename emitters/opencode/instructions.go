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
		Gates:       prose.Gates(s),
		Skills:      len(s.Skills) > 0,
		HasCommands: len(s.Commands) > 0,
		Deny:        prose.CodeCells(s.Permissions.Deny),
		Ask:         prose.CodeCells(s.Permissions.Ask),
	}
	var sources []string
	if a, ok := s.Entry(); ok {
		data.Entry = &entry{
			Name:        prose.CodeCell(names[a.Name]),
			Description: prose.Cell(a.Description),
			Definition:  prose.CodeCell(a.DefinitionRef),
			Verbs:       prose.CodeCells(a.Tools),
		}
		sources = append(sources, a.DefinitionRef)
	}
	body, err := e.templates.Render(s.Language, "instructions", data)
	if err != nil {
		return pluginsdk.File{}, err
	}
	return managed(instructionsPath, string(body), sources...), nil
}

type entry struct{ Name, Description, Definition, Verbs string }
