package task_test

import (
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/task"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

// What go-yaml and the system say in English alone is said in French in a French sentence.
func TestBrokenFilesInFrench(t *testing.T) {
	for text, want := range map[string]string{
		"transitions: [": "YAML invalide, ligne 1 : une valeur manque",
		"transitions: [{id: g, required_evidence: 3}]\n": "ligne 1 : une liste était attendu ici",
	} {
		d, _ := project(t)
		added, err := d.Add(bg, task.New{Title: "one", Acceptance: []string{"x"}})
		if err != nil {
			t.Fatal(err)
		}
		put(t, d, task.GatesFile, text)
		_, err = d.Move(bg, added.Task.ID, task.MoveTo{To: ledger.Cancelled})
		if err == nil {
			t.Fatal("moved")
		}
		if got := fault.Text(err).FR; !strings.Contains(got, want) {
			t.Errorf("%q: %s", text, got)
		}
	}
}
