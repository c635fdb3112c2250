//go:build unix

package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/grimoire-kit/grimoire/governance/ledger"
)

// The hook is killed at any moment while it writes to the ledger (it arms no
// fail points). What it delivered is in the log or not, the log is sound, and the
// next call delivers what was left, once.
func TestKilledWhileItWrites(t *testing.T) {
	root := repo(t, map[string]string{"_grimoire/standard/standard-profile.yaml": "profile: governed\n"})
	l := ledger.Open(root, "")
	update := func(change func(tx *ledger.Tx) error) {
		t.Helper()
		if err := l.Update(t.Context(), change); err != nil {
			t.Fatal(err)
		}
	}
	update(func(tx *ledger.Tx) error {
		m, err := tx.CreateMission(ledger.Mission{Title: "m"})
		if err != nil {
			return err
		}
		if _, err := tx.CreateTask(ledger.Task{ID: "GAO-a-001", Title: "a", Mission: m, Acceptance: []string{"tests"}}); err != nil {
			return err
		}
		if err := tx.Move("GAO-a-001", ledger.Move{To: ledger.Ready}); err != nil {
			return err
		}
		c := tx.Lease("GAO-a-001", ledger.Claim{Actor: "ada", Session: "s"})
		return tx.Move("GAO-a-001", ledger.Move{To: ledger.Claimed, Claim: &c})
	})
	call := func(kill time.Duration) (said string, killed bool) {
		t.Helper()
		cmd := exec.Command(hook, "--host", "claude", "--event", "UserPromptSubmit")
		cmd.Dir = root
		cmd.Stdin = strings.NewReader(`{"session_id":"s","permission_mode":"x","hook_event_name":"UserPromptSubmit","prompt":"go"}`)
		var out strings.Builder
		cmd.Stdout = &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if kill > 0 {
			time.Sleep(kill)
			_ = cmd.Process.Kill()
		}
		var exit *exec.ExitError
		if err := cmd.Wait(); err != nil && (!errors.As(err, &exit) || exit.Exited()) {
			t.Fatal(err)
		}
		return out.String(), !cmd.ProcessState.Exited()
	}
	begun := time.Now()
	call(0)
	whole := time.Since(begun)
	rounds, kills := 60, 0
	if testing.Short() {
		rounds = 10
	}
	for round := range rounds {
		text := fmt.Sprintf("remark %d of the person", round)
		update(func(tx *ledger.Tx) error {
			_, err := tx.Direct("GAO-a-001", "comment", text, "ada")
			return err
		})
		said, killed := call(1 + rand.N(whole))
		if killed {
			kills++
		}
		if r, err := ledger.Verify(root, ""); err != nil || !r.Sound() {
			t.Fatalf("round %d: %+v %v", round, r, err)
		}
		delivered := false
		if err := l.View(func(s *ledger.State) error {
			x, _ := s.Task("GAO-a-001")
			delivered = x.Directives[len(x.Directives)-1].DeliveredAt != ""
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(said, text) && !delivered {
			t.Fatalf("round %d: it was said, and is not in the log", round)
		}
		again, _ := call(0)
		if strings.Contains(again, text) == delivered {
			t.Fatalf("round %d: delivered before: %v; the next call said: %s", round, delivered, again)
		}
	}
	if kills == 0 {
		t.Error("nothing was killed")
	}
}
