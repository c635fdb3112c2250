package task_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/governance/task"
	"github.com/grimoire-kit/grimoire/surface"
)

// A log that comes with a repository names nothing outside of where a task's
// files belong.
func TestIDsOfAHostileLog(t *testing.T) {
	d, _ := project(t)
	for i, id := range []string{"../../.claude", "-rf", "a/b", "*", ""} {
		event := fmt.Sprintf(`{"id": "evt-%d", "schema_version": "grimoire.ledger_event.v1", "event_type": "task.created", "entity_id": "x", "entity_kind": "task", "actor_id": "x", "created_at": "2026-08-02T09:20:00", "payload": {"id": %q, "mission_id": "m", "title": "t", "status": "claimed", "acceptance": ["x"], "claim": {"actor_id": "x", "expires_at": "gone"}}}`, i, id)
		put(t, d, ledger.Dir+"/"+ledger.LogName, event+"\n")
		desk := task.Open(d.Root, "")
		before := log(t, d)
		if _, err := desk.WriteContext(id, surface.English); err == nil && id != "" {
			t.Errorf("%q: a context was written", id)
		}
		if _, err := desk.Prove(bg, id, []task.NewItem{{Kind: "test", Path: "x"}}, nil); err == nil {
			t.Errorf("%q: evidence was taken", id)
		}
		if out, err := desk.Reap(bg, ""); id != "" && (err != nil || len(out.Ready)+len(out.Waiting) > 0 || log(t, d) != before) {
			t.Errorf("%q: %+v, %v", id, out, err)
		}
	}
	if _, err := os.Stat(filepath.Join(d.Root, ".claude")); err == nil {
		t.Error("something was written outside")
	}
}

// Links do not lead a read or a write out of the project.
func TestLinksLeadNowhere(t *testing.T) {
	d, _ := project(t)
	outside := t.TempDir()
	id := ready(t, d, "one", "")
	if err := os.WriteFile(filepath.Join(outside, "secret"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(d.Root, "out")); err != nil {
		t.Skip(err)
	}
	if _, err := d.Prove(bg, id, []task.NewItem{{Kind: "test", Path: "out/secret"}}, nil); err == nil {
		t.Error("a file outside of the project is evidence")
	}
	if err := os.Symlink(outside, filepath.Join(d.Root, "_grimoire-output")); err != nil {
		t.Fatal(err)
	}
	if _, err := d.WriteContext(id, surface.English); err == nil {
		t.Error("a context was written outside of the project")
	}
}

// Whatever a task's texts are, its card says them and is one card.
func FuzzCard(f *testing.F) {
	f.Add("title", "owner", "criterion")
	f.Add("x: \"y\" # z\n- {a: &b *c}", "'", "\u2028\u0085\x00")
	f.Add("---\n...", "%YAML", "\xff\xfe")
	f.Add("\ufeff!!binary", "null", "~")
	f.Fuzz(func(t *testing.T, title, owner, criterion string) {
		d, _ := project(t)
		put(t, d, "_grimoire/standard/.keep", "")
		out, err := d.Add(bg, task.New{Title: title, Owner: owner, Acceptance: []string{criterion}})
		if err != nil {
			return // says nothing, or too much
		}
		if out.BoardErr != nil {
			t.Fatal(out.BoardErr)
		}
		text, err := os.ReadFile(filepath.Join(d.Root, filepath.FromSlash(standard.BoardFile)))
		if err != nil {
			t.Fatal(err)
		}
		var doc struct {
			Tasks []struct {
				Title    string   `yaml:"title"`
				Owner    string   `yaml:"owner"`
				Criteria []string `yaml:"acceptance_criteria"`
			} `yaml:"tasks"`
		}
		if err := yaml.Unmarshal(text, &doc); err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		x, err := d.Find(out.Task.ID)
		if err != nil {
			t.Fatal(err)
		}
		if len(doc.Tasks) != 1 || doc.Tasks[0].Title != x.Title || doc.Tasks[0].Owner != x.Owner || strings.Join(doc.Tasks[0].Criteria, "\n") != strings.Join(x.Acceptance, "\n") {
			t.Errorf("%+v, want %+v in\n%s", doc.Tasks, x, text)
		}
	})
}
