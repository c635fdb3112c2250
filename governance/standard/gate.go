package standard

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/surface"
)

// Tasks is what a gate asks about tasks. A Board is one; Folder.Tasks also
// asks the mission ledger.
type Tasks interface {
	// State is the column a task stands in; known is false where nobody has
	// heard of the task.
	State(task string) (state string, known bool, err error)
}

// GateOptions are what is asked of CheckGate.
type GateOptions struct {
	Options
	// Target is the column to judge for, "" for the one the task stands in.
	Target string
	// Candidates are the tasks under way among which nothing chooses; Task is
	// then "".
	Candidates []string
}

// Gate is what a task owes in its column.
type Gate struct {
	Task    string
	Profile surface.Profile
	State   string   // "" where the task stands nowhere
	Missing []string // types of the files that are owed and not there
	Checks  []Check
}

// OK reports that nothing is owed.
func (g *Gate) OK() bool { return count(g.Checks, Error) == 0 }

// StateError is a word that names no column.
type StateError struct{ Word string }

func (e *StateError) Error() string { return e.Text().EN }

// Text is the message in both languages.
func (e *StateError) Text() surface.Text {
	list, shown := strings.Join(States, ", "), surface.Quoted(e.Word)
	return surface.Text{
		FR: "État inconnu : " + shown + " (attendu : " + list + ")",
		EN: "Unknown state: " + shown + " (expected one of: " + list + ")",
	}
}

// owed are the files a task owes, from which column on. Those that came with
// later versions of the existing kit are owed where the project's profile file
// requires them: the versions before wrote none.
var owed = []struct {
	kind     string
	since    string
	from     surface.Profile
	declared bool // owed only where required_artifacts names it
}{
	{"task_board", "ready", surface.ProfileStarter, false},
	{"task_envelope", "ready", surface.ProfileStarter, false},
	{"evidence_gates", "ready", surface.ProfileOrchestrated, false},
	{"context_bundle", "in_progress", surface.ProfileStarter, false},
	{"memory_policy", "in_progress", surface.ProfileOrchestrated, false},
	{"evidence_pack", "review", surface.ProfileStarter, false},
	{"claim_ledger", "review", surface.ProfileStarter, true},
	{"decision_trace", "review", surface.ProfileStarter, false},
	{"acceptance_record", "accepted", surface.ProfileGoverned, true},
	{"compliance_score", "released", surface.ProfileStarter, false},
}

// moving are the columns of a task on its way; in the others nothing is owed.
var moving = []string{"ready", "in_progress", "review", "accepted", "released"}

// CheckGate says what the task owes in its column. It looks at files; what a
// move also asks of the ledger is judged where the move is made. Without a
// task it is about Bootstrap, which a board must declare.
func (f *Folder) CheckGate(tasks Tasks, o GateOptions) (*Gate, error) {
	if o.Target != "" && !slices.Contains(States, o.Target) {
		return nil, &StateError{o.Target}
	}
	required, err := f.required()
	if err != nil {
		return nil, err
	}
	e := f.examine(o.Options)
	g := &Gate{Task: e.v.Task, Profile: e.v.Profile, State: o.Target}
	if o.Task == "" && len(o.Candidates) > 0 { // Bootstrap is none of them
		e.unchosen(o.Candidates)
		g.Checks = e.v.Checks
		return g, nil
	}
	state, known, err := tasks.State(g.Task)
	if err != nil {
		return nil, err
	}
	if g.State == "" {
		g.State = state
	}
	if !known {
		e.unknown(o)
	}
	e.gateFile()
	at := slices.Index(moving, g.State)
	for _, w := range owed {
		if at < 0 || at < slices.Index(moving, w.since) || g.Profile.Rank() < w.from.Rank() || w.declared && !required[w.kind] {
			continue
		}
		path, remedy := owedAt(w.kind, g.Task)
		if f.isFile(path) {
			continue
		}
		g.Missing = append(g.Missing, w.kind)
		x := &file{v: e.v, path: path}
		x.fail("gate."+w.kind+"_missing", node{}, path+" manque : "+remedy.FR, path+" is missing: "+remedy.EN)
	}
	if at >= slices.Index(moving, "in_progress") && g.Profile.Rank() >= surface.ProfileOrchestrated.Rank() {
		e.memory()
	}
	g.Checks = e.v.Checks
	return g, nil
}

