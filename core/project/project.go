package project

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/grimoire-kit/grimoire/governance/locate"
	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/slug"
)

// Project is one project as it stands on disk.
type Project struct {
	Root string // physical path of its folder
	// GitRoot is the root of the git repository or worktree around it, ""
	// without one. Hosts that load their files from there do not see those of
	// a project in a sub-folder.
	GitRoot string
	Config  Config
	Surface *surface.Surface

	// Enabled are the aliases of the hosts to emit for.
	Enabled         []string
	EnabledDeclared bool // declared, not detected
	// UnknownHosts are the entries of hosts.enabled that name no host.
	UnknownHosts []HostName
	// NoKnownHost is why hosts.enabled, which names hosts, enables none: each of
	// its names is unknown. To take that for "no host" would let a misspelling
	// pass for a project in order.
	NoKnownHost *Error

	Profile  surface.Profile
	Enrolled bool // in the standard
	// ProfileUnread is set where the file that names Profile cannot be read, which
	// a warning says.
	ProfileUnread bool

	// EntryDeclared is the entry persona asked for, "" for none. The surface
	// has one only where a persona has that name. Who does not ask gets the
	// concierge, if there is one.
	EntryDeclared string
	// Inferred names the personas whose tool boundary is not declared.
	Inferred []string

	Skipped  []Skipped // sorted by path
	Warnings []Warning // sorted by path and line
}

// Load reads the project at root. hosts are the known hosts in the order they
// are detected; the first is what a bare project gets.
//
// Errors are *Error, several of them joined, where a file of the project is at
// fault. Where that is a persona, the project comes beside them, without what
// could not be loaded: enough for what is about its hosts alone. Files that cannot be read as what they are meant to be are no error:
// they are in Skipped and Warnings.
func Load(root string, hosts []pluginsdk.Profile) (*Project, error) {
	dir, err := locate.Physical(root)
	if err != nil {
		return nil, fmt.Errorf("find the project: %w", err)
	}
	t, err := openTree(dir)
	if err != nil {
		return nil, fmt.Errorf("open the project: %w", err)
	}
	defer t.close()
	cfg, err := readConfig(t)
	if err != nil {
		return nil, err
	}
	s := &surface.Surface{ProjectName: cfg.ProjectName, Language: surface.French}
	if s.ProjectName == "" {
		s.ProjectName = oneLine(filepath.Base(dir))
	}
	p := &Project{Root: dir, GitRoot: GitRoot(dir), Config: cfg, Surface: s, EntryDeclared: cfg.Entry}
	l := &loader{tree: t, project: p, surface: s, context: map[string]error{}}
	l.settleLanguage()
	for _, k := range cfg.Unread {
		l.warn(k.warning())
	}
	if w, ok := Misnamed(dir); ok {
		l.warn(w)
	}
	l.load(hosts)
	if len(l.errs) > 0 {
		return p, errors.Join(l.errs...)
	}
	return p, nil
}

// loader fills in a project and its surface.
type loader struct {
	tree    *tree
	project *Project
	surface *surface.Surface
	context map[string]error // context path → why it cannot be used; checked once
	errs    []error
}

func (l *loader) load(hosts []pluginsdk.Profile) {
	p, s := l.project, l.surface
	p.Enrolled, p.Profile = l.enrolment()
	s.Governed, s.Profile = p.Enrolled, p.Profile
	l.enable(hosts)
	s.EntryDocs = l.entryDocs(hosts)
	s.Skills = l.skills()
	s.Commands = l.commands()
	s.Agents = l.personas(s.Skills)
	for i := range s.Agents {
		a := &s.Agents[i]
		a.EntryPoint = p.EntryDeclared != "" && slug.Fold(a.Name) == slug.Fold(slug.Of(p.EntryDeclared))
		if a.ToolsOrigin == surface.ToolsInferred {
			p.Inferred = append(p.Inferred, a.Name)
		}
	}
	if _, has := s.Entry(); !has && !p.Config.EntrySet {
		p.EntryDeclared = ""
	}
	if note, ok := sameBundle(s.Agents); ok {
		s.Notes = append(s.Notes, note)
	}
	s.Hooks = l.hooks()
	s.Permissions = permissions(p.Profile)
	s.MCPServers = l.mcpServers()

	slices.SortStableFunc(p.Skipped, func(a, b Skipped) int { return cmp.Compare(a.Path, b.Path) })
	slices.SortStableFunc(p.Warnings, func(a, b Warning) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Text.EN, b.Text.EN))
	})
}

// settleLanguage takes the language of emitted texts from user.language. One
// that grimoire does not write is told, since nobody chose what stands in.
func (l *loader) settleLanguage() {
	cfg := l.project.Config
	if lang, ok := surface.ParseLanguage(cfg.Language); ok {
		l.surface.Language = lang
	} else if cfg.Language != "" {
		name := surface.Quoted(cfg.Language)
		l.warn(Warning{Path: ConfigFile, Line: cfg.LanguageLine, Text: surface.Text{
			FR: "user.language : grimoire n'écrit pas " + name + " ; les fichiers émis sont en français (Français ou English)",
			EN: "user.language: grimoire does not write " + name + "; emitted files are in French (Français or English)"}})
	}
}

func (l *loader) skip(s ...Skipped) { l.project.Skipped = append(l.project.Skipped, s...) }
func (l *loader) warn(w ...Warning) { l.project.Warnings = append(l.project.Warnings, w...) }
func (l *loader) fail(e *Error)     { l.errs = append(l.errs, e) }
