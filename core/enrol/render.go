package enrol

import (
	"bytes"
	"fmt"
	"strings"
	"text/template"
	"time"
	"unicode"

	"github.com/grimoire-kit/grimoire/core/kit"
	"github.com/grimoire-kit/grimoire/core/schema"
	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/pluginsdk"
	"github.com/grimoire-kit/grimoire/surface"
)

// values are what the templates of the standard are filled with.
type values struct {
	Project, Display, Date string
	About                  string
	Profile                surface.Profile
	Task, State            string   // State is the envelope's word for the task's column
	Minimum                []string // minimum_evidence
	Capabilities           []string
	Required               []string
	Artifacts              []placed
	Providers              []provider
	DefaultProvider        string
	Chain                  []string
	Memories               []memory
	Roles                  []role
	Policy                 ProviderPolicy
	Needs, Patterns        []string
	Memory                 []string // stores
}

type placed struct{ Type, Path string }

type memory struct {
	Type, Scope, Read, Write, Retention, Freshness, Trust string
	Uses                                                  []string
}

type role struct {
	ID, Persona, Does, Autonomy, Escalates string
	Tools, Gates                           []string
}

// memories are the types of memory, from what is forgotten first.
var memories = []memory{
	{"session", "session", "owner", "agent", "session", "live", "low", []string{"continuity"}},
	{"task", "task", "task-members", "agent", "until-closed", "live", "medium", []string{"continuity", "evidence"}},
	{"episodic", "project", "team", "agent", "90-days", "per-task", "medium", []string{"recall"}},
	{"workspace", "workspace", "owner", "agent", "until-removed", "live", "low", []string{"continuity"}},
	{"project", "project", "team", "reviewed", "until-superseded", "90-days", "high", []string{"recall", "decision"}},
	{"procedural", "project", "team", "reviewed", "until-superseded", "180-days", "high", []string{"recall"}},
	{"semantic", "project", "team", "with-evidence", "until-superseded", "180-days", "high", []string{"recall", "decision"}},
	{"organization", "organization", "everyone", "maintainers", "until-superseded", "yearly", "high", []string{"decision"}},
	{"long_term", "project", "team", "reviewed", "until-superseded", "yearly", "high", []string{"recall", "decision"}},
	{"external_knowledge_cache", "project", "team", "tool", "30-days", "per-source", "medium", []string{"grounding"}},
}

func roles(l surface.Language) []role {
	return []role{
		{ID: "planner", Persona: "concierge", Autonomy: "supervised", Tools: []string{"read", "search"}, Gates: []string{"acceptance_criteria"},
			Does:      l.Text("découper la demande, écrire les critères d'acceptation", "cut the request up, write the criteria of acceptance"),
			Escalates: l.Text("la demande a deux lectures", "the request can be read in two ways")},
		{ID: "implementer", Persona: "builder", Autonomy: "supervised", Tools: []string{"read", "search", "edit", "execute"}, Gates: []string{"evidence_pack"},
			Does:      l.Text("faire le travail, et montrer qu'il est fait", "do the work, and show that it is done"),
			Escalates: l.Text("une action que git ne peut pas défaire", "an action that git cannot undo")},
		{ID: "reviewer", Persona: "reviewer", Autonomy: "suggest", Tools: []string{"read", "search", "execute"}, Gates: []string{"review_gate"},
			Does:      l.Text("rejouer les preuves d'un travail qu'il n'a pas fait", "repeat the proofs of work that is not its own"),
			Escalates: l.Text("une preuve ne se rejoue pas", "a proof cannot be repeated")},
	}
}

// renderer fills the templates in for one project.
type renderer struct {
	language surface.Language
	values   values
}

// envelopeState is what a task's envelope calls a column of the board.
func envelopeState(column string) string {
	switch column {
	case "ready":
		return "planned"
	case "in_progress":
		return "executing"
	case "blocked":
		return "blocked"
	case "review":
		return "validating"
	case "accepted", "released", "archived":
		return "done"
	}
	return "intake"
}

func newRenderer(p *Plan, o Options) *renderer {
	l, about := o.Language, standard.Describe(p.Profile)
	v := values{
		Project: oneLine(o.Project), Display: about.Name, Date: o.Now.UTC().Format(time.DateOnly), About: about.For.In(l),
		Profile: p.Profile, Task: p.Task, Capabilities: about.Capabilities, Required: standard.Required(p.Profile),
		Providers: registry(p.Providers, p.Policy), Chain: p.Providers, Memories: memories, Roles: roles(l),
		Policy: p.Policy, Needs: p.Selection.Needs, Memory: p.Selection.Memory,
	}
	for _, kind := range p.Selection.Patterns {
		v.Patterns = append(v.Patterns, strings.ReplaceAll(kind, "_", "-"))
	}
	for _, e := range about.Evidence {
		v.Minimum = append(v.Minimum, e.In(l))
	}
	for _, a := range standard.Artifacts(p.Profile) {
		v.Artifacts = append(v.Artifacts, placed{a.Type, a.Path(p.Task)})
	}
	for _, c := range p.Selection.Controls() {
		v.Artifacts = append(v.Artifacts, placed{c.Type, c.Path()})
	}
	if len(p.Providers) > 0 {
		v.DefaultProvider = p.Providers[0]
	}
	return &renderer{l, v}
}

// render is the text of a file of the standard, by its template's name.
func (r *renderer) render(name string) ([]byte, error) {
	t, err := template.New(name).Funcs(template.FuncMap{
		"t":    r.language.Text,
		"q":    pluginsdk.Quote,
		"join": func(list []string) string { return strings.Join(list, ", ") },
		"atLeast": func(p string) bool {
			return r.values.Profile.Rank() >= surface.Profile(p).Rank()
		},
		"schema": schema.URL,
	}).Parse(kit.Standard(name))
	if err != nil {
		return nil, fmt.Errorf("read the template %s: %w", name, err)
	}
	var out bytes.Buffer
	if err := t.Execute(&out, r.values); err != nil {
		return nil, fmt.Errorf("fill in the template %s: %w", name, err)
	}
	return out.Bytes(), nil
}

// maxName bounds a project's name in characters.
const maxName = 100

// oneLine is a name that can forge neither a line nor a comment of a file.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r) || strings.ContainsRune("<>`|", r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	r := []rune(strings.Join(strings.Fields(s), " "))
	return strings.TrimSpace(string(r[:min(len(r), maxName)]))
}

// Sample is a control's file as it is written for a project that has not been
// looked at.
func Sample(c standard.Control, l surface.Language) ([]byte, error) {
	p := &Plan{Profile: surface.ProfileStarter, Task: standard.Bootstrap, Policy: HostedSafe}
	return newRenderer(p, Options{Project: l.Text("ce projet", "this project"), Language: l}).render(c.Name() + ".yaml")
}
