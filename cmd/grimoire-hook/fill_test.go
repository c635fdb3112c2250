package main

import (
	"context"
	"fmt"
	"testing"

	"github.com/grimoire-kit/grimoire/governance/ledger"
)

// fillLedger claims one task, and lets n events happen to others.
func fillLedger(tb testing.TB, root string, n int) {
	tb.Helper()
	l := ledger.Open(root, "")
	update := func(change func(tx *ledger.Tx) error) {
		if err := l.Update(context.Background(), change); err != nil {
			tb.Fatal(err)
		}
	}
	update(func(tx *ledger.Tx) error {
		mission, err := tx.CreateMission(ledger.Mission{Title: "m"})
		if err != nil {
			return err
		}
		for _, id := range []string{"GAO-mine-001", "GAO-other-001"} {
			if _, err := tx.CreateTask(ledger.Task{ID: id, Title: id, Mission: mission, Acceptance: []string{"tests"}}); err != nil {
				return err
			}
			if err := tx.Move(id, ledger.Move{To: ledger.Ready}); err != nil {
				return err
			}
		}
		claim := tx.Lease("GAO-mine-001", ledger.Claim{Actor: "ada"})
		return tx.Move("GAO-mine-001", ledger.Move{To: ledger.Claimed, Claim: &claim})
	})
	for from := 0; from < n; from += 5000 {
		update(func(tx *ledger.Tx) error {
			for i := from; i < min(n, from+5000); i++ {
				if err := tx.Note(ledger.TaskDispatched, ledger.KindTask, "GAO-other-001", "dev", fmt.Sprintf(`{"attempt": %d}`, i)); err != nil {
					return err
				}
			}
			return nil
		})
	}
}
