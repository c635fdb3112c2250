package standard_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/governance/task"
	"github.com/grimoire-kit/grimoire/surface"
)

// A project of 10,000 tasks, each with much to say, verifies, and a gate finds
// the last of them: in its ledger, and on the board where there is none.
func TestTenThousandTasks(t *testing.T) {
	if testing.Short() {
		t.Skip("some 18 MiB of YAML, several times")
	}
	const tasks = 10_000
	dir := enrolled(t, surface.ProfileGoverned, surface.English)
	d := task.Open(dir, "")
	about := strings.Repeat("The search answers in milliseconds. ", 40)
	last := fmt.Sprintf("GAO-t-%05d", tasks-1)
	err := d.Ledger.Update(t.Context(), func(tx *ledger.Tx) error {
		m, err := tx.CreateMission(ledger.Mission{Title: "m"})
		if err != nil {
			return err
		}
		for i := range tasks {
			if _, err := tx.CreateTask(ledger.Task{ID: fmt.Sprintf("GAO-t-%05d", i), Title: fmt.Sprint("Search ", i), Mission: m, Owner: "ada",
				Description: about, Acceptance: []string{"the tests pass"}}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, standard.BoardFile)); err != nil { // the one that was kept by hand
		t.Fatal(err)
	}
	for range 2 { // the second time over the board of the first
		if _, err := d.WriteBoard(); err != nil {
			t.Fatal(err)
		}
	}
	info, err := os.Stat(filepath.Join(dir, standard.BoardFile))
	if err != nil || info.Size() < 18<<20 {
		t.Fatalf("%d bytes, %v: it shows little", info.Size(), err)
	}
	if v := open(t, dir).Verify(standard.Options{}); !v.OK() {
		t.Errorf("%v", v.Checks)
	}
	gate := func(what string) {
		t.Helper()
		f := open(t, dir)
		known, err := f.Tasks()
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		g, err := f.CheckGate(known, standard.GateOptions{Options: standard.Options{Task: last}})
		if err != nil || !g.OK() || g.State != "proposed" {
			t.Errorf("%s: %+v, %v", what, g, err)
		}
	}
	gate("the ledger")
	if err := os.RemoveAll(filepath.Join(dir, filepath.FromSlash(ledger.Dir))); err != nil {
		t.Fatal(err)
	}
	gate("the board")
}
