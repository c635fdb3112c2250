package task_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/governance/task"
	"github.com/grimoire-kit/grimoire/surface"
)

func readBoard(t testing.TB, d *task.Desk) (cards []map[string]any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(d.Root, filepath.FromSlash(standard.BoardFile)))
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Tasks []map[string]any `yaml:"tasks"`
	}
	if err := yaml.Unmarshal(text, &doc); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return doc.Tasks
}

// Columns in the order of a task's life, then the most urgent, then by id; and
// nothing that a title holds is more than a title.
func TestBoardOrder(t *testing.T) {
	d, _ := project(t)
	put(t, d, "_grimoire/standard/.keep", "")
	low, high := ready(t, d, "low", ""), ready(t, d, "high", "")
	nasty := "x: \"y\" # z\n- {a: &b *c} \u2028 é \x01"
	if _, err := d.Add(bg, task.New{Title: nasty, Acceptance: []string{nasty}}); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Prioritize(bg, high, "critical", "", ""); err != nil {
		t.Fatal(err)
	}
	cards := readBoard(t, d)
	var got []string
	for _, c := range cards[1:] {
		got = append(got, c["task_id"].(string))
	}
	if strings.Join(got, " ") != high+" "+low || cards[0]["title"] != nasty {
		t.Errorf("%v, first %q", got, cards[0]["title"])
	}
}

// However many processes write the board, it ends as the ledger does.
func TestBoardFollowsTheLast(t *testing.T) {
	d, _ := project(t)
	put(t, d, "_grimoire/standard/.keep", "")
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			other := task.Open(d.Root, "")
			for range 10 {
				if out, err := other.Add(bg, task.New{Title: "t", Acceptance: []string{"tests"}}); err != nil || out.BoardErr != nil {
					t.Error(err, out)
				}
			}
		})
	}
	wg.Wait()
	if n := len(readBoard(t, d)); n != 40 {
		t.Errorf("%d cards of 40", n)
	}
}

// A board that cannot be written costs the change nothing, and is said.
func TestBoardThatFails(t *testing.T) {
	d, _ := project(t)
	put(t, d, standard.BoardFile+"/in the way", "")
	out, err := d.Add(bg, task.New{Title: "t", Acceptance: []string{"tests"}})
	if err != nil || out.BoardErr == nil {
		t.Fatalf("%+v, %v", out, err)
	}
	if x, err := d.Find(out.Task.ID); err != nil || x.Status != ledger.Proposed {
		t.Error(x.Status, err)
	}
}

// A power cut may keep the board's name and not its bytes: the next change
// writes it anew, as nobody's cards are lost.
func TestBoardThatLostItsBytes(t *testing.T) {
	for _, text := range []string{"", "\n", strings.Repeat("\x00", 900)} {
		d, _ := project(t)
		put(t, d, standard.BoardFile, text)
		if out, err := d.Add(bg, task.New{Title: "t", Acceptance: []string{"tests"}}); err != nil || out.BoardErr != nil {
			t.Fatalf("%q: %v, %v", text, err, out.BoardErr)
		}
		if n := len(readBoard(t, d)); n != 1 {
			t.Errorf("%q: %d cards", text, n)
		}
	}
}

func TestWhatKilledProcessesLeft(t *testing.T) {
	d, _ := project(t)
	old, fresh := "_grimoire/standard/.task-board.yaml.1.tmp", "_grimoire/standard/.task-board.yaml.2.tmp"
	put(t, d, old, "")
	put(t, d, fresh, "")
	past := time.Now().Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(d.Root, old), past, past); err != nil {
		t.Fatal(err)
	}
	ready(t, d, "t", "")
	if _, err := os.Stat(filepath.Join(d.Root, old)); !errors.Is(err, os.ErrNotExist) {
		t.Error("it is still there")
	}
	if _, err := os.Stat(filepath.Join(d.Root, fresh)); err != nil {
		t.Error(err)
	}
}

