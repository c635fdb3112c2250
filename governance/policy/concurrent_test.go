package policy

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/grimoire-kit/grimoire/governance/session"
)

// Hook processes run at once; a budget lets through as many calls as it says.
func TestBudgetHoldsUnderConcurrency(t *testing.T) {
	r := mustParse(t, `rules: [{id: b, verdict_on_match: block, per_session: {max_tool_calls: 10}}]`)
	root := t.TempDir()
	var allowed atomic.Int32
	var wg sync.WaitGroup
	for range 32 {
		wg.Go(func() {
			err := session.Update(root, "s", func(s *session.State) error {
				if r.JudgeSession(bash("make"), s, time.Now(), true).Verdict == Allow {
					allowed.Add(1)
				}
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := allowed.Load(); n != 10 {
		t.Errorf("%d calls passed", n)
	}
}
