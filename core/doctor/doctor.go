// Package doctor checks a project: that its files can be read, that what the
// hosts run is what it declares, that the hook can be found, and that each
// enabled host will really load the files it is given. Hosts drop a whole file
// of settings, in silence, for one badly shaped entry: that entry is named.
//
// It writes nothing and fixes nothing; `grimoire doctor --fix` is `grimoire up
// --fix` followed by a look. Only cmd imports it.
package doctor

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/grimoire-kit/grimoire/core/host"
	"github.com/grimoire-kit/grimoire/core/plugin"
	"github.com/grimoire-kit/grimoire/core/tree"
	"github.com/grimoire-kit/grimoire/surface"
)

// Level tells a passed check that has something to say from one that has not.
type Level string

const (
	Info Level = "info" // worth knowing
	Warn Level = "warn" // somebody should look at it
)

// Check is one thing that was looked at.
type Check struct {
	Name   string // stable, snake_case
	Passed bool
	Level  Level // "" for one that failed, or that all is well with
	// Detail is what was found, one line for each finding.
	Detail surface.Text
}

// Report is every check, in a constant order.
type Report struct{ Checks []Check }

// Failed reports whether a check failed.
func (r *Report) Failed() bool {
	for _, c := range r.Checks {
		if !c.Passed {
			return true
		}
	}
	return false
}

// JSON is the answer of `grimoire -o json doctor`, in language l.
func (r *Report) JSON(l surface.Language) any {
	type check struct {
		Name   string `json:"name"`
		Passed bool   `json:"passed"`
		Detail string `json:"detail"`
		Level  Level  `json:"level,omitempty"`
	}
	out := struct {
		Checks []check `json:"checks"`
	}{Checks: []check{}}
	for _, c := range r.Checks {
		out.Checks = append(out.Checks, check{c.Name, c.Passed, c.Detail.In(l), c.Level})
	}
	return out
}

// Options are what the examination needs of its surroundings.
type Options struct {
	Getenv func(string) string
	// Language is that of a project that says none.
	Language surface.Language
	// Environ is the environment that hosts give their hooks, the person's own.
	Environ []string
	// NoProof leaves out what is proved by running it.
	NoProof bool
	// Step, if any, is told what takes a while.
	Step func(surface.Text)
}

// examination is one project being looked at.
type examination struct {
	Options
	ctx  context.Context
	root string
	tree *tree.Tree
	// hosts are the enabled hosts, known even where the project cannot be
	// loaded.
	hosts []plugin.Host
	// status is nil where the project cannot be loaded.
	status    *host.Status
	workspace *host.Workspace
	// patience bounds each program that is run.
	patience time.Duration
}

// An examiner looks at one subject. It returns no check where the subject does
// not exist in the project.
type examiner func(*examination) []Check

// examiners run in this order. One that proves something by running it belongs
// at the end: it is of use only where the files are in order.
var examiners = []examiner{
	(*examination).files,
	(*examination).kit,
	(*examination).entry,
	(*examination).record,
	(*examination).sync,
	(*examination).leftovers,
	(*examination).surfaces,
	(*examination).hook,
	(*examination).policies,
	(*examination).enforcement,
	(*examination).evaluated,
}

// Run examines the project at root. The error is about the examination itself,
// not about what it finds.
func Run(ctx context.Context, root string, o Options) (*Report, error) {
	t, err := tree.Open(root)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	e := &examination{Options: o, ctx: ctx, root: t.Dir(), tree: t, patience: proofTimeout}
	report := &Report{}
	first := e.open()
	if e.workspace != nil {
		defer e.workspace.Close()
	}
	report.Checks = append(report.Checks, first)
	for _, examine := range examiners {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		report.Checks = append(report.Checks, examine(e)...)
	}
	return report, nil
}

// finding is one thing worth a line.
type finding struct {
	severity severity
	text     surface.Text
}

type severity int

const (
	note    severity = iota // Info
	warning                 // Warn
	failure                 // the check fails
)

// maxLines bounds what one check says: nobody reads more, and a hostile file
// could hold a million mistakes.
const maxLines = 50

// conclude makes a check of what was found; fine is what it says of nothing.
func conclude(name string, found []finding, fine surface.Text) Check {
	c := Check{Name: name, Passed: true, Detail: fine}
	if len(found) == 0 {
		return c
	}
	var fr, en []string
	worst := note
	for i, f := range found {
		worst = max(worst, f.severity)
		if i < maxLines {
			fr, en = append(fr, f.text.FR), append(en, f.text.EN)
		}
	}
	if more := len(found) - maxLines; more > 0 {
		fr, en = append(fr, fmt.Sprintf("… et %d autres", more)), append(en, fmt.Sprintf("… and %d more", more))
	}
	c.Detail = surface.Text{FR: strings.Join(fr, "\n"), EN: strings.Join(en, "\n")}
	switch worst {
	case note:
		c.Level = Info
	case warning:
		c.Level = Warn
	default:
		c.Passed = false
	}
	return c
}
