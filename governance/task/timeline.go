package task

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/trace"
	"github.com/grimoire-kit/grimoire/surface"
)

// KernelDir is where runs of flows are kept, relative to the project.
const KernelDir = "_grimoire-runtime-output/runtime"

// Step is one thing that happened to a task.
type Step struct {
	At      string
	Source  string // ledger, incident, gate, hooks, runtime, evidence
	Kind    string // an event's type, or like one
	Summary surface.Text
	Failure bool // it explains why work stopped
	Detail  any  // its JSON
}

// Timeline is everything that happened to a task, in the order of its time.
type Timeline struct {
	Task    *ledger.Task // nil for one that only the journals know
	Steps   []Step
	Sources map[string]string // the files that were read, "" for one that is not there
	// Skipped counts the lines of a source that could not be read.
	Skipped map[string]int
}

// Timeline puts together what the ledger, the hooks' traces, the runs of flows
// and the evidence say of a task. kernel is the runs' folder, relative to the
// project or absolute. It creates nothing. A task that none of them knows is an
// *UnknownError.
func (d *Desk) Timeline(id, kernel string) (*Timeline, error) {
	id = strings.TrimSpace(id)
	l := &Timeline{Steps: []Step{}, Sources: map[string]string{}, Skipped: map[string]int{}}
	t, err := d.Find(id)
	switch {
	case err == nil:
		l.Task = &t
	case !errors.Is(err, ledger.ErrUnknownTask):
		return nil, err
	}
	for _, part := range []struct {
		source string
		read   func(*Timeline, string) (where string, skipped int, err error)
	}{
		{"ledger", d.ledgerSteps},
		{"hooks", d.traceSteps},
		{"runtime", func(l *Timeline, id string) (string, int, error) { return d.runSteps(l, id, kernel) }},
		{"evidence", d.evidenceSteps},
	} {
		where, skipped, err := part.read(l, id)
		if err != nil {
			return nil, err
		}
		l.Sources[part.source] = where
		if skipped > 0 {
			l.Skipped[part.source] = skipped
		}
	}
	if l.Task == nil && len(l.Steps) == 0 {
		return nil, &UnknownError{id}
	}
	slices.SortStableFunc(l.Steps, func(a, b Step) int { // of equal times, as they were written
		x, _ := ledger.ParseTime(a.At)
		y, _ := ledger.ParseTime(b.At)
		return x.Compare(y)
	})
	return l, nil
}

// Causes are the steps that explain why work stopped.
func (l *Timeline) Causes() []Step {
	return slices.DeleteFunc(slices.Clone(l.Steps), func(s Step) bool { return !s.Failure })
}

func (l *Timeline) add(s Step) { l.Steps = append(l.Steps, s) }

func (d *Desk) ledgerSteps(l *Timeline, id string) (string, int, error) {
	has, err := d.hasLedger()
	if err != nil || !has {
		return "", 0, err
	}
	err = d.Ledger.History(id, func(e ledger.Event) {
		p := gjson.Parse(e.Payload)
		from, to, reason := p.Get("from_state").String(), p.Get("to_state").String(), p.Get("reason").String()
		s := Step{At: ledger.FormatTime(e.At), Source: "ledger", Kind: string(e.Type), Summary: both(string(e.Type) + ", " + e.Actor), Detail: struct {
			Actor   string          `json:"actor_id"`
			From    string          `json:"from_state,omitempty"`
			To      string          `json:"to_state,omitempty"`
			Reason  string          `json:"reason,omitempty"`
			Payload json.RawMessage `json:"payload"`
		}{e.Actor, from, to, reason, json.RawMessage(e.Payload)}}
		if e.At.IsZero() {
			s.At = ""
		}
		switch e.Type {
		case ledger.TaskCreated:
			s.Summary = surface.Text{FR: "ajoutée par " + e.Actor + " : " + p.Get("title").String(), EN: "added by " + e.Actor + ": " + p.Get("title").String()}
		case ledger.TaskTransitioned:
			what := from + " → " + to
			if reason != "" {
				reason = " — " + reason
			}
			s.Summary = surface.Text{FR: what + " par " + e.Actor + reason, EN: what + " by " + e.Actor + reason}
			s.Failure = to == string(ledger.Blocked) || to == string(ledger.Failed) || p.Get("reason").String() == lostReason
		case ledger.TaskAssigned:
			nobody := func(key string) surface.Text {
				if name := p.Get(key).String(); name != "" {
					return both(name)
				}
				return surface.Text{FR: "personne", EN: "nobody"}
			}
			old, next := nobody("from_owner"), nobody("to_owner")
			if reason != "" {
				reason = " — " + reason
			}
			s.Summary = surface.Text{
				FR: "responsable : " + old.FR + " → " + next.FR + ", par " + e.Actor + reason,
				EN: "owner: " + old.EN + " → " + next.EN + ", by " + e.Actor + reason}
		case ledger.TaskLinked:
			on := p.Get("depends_on").String() + " (" + p.Get("kind").String() + ")"
			s.Summary = surface.Text{FR: "liée à " + on, EN: "linked to " + on}
		}
		l.add(s)
	})
	if err != nil {
		return "", 0, err
	}
	incidents, err := d.incidents()
	for _, i := range incidents {
		if i.Task != id {
			continue
		}
		said := "[" + i.Severity + ", " + i.Status + "] " + i.Kind + ": " + strings.Join(append([]string{i.Summary}, i.Causes...), "; ")
		l.add(Step{At: i.At, Source: "incident", Kind: "incident." + i.Status, Summary: both(said), Failure: i.Status == "open", Detail: i})
	}
	return filepath.ToSlash(d.ledgerDir) + "/" + ledger.LogName, 0, err
}

