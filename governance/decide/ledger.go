package decide

import (
	"strings"

	"github.com/grimoire-kit/grimoire/governance/policy"
	"github.com/grimoire-kit/grimoire/governance/session"
	"github.com/grimoire-kit/grimoire/surface"
)

// Ledger is what the decisions about tasks ask of the mission ledger. Without
// one, no decision speaks of tasks or gates: they are absent, not pretended.
type Ledger interface {
	// Task is the task a session works on, the zero Task where none is known.
	Task(root, session string) (Task, error)
	// Attach records that a session works on a task. It never takes a task
	// from another session, and adds nothing the second time but, now and
	// then, the sign of life that keeps the claim.
	Attach(root string, t Task, session, hostID string) error
	// Gates evaluates the evidence gates of a task.
	Gates(root string, t Task) (Gates, error)
	// State is where a task stands, in the ledger's word, "" where nobody has
	// heard of it.
	State(root, task string) (string, error)
	// Directives are what a person said to whoever works on a task and no
	// session was shown yet: none for another session than the one that the
	// task's claim is attached to. They are recorded as shown.
	Directives(root string, t Task, session string) ([]Directive, error)
}

// Task is what a decision needs to know of a task.
type Task struct {
	ID    string
	State string // the ledger's word; "proposed" and "" owe nothing yet
	// Where the session's task is not known, Candidates are those among which
	// nothing chooses, all of them the session's own where Own says so, and
	// Expired says which claims have run out.
	Candidates []string
	Own        bool
	Expired    []surface.Text
	// Review are the tasks that the session handed over to be verified, where
	// it holds no other.
	Review []string
	// Parked are the tasks that the session left to wait.
	Parked []Parked
}

// Parked is a task that waits for the session to take it up again, with the
// options by which a command speaks for its claim ("--epoch 2"). Fenced, it
// lets the session do nothing else before.
type Parked struct {
	ID, As string
	Fenced bool
}

// Directive is a remark or an order of a person.
type Directive struct{ ID, Kind, Author, Text string }

// Gates is the outcome of a task's evidence gates.
type Gates struct {
	OK      bool
	Missing []surface.Text
}

// bootstrap stands for the work of a session that has no task.
const bootstrap = "bootstrap"

// task is the id of the task the session works on, as far as is known.
func (x *decision) task() string {
	if x.Ledger == nil {
		return bootstrap
	}
	if t, err := x.Ledger.Task(x.project.home(), x.sessionID()); err == nil && t.ID != "" {
		return t.ID
	}
	return bootstrap
}

// evidence is the folder of a task's proofs, relative to the session's project.
func (x *decision) evidence(task string) string {
	return x.project.shown("_grimoire-output/evidence/" + task + "/")
}

// noTask says that a session works on nothing that the ledger knows, and how
// to change that.
func (x *decision) noTask(found Task) surface.Text {
	t := surface.Text{
		FR: "[Grimoire] Aucune tâche n'est en cours : le travail de cette session n'apparaît nulle part dans le ledger.\n",
		EN: "[Grimoire] No task is under way: the work of this session appears nowhere in the ledger.\n",
	}
	list := strings.Join(found.Candidates, ", ")
	switch {
	case found.Own:
		return x.closes(surface.Text{
			FR: "[Grimoire] Plusieurs tâches sont celles de cette session (" + list + ") : `grimoire task attach <id> --session-id " + x.shellSession() + "` dit sur laquelle elle travaille.\n",
			EN: "[Grimoire] Several tasks are this session's (" + list + "): `grimoire task attach <id> --session-id " + x.shellSession() + "` says which it is on.\n",
		})
	case list != "":
		t = surface.Text{
			FR: "[Grimoire] Plusieurs tâches sont en cours (" + list + ") et aucune n'est celle de cette session : `grimoire task attach <id> --session-id " + x.shellSession() + "` dit laquelle. Ou une nouvelle :\n",
			EN: "[Grimoire] Several tasks are under way (" + list + ") and none is this session's: `grimoire task attach <id> --session-id " + x.shellSession() + "` says which. Or a new one:\n",
		}
	}
	return x.orAnew(t, found)
}

