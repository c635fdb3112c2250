package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/core/project"
	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/locate"
	"github.com/grimoire-kit/grimoire/governance/session"
	"github.com/grimoire-kit/grimoire/governance/task"
)

// portfolioSchema is the existing kit's version of the portfolio's form.
const portfolioSchema = "grimoire-task-portfolio/v1"

// portfolioFlags are the options of `task list` about all projects.
type portfolioFlags struct {
	all, live bool
	project   string
	minutes   int
}

func (f *portfolioFlags) add(a *app, cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.all, "all-projects", false, a.text("celles de tous tes projets", "those of all your projects"))
	flags.StringVar(&f.project, "project", "", a.text("avec --all-projects : celles d'un projet (slug ou nom)", "with --all-projects: those of one project (slug or name)"))
	flags.BoolVar(&f.live, "live", false, a.text("avec --all-projects : celles où une session est au travail", "with --all-projects: those that a session is at work on"))
	flags.IntVar(&f.minutes, "live-minutes", task.LiveMinutes, a.text("âge d'un signe de vie, en minutes", "age of a sign of life, in minutes"))
}

// check refuses filters that would be passed over.
func (f *portfolioFlags) check(a *app, cmd *cobra.Command, dir string) error {
	for _, name := range []string{"project", "live", "live-minutes"} {
		if !f.all && cmd.Flags().Changed(name) {
			return usageError{fmt.Errorf(a.text("--%s demande --all-projects", "--%s wants --all-projects"), name)}
		}
	}
	switch {
	case f.all && f.minutes < 1:
		return usageError{errors.New(a.text("--live-minutes : attendu au moins 1", "--live-minutes: expected at least 1"))}
	case f.all && filepath.IsAbs(dir):
		return usageError{errors.New(a.text("--ledger-root : avec --all-projects, un dossier relatif à chaque projet", "--ledger-root: with --all-projects, a folder relative to each project"))}
	}
	return nil
}

// portfolioJSON is the answer of `task list --all-projects`.
type portfolioJSON struct {
	Schema   string  `json:"schemaVersion"`
	At       string  `json:"generated_at"`
	Registry string  `json:"registry"`
	Current  *string `json:"current"`
	Minutes  int     `json:"live_minutes"`
	Filters  struct {
		State   string `json:"state"`
		Project string `json:"project"`
		Live    bool   `json:"live"`
		Mission string `json:"mission"`
	} `json:"filters"`
	Projects []projectJSON `json:"projects"`
	Tasks    []any         `json:"tasks"`
	Count    int           `json:"count"`
	Summary  struct {
		Projects int `json:"projects"`
		Readable int `json:"readable"`
		Tasks    int `json:"tasks"`
		Live     int `json:"live"`
	} `json:"summary"`
}

type projectJSON struct {
	Slug   string  `json:"slug"`
	Name   string  `json:"name"`
	Path   string  `json:"path"`
	State  string  `json:"state"` // ok, no_ledger, unreadable
	Reason *string `json:"reason"`
	Count  int     `json:"count"`
}

// sessionJSON is the session that a task's claim names.
type sessionJSON struct {
	ID      string  `json:"id"`
	Host    *string `json:"host"`
	Updated *string `json:"updated_at"`
	Live    bool    `json:"live"`
	Journal *string `json:"journal"`
	Resume  *string `json:"resume_command"`
}

func (a *app) listPortfolio(f *portfolioFlags, dir string, filter task.Filter, ended bool) error {
	registry, err := task.RegistryPath(a.environ)
	if err != nil {
		return err
	}
	root, ok := project.FindRoot(a.startDir())
	if !ok {
		root = ""
	} else if main, err := locate.Main(root); err == nil && main != "" {
		root = main // of a linked worktree
	}
	p, err := task.ReadPortfolio(registry, root, dir, task.PortfolioFilter{Filter: filter, Project: f.project, Live: f.live,
		Within: time.Duration(f.minutes) * time.Minute}, time.Now())
	if err != nil {
		return err
	}
	if a.json() {
		return a.portfolioAnswer(p, f, filter)
	}
	hidden := 0
	if filter.Status == "" && !ended {
		n := len(p.Tasks)
		p.Tasks = slices.DeleteFunc(p.Tasks, func(t task.PortfolioTask) bool { return t.Status.Ended() })
		hidden = n - len(p.Tasks)
	}
	a.showPortfolio(p, hidden, a.columns())
	return nil
}

