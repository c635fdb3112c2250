package scaffold

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/core/project"
	"github.com/grimoire-kit/grimoire/core/tree"
	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

// Action is what was decided for one file.
type Action string

const (
	Create  Action = "create"  // it is not there
	Refresh Action = "refresh" // a text of the kit, replaced by this grimoire's
	Extend  Action = "extend"  // the team's, and a section is added at its end
	Keep    Action = "keep"    // a person's: it stays as it is
	Current Action = "current" // as it should be
)

// File is one file of the scaffold.
type File struct {
	Path   string
	Action Action
	Why    surface.Text // what is behind the action; nothing behind Current

	content []byte
	target  *tree.File
	kit     bool // a text of the kit, which the manifest follows
}

// Why a file is to be written.
var (
	missing  = surface.Text{FR: "manque", EN: "missing"}
	older    = surface.Text{FR: "plus ancien que ce grimoire", EN: "older than this grimoire"}
	changed  = surface.Text{FR: "modifié à la main, sera remplacé", EN: "changed by hand, will be replaced"}
	noHosts  = surface.Text{FR: "n'a pas de section hosts", EN: "has no hosts section"}
	outdated = surface.Text{FR: "à mettre à jour", EN: "to be updated"}
)

// Options are the choices of `grimoire init` and `grimoire up`.
type Options struct {
	// Hosts are the known hosts in detection order.
	Hosts []pluginsdk.Profile
	// Enable is written to hosts.enabled instead of what is detected. It does
	// not change a declaration that is there.
	Enable []string
	// Language is that of a project that does not exist yet.
	Language surface.Language
	// Init brings the texts of the kit to a project without any. Otherwise only
	// one that has some is compared with them: a project made by hand lacks
	// nothing, since the emitters have the kit's texts themselves.
	Init bool
	// Force does as Init, replaces the kit's texts that were changed by hand and
	// brings back those that were removed. It never replaces
	// project-context.yaml or the shared memory page.
	Force bool
}

// Plan is what a project lacks. Nothing is written until Apply.
type Plan struct {
	Root  string   // physical path of the project's folder
	New   bool     // there was no project-context.yaml
	Hosts []string // aliases enabled: declared, else asked for, else detected
	Stack []string
	// Kit reports whether the kit's texts are among Files.
	Kit   bool
	Files []File
	// HandWritten are the instruction files of the enabled hosts that a person
	// wrote; they are the sync's to keep or, forced, to replace.
	HandWritten []string
	// Warnings are remarks that stopped nothing.
	Warnings []surface.Text

	tree     *tree.Tree
	manifest manifest
	record   *tree.File // the manifest's file
	force    bool
}

