package main

import "testing"

// What a session's task costs the hook does not grow with the ledger: the
// task is found from those that are held, not from the log.
func TestLedgerCostDoesNotGrow(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it writes 100,000 events")
	}
	calls := map[string]string{
		"UserPromptSubmit": `{"session_id":"s","permission_mode":"x","hook_event_name":"UserPromptSubmit","prompt":"go"}`,
		"PostToolUse":      `{"session_id":"s","permission_mode":"x","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"touch x"}}`,
		"PreToolUse":       bash("s", "touch x"),
		"SessionStart":     `{"session_id":"s","permission_mode":"x","hook_event_name":"SessionStart","source":"resume"}`,
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
