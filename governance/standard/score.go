package standard

import (
	"errors"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/governance/gitignore"
	"github.com/grimoire-kit/grimoire/surface"
)

// JournalFile is where grimoire notes what it did about the standard.
const JournalFile = "_grimoire-output/events/runtime-journal.jsonl"

// JoinJournal has git join the journals of two branches line by line. The
// folder is there already.
func JoinJournal(project *os.Root) {
	gitignore.Join(project, path.Dir(JournalFile), path.Base(JournalFile))
}

// maxWeight bounds a dimension's weight.
const maxWeight = 1000

// Dimension is one part of the score.
type Dimension struct {
	Name       string
	Weight     int
	Earned     int
	Percentage int
	Errors     int
	Warnings   int
}

// Score is how far the project follows its profile, in percent.
type Score struct {
	Verification *Verification
	// Journal is what was found in the journal. It weighs in the score, and
	// is no matter of the profile.
	Journal    []Check
	Score      int
	Threshold  int // the least that passes
	Dimensions []Dimension
}

// OK reports a score that passes in a project that verifies.
func (s *Score) OK() bool { return s.Score >= s.Threshold && s.Verification.OK() }

// dimensions are the default weights, each with the families of checks that
// count in it. The first family that fits a check takes it.
var dimensions = []struct {
	name     string
	weight   int
	families []string
}{
	{"artifacts", 10, []string{"artifact.", "yaml.", "manifest.", "mission.", "compliance.", "profile.", "patterns.", "score.", "risks.", "waivers.", "actions.", "incident.", "retention.", "risk."}},
	{"provider_policy", 10, []string{"providers.", "cost.", "runtime."}},
	{"knowledge_registry", 10, []string{"knowledge.", "docgraph."}},
	{"task_board", 10, []string{"board.", "task."}},
	{"memory_os", 10, []string{"memory.os_"}},
	{"memory_policy", 10, []string{"memory.", "integrity."}},
	{"context_contract", 10, []string{"context.", "compression."}},
	{"decision_graph", 6, []string{"decision.", "council."}},
	{"rule_packs", 6, []string{"rules.", "policies.", "tools.", "firewall.", "guardrail.", "remote.", "promptver."}},
	{"hook_registry", 6, []string{"hooks."}},
	{"orchestration_policy", 10, []string{
		"orchestration.", "privilege.", "merge.", "workspace.", "env.", "browser.", "cluster.", "k8s.", "flowdsl.", "wsm.", "capability.", "capacity.",
	}},
	{"evidence_gates", 10, []string{"acceptance.", "evidence.", "gate.", "gates.", "visual."}},
	{"observability_cockpit", 0, []string{"observability."}},
	{"runtime_journal", 4, []string{"journal."}},
	{"ci_release_gate", 6, []string{"release."}},
}

// dimensionOf is the dimension that a check counts in.
func dimensionOf(id string) (string, bool) {
	for _, d := range dimensions {
		if slices.ContainsFunc(d.families, func(family string) bool { return strings.HasPrefix(id, family) }) {
			return d.name, true
		}
	}
	return "", false
}

// thresholds are the least scores that pass, where the project says none.
var thresholds = map[surface.Profile]int{
	surface.ProfileStarter: 50, surface.ProfileControlled: 65, surface.ProfileOrchestrated: 70,
	surface.ProfileGoverned: 90, surface.ProfileProduction: 95,
}

// ScorePath is where the score of a task is kept.
func ScorePath(task string) string { return scoreDir + "/" + task + "/compliance-score.yaml" }

