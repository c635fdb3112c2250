package task

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"time"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/governance/trace"
	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

// GatesFile declares the evidence that each move between columns asks for.
const GatesFile = standard.GatesFile

// gates are what a project declares.
type gates struct {
	list       []standard.Transition
	strictness string // of the project's profile
}

// gates reads them. Without the file no move is gated; one that cannot be
// read, or says less than was meant, gates every move, as a *fileError.
func (d *Desk) gates() (gates, error) {
	file, err := d.gateFile()
	if err != nil {
		return gates{}, err
	}
	profile, err := d.profile()
	if err != nil {
		return gates{}, err
	}
	g := gates{list: file.Transitions, strictness: HardFail}
	if w := file.Strictness[profile]; w == Warning || w == Advisory {
		g.strictness = w
	}
	return g, nil
}

// gateFile is the file of gates, an empty one where there is none.
func (d *Desk) gateFile() (*standard.GateFile, error) {
	data, err := d.read(GatesFile)
	if errors.Is(err, fs.ErrNotExist) {
		return &standard.GateFile{}, nil
	}
	if err != nil {
		return nil, err
	}
	file, broken := standard.ParseGates(data)
	if len(broken) > 0 {
		return nil, &fileError{GatesFile, sayError(broken[0].Placed())}
	}
	return file, nil
}

// profile is the project's, starter where none is declared. A file that cannot be
// read is a *fileError.
func (d *Desk) profile() (string, error) {
	data, err := d.read(standard.ProfileFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	follows := standard.ReadProfile(data, err)
	if follows.Wrong.EN != "" {
		return "", &fileError{standard.ProfileFile, sayError(follows.Placed())}
	}
	return string(follows.Profile), nil
}

// GatesProblem is what is wrong with the files that the gates are read from.
func (d *Desk) GatesProblem() error {
	_, err := d.gates()
	return err
}

// pass evaluates the gate of a move. A refusal is an error and is traced; what
// the profile lets pass is returned to be said.
func (d *Desk) pass(t *ledger.Task, to ledger.Status) ([]surface.Text, error) {
	r, err := d.judge(t, to)
	if err != nil || r == nil {
		return nil, err
	}
	if r.Strictness == HardFail {
		d.traceRefusal(r, t.Status, to)
		return nil, r
	}
	var said []surface.Text
	for _, m := range r.Missing {
		said = append(said, surface.Text{
			FR: m.Evidence + " : " + m.Reason.FR + " — " + m.Remedy.FR,
			EN: m.Evidence + ": " + m.Reason.EN + " — " + m.Remedy.EN})
	}
	return said, nil
}

// judge says what a move lacks, nil for nothing.
func (d *Desk) judge(t *ledger.Task, to ledger.Status) (*Refusal, error) {
	g, err := d.gates()
	var broken *fileError
	if errors.As(err, &broken) {
		return refuse(t.ID, path.Base(broken.path), broken.path, fault.Text(broken), surface.Text{
			FR: "corrige " + broken.path + " ; `grimoire standard verify` dit ce qui ne va pas",
			EN: "mend " + broken.path + "; `grimoire standard verify` says what is wrong"}), nil
	}
	if err != nil {
		return nil, err
	}
	from, into := standard.Column(t.Status), standard.Column(to)
	i := slices.IndexFunc(g.list, func(g standard.Transition) bool { return g.From == from && g.To == into })
	if i < 0 || !t.Status.MayBecome(to) { // a move that is not legal is for the ledger to refuse
		return nil, nil
	}
	r := &Refusal{Task: t.ID, Transition: g.list[i].ID, Strictness: g.strictness}
	for _, name := range g.list[i].Evidence {
		if m := d.resolve(name, t); m != nil {
			m.Evidence = name
			r.Missing = append(r.Missing, *m)
		}
	}
	if len(r.Missing) == 0 {
		return nil, nil
	}
	return r, nil
}

// Requires lists the evidence that each next column of a task asks for.
func (d *Desk) Requires(t *ledger.Task) map[string][]string {
	out := map[string][]string{}
	g, err := d.gates()
	if err != nil {
		return out
	}
	for _, g := range g.list {
		if g.From == standard.Column(t.Status) {
			out[g.To] = g.Evidence
		}
	}
	return out
}

// traceRefusal leaves a refused gate in the trace ledger; a trace that cannot
// be written costs nothing.
func (d *Desk) traceRefusal(r *Refusal, from, to ledger.Status) {
	rec := trace.Record{Run: "task-gate-" + r.Task, Task: r.Task, Recipe: gateRecipe, Outcome: trace.Failure, At: time.Now(),
		Tags: []string{"task.gate", r.Transition, "transition:" + string(from) + "->" + string(to)}}
	for _, m := range r.Missing {
		rec.Tags = append(rec.Tags, "missing:"+m.Evidence)
		rec.Verdicts = append(rec.Verdicts, trace.PolicyVerdict{ID: m.Evidence, Action: "task.transition:" + string(from) + "->" + string(to), Verdict: trace.VerdictBlock})
	}
	_ = trace.Append(d.Root, rec)
}
