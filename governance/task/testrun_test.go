package task_test

import (
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/observe"
	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/governance/task"
)

func TestTestRun(t *testing.T) {
	d, _ := project(t)
	ask := func(state, reason, ok string) *task.TestRun {
		t.Helper()
		r, err := d.TestRun(bg, "T-1", state)
		if err != nil {
			t.Fatal(err)
		}
		got := "null"
		if r.OK != nil && *r.OK {
			got = "true"
		} else if r.OK != nil {
			got = "false"
		}
		if r.Reason != reason || got != ok || r.Ran {
			t.Errorf("%s: %+v (ok %s), want %s, ok %s", state, r, got, reason, ok)
		}
		return r
	}
	see := func(e observe.Entry) {
		t.Helper()
		if err := observe.Append(d.Root, "T-1", e); err != nil {
			t.Fatal(err)
		}
	}
	ask("ready", task.RunNotOwed, "null")
	ask("in_progress", task.RunNoCommand, "null")
	put(t, d, "go.mod", "module x\n")
	if r := ask("review", task.RunUnseen, "null"); r.Command == nil || *r.Command != "go test ./..." || r.Path != nil {
		t.Errorf("%+v", r)
	}
	one := 1
	see(observe.Entry{Type: observe.Check, Command: "go  test", Outcome: observe.Failed, Exit: &one})
	if r := ask("review", task.RunFresh, "false"); *r.Command != "go test" || *r.Exit != 1 || *r.Path != observe.Path("T-1") {
		t.Errorf("%+v", r)
	}
	see(observe.Entry{Type: observe.Check, Command: "go test", Outcome: observe.Unknown})
	ask("review", task.RunFresh, "null")
	see(observe.Entry{Type: observe.Check, Command: "pytest", Exit: &one}) // as an older kit wrote it
	ask("review", task.RunFresh, "false")
	see(observe.Entry{Type: observe.Check, Command: "go test", Outcome: observe.Passed})
	ask("review", task.RunFresh, "false") // pytest has not passed since
	see(observe.Entry{Type: observe.Check, Command: "pytest -q", Outcome: observe.Passed})
	ask("accepted", task.RunFresh, "true")
	see(observe.Entry{Type: observe.Write, Path: "x.go"})
	ask("accepted", task.RunStale, "true")
	// A state of the files that cannot be compared is not known to be the same.
	see(observe.Entry{Type: observe.Check, Command: "go test", Outcome: observe.Passed, Files: &observe.Files{Base: "--output=x"}})
	ask("accepted", task.RunStale, "true")
}

// A score that passed, under the profile of now, is evidence; a person's word
// never is.
func TestScoreIsEvidence(t *testing.T) {
	d, _ := project(t)
	put(t, d, task.GatesFile, "transitions:\n  - {id: g, from: proposed, to: ready, required_evidence: [compliance_score]}\n")
	put(t, d, standard.ProfileFile, "profile: governed\n")
	added, err := d.Add(bg, task.New{Title: "one", Acceptance: []string{"x"}})
	if err != nil {
		t.Fatal(err)
	}
	id := added.Task.ID
	for _, tt := range []struct{ file, want string }{
		{"", "is missing"},
		{"a: [", "invalid YAML"},
		{"ok: false\nprofile: governed\nscore: 40\nthreshold: 90\n", "score 40, threshold 90"},
		{"ok: true\nprofile: starter\n", `the profile "starter"`},
		{"profile: governed\nscore: 99\n", "does not say whether"},
	} {
		if tt.file != "" {
			put(t, d, standard.ScorePath(id), tt.file)
		}
		_, err := d.Move(bg, id, task.MoveTo{To: ledger.Ready})
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "grimoire standard score --task-id "+id) {
			t.Errorf("%q: %v", tt.file, err)
		}
	}
	put(t, d, standard.ScorePath(id), "ok: true\nprofile: governed\nscore: 95\nthreshold: 90\n")
	if _, err := d.Move(bg, id, task.MoveTo{To: ledger.Ready}); err != nil {
		t.Error(err)
	}
	put(t, d, task.GatesFile, "transitions:\n  - {id: g, from: ready, to: in_progress, required_evidence: [release_authorization]}\n")
	if _, err := d.Claim(bg, id, task.NewClaim{Actor: "ada"}); err == nil || !strings.Contains(err.Error(), "always refuses") || !strings.Contains(err.Error(), "take") {
		t.Error(err)
	}
}