// Prepare looks at the project at root, which may be an empty folder. Close
// the plan when done with it. A project-context.yaml that cannot be read is a
// *project.Error; a path of the scaffold that cannot, a *tree.Fault.
func Prepare(root string, o Options) (*Plan, error) {
	cfg, err := project.ReadConfig(root)
	if err != nil {
		return nil, err
	}
	t, err := tree.Open(root)
	if err != nil {
		return nil, fmt.Errorf("open the project: %w", err)
	}
	p := &Plan{Root: t.Dir(), New: !cfg.Declared, tree: t, force: o.Force}
	if err := p.decide(cfg, o); err != nil {
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

// Kept lists the files that stay as a person left them.
func (p *Plan) Kept() []File {
	return slices.DeleteFunc(slices.Clone(p.Files), func(f File) bool { return f.Action != Keep })
}

func (p *Plan) decide(cfg project.Config, o Options) error {
	if err := refuseHome(p.Root); err != nil {
		return err
	}
	p.Hosts = enabled(p.Root, cfg, o)
	p.Stack = stack(p.tree)
	p.HandWritten = p.handWritten(o.Hosts)
	language := o.Language
	if cfg.Declared {
		language = surface.French // what project.Load takes where none is said
	}
	if own, ok := surface.ParseLanguage(cfg.Language); ok {
		language = own
	}
	if err := p.readManifest(); err != nil {
		return err
	}
	texts := p.kitTexts(language)
	p.Kit = o.Init || o.Force || p.record.Exists() || slices.ContainsFunc(texts, p.holds)
	starters := p.Kit && p.wantsStarters(language)
	if err := p.context(cfg, o, language, starters); err != nil || !p.Kit {
		return err
	}
	for _, text := range texts {
		if text.starter && !starters && p.manifest[text.path] == "" && !p.has(text.path) {
			continue
		}
		if err := p.kitText(text.path, text.content); err != nil {
			return err
		}
	}
	if err := p.memory(language); err != nil {
		return err
	}
	return p.manifestFile()
}

// manifestFile decides for the manifest, as it is when every text is written.
func (p *Plan) manifestFile() error {
	content, err := p.written(nil).encode()
	if err != nil {
		return err
	}
	file := File{Path: ManifestPath, target: p.record, content: content}
	switch {
	case !p.record.Exists():
		file.Action, file.Why = Create, missing
	case bytes.Equal(unixLines(p.record.Data), content):
		file.Action = Current
	default:
		file.Action, file.Why = Refresh, outdated
	}
	p.Files = append(p.Files, file)
	return nil
}

// written is the manifest once every text but the failed ones is written. What
// a person changed or removed keeps its last entry.
func (p *Plan) written(failed map[string]bool) manifest {
	now := maps.Clone(p.manifest)
	for _, f := range p.Files {
		if f.kit && f.Action != Keep && !failed[f.Path] {
			now[f.Path] = digest(f.content)
		}
	}
	return now
}

// enabled are the aliases of the hosts that the project wants.
func enabled(root string, cfg project.Config, o Options) []string {
	if cfg.Hosts.EnabledDeclared {
		names := []string{}
		for _, h := range cfg.Hosts.Enabled {
			names = append(names, alias(h.Name, o.Hosts))
		}
		return names
	}
	if len(o.Enable) > 0 {
		return o.Enable
	}
	return project.Detect(root, o.Hosts)
}

// alias is the short name of a host that may be written as an id or another
// alias; a name that no host has stays as it is.
func alias(name string, hosts []pluginsdk.Profile) string {
	for _, h := range hosts {
		for _, known := range append([]string{h.ID}, h.Aliases...) {
			if strings.EqualFold(known, name) {
				return h.Alias()
			}
		}
	}
	return name
}

func (p *Plan) readManifest() error {
	f, err := p.tree.Read(ManifestPath)
	if err != nil {
		return err
	}
	p.record = f
	if p.manifest, err = decodeManifest(f.Data); err != nil {
		why := fault.JSONOf(f.Data, err)
		p.Warnings = append(p.Warnings, surface.Text{
			FR: ManifestPath + " est illisible et compte comme vide : " + why.FR,
			EN: ManifestPath + " cannot be read and counts as empty: " + why.EN,
		})
	}
	return nil
}

func (p *Plan) has(path string) bool {
	f, err := p.tree.Stat(path)
	return err != nil || f.Exists() // what cannot be looked at is somebody's
}

// holds reports a text of the kit that the project has as it is: an init was cut
// short before it wrote the manifest. A starter is no sign of that, since people
// copy personas.
func (p *Plan) holds(t text) bool {
	if t.starter {
		return false
	}
	f, err := p.tree.Read(t.path)
	return err == nil && f.Exists() && digest(f.Data) == digest(t.content)
}

// kitText decides for a text of the kit: it is replaced as long as nobody
// changed it, and stays away once somebody removed it.
func (p *Plan) kitText(path string, text []byte) error {
	f, err := p.tree.Read(path)
	if err != nil {
		return err
	}
	file := File{Path: path, target: f, content: text, kit: true}
	written, known := p.manifest[path]
	switch {
	case !f.Exists() && known && !p.force:
		file.Action, file.Why = Keep, surface.Text{
			FR: "retiré à la main ; `grimoire up --fix --force` le remet",
			EN: "removed by hand; `grimoire up --fix --force` brings it back"}
	case !f.Exists():
		file.Action, file.Why = Create, missing
	case digest(f.Data) == digest(text):
		file.Action = Current
	case known && digest(f.Data) == written:
		file.Action, file.Why = Refresh, older
	case p.force:
		file.Action, file.Why = Refresh, changed
	case known:
		file.Action, file.Why = Keep, surface.Text{
			FR: "modifié à la main, donc gardé ; `grimoire up --fix --force` remet le texte du kit",
			EN: "changed by hand, so it is kept; `grimoire up --fix --force` restores the kit's text"}
	default:
		file.Action, file.Why = Keep, surface.Text{
			FR: "déjà là avant grimoire, donc gardé",
			EN: "there before grimoire, so it is kept"}
	}
	p.Files = append(p.Files, file)
	return nil
}

// memory decides for the shared page, which is the team's as soon as it exists.
func (p *Plan) memory(l surface.Language) error {
	f, err := p.tree.Read(memoryPage)
	if err != nil {
		return err
	}
	file := File{Path: memoryPage, Action: Current, target: f}
	if !f.Exists() {
		file.Action, file.Why, file.content = Create, missing, []byte(l.Text(
			"# Ce que tout le monde doit savoir\n\nUne ligne par fait : ce qui est décidé, pourquoi, et ce qui ferait changer d'avis.\n",
			"# What everyone should know\n\nOne line per fact: what was decided, why, and what would make us change our mind.\n"))
	}
	p.Files = append(p.Files, file)
	return nil
}
