package scaffold

import (
	"errors"
	"slices"

	"github.com/grimoire-kit/grimoire/core/kit"
	"github.com/grimoire-kit/grimoire/core/project"
	"github.com/grimoire-kit/grimoire/core/tree"
	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

// Action is what was decided for one file.
type Action string

const (
	Create  Action = "create"  // it is not there
	Refresh Action = "refresh" // ours and untouched, from an older grimoire
	Extend  Action = "extend"  // the team's, and a section is added
	Keep    Action = "keep"    // the team's, or ours and changed by hand
	Current Action = "current" // as it should be
)

// File is one file of the scaffold.
type File struct {
	Path   string
	Action Action

	content []byte
	target  *tree.File
}

// Options are the choices of `grimoire init` and `grimoire up`.
type Options struct {
	// Hosts are the known hosts in detection order.
	Hosts []pluginsdk.Profile
	// Enable overrides detection with these aliases.
	Enable []string
	// Language is used where the project does not say one.
	Language surface.Language
	// Force replaces kit files that were changed by hand. It never replaces
	// project-context.yaml or the shared memory page.
	Force bool
}

// Plan is what a project lacks. Nothing is written until Apply.
type Plan struct {
	Root  string
	New   bool     // there was no project-context.yaml
	Hosts []string // aliases enabled, declared or detected
	Stack []string
	Files []File

	tree *tree.Tree
}

// Prepare looks at the project at root, which may be an empty folder. Close
// the plan when done with it.
func Prepare(root string, o Options) (*Plan, error) {
	cfg, err := project.ReadConfig(root)
	if err != nil {
		return nil, err
	}
	l := o.Language
	if own, ok := surface.ParseLanguage(cfg.Language); ok {
		l = own
	}
	t, err := tree.Open(root)
	if err != nil {
		return nil, err
	}
	p := &Plan{Root: t.Dir(), New: !cfg.Declared, Stack: Stack(root), tree: t}
	switch {
	case len(o.Enable) > 0:
		p.Hosts = o.Enable
	case cfg.Hosts.EnabledDeclared:
		for _, h := range cfg.Hosts.Enabled {
			p.Hosts = append(p.Hosts, h.Name)
		}
	default:
		p.Hosts = project.Detect(root, o.Hosts)
	}
	if err := p.decide(cfg, o, l); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return p, nil
}

// Close ends the plan.
func (p *Plan) Close() error { return p.tree.Close() }

// Pending lists the files that Apply would write.
func (p *Plan) Pending() []File {
	return slices.DeleteFunc(slices.Clone(p.Files), func(f File) bool {
		return f.Action == Keep || f.Action == Current
	})
}

func (p *Plan) decide(cfg project.Config, o Options, l surface.Language) error {
	if err := p.context(cfg, l); err != nil {
		return err
	}
	enrolled := project.IsEnrolled(p.Root)
	for _, set := range []struct {
		dir  string
		docs []kit.Doc
	}{
		{"_grimoire/kit/agents/", kit.Agents(l)},
		{"_grimoire/kit/skills/", kit.Skills(l)},
		{"_grimoire/kit/commands/", kit.Commands(l)},
	} {
		for _, d := range set.docs {
			if d.Enrolled && !enrolled {
				continue
			}
			if err := p.managed(set.dir+d.Slug+".md", d.Content, o.Force); err != nil {
				return err
			}
		}
	}
	if slices.Contains(p.Hosts, "copilot") {
		for _, d := range kit.Workflows(l) {
			if err := p.managed(".github/prompts/"+d.Slug+".prompt.md", d.Content, o.Force); err != nil {
				return err
			}
		}
	}
	return p.once("_grimoire/_memory/shared-context.md", []byte(l.Text(
		"# Ce que tout le monde doit savoir\n\nUne ligne par fait : ce qui est décidé, pourquoi, et ce qui ferait changer d'avis.\n",
		"# What everyone should know\n\nOne line per fact: what was decided, why, and what would make us change our mind.\n")))
}

// context decides for project-context.yaml.
func (p *Plan) context(cfg project.Config, l surface.Language) error {
	f, err := p.tree.Read(project.ConfigFile)
	if err != nil {
		return err
	}
	file := File{Path: project.ConfigFile, Action: Current, target: f}
	if !f.Exists() {
		file.Action, file.content = Create, contextFile(p.Root, p.Hosts, l)
	} else if content := withHosts(f.Data, cfg, p.Hosts, l); content != nil {
		file.Action, file.content = Extend, content
	}
	p.Files = append(p.Files, file)
	return nil
}

// once decides for a file that belongs to the team as soon as it exists.
func (p *Plan) once(path string, content []byte) error {
	f, err := p.tree.Read(path)
	if err != nil {
		return err
	}
	file := File{Path: path, Action: Keep, target: f}
	if !f.Exists() {
		file.Action, file.content = Create, content
	}
	p.Files = append(p.Files, file)
	return nil
}

// managed decides for a file of the kit: it is refreshed as long as nobody
// changed it.
func (p *Plan) managed(path string, text []byte, force bool) error {
	f, err := p.tree.Read(path)
	if err != nil {
		return err
	}
	file := File{Path: path, target: f, content: pluginsdk.Managed(path, text)}
	switch m, ours := pluginsdk.FindMarker(path, f.Data); {
	case !f.Exists():
		file.Action = Create
	case string(f.Data) == string(file.content):
		file.Action = Current
	case ours && !m.Edited && m.Digest != "", force:
		file.Action = Refresh
	default:
		file.Action = Keep
	}
	p.Files = append(p.Files, file)
	return nil
}
