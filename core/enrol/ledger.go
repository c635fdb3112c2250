package enrol

import (
	"context"
	"fmt"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/locate"
	"github.com/grimoire-kit/grimoire/governance/standard"
)

// bootstrapMission is the mission that a project begins with; its id and words
// are the existing kit's.
const (
	bootstrapMission = "MIS-standard-bootstrap-001"
	initActor        = "standard-init"
)

// OpenLedger records the mission and the task that stand for setting the
// standard up, as the existing kit does, where the plan wrote the board. A
// board that was there first is not the plan's, and its tasks are to be
// imported before a ledger speaks for them. It adds nothing the second time.
func (p *Plan) OpenLedger(ctx context.Context, written []string) error {
	wrote := false
	for _, path := range written {
		wrote = wrote || path == standard.BoardFile
	}
	if !wrote {
		return nil
	}
	if main, err := locate.Main(p.tree.Dir()); err != nil || main != "" {
		return err // a linked worktree has no ledger of its own
	}
	err := ledger.Open(p.tree.Dir(), "").Update(ctx, func(tx *ledger.Tx) error {
		if _, ok := tx.State().Mission(bootstrapMission); !ok {
			m := ledger.Mission{ID: bootstrapMission, Title: "Standard bootstrap", Origin: initActor, CreatedBy: initActor}
			if _, err := tx.CreateMission(m); err != nil {
				return err
			}
			if err := tx.MoveMission(bootstrapMission, ledger.MissionOpen, "", initActor); err != nil {
				return err
			}
		}
		if _, ok := tx.State().Task(standard.Bootstrap); ok {
			return nil
		}
		_, err := tx.CreateTask(ledger.Task{
			ID: standard.Bootstrap, Mission: bootstrapMission, Title: "Standard bootstrap", Owner: "project-maintainer", Type: "operation",
			Acceptance: []string{"The standard artifacts are generated and verified."},
		})
		return err
	})
	if err != nil {
		return fmt.Errorf("open the ledger: %w", err)
	}
	return nil
}
