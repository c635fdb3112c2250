package copilot

import (
	"regexp"
	"strings"

	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

func skillFile(skill surface.Skill) pluginsdk.File {
	return skillNamed(skill.Slug, skill.Description, skill.Body, skill.Ref)
}

// commandSkill is a command in the one form that Copilot CLI loads: it reads
// no `.github/prompts`. What a person types after `/slug` it puts in the place
// of $ARGUMENTS, in a skill of .github/skills too (observed 1.0.102, in a
// terminal).
func commandSkill(c surface.Command, l surface.Language) pluginsdk.File {
	body := c.Body
	if c.ArgumentHint != "" && !strings.Contains(body, "$ARGUMENTS") {
		body = withLine(body, l.Text("Arguments : ", "Arguments: ")+"$ARGUMENTS")
	}
	return skillNamed(c.Slug, c.Description, body, c.Ref)
}

func skillNamed(slug, description, body, ref string) pluginsdk.File {
	front := pluginsdk.Frontmatter(
		pluginsdk.Field{Key: "name", Value: slug},
		pluginsdk.Field{Key: "description", Value: described(description, slug)},
	)
	return managed(skillsDir+slug+"/SKILL.md", front+"\n"+body, ref)
}

// shadowed reports whether a skill already has the command's name, and so its
// folder.
func shadowed(c surface.Command, skills []surface.Skill) bool {
	for _, skill := range skills {
		if strings.EqualFold(skill.Slug, c.Slug) {
			return true
		}
	}
	return false
}

// arguments is the word for what follows a command on the other hosts.
var arguments = regexp.MustCompile(`\$ARGUMENTS\b`)

// promptFile is a command for VS Code's own harness, which knows no $ARGUMENTS
// and asks for each ${input:name:hint} (documented, not run). A brace would end
// that: a hint's are written as parentheses. The workflow prompts of
// that folder belong to the project's scaffolding, not to this emitter.
func promptFile(c surface.Command, l surface.Language) pluginsdk.File {
	front := pluginsdk.Frontmatter(
		pluginsdk.Field{Key: "description", Value: described(c.Description, c.Slug)},
		pluginsdk.Field{Key: "agent", Value: delegate},
		pluginsdk.Field{Key: "tools", Value: toolList(c.Tools)},
	)
	input := "${input:argument}"
	if c.ArgumentHint != "" {
		input = "${input:argument:" + strings.NewReplacer("{", "(", "}", ")").Replace(pluginsdk.Inline(c.ArgumentHint)) + "}"
	}
	body := arguments.ReplaceAllLiteralString(c.Body, input)
	if c.ArgumentHint != "" && !strings.Contains(body, "${input") {
		body = withLine(body, l.Text("Arguments : ", "Arguments: ")+input)
	}
	return managed(promptsDir+c.Slug+".prompt.md", front+"\n"+body, c.Ref)
}

// withLine adds a last paragraph to a body.
func withLine(body, line string) string {
	return strings.TrimRight(body, "\n") + "\n\n" + line + "\n"
}
