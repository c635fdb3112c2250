package task_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/task"
)

// BenchmarkBoard draws the board of 10,000 tasks, which every change does: with
// criteria as people write them, and with long ones that say nothing of how
// they are checked, each word of which is looked at. cold reads the ledger first,
// as a command does.
func BenchmarkBoard(b *testing.B) {
	for _, tt := range []struct {
		name     string
		criteria func(i int) []string
	}{
		{"short", func(i int) []string {
			return []string{fmt.Sprint("the search tests pass, case ", i), "a code review"}
		}},
		{"long", func(i int) []string {
			return []string{strings.Repeat(fmt.Sprint("every query comes back before anyone asks again, ", i, ", "), 30)}
		}},
	} {
		d, _ := project(b)
		err := d.Ledger.Update(bg, func(tx *ledger.Tx) error {
			m, err := tx.CreateMission(ledger.Mission{Title: "m"})
			if err != nil {
				return err
			}
			for i := range 10_000 {
				if _, err := tx.CreateTask(ledger.Task{ID: fmt.Sprintf("GAO-t-%05d", i), Title: fmt.Sprint("Search answers in 50 ms ", i), Mission: m, Owner: "ada",
					Acceptance: tt.criteria(i)}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
		draw := func(b *testing.B, d *task.Desk) {
			board, err := d.Board("")
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(board.YAML)))
		}
		b.Run(tt.name, func(b *testing.B) {
			for b.Loop() {
				draw(b, d)
			}
		})
		b.Run(tt.name+"/cold", func(b *testing.B) {
			for b.Loop() {
				draw(b, task.Open(d.Root, ""))
			}
		})
	}
}