// orAnew adds how a session comes to a task.
func (x *decision) orAnew(t surface.Text, found Task) surface.Text {
	t.FR += "Remède : `grimoire task add \"<titre>\" -a \"<critère>\" --owner <nom> --ready`, `grimoire task context <id>`, `grimoire task claim <id> --actor <nom>`" +
		" — ou GRIMOIRE_TASK_ID nomme la tâche.\n"
	t.EN += "Remedy: `grimoire task add \"<title>\" -a \"<criterion>\" --owner <name> --ready`, `grimoire task context <id>`, `grimoire task claim <id> --actor <name>`" +
		", or GRIMOIRE_TASK_ID names the task.\n"
	for _, e := range found.Expired {
		t.FR += "- " + e.FR + "\n"
		t.EN += "- " + e.EN + "\n"
	}
	if err := x.project.homeErr; err != nil { // asked for with the task
		what := inWords(err)
		t.FR += "- les tâches de ce dossier sont les siennes : " + what.FR + "\n"
		t.EN += "- the tasks of this folder are its own: " + what.EN + "\n"
	}
	return x.closes(t)
}

// closes adds what the end of the session will say of it.
func (x *decision) closes(t surface.Text) surface.Text {
	if x.project.profile().Blocks() {
		return surface.Text{
			FR: t.FR + "Après une écriture, la clôture sera refusée sans tâche.",
			EN: t.EN + "After a write, closing is refused without a task."}
	}
	return surface.Text{
		FR: t.FR + "Après une écriture, la clôture le signalera sans bloquer.",
		EN: t.EN + "After a write, closing reports it without blocking."}
}

// shellSession is the session's id where a command line can take it as it is.
func (x *decision) shellSession() string {
	id := x.sessionID()
	for _, r := range id {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.') {
			return "<session>"
		}
	}
	if id == "" || id[0] == '-' {
		return "<session>"
	}
	return id
}

// without is what is said to a session that works on no task: that it parked
// one, or that there is none.
func (x *decision) without(found Task) surface.Text {
	if len(found.Parked) > 0 {
		return parkedTasks(found.Parked)
	}
	if x.call.Session != "" {
		task := session.Read(x.project.root, x.sessionID()).Task
		if task != "" {
			switch state, err := x.Ledger.State(x.project.home(), task); {
			case err != nil:
			case state == "ready":
				none := x.noTask(found)
				return surface.Text{
					FR: "[Grimoire] La tâche " + task + " est de nouveau ready : `grimoire task claim " + task + " --actor <nom>` la reprend.\n" + none.FR,
					EN: "[Grimoire] Task " + task + " is ready again: `grimoire task claim " + task + " --actor <name>` takes it up again.\n" + none.EN,
				}
			case state == "waiting":
				return surface.Text{
					FR: "[Grimoire] La tâche " + task + " est garée. `grimoire task show " + task + "` dit ce qu'elle attend et le numéro de son bail, `grimoire task resume " + task + " --epoch <n>` la reprend.",
					EN: "[Grimoire] Task " + task + " is parked. `grimoire task show " + task + "` says what it waits for and the number of its lease, `grimoire task resume " + task + " --epoch <n>` takes it up again.",
				}
			case restWords[state] != (surface.Text{}):
				return x.atRest(task, restWords[state], found)
			}
		}
	}
	if len(found.Review) > 0 {
		return x.atRest(found.Review[0], restWords["needs_verification"], found)
	}
	return x.noTask(found)
}

// restWords say where a task rests that its session brought there.
var restWords = map[string]surface.Text{
	"needs_verification": {FR: "est en vérification", EN: "is being verified"},
	"blocked":            {FR: "est bloquée", EN: "is blocked"},
	"failed":             {FR: "a échoué", EN: "has failed"},
	"closed":             {FR: "est close", EN: "is closed"},
}

