package task_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/session"
	"github.com/grimoire-kit/grimoire/governance/task"
)

// A task is live by its lease's sign of life or by its session's file, as long
// as somebody has it.
func TestPortfolioLive(t *testing.T) {
	now := time.Now().UTC()
	for _, tt := range []struct {
		name     string
		beat     time.Duration // ago
		session  time.Duration // ago; 0 is no file
		released bool
		live     bool
	}{
		{"a fresh lease", 10 * time.Minute, 0, false, true},
		{"an old lease", 40 * time.Minute, 0, false, false},
		{"an old lease, a session at work", 40 * time.Minute, 5 * time.Minute, false, true},
		{"both old", 40 * time.Minute, 35 * time.Minute, false, false},
		{"given back", 10 * time.Minute, 5 * time.Minute, true, false},
	} {
		root := t.TempDir()
		d := task.Open(root, "")
		d.Ledger.Now = func() time.Time { return now.Add(-tt.beat) }
		ctx := context.Background()
		added, err := d.Add(ctx, task.New{Title: "t", Acceptance: []string{"x"}, Ready: true})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.Claim(ctx, added.Task.ID, task.NewClaim{Actor: "ada", Session: task.Session{ID: "s"}}); err != nil {
			t.Fatal(err)
		}
		if tt.released {
			if _, err := d.Move(ctx, added.Task.ID, task.MoveTo{To: ledger.Ready}); err != nil {
				t.Fatal(err)
			}
		}
		seen := time.Time{}
		if tt.session != 0 {
			seen = now.Add(-tt.session).Truncate(time.Microsecond)
			path := session.Path(root, "s")
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(`{"schema_version":1,"session_id":"s","updated_at":"`+ledger.FormatTime(seen)+`"}`), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		p, err := task.ReadPortfolio(filepath.Join(root, "none.json"), root, "", task.PortfolioFilter{Within: 30 * time.Minute}, now)
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Tasks) != 1 || p.Tasks[0].Live != tt.live || p.Live != len(p.Tasks) && tt.live || !tt.released && !p.Tasks[0].Seen.Equal(seen) {
			t.Errorf("%s: %+v", tt.name, p.Tasks)
		}
	}
}