// The recipes of traces that are about a task and no tool.
const (
	gateRecipe = "grimoire.task-gate"
	stopRecipe = "grimoire.evidence-gate"
)

// traced is what a trace says more of a step.
type traced struct {
	ID      string   `json:"trace_id"`
	Host    string   `json:"host,omitempty"`
	Tool    string   `json:"tool,omitempty"`
	Missing []string `json:"missing,omitempty"`
}

func (d *Desk) traceSteps(l *Timeline, id string) (string, int, error) {
	if !d.isFile(trace.File) {
		return "", 0, nil
	}
	skipped, err := trace.Read(d.Root, func(e *trace.Entry) {
		if e.Task != id && e.Run != "task-gate-"+id {
			return
		}
		failed := e.Outcome == trace.Failure
		switch e.Recipe {
		case gateRecipe:
			l.add(gateStep(e))
			return
		case stopRecipe:
			s := Step{At: e.Started, Source: "hooks", Kind: "stop.gate", Failure: failed, Detail: traced{ID: e.ID, Host: e.Host},
				Summary: surface.Text{FR: "la session a pu se terminer", EN: "the session was let end"}}
			if failed {
				s.Summary = surface.Text{FR: "la session n'a pas pu se terminer : des preuves manquent", EN: "the session was not let end: evidence is missing"}
			}
			l.add(s)
		}
		for _, c := range e.Calls {
			what := map[string]surface.Text{
				trace.VerdictBlock: {FR: "refusé", EN: "refused"},
				trace.VerdictAsk:   {FR: "soumis à la personne", EN: "put to the person"},
				trace.VerdictNone:  {FR: "non évalué", EN: "not evaluated"},
			}[c.Verdict]
			if what == (surface.Text{}) {
				what = surface.Text{FR: "laissé passer", EN: "let through"}
			}
			l.add(Step{At: e.Started, Source: "hooks", Kind: "tool." + c.Verdict, Failure: c.Verdict == trace.VerdictBlock, Detail: traced{ID: e.ID, Host: e.Host, Tool: c.Tool},
				Summary: surface.Text{FR: c.Tool + " " + what.FR, EN: c.Tool + " " + what.EN}})
		}
	})
	return trace.File, skipped, err
}

func gateStep(e *trace.Entry) Step {
	missing := e.Verdicts
	name, move := "", ""
	for _, tag := range e.Tags {
		evidence, isEvidence := strings.CutPrefix(tag, "missing:")
		passage, isMove := strings.CutPrefix(tag, "transition:")
		switch {
		case isEvidence && len(e.Verdicts) == 0:
			missing = append(missing, evidence)
		case isMove:
			move = " (" + strings.Replace(passage, "->", " → ", 1) + ")"
		case !isEvidence && name == "" && tag != "task.gate":
			name = tag
		}
	}
	list := strings.Join(missing, ", ")
	return Step{At: e.Started, Source: "gate", Kind: "task.gate.refused", Failure: true, Detail: traced{ID: e.ID, Missing: missing},
		Summary: surface.Text{FR: "refusé par " + name + move + " : il manque " + list, EN: "refused by " + name + move + ": " + list + " missing"}}
}