// scorePolicy examines the weights and thresholds.
func (e *examination) scorePolicy() {
	x := e.yaml(pathOf("compliance_score", e.v.Task))
	if x == nil {
		return
	}
	for _, key := range []string{"dimensions", "thresholds"} {
		if v := x.top.get(key); v.isBare() {
			x.fail("score."+key+"_missing", v, key+" est vide", key+" is empty")
		}
	}
	for name, w := range x.top.get("dimensions").pairs() {
		if n, ok := w.integer(); !ok || n < 0 || n > maxWeight {
			x.fail("score.weight_invalid", w,
				"dimensions."+name+" doit être un entier de 0 à 1000", "dimensions."+name+" must be a whole number from 0 to 1000")
		}
	}
	for profile, t := range x.top.get("thresholds").pairs() {
		if n, ok := t.get("fail_below").integer(); !ok || n < 0 || n > 100 {
			x.warn("score.threshold_invalid", t,
				"thresholds."+profile+".fail_below doit être un entier de 0 à 100 ; celui de grimoire compte", "thresholds."+profile+".fail_below must be a whole number from 0 to 100; grimoire's own counts")
		}
	}
}

// Score verifies the project and weighs what was found: an error costs its
// whole dimension, a warning half of it.
func (f *Folder) Score(o Options) *Score {
	v := f.Verify(o)
	weights, threshold := f.weights(v)
	s := &Score{Verification: v, Journal: f.journal(), Threshold: threshold}
	total, earned := 0, 0
	errs, warnings := map[string]int{"artifacts": len(v.Missing)}, map[string]int{}
	for _, c := range slices.Concat(v.Checks, s.Journal) {
		switch name, _ := dimensionOf(c.ID); c.Severity {
		case Error:
			errs[name]++
		case Warning:
			warnings[name]++
		}
	}
	for _, w := range weights {
		d := Dimension{Name: w.name, Weight: w.weight, Errors: errs[w.name], Warnings: warnings[w.name]}
		d.Earned = max(0, w.weight-d.Errors*w.weight-d.Warnings*max(1, w.weight/2))
		d.Percentage = 100
		if w.weight > 0 {
			d.Percentage = 100 * d.Earned / w.weight
		}
		total, earned = total+w.weight, earned+d.Earned
		s.Dimensions = append(s.Dimensions, d)
	}
	if total > 0 {
		s.Score = 100 * earned / total
	}
	return s
}

type weight struct {
	name   string
	weight int
}

// weights are the project's own, else the defaults, with the threshold of its
// profile. A weight that is wrong counts as 0; Verify has named it.
func (f *Folder) weights(v *Verification) (out []weight, threshold int) {
	threshold = thresholds[v.Profile]
	top, _, _ := f.yaml(pathOf("compliance_score", v.Task))
	if n, ok := top.get("thresholds").get(string(v.Profile)).get("fail_below").integer(); ok && n >= 0 && n <= 100 {
		threshold = n
	}
	declared := top.get("dimensions")
	if declared.isBare() {
		for _, d := range dimensions {
			if d.weight > 0 {
				out = append(out, weight{d.name, d.weight})
			}
		}
		return out, threshold
	}
	for name, w := range declared.pairs() {
		n, ok := w.integer()
		if !ok || n < 0 || n > maxWeight {
			n = 0
		}
		out = append(out, weight{name, n})
	}
	return out, threshold
}

// journal examines the journal: one warning where nothing was noted yet, one
// error for what is not an event.
func (f *Folder) journal() []Check {
	x := &file{v: &Verification{}, path: JournalFile}
	events, err := f.Events()
	var unreadable *FileError
	switch {
	case errors.As(err, &unreadable):
		x.fail("journal.unreadable", node{}, unreadable.Why.FR, unreadable.Why.EN)
	case events.InvalidCount > 0: // one weighs as much as all of them
		return []Check{{ID: "journal.invalid_line", Severity: Error, Path: JournalFile, Line: events.Invalid[0],
			Text: surface.Text{FR: "la ligne n'est pas un événement", EN: "the line is not an event"}}}
	case events.Count == 0:
		x.warn("journal.empty", node{}, "rien n'y est encore noté", "nothing is noted in it yet")
	}
	return x.v.Checks
}
