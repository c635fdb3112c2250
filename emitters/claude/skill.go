package claude

import (
	"strings"

	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

// skillFile is named after the slug, since a skill's folder is its name.
func skillFile(skill surface.Skill) pluginsdk.File {
	front := pluginsdk.Frontmatter(
		pluginsdk.Field{Key: "name", Value: skill.Slug},
		pluginsdk.Field{Key: "description", Value: described(skill.Description, skill.Slug)},
		pluginsdk.Field{Key: "allowed-tools", Value: toolList(skill.Tools)},
	)
	return managed(skillsDir+skill.Slug+"/SKILL.md", front+"\n"+skill.Body, skill.Ref)
}

func commandFile(c surface.Command, l surface.Language) pluginsdk.File {
	front := pluginsdk.Frontmatter(
		pluginsdk.Field{Key: "description", Value: described(c.Description, c.Slug)},
		pluginsdk.Field{Key: "argument-hint", Value: c.ArgumentHint},
		pluginsdk.Field{Key: "allowed-tools", Value: toolList(c.Tools)},
	)
	body := c.Body
	if c.ArgumentHint != "" && !strings.Contains(body, "$ARGUMENTS") {
		body = strings.TrimRight(body, "\n") + "\n\n" + l.Text("Arguments : $ARGUMENTS", "Arguments: $ARGUMENTS") + "\n"
	}
	return managed(commandsDir+c.Slug+".md", front+"\n"+body, c.Ref)
}

// splitCommands sets apart the commands that a skill of the same name hides:
// Claude Code then loads the skill alone.
func splitCommands(s *surface.Surface) (commands, shadowed []surface.Command) {
	skills := map[string]bool{}
	for _, skill := range s.SharedSkills() {
		skills[strings.ToLower(skill.Slug)] = true
	}
	for _, c := range s.Commands {
		if skills[strings.ToLower(c.Slug)] {
			shadowed = append(shadowed, c)
		} else {
			commands = append(commands, c)
		}
	}
	return commands, shadowed
}
