package policy

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/grimoire-kit/grimoire/governance/session"
)

func writeFile(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestAgainstHistory compares the counters with a model that has none: it
// keeps everything that happened and answers by looking through it. Between
// steps the state goes through its file, as it does between hook processes.
func TestAgainstHistory(t *testing.T) {
	root := t.TempDir()
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		id := fmt.Sprintf("s%d", n)
		maxCalls := rapid.IntRange(0, 6).Draw(t, "calls")
		maxWrites := rapid.IntRange(0, 4).Draw(t, "writes")
		maxMinutes := rapid.IntRange(1, 40).Draw(t, "minutes")
		cooling := rapid.IntRange(1, 3).Draw(t, "count")
		window := rapid.IntRange(1, 10).Draw(t, "window")
		verdict := rapid.SampledFrom([]Verdict{Block, Warn, Allow}).Draw(t, "verdict")
		canAsk := rapid.Bool().Draw(t, "host asks")
		rules, err := Parse(fmt.Appendf(nil, `rules:
  - {id: budget, verdict_on_match: %s, per_session: {max_tool_calls: %d, max_writes: %d, max_duration_min: %d}}
  - {id: cool, tool_pattern: Bash, verdict_on_match: warn, cooldown_after: {pattern: "Bash(rm:*)", count: %d, minutes: %d}}
  - {id: ask, tool_pattern: "Bash(rm:*)", verdict_on_match: warn, require_approval: true}
`, verdict, maxCalls, maxWrites, maxMinutes, cooling, window))
		if err != nil {
			t.Fatal(err)
		}

		type event struct {
			at      time.Time
			rm      bool
			write   bool
			counted bool // by the budget
		}
		var history []event
		asked := map[string]string{} // call id → command
		approved := map[string]bool{}
		now := noon
		update := func(change func(*session.State)) {
			err := session.Update(root, id, func(s *session.State) error {
				if len(history) == 0 {
					s.StartedAt = noon
				}
				change(s)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}

		t.Repeat(map[string]func(*rapid.T){
			"wait": func(t *rapid.T) {
				now = now.Add(time.Duration(rapid.IntRange(1, 300).Draw(t, "seconds")) * time.Second)
			},
			"call": func(t *rapid.T) {
				line := rapid.SampledFrom([]string{"rm a", "rm b", "make", "cat a", "grimoire policies reset-session"}).Draw(t, "line")
				c := bash(line)
				c.ToolUseID = fmt.Sprint(len(history))
				e := event{at: now, rm: line == "rm a" || line == "rm b", write: line != "cat a"}
				if !e.write {
					reading(c)
				}

				want := Allow
				more := func(v Verdict) {
					if v.severity() > want.severity() {
						want = v
					}
				}
				calls, writes, recent := 0, 0, 0
				for _, h := range history {
					if h.counted {
						calls++
						if h.write {
							writes++
						}
					}
					if h.rm && !h.at.Before(now.Add(-time.Duration(window)*time.Minute)) {
						recent++
					}
				}
				exempt := !e.write || line == "grimoire policies reset-session"
				spent := calls >= maxCalls || e.write && writes >= maxWrites || now.Sub(noon) >= time.Duration(maxMinutes)*time.Minute
				switch {
				case !spent:
					e.counted = true
				case exempt:
				case verdict == Block:
					more(Block)
				case verdict == Warn && canAsk:
					more(Warn)
				default:
					e.counted = true
				}
				if e.rm && recent >= cooling {
					more(Block)
				}
				if e.rm {
					asked[c.ToolUseID] = line
					if !approved[line] {
						more(Warn)
					}
				}

				var got Decision
				update(func(s *session.State) { got = rules.JudgeSession(c, s, now, canAsk) })
				if got.Verdict != want {
					t.Fatalf("%s at %s: got %s by %v, want %s", line, now.Format("15:04:05"), got.Verdict, got.Rules, want)
				}
				history = append(history, e)
			},
			"ran": func(t *rapid.T) {
				if len(asked) == 0 {
					t.Skip()
				}
				key := rapid.SampledFrom(slices.Sorted(maps.Keys(asked))).Draw(t, "id")
				c := bash("rewritten " + asked[key])
				c.ToolUseID = key
				update(func(s *session.State) { rules.RecordRun(c, s) })
				approved[asked[key]] = true
				delete(asked, key)
			},
			"person approves": func(t *rapid.T) {
				s := session.Read(root, id)
				waiting := rules.Waiting(s)
				if len(waiting) == 0 {
					t.Skip()
				}
				w := rapid.SampledFrom(waiting).Draw(t, "waiting")
				for _, line := range []string{"rm a", "rm b"} {
					if Fingerprint("Bash", bash(line).Input)[:approvalIDLength] == w.ID {
						if approved[line] {
							t.Fatalf("%s waits though it is approved", line)
						}
						approved[line] = true
					}
				}
				update(func(s *session.State) {
					if _, err := rules.Approve(s, w.ID); err != nil {
						t.Fatal(err)
					}
				})
			},
		})
	})
}
