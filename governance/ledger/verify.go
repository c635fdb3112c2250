package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/tidwall/gjson"

	"github.com/grimoire-kit/grimoire/surface"
)

// Report is what Verify found.
type Report struct {
	Path string `json:"path"`
	// Exists is false where nothing was ever recorded.
	Exists   bool  `json:"exists"`
	Bytes    int64 `json:"bytes"`
	Lines    int   `json:"lines"`
	Events   int   `json:"events"`
	Missions int   `json:"missions"`
	Tasks    int   `json:"tasks"`
	// Digest is that of the whole log, "sha256-" and 64 hex digits.
	Digest string `json:"digest"`
	// Unknown counts the events of types that this version does not know.
	Unknown int `json:"unknown_events"`
	// Torn is the length in bytes of a last line cut short.
	Torn int64 `json:"torn_bytes"`
	// Snapshot is "absent", "agrees", "put_aside" (of another log) or
	// "disagrees" (the log was changed before the point it stands for).
	Snapshot string    `json:"snapshot"`
	Problems []Problem `json:"problems"`
}

// Problem is one thing that should not be in a log.
type Problem struct {
	// Kind is a FaultKind or one of the Problem… words.
	Kind string `json:"kind"`
	// Warning is something that cost nothing: a crash left a mark.
	Warning bool         `json:"warning"`
	Line    int          `json:"line"` // 0 for the log as a whole
	Event   string       `json:"event,omitempty"`
	Entity  string       `json:"entity,omitempty"`
	Reason  surface.Text `json:"-"`
}

// Words of Problem.Kind.
const (
	ProblemTorn       = "torn_tail"
	ProblemDuplicate  = "duplicate_event_id"
	ProblemExists     = "created_twice"
	ProblemUnknown    = "unknown_entity"
	ProblemIllegal    = "illegal_transition"
	ProblemStale      = "stale_transition"
	ProblemEpoch      = "epoch_not_new"
	ProblemDate       = "unreadable_date"
	ProblemHistory    = "history_changed"
	ProblemUnclaimed  = "no_claim"
	ProblemStatus     = "unknown_status"
	ProblemID         = "invalid_id" // of a task: no path may be built of it
	ProblemAbsent     = "no_ledger"  // where there should be one; the caller knows
	snapshotAbsent    = "absent"
	snapshotAgrees    = "agrees"
	snapshotAside     = "put_aside"
	snapshotDisagrees = "disagrees"
)

// Sound reports whether nothing was found but warnings.
func (r *Report) Sound() bool {
	return !slices.ContainsFunc(r.Problems, func(p Problem) bool { return !p.Warning })
}

// Verify reads the whole log of a project, in dir as NewFile takes it, and
// says what is wrong with it. It changes nothing.
func Verify(project, dir string) (*Report, error) {
	f := NewFile(project, dir)
	r := &Report{Path: f.Path(), Problems: []Problem{}, Snapshot: snapshotAbsent}
	snapshot := (&images{file: f}).load()
	if snapshot.state != nil {
		r.Snapshot = snapshotAside
		if _, err := f.Read(snapshot.at, func(Line) {}); err != nil {
			snapshot = memory{} // of another log
		}
	}
	v := verifier{report: r, state: newState(), ids: map[string]int{}, snapshot: snapshot}
	end, err := f.Read(Version{}, v.line)
	if err != nil {
		return nil, err
	}
	v.compare(end.Offset)
	r.Lines, r.Events, r.Missions, r.Tasks = v.state.Log.Lines, v.state.Log.Events, len(v.state.missions), v.state.Len()
	r.Bytes = end.Offset + r.Torn
	r.Digest, r.Exists, err = f.digest(r.Bytes)
	return r, err
}

// digest is that of the first n bytes of the log.
func (f *File) digest(n int64) (digest string, exists bool, err error) {
	hash := sha256.New()
	dir, err := f.folder(false)
	if err == nil {
		defer dir.Close()
		var log logFile
		if log, err = f.regular(dir, LogName, os.O_RDONLY); err == nil {
			defer log.Close()
			exists = true
			_, err = io.Copy(hash, io.NewSectionReader(log, 0, n))
		}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", false, explain("read", f.Path(), err)
	}
	return "sha256-" + hex.EncodeToString(hash.Sum(nil)), exists, nil
}

type verifier struct {
	report   *Report
	state    *State
	ids      map[string]int // event id to its line
	snapshot memory
}

func (v *verifier) line(l Line) {
	v.compare(l.Offset)
	number := v.state.Log.Lines + 1
	if l.Torn > 0 {
		v.report.Torn = l.Torn
		v.add(Problem{Kind: ProblemTorn, Warning: true, Line: number, Reason: surface.Text{
			FR: fmt.Sprintf("dernière ligne coupée (%d octets) : ignorée, le prochain ajout la refermera", l.Torn),
			EN: fmt.Sprintf("the last line was cut short (%d bytes): it is ignored, and the next append closes it off", l.Torn)}})
		return
	}
	e, fault, ok := l.read()
	if ok {
		v.event(number, e)
		v.state.apply(e)
	} else if fault != "" {
		v.add(Problem{Kind: string(fault), Warning: fault == FaultCut, Line: number, Reason: fault.Text()})
	}
	v.state.Log.count(l, fault)
}

func (v *verifier) add(p Problem) { v.report.Problems = append(v.report.Problems, p) }

func (v *verifier) found(line int, e Event, kind, fr, en string, args ...any) {
	v.add(Problem{Kind: kind, Line: line, Event: e.ID, Entity: e.Entity,
		Reason: surface.Text{FR: fmt.Sprintf(fr, args...), EN: fmt.Sprintf(en, args...)}})
}

