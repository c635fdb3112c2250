package task_test

import (
	"fmt"
	"testing"

	"github.com/grimoire-kit/grimoire/governance/ledger"
)

// BenchmarkBoard draws the board of 10,000 tasks, which every change does.
func BenchmarkBoard(b *testing.B) {
	d, _ := project(b)
	err := d.Ledger.Update(bg, func(tx *ledger.Tx) error {
		m, err := tx.CreateMission(ledger.Mission{Title: "m"})
		if err != nil {
			return err
		}
		for i := range 10_000 {
			if _, err := tx.CreateTask(ledger.Task{ID: fmt.Sprintf("GAO-t-%05d", i), Title: fmt.Sprint("Search answers in 50 ms ", i), Mission: m, Owner: "ada",
				Acceptance: []string{fmt.Sprint("the search tests pass, case ", i), "a code review"}}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := d.Board(""); err != nil {
			b.Fatal(err)
		}
	}
}