// failedRuns are the events of a run that explain a stop.
var failedRuns = []string{"tool.blocked", "step.failed", "workflow.aborted", "workflow.refused"}

func (d *Desk) runSteps(l *Timeline, id, kernel string) (where string, skipped int, err error) {
	runs := map[string]gjson.Result{} // of the task, the last line with an id counts
	read := func(name string, visit func(gjson.Result)) error {
		n, err := d.eachLine(kernel, name, visit)
		skipped += n
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		where = filepath.ToSlash(kernel)
		return err
	}
	if err = read("instances.jsonl", func(o gjson.Result) {
		if o.Get("task_id").String() == id {
			runs[o.Get("id").String()] = o
		}
	}); err != nil {
		return "", 0, err
	}
	if err = read("run_events.jsonl", func(o gjson.Result) {
		run, known := runs[o.Get("workflow_instance_id").String()]
		if !known && o.Get("task_id").String() != id {
			return
		}
		kind, p := o.Get("event_type").String(), o.Get("payload")
		said := []string{kind, o.Get("workflow_instance_id").String()}
		for _, key := range []string{"step_id", "step", "tool_name", "checkpoint_id", "reason"} {
			if v := p.Get(key).String(); v != "" {
				said = append(said, v)
			}
		}
		if why := run.Get("abort_reason").String(); why != "" && p.Get("reason").String() == "" && (kind == "workflow.aborted" || kind == "workflow.refused") {
			said = append(said, why)
		}
		l.add(Step{At: o.Get("created_at").String(), Source: "runtime", Kind: kind, Summary: both(strings.Join(said, " ")), Failure: slices.Contains(failedRuns, kind), Detail: json.RawMessage(o.Raw)})
	}); err != nil {
		return "", 0, err
	}
	err = read("checkpoints.jsonl", func(o gjson.Result) {
		if _, known := runs[o.Get("workflow_instance_id").String()]; !known {
			return
		}
		done, left := len(o.Get("state.completed_steps").Array()), len(o.Get("state.pending_steps").Array())
		head := "checkpoint " + o.Get("id").String() + " " + o.Get("step_id").String()
		l.add(Step{At: o.Get("created_at").String(), Source: "runtime", Kind: "checkpoint", Detail: json.RawMessage(o.Raw), Summary: surface.Text{
			FR: fmt.Sprintf("%s, %d étape(s) faite(s), %d restante(s)", head, done, left), EN: fmt.Sprintf("%s, %d step(s) done, %d left", head, done, left)}})
	})
	return where, skipped, err
}

func (d *Desk) evidenceSteps(l *Timeline, id string) (where string, skipped int, err error) {
	there := func(name string) {
		if f, _, err := d.openIn(d.EvidenceDir, name); err == nil {
			_ = f.Close()
			where = filepath.ToSlash(d.EvidenceDir)
		}
	}
	there("packs.jsonl")
	there("verdicts.jsonl")
	packs, err := d.packs(id)
	if err != nil {
		return "", 0, err
	}
	for _, p := range packs {
		s := Step{At: p.Created, Source: "evidence", Kind: "evidence.pack", Detail: struct {
			Pack string `json:"pack_id"`
		}{p.ID}, Summary: surface.Text{FR: fmt.Sprintf("%s : %d preuve(s)", p.ID, len(p.Items)), EN: fmt.Sprintf("%s: %d item(s)", p.ID, len(p.Items))}}
		if p.Coverage != nil && len(p.Coverage.Missing) > 0 {
			list := strings.Join(p.Coverage.Missing, "; ")
			s.Summary.FR += ", sans preuve pour " + list
			s.Summary.EN += ", none for " + list
		}
		l.add(s)
	}
	err = d.verdicts(id, func(v Verdict) {
		said := "verdict " + v.Verdict + ", " + v.Pack
		if failed := v.failed(); len(failed) > 0 {
			said += ": " + strings.Join(failed, ", ")
		}
		l.add(Step{At: v.Created, Source: "evidence", Kind: "verdict." + v.Verdict, Failure: v.Verdict != "passed", Summary: both(said), Detail: struct {
			Verdict string `json:"verdict_id"`
			Pack    string `json:"pack_id"`
		}{v.ID, v.Pack}})
	})
	return where, 0, err
}
