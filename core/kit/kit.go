// Package kit holds the texts that ship with grimoire: starter personas,
// skills, commands and workflow prompts, in French and English. They are
// ordinary files of a project's formats: core/scaffold copies them into a
// project, and core/project reads the skills, commands and workflows that a
// project has no copy of straight from here.
//
// It knows nothing of hosts, and only core and cmd import it.
package kit

import (
	"embed"
	"path"
	"strings"

	"github.com/grimoire-kit/grimoire/surface"
)

//go:embed texts
var texts embed.FS

// Doc is one text.
type Doc struct {
	Slug    string
	Content []byte
	// Enrolled is true for a text that only makes sense in a project enrolled
	// in the standard.
	Enrolled bool
	// Ref names the text in plans and messages: "grimoire:skills/<slug>".
	Ref string
}

// enrolledOnly are the texts that talk of gates and evidence.
var enrolledOnly = map[string]bool{
	"grimoire-evidence": true,
	"grimoire-gate":     true,
	"grimoire-proof":    true,
	"grimoire-verify":   true,
}

// Agents are the starter personas.
func Agents(l surface.Language) []Doc { return read(l, "agents") }

// Skills are the bundled skills.
func Skills(l surface.Language) []Doc { return read(l, "skills") }

// Commands are the bundled commands.
func Commands(l surface.Language) []Doc { return read(l, "commands") }

// Workflows are the workflow prompts.
func Workflows(l surface.Language) []Doc { return read(l, "workflows") }

// read returns the texts of one kind, sorted by slug.
func read(l surface.Language, kind string) []Doc {
	lang := surface.Text{FR: "fr", EN: "en"}.In(l)
	dir := path.Join("texts", lang, kind)
	entries, err := texts.ReadDir(dir)
	if err != nil {
		panic(err) // the folder is embedded: only a broken build lacks it
	}
	docs := make([]Doc, 0, len(entries))
	for _, e := range entries {
		content, err := texts.ReadFile(path.Join(dir, e.Name()))
		if err != nil {
			panic(err)
		}
		slug := strings.TrimSuffix(e.Name(), ".md")
		docs = append(docs, Doc{
			Slug:     slug,
			Content:  content,
			Enrolled: enrolledOnly[slug],
			Ref:      "grimoire:" + kind + "/" + slug,
		})
	}
	return docs
}

// Standard is the template of a file of the standard, by its name:
// "mission-brief.md". Both languages stand in one template, side by side, so
// that keys cannot differ between them.
func Standard(name string) string {
	content, err := texts.ReadFile(path.Join("texts", "standard", name))
	if err != nil {
		panic(err) // the name is one of ours: only a broken build lacks it
	}
	return string(content)
}
