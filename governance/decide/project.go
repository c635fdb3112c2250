package decide

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"go.yaml.in/yaml/v3"

	"github.com/grimoire-kit/grimoire/governance/locate"
	"github.com/grimoire-kit/grimoire/governance/policy"
	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

const (
	contextFile = locate.ConfigFile
	profileFile = locate.Folder + "/standard/standard-profile.yaml"
	boardFile   = locate.Folder + "/standard/task-board.yaml"

	// maxFile bounds what is read of a project's file, in bytes.
	maxFile = 1 << 20
)

// project is what a decision may need of the project, read when it is first
// asked for: most calls ask for nothing.
type project struct {
	root  string
	found bool // root is a project's folder, where the hook may write
	env   func(string) string

	homeOnce sync.Once
	homeRoot string
	homeErr  error

	standardOnce sync.Once
	standard     struct {
		enrolled bool
		follows  standard.Followed
	}

	contextOnce sync.Once
	context     struct {
		User struct {
			Language string `yaml:"language"`
		} `yaml:"user"`
		Agents struct {
			Entry yaml.Node `yaml:"entry"`
		} `yaml:"agents"`
	}

	rulesOnce sync.Once
	ruleSet   *policy.Rules
	rulesErr  error
}

// home is the project whose tasks, evidence and gates are this one's: itself,
// or the one in the main worktree where this is a linked worktree of git. Rules,
// counters and traces stay those of the worktree's own folder.
func (p *project) home() string {
	p.homeOnce.Do(func() {
		p.homeRoot = p.root
		if !p.found {
			return
		}
		var main string
		if main, p.homeErr = locate.Main(p.root); main != "" {
			p.homeRoot = main
		}
	})
	return p.homeRoot
}

// shown is a path of home as the session finds it from its own folder.
func (p *project) shown(name string) string {
	if home := p.home(); home != p.root {
		return policy.OneLine(filepath.ToSlash(home), 400) + "/" + name
	}
	return name
}

// profile is the project's profile.
func (p *project) profile() surface.Profile {
	p.readStandard()
	return p.standard.follows.Profile
}

// enrolled reports whether the project follows the standard.
func (p *project) enrolled() bool {
	p.readStandard()
	return p.standard.enrolled
}

func (p *project) readStandard() {
	p.standardOnce.Do(func() {
		text, err := p.readFile(profileFile)
		home := p
		if errors.Is(err, fs.ErrNotExist) && !p.exists(boardFile) && p.home() != p.root {
			// A worktree without the standard's files is held to what its tasks are.
			home = &project{root: p.home()}
			text, err = readIn(home.root, profileFile)
		}
		p.standard.follows = standard.ReadProfile(text, err)
		p.standard.enrolled = !errors.Is(err, fs.ErrNotExist) || home.exists(boardFile)
	})
}

// misread says what is wrong with the project's profile, if anything is.
func (p *project) misread() []surface.Text {
	if p.readStandard(); p.standard.follows.Wrong.EN == "" {
		return nil
	}
	words := make([]string, len(surface.Profiles))
	for i, word := range surface.Profiles {
		words[i] = string(word)
	}
	list, wrong := strings.Join(words, ", "), p.standard.follows.Placed()
	return []surface.Text{{
		FR: "[Grimoire] " + profileFile + " ne se lit pas (" + policy.OneLine(wrong.FR, 200) + ") : le profil governed s'applique d'ici là. Attendu : profile, l'un de " + list + ". Sortie : la personne corrige ce fichier.",
		EN: "[Grimoire] " + profileFile + " cannot be read (" + policy.OneLine(wrong.EN, 200) + "): the governed profile applies until then. Expected: profile, one of " + list + ". Way out: the person mends that file.",
	}}
}

func (p *project) readContext() {
	p.contextOnce.Do(func() {
		if text, err := p.readFile(contextFile); err == nil {
			_ = yaml.Unmarshal(text, &p.context) // what can be read of it counts; doctor names the rest
		}
	})
}

// language is the project's own, else the locale's.
func (p *project) language() surface.Language {
	p.readContext()
	if l, ok := surface.ParseLanguage(p.context.User.Language); ok {
		return l
	}
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if v := p.env(name); v != "" {
			l, _ := surface.ParseLanguage(v)
			return l
		}
	}
	return surface.English
}

// hasRules tells from the file's presence alone.
func (p *project) hasRules() bool { return p.exists(policy.File) }

// rules are those that can be read; the error names the others. They are
// never nil.
func (p *project) rules() (*policy.Rules, error) {
	p.rulesOnce.Do(func() {
		p.ruleSet = &policy.Rules{}
		text, err := p.readFile(policy.File)
		switch {
		case err == nil:
			p.ruleSet, p.rulesErr = policy.Parse(text)
		case !errors.Is(err, fs.ErrNotExist):
			p.rulesErr = err
		}
	})
	return p.ruleSet, p.rulesErr
}

func (p *project) exists(name string) bool {
	_, err := os.Lstat(p.path(name))
	return p.root != "" && err == nil
}

// has reports whether there is a file, relative to the project or absolute; a
// name with `*` stands for any that fits.
func (p *project) has(name string) bool {
	if !filepath.IsAbs(name) {
		name = p.path(name)
	}
	if strings.Contains(name, "*") {
		found, err := filepath.Glob(name)
		return err != nil || len(found) > 0
	}
	_, err := os.Lstat(name)
	return err == nil
}

func (p *project) path(name string) string { return filepath.Join(p.root, filepath.FromSlash(name)) }

// readFile reads a regular file of the project, of bounded size. A project is
// hostile input: a link must not lead out of it, nor a pipe hold the hook.
func (p *project) readFile(name string) ([]byte, error) { return readIn(p.root, name) }

// readIn is readFile for the project at folder.
func readIn(folder, name string) ([]byte, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	f, err := root.OpenFile(filepath.FromSlash(name), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, &fs.PathError{Op: "read", Path: name, Err: fault.NotRegular}
	case info.Size() > maxFile:
		return nil, &fs.PathError{Op: "read", Path: name, Err: fault.Said{FR: "plus de 1 Mio", EN: "larger than 1 MiB"}}
	}
	text := make([]byte, info.Size())
	n, err := io.ReadFull(f, text)
	if err == io.ErrUnexpectedEOF {
		err = nil // it shrank
	}
	return text[:n], err
}

// writeFile writes a file of the project, whole or not at all.
func (p *project) writeFile(name string, text []byte) error {
	root, err := os.OpenRoot(p.root)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	tmp := path.Join(path.Dir(name), "."+path.Base(name)+"."+strconv.Itoa(os.Getpid())+".tmp")
	if err := root.WriteFile(tmp, text, 0o644); err != nil {
		return err
	}
	if err := root.Rename(tmp, name); err != nil {
		_ = root.Remove(tmp)
		return err
	}
	return nil
}