// atRest tells a session where the task rests that it worked on, and how to
// come to another.
func (x *decision) atRest(task string, where surface.Text, found Task) surface.Text {
	return x.orAnew(surface.Text{
		FR: "[Grimoire] La tâche " + task + " " + where.FR + " (`grimoire task show " + task + "`) : ce que cette session a fait pour elle est dans le ledger, et elle peut le committer et le pousser. La suite demande une tâche.\n",
		EN: "[Grimoire] Task " + task + " " + where.EN + " (`grimoire task show " + task + "`): what this session did for it is in the ledger, and it may commit and push it. What comes next needs a task.\n",
	}, found)
}

// settled reports whether what the session changed belongs to a task that it
// worked on and has brought to where it rests: handed over, parked or ended.
func (x *decision) settled(s *session.State) bool {
	if s.Task == "" {
		return false
	}
	state, err := x.Ledger.State(x.project.home(), s.Task)
	if err != nil {
		return false
	}
	switch state {
	case "needs_verification", "waiting", "blocked", "failed", "closed", "cancelled":
		return true
	}
	return false
}

// news is what the session is told once: that the task it worked on was
// cancelled. What it changed for it is accounted for: it begins anew.
func (x *decision) news() []surface.Text {
	if x.call.Session == "" || x.dry {
		return nil
	}
	s := session.Read(x.project.root, x.sessionID())
	if s.Task == "" {
		return nil
	}
	task := s.Task
	state, err := x.Ledger.State(x.project.home(), task)
	if err != nil || state != "cancelled" {
		return nil
	}
	err = x.update(func(s *session.State) error {
		if s.Task == task {
			s.Task, s.Mutations = "", 0
		}
		return nil
	})
	if err != nil {
		return nil
	}
	return []surface.Text{{
		FR: "[Grimoire] La tâche " + task + " a été annulée : n'y travaille plus. `grimoire task show " + task + "` dit pourquoi.",
		EN: "[Grimoire] Task " + task + " was cancelled: stop working on it. `grimoire task show " + task + "` says why.",
	}}
}

// directives are what a person said to the session's task, once.
func (x *decision) directives(t Task) []surface.Text {
	if x.dry {
		return nil
	}
	list, err := x.Ledger.Directives(x.project.home(), t, x.sessionID())
	if err != nil {
		return nil // they are shown at another turn
	}
	var out []surface.Text
	for _, d := range list {
		// A log comes with a repository: its words stay in their place.
		d.Kind, d.ID = policy.OneLine(d.Kind, 20), policy.OneLine(strings.ReplaceAll(d.ID, "`", ""), 40)
		said := policy.OneLine(d.Author, 60) + " : " + policy.OneLine(d.Text, 2000)
		out = append(out, surface.Text{
			FR: "[Grimoire] " + d.Kind + " " + d.ID + " pour " + t.ID + ", de " + said + "\nEntendu : `grimoire task ack " + t.ID + " " + d.ID + "`",
			EN: "[Grimoire] " + d.Kind + " " + d.ID + " for " + t.ID + ", from " + said + "\nHeard: `grimoire task ack " + t.ID + " " + d.ID + "`"})
	}
	return out
}

// maxRecall bounds what is shown of a recall, in characters: 400 tokens, and
// the line that says that more was cut.
const maxRecall = 1700

// recall is what earlier work says about the session's task, as `grimoire task
// context` wrote it down.
func (x *decision) recall(t Task) []surface.Text {
	text, err := readIn(x.project.home(), "_grimoire-output/context/"+t.ID+"/task-recall.md")
	if err != nil {
		return nil
	}
	words := []rune(strings.TrimSpace(strings.ToValidUTF8(string(text), "\ufffd")))
	if len(words) == 0 {
		return nil
	}
	said := string(words[:min(len(words), maxRecall)])
	return []surface.Text{{
		FR: "[Grimoire] Rappel pour " + t.ID + ", à vérifier :\n" + said,
		EN: "[Grimoire] Recalled for " + t.ID + ", to be verified:\n" + said}}
}
