package task

import (
	"strings"

	"github.com/grimoire-kit/grimoire/governance/ledger"
)

// Lesson is the event that a memory consolidates: what was decided when a task
// closed, what went wrong when it was blocked or failed. It is written with the
// move, so that neither is without the other; a kit that does not know it
// passes over it.
const Lesson ledger.Type = "task.lesson"

// remember writes the lesson of a move that has one.
func remember(tx *ledger.Tx, t *ledger.Task, m MoveTo) error {
	kind := ""
	switch m.To {
	case ledger.Closed:
		kind = "decisions"
	case ledger.Blocked, ledger.Failed:
		kind = "failures"
	default:
		return nil
	}
	text := t.Title + " (" + string(m.To) + ")"
	if m.Reason != "" {
		text += ": " + m.Reason
	}
	if m.To == ledger.Closed {
		text += "\n" + strings.Join(t.Acceptance, "\n")
	}
	payload, err := marshal(struct {
		Task string   `json:"task_id"`
		Type string   `json:"memory_type"`
		Text string   `json:"text"`
		Tags []string `json:"tags"`
	}{t.ID, kind, text, []string{t.ID, t.Mission, "task-recall"}})
	if err != nil {
		return err
	}
	return tx.Note(Lesson, ledger.KindTask, t.ID, oneActor(m.Actor), string(payload))
}