// The same files give the same context, but for its date.
func TestContext(t *testing.T) {
	d, now := project(t)
	put(t, d, "_grimoire/standard/llm-provider-registry.yaml", `providers:
  - {id: a, enabled: true, provider_type: hosted, allowed_capabilities: [code], data_policy: {forbidden_data_classes: [secrets]}}
  - {id: b, enabled: true, allowed_capabilities: [chat, code]}
  - {id: c, enabled: "true", allowed_capabilities: [chat]}
`)
	put(t, d, "_grimoire/standard/memory-policy.yaml", "memory_types:\n"+strings.Repeat("  - {type: session, scope: s}\n", 9))
	put(t, d, "_grimoire/standard/decision-graph.yaml", "decision_types: [{id: routing, inputs: [x]}]\n")
	put(t, d, "_grimoire/standard/mission-brief.md", "x\n")
	id := ready(t, d, "one", "")
	b, err := d.WriteContext(id, surface.English)
	if err != nil {
		t.Fatal(err)
	}
	p := b.Providers
	if strings.Join(p.Enabled, " ") != "a b" || p.Matched != "b" || len(p.Unmatched) != 0 || strings.Join(p.Routes[0].Missing, " ") != "chat" {
		t.Errorf("%+v", p)
	}
	if len(b.Memory) != 8 || len(b.MemoryExclusion) != 1 || len(b.Sources) != 2 || !b.Redactions.Required {
		t.Errorf("%+v", b)
	}
	read := func() string {
		t.Helper()
		var all strings.Builder
		for _, path := range []string{task.ContextPath(id), task.DecisionPath(id)} {
			text, err := os.ReadFile(filepath.Join(d.Root, filepath.FromSlash(path)))
			if err != nil {
				t.Fatal(err)
			}
			all.Write(text)
		}
		return all.String()
	}
	first := read()
	if !strings.Contains(first, "decision_id: "+id+".routing") {
		t.Error(first)
	}
	date := ledger.FormatTime(*now)
	*now = now.Add(time.Hour)
	if _, err := d.WriteContext(id, surface.English); err != nil {
		t.Fatal(err)
	}
	if again := strings.ReplaceAll(read(), ledger.FormatTime(*now), date); again != first {
		t.Errorf("%s\nwas\n%s", again, first)
	}
	// A file that cannot be read is named, and nothing is written over.
	put(t, d, "_grimoire/standard/context-contract.yaml", "budget: [")
	if _, err := d.WriteContext(id, surface.English); err == nil || !strings.Contains(err.Error(), "context-contract.yaml") {
		t.Error(err)
	}
}

func TestRecall(t *testing.T) {
	d, _ := project(t)
	mine := ready(t, d, "Search answers in milliseconds", "")
	if r, err := d.Recall(mine, surface.English); err != nil || r.Has || r.Text != "" {
		t.Fatalf("%+v, %v", r, err)
	}
	for range 7 {
		ready(t, d, "Search results page", "")
	}
	linked := ready(t, d, "Quite another thing", "")
	if _, err := d.Link(bg, mine, linked, "blocks", ""); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Block(bg, mine, strings.Repeat("the server is down, ", 60)+"\nagain", task.Holder{Actor: ""}); err != nil {
		t.Fatal(err)
	}
	r, err := d.Recall(mine, surface.French)
	if err != nil || !r.Has {
		t.Fatalf("%+v, %v", r, err)
	}
	if len(r.Siblings) != 5 || r.Siblings[0].ID != linked || r.Siblings[0].Relation != "lien déclaré" || r.Siblings[1].Relation != "même mission" {
		t.Errorf("%+v", r.Siblings)
	}
	if len(r.Own) != 1 || !strings.HasPrefix(r.Own[0], "blocked (2") {
		t.Errorf("%+v", r.Own)
	}
	for i := range 60 {
		if _, err := d.Link(bg, mine, ready(t, d, strings.Repeat("Search ", 20)+string(rune('a'+i%26)), ""), "relates", ""); err != nil {
			t.Fatal(err)
		}
	}
	r, err = d.Recall(mine, surface.French)
	if n := len([]rune(r.Text)); err != nil || n > task.RecallBudget*4+40 {
		t.Errorf("%d characters, %v", n, err)
	}
	if !strings.HasSuffix(r.Text, "[…] coupé au budget de tokens") || strings.Contains(strings.TrimSuffix(r.Text, "\n[…] coupé au budget de tokens"), "…") {
		t.Errorf("cut inside a line, or unsaid: %q", r.Text)
	}
}

func TestMigrateRefusesWhatItCannotRead(t *testing.T) {
	for name, board := range map[string]string{
		"no column":   "tasks: [{task_id: T-1, title: x, status: limbo, acceptance_criteria: [y]}]\n",
		"broken":      "tasks: [",
		"no id":       "tasks: [{title: x, status: ready}, {task_id: '../x', title: y, status: ready}]\n",
		"other types": "tasks: [{task_id: T-1, title: [x], status: ready}]\n",
	} {
		d, _ := project(t)
		put(t, d, standard.BoardFile, board)
		if _, err := d.Migrate(bg, false); err == nil || log(t, d) != "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestRestore(t *testing.T) {
	d, _ := project(t)
	board := "tasks: [{task_id: T-1, title: x, status: accepted, acceptance_criteria: [y]}]\n"
	put(t, d, standard.BoardFile, board)
	m, err := d.Migrate(bg, false)
	if err != nil || len(m.Imported) != 1 {
		t.Fatalf("%+v, %v", m, err)
	}
	before := log(t, d)
	if _, err := d.Restore(m.Stamp, false); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(filepath.Join(d.Root, filepath.FromSlash(standard.BoardFile))); string(text) != board || log(t, d) != before {
		t.Errorf("%s", text)
	}
	for _, stamp := range []string{"../../x", "20261130T090000Z ", "20991130T090000Z"} {
		if _, err := d.Restore(stamp, false); err == nil {
			t.Errorf("%q was restored", stamp)
		}
	}
}
