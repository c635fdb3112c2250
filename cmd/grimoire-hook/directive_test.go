package main

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/grimoire-kit/grimoire/governance/ledger"
)

// A directive is told to the session that the claim is attached to, whoever
// speaks first, and to it once.
func TestDirectiveReachesTheSessionAtWork(t *testing.T) {
	for _, host := range []string{"claude", "copilot"} {
		for _, event := range []string{"UserPromptSubmit", "SessionStart"} {
			root := repo(t, map[string]string{"_grimoire/standard/standard-profile.yaml": "profile: governed\n"})
			park(t, root, map[string]ledger.Status{"A": ledger.Claimed}, map[string]string{"A": "s"}, map[string]time.Time{"A": time.Now().Add(time.Hour)})
			if err := ledger.Open(root, "").Update(context.Background(), func(tx *ledger.Tx) error {
				_, err := tx.Direct("A", "directive", "keep the schema", "ada")
				return err
			}); err != nil {
				t.Fatal(err)
			}
			for i, tt := range []struct {
				session string
				told    bool
			}{{"other", false}, {"s", true}, {"other", false}, {"s", false}} {
				a := run(t, root, events(tt.session)[host][event], nil, "--host", host, "--event", event)
				if strings.Contains(a.stdout, "keep the schema") != tt.told || !strings.Contains(a.stdout, "rimoire") {
					t.Errorf("%s %s, call %d by %s: %s", host, event, i, tt.session, a.stdout)
				}
			}
		}
	}
}
