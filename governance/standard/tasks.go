package standard

import (
	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/locate"
)

// columns are where the board shows a task by its status. "released" is for
// people to decide, so no status leads there.
var columns = map[ledger.Status]string{
	ledger.Proposed: "proposed", ledger.Ready: "ready",
	ledger.Claimed: "in_progress", ledger.Running: "in_progress", ledger.Waiting: "in_progress",
	ledger.Blocked: "blocked", ledger.Failed: "blocked",
	ledger.NeedsVerification: "review", ledger.Closed: "accepted", ledger.Cancelled: "archived",
}

// Column is where the board shows a task with that status, "" for a status
// that is none.
func Column(s ledger.Status) string { return columns[s] }

// ledgerTasks asks the mission ledger, which is ahead of the board, and the
// board about tasks that were put there before there was a ledger.
type ledgerTasks struct {
	ledger *ledger.Ledger
	board  *Board
}

// Tasks is what the project knows of its tasks: its ledger where there is one,
// and its board. In a linked worktree they are those of the main one, see
// locate.Main. A board that cannot be read is a *FileError.
func (f *Folder) Tasks() (Tasks, error) {
	if main, err := locate.Main(f.dir); err == nil && main != "" {
		there, err := Open(main)
		if err != nil {
			return nil, err
		}
		defer there.Close()
		return there.Tasks()
	}
	board, err := f.Board()
	if err != nil {
		return nil, err
	}
	if !f.isFile(ledger.Dir + "/" + ledger.LogName) {
		return board, nil
	}
	return ledgerTasks{ledger.Open(f.dir, ""), board}, nil
}

func (t ledgerTasks) State(task string) (state string, known bool, err error) {
	err = t.ledger.View(func(s *ledger.State) error {
		if found, ok := s.Task(task); ok {
			state, known = Column(found.Status), true
		}
		return nil
	})
	if known || err != nil {
		return state, known, err
	}
	return t.board.State(task)
}
