package project

import (
	"sort"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/grimoire-kit/grimoire/core/kit"
	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/fault"
	"github.com/grimoire-kit/grimoire/surface/frontmatter"
	"github.com/grimoire-kit/grimoire/surface/persona"
	"github.com/grimoire-kit/grimoire/surface/slug"
)

// document is a skill or a command as its file gives it.
type document struct {
	slug string
	ref  string // project-relative path, or the bundled text's own name
	fm   frontmatter.Block
	warn func(line int, fr, en string)
}

// documents reads the project's own files of one kind, "skills" or "commands".
// A file in the overrides hides the kit's of the same name.
func (l *loader) documents(kind string) []document {
	var out []document
	stems := map[string]bool{}
	slugs := map[string]string{} // folded slug → the file that has it
	for _, tier := range []string{"overrides", "kit"} {
		files, skipped := l.tree.markdown(Folder + "/" + tier + "/" + kind)
		l.skip(skipped...)
		for _, file := range files {
			if stems[file.stem] {
				continue
			}
			stems[file.stem] = true
			d, ok := l.document(file)
			if !ok {
				continue
			}
			if by, dup := slugs[slug.Fold(d.slug)]; dup {
				l.skip(Skipped{Path: file.path, Reason: surface.Text{
					FR: "le nom " + d.slug + " est déjà celui de " + by + " (la casse ne compte pas)",
					EN: "the name " + d.slug + " is already that of " + by + " (case does not count)"}})
				continue
			}
			slugs[slug.Fold(d.slug)] = file.path
			out = append(out, d)
		}
	}
	return out
}

func (l *loader) document(file mdFile) (document, bool) {
	text, err := l.tree.prose(file.path)
	if err != nil {
		l.skip(Skipped{Path: file.path, Reason: fault.Text(err)})
		return document{}, false
	}
	d := document{slug: slug.Of(file.stem), ref: file.path, fm: frontmatter.Split(text)}
	d.warn = func(line int, fr, en string) {
		l.warn(Warning{Path: file.path, Line: line, Text: surface.Text{FR: fr, EN: en}})
	}
	switch {
	case d.slug == "":
		l.skip(Skipped{Path: file.path, Reason: surface.Text{
			FR: "le nom de fichier ne contient ni lettre ni chiffre ASCII",
			EN: "the file name holds no ASCII letter or digit"}})
		return document{}, false
	case strings.EqualFold(file.stem, "readme") && !d.fm.Present:
		l.skip(Skipped{Path: file.path, Reason: surface.Text{
			FR: "un README sans frontmatter n'est ni une compétence ni une commande", EN: "a README without frontmatter is neither a skill nor a command"}})
		return document{}, false
	case d.slug != file.stem:
		d.warn(0, "le nom de fichier "+surface.Quoted(file.stem)+" devient "+d.slug, "the file name "+surface.Quoted(file.stem)+" becomes "+d.slug)
	}
	if f := d.fm.Fault; f != nil {
		d.warn(f.Line, "frontmatter illisible ("+f.Text.FR+") : seules la lecture et la recherche sont accordées",
			"unreadable frontmatter ("+f.Text.EN+"): only read and search are granted")
	} else if d.fm.Stray > 0 {
		d.warn(d.fm.Stray, "des octets ne sont pas de l'UTF-8 : U+FFFD les remplace", "bytes are not UTF-8: U+FFFD stands in for them")
	}
	return d, true
}

// bundled reads the texts that ship with grimoire and make sense here.
func (l *loader) bundled(docs []kit.Doc) []document {
	out := make([]document, 0, len(docs))
	for _, d := range docs {
		if d.Enrolled && !l.project.Enrolled {
			continue
		}
		out = append(out, document{
			slug: d.Slug, ref: d.Ref, fm: frontmatter.Split(string(d.Content)),
			warn: func(int, string, string) {}, // our own texts are tested where they live
		})
	}
	return out
}

func (d document) text(key, otherwise string) string {
	if s := d.fm.Text(key, d.warn); s != "" {
		return s
	}
	return otherwise
}

func (d document) verbs(otherwise ...surface.ToolVerb) []surface.ToolVerb {
	if d.fm.Fault != nil {
		return persona.Watching()
	}
	if known := persona.Verbs(d.fm, d.warn); known != nil {
		return known
	}
	return append([]surface.ToolVerb{}, otherwise...)
}

// body is the text without blank lines around it.
func (d document) body() string { return strings.TrimSpace(d.fm.Body) + "\n" }

// skills are the bundled skills and the project's, which win.
func (l *loader) skills() []surface.Skill {
	bySlug := map[string]surface.Skill{}
	for _, d := range append(l.bundled(kit.Skills(l.surface.Language)), l.documents("skills")...) {
		bySlug[slug.Fold(d.slug)] = surface.Skill{
			Slug:        d.slug,
			Name:        d.text("name", d.slug),
			Description: d.text("description", d.slug),
			Tools:       d.verbs(),
			Body:        d.body(),
			Ref:         d.ref,
		}
	}
	return sorted(bySlug, func(s surface.Skill) string { return s.Slug })
}

// commands are the bundled commands, the project's, which win, and the workflow
// prompts whose slug nothing else has.
func (l *loader) commands() []surface.Command {
	bySlug := map[string]surface.Command{}
	add := func(d document, source surface.CommandSource, verbs ...surface.ToolVerb) {
		hint := d.hint()
		bySlug[slug.Fold(d.slug)] = surface.Command{
			Slug:         d.slug,
			Description:  d.text("description", d.slug),
			ArgumentHint: hint,
			Tools:        d.verbs(verbs...),
			Source:       source,
			Body:         d.body(),
			Ref:          d.ref,
		}
	}
	for _, d := range append(l.bundled(kit.Commands(l.surface.Language)), l.documents("commands")...) {
		add(d, surface.CommandHost, surface.Read, surface.Execute)
	}
	for _, d := range l.bundled(kit.Workflows(l.surface.Language)) {
		if _, had := bySlug[slug.Fold(d.slug)]; !had {
			add(d, surface.CommandWorkflow, surface.Read, surface.Search)
		}
	}
	return sorted(bySlug, func(c surface.Command) string { return c.Slug })
}

// hint is the argument hint. People write it as hosts show it, `[task-id]` or
// `{id: name}`, which YAML takes for a list or a mapping.
func (d document) hint() string {
	for _, key := range []string{"argument-hint", "argument_hint"} {
		f := d.fm.Fields[key]
		if list, whole := f.Items(frontmatter.OneWord); whole && len(list) > 0 {
			words := make([]string, len(list))
			for i, it := range list {
				words[i] = it.Value
			}
			if _, one := f.Scalar(); one {
				return words[0]
			}
			return "[" + strings.Join(words, ", ") + "]"
		}
		if f.Value != nil && f.Value.Kind == yaml.MappingNode && f.Value.Style&yaml.FlowStyle != 0 {
			if raw, _, ok := frontmatter.Raw(d.fm.Raw, key); ok && strings.HasSuffix(raw, "}") {
				return raw
			}
		}
		if s := d.text(key, ""); s != "" {
			return s
		}
	}
	return ""
}

func sorted[T any](m map[string]T, slug func(T) string) []T {
	out := make([]T, 0, len(m))
	for _, v := range m {
		out = append(out, v)
	}
	sort.Slice(out, func(i, j int) bool { return slug(out[i]) < slug(out[j]) })
	return out
}
