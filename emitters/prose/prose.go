package prose

import (
	"context"
	"embed"
	"fmt"
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

// SkillsDir is where the copies of the skills stand.
const SkillsDir = "_grimoire/hosts/skills/"

//go:embed templates
var templateFiles embed.FS

var templates = pluginsdk.NewTemplates(templateFiles)

// Host is what sets one prose host apart from the others.
type Host struct {
	Profile pluginsdk.Profile
	// Head is the frontmatter of the entry file, nil for a host whose entry
	// file has none.
	Head func(surface.Language) string
	// Tools says what each verb covers on this host.
	Tools map[surface.ToolVerb]surface.Text
	// Templates hold the host's own words: "opening" (who reads this file)
	// and "enforcement" (what happens here to a rule that is not followed).
	Templates *pluginsdk.Templates
	// Reasons says why each surface is told in prose.
	Reasons Reasons
	// NamedEntry is true where the entry file bears grimoire's own name. A
	// hand-written one there is a conflict: with a frontmatter that is not
	// ours, a section in it would not be applied as it says.
	NamedEntry bool
	// EntryLimit is the size in bytes beyond which the host cuts its entry
	// file; 0 where no limit is known.
	EntryLimit int
}

// New returns the emitter of h.
func New(h Host) pluginsdk.Emitter { return emitter{h} }

type emitter struct{ host Host }

func (e emitter) Profile() pluginsdk.Profile { return e.host.Profile }

// Emit renders the entry file and the copies of the skills.
func (e emitter) Emit(ctx context.Context, s *surface.Surface) (*pluginsdk.Plan, error) {
	entry, err := e.entry(s)
	if err != nil {
		return nil, fmt.Errorf("emit %s: %w", e.host.Profile.Entrypoint, err)
	}
	plan := &pluginsdk.Plan{
		Files:        []pluginsdk.File{entry},
		Degradations: degradations(e.host, len(entry.Content)),
	}
	for _, skill := range s.Skills {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		file, err := skillCopy(s.Language, skill)
		if err != nil {
			return nil, fmt.Errorf("emit skill %s: %w", skill.Slug, err)
		}
		plan.Files = append(plan.Files, file)
	}
	return plan, nil
}

func (e emitter) entry(s *surface.Surface) (pluginsdk.File, error) {
	p := newPage(e.host, s)
	opening, err := e.host.Templates.Render(s.Language, "opening", p)
	if err != nil {
		return pluginsdk.File{}, err
	}
	enforcement, err := e.host.Templates.Render(s.Language, "enforcement", p)
	if err != nil {
		return pluginsdk.File{}, err
	}
	p.Opening = strings.TrimSpace(string(opening))
	p.Enforcement = strings.TrimSpace(string(enforcement))
	body, err := templates.Render(s.Language, "catalogue", p)
	if err != nil {
		return pluginsdk.File{}, err
	}
	if e.host.Head != nil {
		body = append([]byte(e.host.Head(s.Language)), body...)
	}
	name := e.host.Profile.Entrypoint
	return pluginsdk.File{
		Path:      name,
		Content:   pluginsdk.Managed(name, body),
		Ownership: pluginsdk.OwnedByMarker,
		Entry:     !e.host.NamedEntry,
		Limit:     e.host.EntryLimit,
		Sources:   sources(s),
	}, nil
}

// skillCopy depends on the surface alone, never on the host: the path is
// shared by every prose host.
func skillCopy(l surface.Language, skill surface.Skill) (pluginsdk.File, error) {
	body, err := templates.Render(l, "skill", map[string]string{
		"Slug":        Cell(skill.Slug),
		"Description": Cell(skill.Description),
		"Body":        strings.TrimSpace(skill.Body),
	})
	if err != nil {
		return pluginsdk.File{}, err
	}
	name := SkillsDir + skill.Slug + ".md"
	return pluginsdk.File{
		Path:      name,
		Content:   pluginsdk.Managed(name, body),
		Ownership: pluginsdk.OwnedByMarker,
		Sources:   []string{skill.Ref},
	}, nil
}

// sources lists where the catalogue comes from, in the order it is read.
func sources(s *surface.Surface) []string {
	var refs []string
	add := func(ref string) {
		if ref != "" && !slices.Contains(refs, ref) {
			refs = append(refs, ref)
		}
	}
	for _, a := range s.Agents {
		add(a.DefinitionRef)
		if a.OverrideRef != nil {
			add(*a.OverrideRef)
		}
	}
	for _, k := range s.Skills {
		add(k.Ref)
	}
	for _, c := range s.Commands {
		add(c.Ref)
	}
	return refs
}
