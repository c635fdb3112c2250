package project

import (
	"errors"
	"io/fs"

	"go.yaml.in/yaml/v3"

	"github.com/grimoire-kit/grimoire/governance/locate"
	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/fault"
	"github.com/grimoire-kit/grimoire/surface/frontmatter"
	"github.com/grimoire-kit/grimoire/surface/slug"
)

// defaultEntry is the entry persona of a project that names none.
const defaultEntry = "concierge"

// Config is what host commands need of project-context.yaml. Keys of other
// subsystems, and unknown ones, are left alone.
type Config struct {
	Declared    bool   // the file exists
	ProjectName string // project.name, "" where it is not set
	Language    string // user.language as written
	// LanguageLine is where Language is written, 0 where it is not set.
	LanguageLine int
	Entry        string // agents.entry; "concierge" where it is not set, "" for no entry persona
	EntrySet     bool   // Entry is what the file says
	Hosts        HostsConfig
	Unread       []UnreadKey
}

// HostsConfig is the `hosts` section.
type HostsConfig struct {
	Declared bool // the section exists, be it empty
	// EnabledDeclared tells an empty list, which turns every host off, from
	// an absent key, which leaves the choice to detection.
	EnabledDeclared bool
	Enabled         []HostName
	// EntrySections keeps a marked section inside an instruction file the
	// team wrote by hand.
	EntrySections bool
	Plugins       []Plugin
}

// HostName is a host as the project writes it.
type HostName struct {
	Name string
	Line int // in project-context.yaml
}

// Plugin is an emitter that does not ship with grimoire. Naming it grants it
// nothing: only the user of the machine can trust it.
type Plugin struct {
	ID   string
	Path string
	Line int // in project-context.yaml
}

// ReadConfig reads the project-context.yaml of the project at root. A missing
// file gives the defaults; an invalid one an *Error.
func ReadConfig(root string) (Config, error) {
	dir, err := locate.Physical(root)
	if err != nil {
		return Config{}, err
	}
	t, err := openTree(dir)
	if err != nil {
		return Config{}, err
	}
	defer t.close()
	return readConfig(t)
}

func readConfig(t *tree) (Config, error) {
	text, err := t.read(ConfigFile)
	if errors.Is(err, fs.ErrNotExist) {
		return Config{Entry: defaultEntry}, nil
	}
	if err != nil {
		return Config{}, &Error{Code: CodeUnreadable, Path: ConfigFile, Text: fault.Text(err)}
	}
	return parseConfig(text)
}

func parseConfig(text string) (Config, error) {
	cfg := Config{Declared: true, Entry: defaultEntry}
	top, wrong := frontmatter.Parse(text, 1)
	if wrong != nil {
		return Config{}, &Error{Code: CodeYAML, Path: ConfigFile, Line: wrong.Line, Text: wrong.Text}
	}
	r := configReader{}
	if s := r.section(top, "project"); s != nil {
		cfg.ProjectName, _ = r.text(s, "project", "name")
	}
	if s := r.section(top, "user"); s != nil {
		if language, ok := r.text(s, "user", "language"); ok {
			cfg.Language, cfg.LanguageLine = language, s["language"].Line
		}
	}
	if s := r.section(top, "agents"); s != nil {
		if entry, ok := r.text(s, "agents", "entry"); ok {
			cfg.Entry, cfg.EntrySet = entry, true
		}
	}
	if s := r.section(top, "hosts"); s != nil {
		cfg.Hosts = r.hosts(s)
	}
	_, cfg.Hosts.Declared = top["hosts"]
	cfg.Unread = r.unread
	if len(r.errs) > 0 {
		return Config{}, errors.Join(r.errs...)
	}
	return cfg, nil
}

// configReader collects what is wrong, so that one run names all of it.
type configReader struct {
	errs   []error
	unread []UnreadKey
}

