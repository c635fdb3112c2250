package ledger_test

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/grimoire-kit/grimoire/governance/ledger"
)

// Two sessions want one task, and one gets it.
func Example() {
	project, err := os.MkdirTemp("", "project")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(project)
	ctx := context.Background()

	l := ledger.Open(project, "")
	var task string
	err = l.Update(ctx, func(tx *ledger.Tx) error {
		mission, err := tx.CreateMission(ledger.Mission{Title: "Travaux courants"})
		if err != nil {
			return err
		}
		task, err = tx.CreateTask(ledger.Task{Mission: mission, Title: "Exposer les tâches", Acceptance: []string{"elles sont listées"}})
		if err != nil {
			return err
		}
		return tx.Move(task, ledger.Move{To: ledger.Ready})
	})
	if err != nil {
		panic(err)
	}

	for _, actor := range []string{"claude", "copilot"} {
		err := ledger.Open(project, "").Update(ctx, func(tx *ledger.Tx) error {
			claim := tx.Lease(task, ledger.Claim{Actor: actor, Host: "local"})
			return tx.Move(task, ledger.Move{To: ledger.Claimed, Actor: actor, Claim: &claim})
		})
		switch {
		case errors.Is(err, ledger.ErrHeld):
			fmt.Println(actor, "is refused")
		case err != nil:
			panic(err)
		}
	}

	err = l.ViewHeld(func(s *ledger.State) error {
		for _, t := range s.Held() {
			fmt.Println(t.ID, t.Status, "by", t.Claim.Actor)
		}
		return nil
	})
	if err != nil {
		panic(err)
	}
	// Output:
	// copilot is refused
	// GAO-exposer-les-001 claimed by claude
}
