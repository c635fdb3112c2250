package task

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/session"
	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

// RegistryName is the list of a person's projects, in the folder that
// GRIMOIRE_COCKPIT_HOME names, by default ~/.grimoire/cockpit. It is the
// existing kit's: a JSON list of {name, path, slug}. It is read and never
// written, and no disk is searched for projects.
const RegistryName = "registry.json"

// maxRegistry bounds what is read of it, in bytes.
const maxRegistry = 4 << 20

// LiveMinutes is for how long, in minutes, a sign of life counts.
const LiveMinutes = 30

// RegistryPath is where the list of projects is.
func RegistryPath(getenv func(string) string) (string, error) {
	dir := getenv("GRIMOIRE_COCKPIT_HOME")
	if rest, ok := strings.CutPrefix(dir, "~/"); ok || dir == "" || dir == "~" {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", fmt.Errorf("find the list of projects: %w", err)
		}
		if dir = filepath.Join(home, rest); !ok {
			dir = filepath.Join(home, ".grimoire", "cockpit")
		}
	}
	return filepath.Join(dir, RegistryName), nil
}

// States of a project in a portfolio.
const (
	ProjectRead       = "ok"
	ProjectNoLedger   = "no_ledger"
	ProjectUnreadable = "unreadable"
)

// Project is a project of a portfolio.
type Project struct {
	Slug, Name, Path string
	State            string
	Reason           *surface.Text // where it is not ProjectRead
	Count            int           // tasks
}

// PortfolioTask is a task of a project.
type PortfolioTask struct {
	ledger.Task
	Project *Project
	// Updated is the latest of its last move, of its lease's sign of life and of
	// what was said to it.
	Updated time.Time
	// Live: someone is at work on it, and gave a sign of life a short while ago.
	Live bool
	// Seen is when its session last wrote its file, zero for never.
	Seen time.Time
}

// Portfolio is the work of all projects of a person.
type Portfolio struct {
	Registry string // the file that lists them
	Current  string // slug of the project that was asked from, or ""
	At       time.Time
	Projects []Project
	Tasks    []PortfolioTask
	Total    int // tasks, before the filter
	Live     int // of them
}

// PortfolioFilter chooses tasks of a portfolio.
type PortfolioFilter struct {
	Filter
	Project string        // slug, or name; "" is any
	Live    bool          // only those at work
	Within  time.Duration // how old a sign of life may be
}

// ReadPortfolio reads the tasks of all projects that the registry lists, and of
// the one in root, "" for none, with each ledger in dir below its project. A
// project that cannot be read is named with its reason and hides no other.
// Nothing is written, in no project.
func ReadPortfolio(registry, root, dir string, f PortfolioFilter, now time.Time) (*Portfolio, error) {
	projects, err := readRegistry(registry)
	if err != nil {
		return nil, err
	}
	p := &Portfolio{Registry: registry, At: now, Tasks: []PortfolioTask{}}
	if root != "" {
		projects, p.Current = withCurrent(projects, root)
	}
	if f.Project != "" && !slices.ContainsFunc(projects, f.wants) {
		var known []string
		for _, x := range projects {
			known = append(known, surface.Shown(x.Slug))
		}
		list, shown := strings.Join(known, ", "), surface.Quoted(f.Project)
		return nil, say("Projet inconnu : %s (connus de %s : %s)", "Unknown project: %s (known of %s: %s)", shown, registry, list)
	}
	for i := range projects {
		project := &projects[i]
		for _, t := range project.read(dir, f.Within, now) {
			p.Total++
			if t.Live {
				p.Live++
			}
			if f.wants(*project) && (!f.Live || t.Live) && (f.Status == "" || t.Status == f.Status) && (f.Mission == "" || t.Mission == f.Mission) {
				p.Tasks = append(p.Tasks, t)
			}
		}
	}
	p.Projects = projects
	slices.SortStableFunc(p.Tasks, func(a, b PortfolioTask) int {
		if d := b.Updated.Compare(a.Updated); d != 0 {
			return d
		}
		return strings.Compare(a.Project.Slug+" "+a.ID, b.Project.Slug+" "+b.ID)
	})
	return p, nil
}

func (f *PortfolioFilter) wants(p Project) bool {
	return f.Project == "" || f.Project == p.Slug || f.Project == p.Name
}