func (r *configReader) fail(line int, key, fr, en string) {
	r.errs = append(r.errs, &Error{Code: CodeWrongValue, Path: ConfigFile, Line: line, Key: key,
		Text: surface.Text{FR: fr, EN: en}})
}

func (r *configReader) section(top frontmatter.Mapping, key string) frontmatter.Mapping {
	f, ok := top[key]
	if !ok {
		return nil
	}
	m, wrong := f.Keys()
	if wrong != nil {
		code := CodeWrongValue
		if f.Value.Kind == yaml.MappingNode {
			code = CodeRepeatedKey
		}
		r.errs = append(r.errs, &Error{Code: code, Path: ConfigFile, Line: wrong.Line, Key: key, Text: wrong.Text})
	}
	r.unread = append(r.unread, unread(key, m)...)
	return m
}

func (r *configReader) text(section frontmatter.Mapping, in, key string) (string, bool) {
	f, ok := section[key]
	if !ok || f.Null() {
		return "", false
	}
	s, ok := f.Scalar()
	if !ok {
		r.fail(f.Line, in+"."+key, "un texte était attendu", "a text was expected")
	}
	return oneLine(s), ok
}

func (r *configReader) hosts(section frontmatter.Mapping) HostsConfig {
	var h HostsConfig
	if f, ok := section["enabled"]; ok {
		h.EnabledDeclared = true
		h.Enabled = r.hostNames(f)
	}
	if f, ok := section["entry_sections"]; ok && !f.Null() {
		var ok bool
		if h.EntrySections, ok = frontmatter.Bool(f.Value); !ok {
			r.fail(f.Line, "hosts.entry_sections", "true ou false était attendu", "true or false was expected")
		}
	}
	if f, ok := section["plugins"]; ok && !f.Null() {
		h.Plugins = r.plugins(f)
	}
	return h
}

func (r *configReader) hostNames(f frontmatter.Field) []HostName {
	if f.Value.Kind != yaml.SequenceNode {
		r.fail(f.Line, "hosts.enabled", "une liste de noms d'hôtes était attendue ([] pour aucun)",
			"a list of host names was expected ([] for none)")
		return nil
	}
	list, whole := f.Items(frontmatter.OneWord)
	if !whole {
		r.fail(f.Line, "hosts.enabled", "chaque entrée doit être le nom d'un hôte", "every entry must be the name of a host")
	}
	names := make([]HostName, 0, len(list))
	for _, it := range list {
		names = append(names, HostName{Name: oneLine(it.Value), Line: it.Line})
	}
	return names
}

func (r *configReader) plugins(f frontmatter.Field) []Plugin {
	if f.Value.Kind != yaml.SequenceNode {
		r.fail(f.Line, "hosts.plugins", "une liste de {id, path} était attendue", "a list of {id, path} was expected")
		return nil
	}
	var out []Plugin
	seen := map[string]bool{}
	for _, e := range f.Elements() {
		line := e.Line
		entry, wrong := e.Keys()
		if wrong != nil {
			r.fail(wrong.Line, "hosts.plugins", wrong.Text.FR, wrong.Text.EN)
			continue
		}
		id, _ := r.text(entry, "hosts.plugins", "id")
		path, _ := r.text(entry, "hosts.plugins", "path")
		switch {
		case !slug.Is(id):
			r.fail(line, "hosts.plugins.id", "un nom fait de lettres, chiffres, « . », « _ », « - » était attendu",
				"a name of letters, digits, `.`, `_`, `-` was expected")
		case path == "":
			r.fail(line, "hosts.plugins.path", "le chemin du programme était attendu", "the path of the program was expected")
		case seen[slug.Fold(id)]:
			r.fail(line, "hosts.plugins.id", "« "+id+" » est déclaré deux fois", surface.Quoted(id)+" is declared twice")
		default:
			seen[slug.Fold(id)] = true
			out = append(out, Plugin{ID: id, Path: path, Line: line})
		}
	}
	return out
}
