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
	const profile = "_grimoire/standard/standard-profile.yaml"
	for _, tt := range []struct{ file, text, want string }{
		{task.GatesFile, "transitions: [", "ligne 1 : YAML invalide : une valeur manque"},
		{task.GatesFile, "transitions: [{id: g, from: ready, to: review, required_evidence: 3}]\n", "ligne 1 : \"g\" : required_evidence n'est pas une liste"},
		{profile, "profile: [", "ligne 1 : YAML invalide : une valeur manque"},
		{profile, "profile: [x]\n", "ligne 1 : profile : un mot était attendu"},
	} {
		d, _ := project(t)
		added, err := d.Add(bg, task.New{Title: "one", Acceptance: []string{"x"}})
		if err != nil {
			t.Fatal(err)
		}
		put(t, d, tt.file, tt.text)
		_, err = d.Move(bg, added.Task.ID, task.MoveTo{To: ledger.Cancelled})
		if err == nil {
			t.Fatal("moved")
		}
		if got := fault.Text(err).FR; !strings.Contains(got, tt.want) {
			t.Errorf("%q: %s", tt.text, got)
		}
	}
}
