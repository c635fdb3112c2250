package standard

import (
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/surface"
)

// examined are the files that checks are about, each with the family of its
// checks, in the order of the examination.
var examined = []struct{ kind, family string }{
	{"mission_brief", "mission."}, {"task_envelope", "task."}, {"evidence_pack", "evidence."},
	{"llm_provider_registry", "providers."}, {"compliance_declaration", "compliance."},
	{"task_board", "board."}, {"knowledge_source_registry", "knowledge."}, {"memory_policy", "memory."},
	{"context_contract", "context."}, {"decision_graph", "decision."}, {"rule_packs", "rules."}, {"hook_registry", "hooks."},
	{"orchestration_policy", "orchestration."}, {"evidence_gates", "gates."}, {"pattern_catalog", "patterns."},
	{"compliance_score", "score."}, {"remediation_plan", "actions."}, {"accepted_risks", "risks."}, {"waivers", "waivers."},
	{"observability_policy", "observability."},
}

// parts are the files that can be verified alone.
var parts = map[string]string{
	"board": "task_board", "memory": "memory_policy", "context": "context_contract", "rules": "rule_packs",
	"hooks": "hook_registry", "knowledge": "knowledge_source_registry",
}

// Part is what a verification found about one file: its presence, and the
// checks of its family. The names are board, memory, context, rules, hooks and
// knowledge.
func (v *Verification) Part(name string) *Verification {
	kind := parts[name]
	path := pathOf(kind, v.Task)
	about := func(list []string) []string {
		return slices.DeleteFunc(slices.Clone(list), func(p string) bool { return p != path })
	}
	out := &Verification{Profile: v.Profile, Task: v.Task,
		Present: about(v.Present), Missing: about(v.Missing), InvalidYAML: about(v.InvalidYAML)}
	for _, c := range v.Checks {
		if strings.HasPrefix(c.ID, familyOf(kind)) || c.Path == path && strings.HasPrefix(c.ID, "yaml.") {
			out.Checks = append(out.Checks, c)
		}
	}
	return out
}

// PartPath is the file of a part.
func PartPath(name string) string { return pathOf(parts[name], Bootstrap) }

func familyOf(kind string) string {
	for _, x := range examined {
		if x.kind == kind {
			return x.family
		}
	}
	for _, c := range controlFiles {
		if c.Type == kind {
			return c.Family
		}
	}
	return ""
}

// Trace is one row of what holds a profile together: a file, what requires it,
// which checks read it, and what they weigh in.
type Trace struct {
	Type      string
	Path      string
	Required  bool
	Present   bool
	Family    string // of the checks that read it, "" where only its presence is looked at
	Dimension string // of the score
	OwedFrom  string // the first column in which a task owes it, "" for none
	Errors    int
	Warnings  int
}

// Traceability says, for each file of a profile, what asks for it and what
// reads it.
func (f *Folder) Traceability(o Options) (*Verification, []Trace) {
	v := f.Verify(o)
	required, _ := f.required() // one that cannot be read is among the checks
	var rows []Trace
	for _, a := range Artifacts(v.Profile) {
		path := a.Path(v.Task)
		row := Trace{Type: a.Type, Path: path, Required: !a.Optional || required[a.Type], Present: f.isFile(path), Family: familyOf(a.Type), Dimension: "artifacts"}
		for _, w := range owed {
			if w.kind == a.Type && v.Profile.Rank() >= w.from.Rank() && (!w.declared || required[w.kind]) {
				row.OwedFrom = w.since
			}
		}
		if row.Family != "" {
			row.Dimension, _ = dimensionOf(row.Family)
		}
		for _, c := range v.Checks {
			if c.Path != path {
				continue
			}
			switch c.Severity {
			case Error:
				row.Errors++
			case Warning:
				row.Warnings++
			}
		}
		rows = append(rows, row)
	}
	return v, rows
}

// Source is a source of knowledge that the registry declares.
type Source struct {
	ID      string
	Enabled bool
	Type    string
	Locator string
	Trust   string // trust.level
	Truth   bool   // trust.source_of_truth
	Refresh string
	Line    int
}

// Knowledge are the sources of the registry, none where there is no registry.
// One that cannot be read is a *FileError.
func (f *Folder) Knowledge() ([]Source, error) {
	path := PartPath("knowledge")
	top, present, err := f.yaml(path)
	if err != nil {
		if present {
			return nil, &FileError{path, words(err)}
		}
		return nil, nil
	}
	var out []Source
	for _, s := range top.get("sources").list() {
		if !s.isMap() {
			return nil, &FileError{path, surface.Text{
				FR: lineFR(s) + "chaque source doit être une table de clés", EN: lineEN(s) + "every source must be a mapping"}}
		}
		out = append(out, Source{ID: s.get("id").text(), Enabled: s.get("enabled").isTrue(), Type: s.get("type").text(),
			Locator: s.get("locator").text(), Trust: s.get("trust").get("level").text(), Truth: s.get("trust").get("source_of_truth").isTrue(),
			Refresh: s.get("refresh").text(), Line: s.line()})
	}
	return out, nil
}

// Value is a text of a YAML file, with its line.
type Value struct {
	Text string
	Line int
}

// Upstream is where the project says that its standard comes from, and the
// commit of it that it follows; each is "" where it is not said. A profile file
// that cannot be read is a *FileError.
func (f *Folder) Upstream() (repository, commit Value, err error) {
	top, _, err := f.yaml(ProfileFile)
	if err != nil {
		return Value{}, Value{}, missingOr(ProfileFile, err, "manque : `grimoire standard init` l'écrit", "is missing: `grimoire standard init` writes it")
	}
	u := top.get("upstream_standard")
	value := func(key string) Value { return Value{u.get(key).text(), max(u.get(key).line(), u.line())} }
	return value("repository"), value("commit"), nil
}
