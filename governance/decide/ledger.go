package decide

import "github.com/grimoire-kit/grimoire/surface"

// Ledger is what the decisions about tasks ask of the mission ledger. Without
// one, no decision speaks of tasks or gates: they are absent, not pretended.
type Ledger interface {
	// Task is the task a session works on, the zero Task where none is known.
	Task(root, session string) (Task, error)
	// Attach records that a session works on a task. It never takes a task
	// from another session, and adds nothing the second time.
	Attach(root string, t Task, session, hostID string) error
	// Gates evaluates the evidence gates of a task.
	Gates(root string, t Task) (Gates, error)
}

// Task is what a decision needs to know of a task.
type Task struct {
	ID    string
	State string // the ledger's word; "proposed" and "" owe nothing yet
}

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
	if t, err := x.Ledger.Task(x.project.root, x.sessionID()); err == nil && t.ID != "" {
		return t.ID
	}
	return bootstrap
}

// evidence is the folder of a task's proofs, relative to the project.
func evidence(task string) string { return "_grimoire-output/evidence/" + task + "/" }

// noTask says that a session works on nothing that the ledger knows, and how
// to change that.
func (x *decision) noTask() surface.Text {
	t := surface.Text{
		FR: "[Grimoire] Aucune tâche n'est en cours : le travail de cette session n'apparaît nulle part dans le ledger.\n" +
			"Remède : `grimoire task add \"<titre>\" -a \"<critère>\" --owner <nom> --ready`, `grimoire task context <id>`, `grimoire task claim <id> --actor <nom>`" +
			" — ou les outils MCP task_add, task_context, task_claim, ou GRIMOIRE_TASK_ID.\n",
		EN: "[Grimoire] No task is under way: the work of this session appears nowhere in the ledger.\n" +
			"Remedy: `grimoire task add \"<title>\" -a \"<criterion>\" --owner <name> --ready`, `grimoire task context <id>`, `grimoire task claim <id> --actor <name>`" +
			", or the MCP tools task_add, task_context, task_claim, or GRIMOIRE_TASK_ID.\n",
	}
	if x.project.profile().Blocks() {
		return surface.Text{
			FR: t.FR + "Après une écriture, la clôture sera refusée sans tâche.",
			EN: t.EN + "After a write, closing is refused without a task."}
	}
	return surface.Text{
		FR: t.FR + "Après une écriture, la clôture le signalera sans bloquer.",
		EN: t.EN + "After a write, closing reports it without blocking."}
}