func (a *app) portfolioAnswer(p *task.Portfolio, f *portfolioFlags, filter task.Filter) error {
	out := portfolioJSON{Schema: portfolioSchema, At: ledger.FormatTime(p.At), Registry: p.Registry, Current: orNull(p.Current), Minutes: f.minutes,
		Projects: []projectJSON{}, Tasks: []any{}, Count: len(p.Tasks)}
	out.Filters.State, out.Filters.Project, out.Filters.Live, out.Filters.Mission = string(filter.Status), f.project, f.live, filter.Mission
	for _, x := range p.Projects {
		row := projectJSON{Slug: x.Slug, Name: x.Name, Path: x.Path, State: x.State, Count: x.Count}
		if x.Reason != nil {
			row.Reason = orNull(x.Reason.In(a.lang))
		}
		out.Projects = append(out.Projects, row)
		if x.State == task.ProjectRead {
			out.Summary.Readable++
		}
	}
	out.Summary.Projects, out.Summary.Tasks, out.Summary.Live = len(p.Projects), p.Total, p.Live
	for i := range p.Tasks {
		t := &p.Tasks[i]
		object := t.Task
		object.Declared = t.Priority() // here the effective one
		pending, unacknowledged := task.Pending(&t.Task)
		card, err := spliced(object, struct {
			Project struct {
				Slug string `json:"slug"`
				Name string `json:"name"`
			} `json:"project"`
			Board          string       `json:"board"`
			Updated        string       `json:"updated_at"`
			Priority       string       `json:"effective_priority"`
			Live           bool         `json:"live"`
			Session        *sessionJSON `json:"session"`
			Pending        int          `json:"directives_pending"`
			Unacknowledged int          `json:"directives_unacknowledged"`
			Unread         int          `json:"unread_directives"`
		}{struct {
			Slug string `json:"slug"`
			Name string `json:"name"`
		}{t.Project.Slug, t.Project.Name}, task.Column(&t.Task), ledger.FormatTime(t.Updated), t.Priority(), t.Live, sessionOf(t), pending, unacknowledged, unacknowledged})
		if err != nil {
			return err
		}
		out.Tasks = append(out.Tasks, card)
	}
	return a.printJSON(out)
}

func sessionOf(t *task.PortfolioTask) *sessionJSON {
	c := t.Claim
	if c == nil || c.Session == "" {
		return nil
	}
	s := &sessionJSON{ID: c.Session, Host: orNull(c.SessionHost), Live: t.Live, Resume: orNull(task.ResumeCommand(task.Session{ID: c.Session, Host: c.SessionHost}))}
	if !t.Seen.IsZero() {
		s.Updated = orNull(ledger.FormatTime(t.Seen))
		s.Journal = orNull(session.Dir + "/" + session.FileName(c.Session))
	}
	return s
}

// showPortfolio draws a portfolio without those of its tasks that are hidden;
// on a terminal of that width it is cut to fit.
func (a *app) showPortfolio(p *task.Portfolio, hidden, width int) {
	rows, more := p.Tasks, 0
	if width > 0 && len(rows) > maxRows {
		rows, more = rows[:maxRows], len(rows)-maxRows
	}
	if len(rows) > 0 {
		t := newTable(a.text("PROJET", "PROJECT"), a.text("TÂCHE", "TASK"), a.text("ÉTAT", "STATE"), a.text("PRIORITÉ", "PRIORITY"), a.text("À QUI", "OWNER"),
			a.text("AU TRAVAIL", "AT WORK"), a.text("TITRE", "TITLE"))
		for i := range rows {
			x := &rows[i]
			live := ""
			if x.Live {
				live = a.text("oui", "yes")
			}
			t.row(printable(x.Project.Slug), printable(x.ID), printable(string(x.Status)), printable(x.Priority()), printable(x.Owner), live, printable(x.Title))
		}
		t.fit(width)
		t.write(a)
	}
	a.sayMore(more)
	a.sayEnded(hidden)
	read := 0
	for _, x := range p.Projects {
		if x.Reason == nil {
			read++
			continue
		}
		a.printf("%s %s  %s: %s\n", a.yellow("!"), printable(x.Slug), printable(x.Path), printable(x.Reason.In(a.lang)))
	}
	a.printf(a.text("%s tâche(s) sur %d, de %d projet(s) lus sur %d, que liste %s\n", "%s task(s) of %d, of %d project(s) read out of %d, which %s lists\n"),
		strconv.Itoa(len(p.Tasks)), p.Total, read, len(p.Projects), printable(p.Registry))
}
