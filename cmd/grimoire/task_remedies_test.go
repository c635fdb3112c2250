package main

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/governance/task"
)

// Every kind of evidence that a gate can ask for is refused with a remedy, each
// remedy names a command there is, and the hook lets that command through.
func TestTaskRemedies(t *testing.T) {
	invocation := regexp.MustCompile("`grimoire( [a-z][a-z-]+)+")
	for _, name := range append([]string{"of nobody's making"}, standard.Evidence...) {
		root := t.TempDir()
		write(t, root, "project-context.yaml", "user: {language: en}\n")
		write(t, root, "_grimoire/standard/standard-profile.yaml", "profile: governed\n")
		d := task.Open(root, "")
		added, err := d.Add(context.Background(), task.New{Title: "t", Acceptance: []string{"tests"}})
		if err != nil {
			t.Fatal(err)
		}
		write(t, root, task.GatesFile, "transitions: [{id: g, from: proposed, to: ready, required_evidence: ["+strings.ReplaceAll(name, "'", "''")+"]}]\n")
		_, err = d.Move(context.Background(), added.Task.ID, task.MoveTo{To: ledger.Ready})
		var r *task.Refusal
		if !errors.As(err, &r) {
			if name == "acceptance_criteria" { // a task cannot be without
				continue
			}
			t.Fatalf("%s: %v", name, err)
		}
		for _, text := range []string{r.Missing[0].Remedy.FR, r.Missing[0].Remedy.EN} {
			found := invocation.FindString(text)
			if found == "" {
				if name == "observed_check" { // the project's own check
					continue
				}
				t.Errorf("%s: no command in %q", name, text)
				continue
			}
			words := strings.Fields(strings.TrimPrefix(found, "`"))
			command := remedyIn(t, words)
			if said, stopped := (refusal{line: command}).provoke(root, "claude"); stopped {
				t.Errorf("%s: the remedy %q is stopped: %s", name, command, said)
			}
		}
	}
}
