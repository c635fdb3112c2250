package main

import (
	"context"
	"fmt"
	"testing"

	"github.com/grimoire-kit/grimoire/governance/ledger"
)

// What a session's task costs the hook does not grow with the ledger: the
// task is found from those that are held, not from the log.
func TestLedgerCostDoesNotGrow(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it writes 100,000 events")
	}
	calls := map[string]string{
		"UserPromptSubmit": `{"session_id":"s","permission_mode":"x","hook_event_name":"UserPromptSubmit","prompt":"go"}`,
		"PostToolUse":      `{"session_id":"s","permission_mode":"x","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"touch x"}}`,
		"PreToolUse":       bash("s", "touch PROOF && rm -rf build"),
		"Stop":             `{"session_id":"s","permission_mode":"x","hook_event_name":"Stop"}`,
	}
	first := map[string]traffics{}
	for _, n := range []int{1000, 10_000, 100_000} {
		root := repo(t, map[string]string{"_grimoire/standard/standard-profile.yaml": "profile: governed\n"})
		fillLedger(t, root, n)
		for event, payload := range calls {
			var got traffics
			for i := range 12 {
				if one := traffic(t, root, event, payload); i < 2 {
					got = one // the first writes down what it found
				} else {
					got = least(got, one)
				}
			}
			if n == 1000 {
				first[event] = got
			}
			// Offsets and counts are spelled with more digits, no more.
			if was := first[event]; got.reads > was.reads || got.writes > was.writes || got.bytesRead > was.bytesRead+64 {
				t.Errorf("%s after %d events: %+v, after 1000: %+v", event, n, got, was)
			}
		}
	}
}

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