// readRegistry reads the list of projects. None is an empty one; one that is
// no list is an error, since nothing could be said of what it hides.
func readRegistry(path string) ([]Project, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return []Project{}, nil
	}
	if err == nil && !info.Mode().IsRegular() {
		err = say("ce n'est pas un fichier ordinaire", "it is not a regular file")
	}
	if err != nil {
		return nil, &fileError{path, err}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, &fileError{path, err}
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxRegistry+1))
	switch {
	case err != nil:
		return nil, &fileError{path, err}
	case len(data) > maxRegistry:
		return nil, &fileError{path, say("le fichier dépasse %d Mio", "the file is larger than %d MiB", maxRegistry>>20)}
	}
	var entries []json.RawMessage
	if err := json.Unmarshal(data, &entries); err != nil {
		return nil, &fileError{path, say(`une liste JSON était attendue, [{"name": "…", "path": "/…", "slug": "…"}] (%s)`, `a JSON list was expected, [{"name": "…", "path": "/…", "slug": "…"}] (%s)`, err)}
	}
	list := []Project{}
	for i, raw := range entries {
		var entry struct{ Name, Path, Slug string }
		p := Project{State: ProjectUnreadable}
		if err := json.Unmarshal(raw, &entry); err != nil {
			p.fail(say(`entrée %d de %s : {"name": "…", "path": "/…", "slug": "…"} était attendu`, `entry %d of %s: expected {"name": "…", "path": "/…", "slug": "…"}`, i+1, path))
		} else if !filepath.IsAbs(entry.Path) {
			p.fail(say("entrée %d de %s : path : un chemin absolu était attendu", "entry %d of %s: path: an absolute path was expected", i+1, path))
		}
		p.Name, p.Path, p.Slug = entry.Name, entry.Path, entry.Slug
		p.name(list)
		list = append(list, p)
	}
	return list, nil
}

var notSlug = regexp.MustCompile(`[^a-z0-9]+`)

// name fills what an entry does not say; a slug is one project's.
func (p *Project) name(others []Project) {
	if p.Name == "" && p.Path != "" {
		p.Name = filepath.Base(p.Path)
	}
	if p.Slug == "" {
		p.Slug = strings.Trim(notSlug.ReplaceAllString(strings.ToLower(p.Name), "-"), "-")
	}
	if p.Slug == "" {
		p.Slug = "project"
	}
	if p.Name == "" {
		p.Name = p.Slug
	}
	for base, n := p.Slug, 2; slices.ContainsFunc(others, func(o Project) bool { return o.Slug == p.Slug }); n++ {
		p.Slug = fmt.Sprintf("%s-%d", base, n)
	}
}

// withCurrent finds the project that was asked from, which needs not be listed.
func withCurrent(list []Project, root string) ([]Project, string) {
	here, err := os.Stat(root)
	for _, p := range list {
		if there, e := os.Stat(p.Path); err == nil && e == nil && filepath.IsAbs(p.Path) && os.SameFile(here, there) {
			return list, p.Slug
		}
	}
	p := Project{Path: root}
	p.name(list)
	return append(list, p), p.Slug
}

func (p *Project) fail(err error) {
	t := fault.Text(err)
	p.State, p.Reason = ProjectUnreadable, &t
}

// read reads a project's tasks and says how that went.
func (p *Project) read(dir string, within time.Duration, now time.Time) []PortfolioTask {
	if p.Reason != nil {
		return nil
	}
	if info, err := os.Stat(p.Path); err != nil || !info.IsDir() {
		p.fail(say("le dossier n'est pas là", "the folder is not there"))
		return nil
	}
	d := Open(p.Path, dir)
	d.Ledger = ledger.OpenReader(p.Path, dir)
	has, err := d.hasLedger()
	switch {
	case err != nil:
		p.fail(err)
		return nil
	case !has:
		p.State = ProjectNoLedger
		p.Reason = &surface.Text{FR: "pas de journal ; `grimoire task add \"<titre>\" -a \"<critère>\"` en ouvre un", EN: "no ledger; `grimoire task add \"<title>\" -a \"<criterion>\"` opens one"}
		return nil
	}
	var tasks []PortfolioTask
	err = d.Ledger.View(func(s *ledger.State) error {
		for row := range s.Rows() {
			t, _ := s.Task(row.ID)
			x := PortfolioTask{Task: t, Project: p, Updated: t.Since}
			x.look(p.Path, within, now)
			tasks = append(tasks, x)
		}
		return nil
	})
	if err != nil {
		p.fail(err)
		return nil
	}
	p.State, p.Count = ProjectRead, len(tasks)
	return tasks
}

// look looks for signs of life of a task.
func (t *PortfolioTask) look(root string, within time.Duration, now time.Time) {
	sign := func(at time.Time) {
		if at.After(t.Updated) {
			t.Updated = at
		}
	}
	for _, x := range t.Directives {
		at, _ := ledger.ParseTime(x.CreatedAt)
		sign(at)
	}
	c := t.Claim
	if c == nil || !t.Status.Active() && t.Status != ledger.NeedsVerification {
		return
	}
	beat, ok := ledger.ParseTime(c.Beat)
	sign(beat)
	t.Live = ok && now.Sub(beat) <= within
	if c.Session == "" {
		return
	}
	if at, ok := session.Seen(root, c.Session); ok {
		t.Seen = at
		t.Live = t.Live || now.Sub(at) <= within
	}
}
