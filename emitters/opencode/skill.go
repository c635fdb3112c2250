package opencode

import (
	"strings"

	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

func skillPath(slug string) string { return ".opencode/skill/" + slug + "/SKILL.md" }

// skill emits one skill. opencode takes the name from the frontmatter and
// lists no skill without a description.
func skill(k surface.Skill) pluginsdk.File {
	head := pluginsdk.Frontmatter(
		pluginsdk.Field{Key: "name", Value: k.Slug},
		pluginsdk.Field{Key: "description", Value: k.Description},
	)
	return managed(skillPath(k.Slug), head+"\n"+strings.TrimSpace(k.Body)+"\n", k.Ref)
}