// compare holds the snapshot against the state at its version.
func (v *verifier) compare(offset int64) {
	if v.snapshot.state == nil || offset != v.snapshot.at.Offset || v.report.Snapshot != snapshotAside {
		return
	}
	now := memory{state: v.state, at: v.snapshot.at}
	if same(now, v.snapshot) {
		v.report.Snapshot = snapshotAgrees
		return
	}
	v.report.Snapshot = snapshotDisagrees
	v.add(Problem{Kind: ProblemHistory, Line: 0, Reason: surface.Text{
		FR: fmt.Sprintf("avant l'octet %d, le journal ne dit plus ce qu'il disait quand l'instantané a été pris (supprime %s s'il vient d'ailleurs)", offset, snapshotName),
		EN: fmt.Sprintf("before byte %d the log no longer says what it said when the snapshot was taken (delete %s if it comes from elsewhere)", offset, snapshotName)}})
}

// event judges one event on the state before it.
func (v *verifier) event(line int, e Event) {
	if first, seen := v.ids[e.ID]; seen {
		v.found(line, e, ProblemDuplicate, "l'identifiant %s est déjà celui de la ligne %d", "the id %s is already that of line %d", surface.Shown(e.ID), first)
	} else {
		v.ids[e.ID] = line
	}
	if e.At.IsZero() {
		v.found(line, e, ProblemDate, "created_at n'est pas une date ISO 8601", "created_at is no ISO 8601 date")
	}
	p := gjson.Parse(e.Payload)
	switch e.Type {
	case MissionCreated:
		if _, taken := v.state.Mission(e.Entity); taken {
			v.found(line, e, ProblemExists, "la mission %s existe déjà", "mission %s already exists", surface.Shown(e.Entity))
		}
	case MissionTransitioned:
		v.mission(line, e, p)
	case TaskCreated:
		if v.state.tasks[e.Entity] != nil {
			v.found(line, e, ProblemExists, "la tâche %s existe déjà", "task %s already exists", surface.Shown(e.Entity))
		}
		id := text(get(p, "id"))
		if id == "" {
			id = e.Entity
		}
		if CheckID(id) != nil {
			v.found(line, e, ProblemID, "« %s » n'est pas un identifiant de tâche (1 à 128 lettres, chiffres, « _ . - », le premier étant une lettre ou un chiffre) : aucune commande n'y touche",
				"%q is no id of a task (1 to 128 letters, digits, `_ . -`, the first a letter or a digit): no command touches it", surface.Shown(id))
		}
		if status := text(get(p, "status")); status != "" && !Status(status).Known() {
			v.found(line, e, ProblemStatus, "%s n'est pas un état (états : %s)", "%s is no state (states: %s)", surface.Shown(status), words(Statuses))
		}
		if m := text(get(p, "mission_id")); v.state.mission(m) == nil {
			v.found(line, e, ProblemUnknown, "la mission %s n'existe pas", "mission %s does not exist", surface.Shown(m))
		}
	case TaskTransitioned, TaskPrioritized, TaskDirectiveAdded, TaskDirectiveDelivered, TaskDirectiveAcknowledged,
		TaskSessionAttached, TaskLinked, TaskLeaseRenewed, TaskAssigned:
		entry := v.state.subject(e)
		if entry == nil {
			v.found(line, e, ProblemUnknown, "la tâche %s n'existe pas", "task %s does not exist", surface.Shown(e.Entity))
			return
		}
		v.task(line, e, p, entry.full())
	case TaskDispatched, TaskRouted, Handoff:
	default:
		v.report.Unknown++
	}
}

func (v *verifier) mission(line int, e Event, p gjson.Result) {
	m, ok := v.state.Mission(e.Entity)
	from, to := MissionStatus(text(get(p, "from_state"))), MissionStatus(text(get(p, "to_state")))
	switch {
	case !ok:
		v.found(line, e, ProblemUnknown, "la mission %s n'existe pas", "mission %s does not exist", surface.Shown(e.Entity))
	case from != m.Status:
		v.stale(line, e, string(from), string(m.Status))
	case !from.MayBecome(to):
		v.illegal(line, e, string(from), string(to))
	}
}

func (v *verifier) task(line int, e Event, p gjson.Result, t *Task) {
	switch e.Type {
	case TaskTransitioned:
		from, to := Status(text(get(p, "from_state"))), Status(text(get(p, "to_state")))
		claim := decodeClaim(get(p, "claim"))
		switch {
		case from != t.Status:
			v.stale(line, e, string(from), string(t.Status))
		case !from.MayBecome(to):
			v.illegal(line, e, string(from), string(to))
		case claim != nil && claim.Epoch != 0 && (claim.Epoch < t.Epoch || to == Claimed && claim.Epoch == t.Epoch):
			v.found(line, e, ProblemEpoch, "le bail %d n'est pas nouveau (le dernier : %d)", "lease %d is not new (the last: %d)", claim.Epoch, t.Epoch)
		}
	case TaskSessionAttached:
		if t.Claim == nil {
			v.found(line, e, ProblemUnclaimed, "la tâche n'est prise par personne", "the task is claimed by nobody")
		}
	}
}

func (v *verifier) stale(line int, e Event, from, is string) {
	v.found(line, e, ProblemStale, "passage depuis %s alors que l'état est %s (deux journaux fusionnés, ou une ligne perdue)",
		"a move from %s while the state is %s (two logs merged, or a line lost)", surface.Shown(from), surface.Shown(is))
}

func (v *verifier) illegal(line int, e Event, from, to string) {
	v.found(line, e, ProblemIllegal, "%s → %s n'est pas un passage permis", "%s → %s is not a legal move", surface.Shown(from), surface.Shown(to))
}