// gateFile wants the file that moves are judged by to say what was meant.
func (e *examination) gateFile() {
	broken, err := e.f.brokenGates()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		why := words(err)
		(&file{v: e.v, path: GatesFile}).fail("yaml.invalid", node{}, why.FR, why.EN)
	}
	e.v.Checks = append(e.v.Checks, broken...)
}

// brokenGates is what is wrong with the gates file, so that it blocks. Errors
// are those of read.
func (f *Folder) brokenGates() ([]Check, error) {
	data, err := f.read(GatesFile, maxFile)
	if err != nil {
		return nil, err
	}
	_, broken := ParseGates(data)
	return broken, nil
}

// OwnChecks are the command lines that the project declares to be its checks.
// A gates file that cannot be read declares none.
func (f *Folder) OwnChecks() []string {
	data, err := f.read(GatesFile, maxFile)
	if err != nil {
		return nil
	}
	g, _ := ParseGates(data)
	return g.Checks
}

// GatesProblem is a *FileError for a gates file that is there and blocks every
// move, with its first fault.
func (f *Folder) GatesProblem() error {
	broken, err := f.brokenGates()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return &FileError{GatesFile, words(err)}
	case len(broken) > 0:
		return &FileError{GatesFile, broken[0].Placed()}
	}
	return nil
}

// required are the files that the project itself says it requires. A profile
// file that cannot be read, or names a profile that is none, is a *FileError:
// what a task owes is then not known, and the weakest profile asks for little.
func (f *Folder) required() (set, error) {
	if err := f.Followed().Problem(); err != nil {
		return nil, err
	}
	top, _, err := f.yaml(ProfileFile)
	if err != nil {
		return nil, nil // there is none
	}
	return top.get("required_artifacts").set(), nil
}

// unchosen are several tasks under way where none was named: a gate of another
// task says nothing of them.
func (e *examination) unchosen(candidates []string) {
	list := strings.Join(candidates, ", ")
	x := &file{v: e.v, path: BoardFile}
	x.fail("gate.no_task_to_evaluate", node{},
		"plusieurs tâches sont en cours ("+list+") ; nomme-la : `grimoire standard gate check --task-id "+candidates[0]+"`",
		"several tasks are under way ("+list+"); name one: `grimoire standard gate check --task-id "+candidates[0]+"`")
}

// unknown is a task that the project has not heard of: by its board, or,
// without one, by its ledger. A gate of a misspelt task would be green.
func (e *examination) unknown(o GateOptions) {
	x := &file{v: e.v, path: BoardFile}
	switch {
	case !e.f.isFile(BoardFile):
		if log := ledger.Dir + "/" + ledger.LogName; e.v.Task != Bootstrap && e.f.isFile(log) {
			x.path = log
			x.fail("gate.task_not_on_board", node{},
				"la tâche "+e.v.Task+" n'est pas dans le journal des missions ; `grimoire task list` dit lesquelles y sont",
				"task "+e.v.Task+" is not in the mission ledger; `grimoire task list` says which are")
		}
	case o.Task != "":
		x.fail("gate.task_not_on_board", node{},
			"la tâche "+e.v.Task+" n'est pas au tableau ; `grimoire task list` dit lesquelles y sont",
			"task "+e.v.Task+" is not on the board; `grimoire task list` says which are")
	default:
		x.fail("gate.no_task_to_evaluate", node{},
			"aucune tâche n'est en cours ; `grimoire task list` dit lesquelles il y a, puis `grimoire standard gate check --task-id <id>`",
			"no task is under way; `grimoire task list` says which there are, then `grimoire standard gate check --task-id <id>`")
	}
}

// owedAt is where an owed file stands, and how it comes to be.
func owedAt(kind, task string) (path string, remedy surface.Text) {
	run := func(command string) surface.Text {
		return surface.Text{FR: "`" + command + "`", EN: "`" + command + "`"}
	}
	switch kind {
	case "context_bundle":
		return contextDir + "/" + task + "/context-bundle.yaml", run("grimoire task context " + task)
	case "decision_trace":
		return decisionDir + "/" + task + "/decision-trace.yaml", run("grimoire task context " + task)
	case "compliance_score":
		return ScorePath(task), run("grimoire standard score" + forTask(task))
	case "task_board":
		return BoardFile, run("grimoire task board export")
	}
	return pathOf(kind, task), run("grimoire standard fix --apply" + forTask(task))
}
