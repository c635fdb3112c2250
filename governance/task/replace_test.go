package task_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/governance/task"
)

const byHand = "$schema: grimoire-agentic-standard-task-board/v1\nmetadata: {source: manual}\ntasks:\n" +
	"  - {task_id: T-1, title: one, status: ready, acceptance_criteria: [x]}\n  - {task_id: T-2, title: two, status: review, acceptance_criteria: [x]}\n"

func boardText(t *testing.T, d *task.Desk) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(d.Root, filepath.FromSlash(standard.BoardFile)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// One rule for every drawing: a board with cards of which the ledger knows none
// is somebody's, wherever it comes from, and stays byte for byte.
func TestBoardOfOthersStays(t *testing.T) {
	drawn, _ := project(t)
	put(t, drawn, "_grimoire/standard/.keep", "")
	ready(t, drawn, "a colleague's", "")
	for name, board := range map[string]string{
		"kept by hand":           byHand,
		"without a format":       strings.SplitAfterN(byHand, "\n", 3)[2],
		"drawn from a lost log":  boardText(t, drawn),
		"drawn by the other kit": strings.Replace(byHand, "manual", "mission-ledger", 1),
		"cards without an id":    "tasks: [{title: x}]\n",
		"a card that is a text":  "tasks: [x]\n",
		"no board":               "notes: mine\n",
		"a text":                 "# Notes\n\nmine\n",
		"broken":                 strings.Replace(byHand, "manual", "mission-ledger", 1) + "  - [\n",
		"two lists of tasks":     byHand + "tasks: []\n",
		"an id in a text":        strings.Replace(byHand, "title: one", "title: \"  - task_id: GAO-mine-001\"", 1),
	} {
		d, _ := project(t)
		put(t, d, standard.BoardFile, board)
		for range 2 {
			out, err := d.Add(bg, task.New{Title: "mine", Acceptance: []string{"tests"}})
			if err != nil || out.BoardErr == nil || out.Board != "" {
				t.Fatalf("%s: %+v, %v", name, out, err)
			}
		}
		if _, _, err := d.WriteExport("", ""); err == nil {
			t.Errorf("%s: exported over", name)
		}
		if got := boardText(t, d); got != board {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}

// The remedy that is named works: the cards move in, and the board follows.
func TestBoardOfOthersMovesIn(t *testing.T) {
	for _, source := range []string{"manual", "mission-ledger"} {
		d, _ := project(t)
		put(t, d, standard.BoardFile, strings.Replace(byHand, "manual", source, 1))
		mine := ready(t, d, "mine", "")
		var kept *task.KeptBoardError
		if out, err := d.Prioritize(bg, mine, "high", "", ""); err != nil || !errors.As(out.BoardErr, &kept) || !strings.Contains(kept.Text().EN, "`grimoire task migrate-standard`") {
			t.Fatalf("%+v, %v", out, err)
		}
		m, err := d.Migrate(bg, false)
		if err != nil || len(m.Imported) != 2 {
			t.Fatalf("%+v, %v", m, err)
		}
		if n := len(readBoard(t, d)); n != 3 {
			t.Errorf("%d cards of 3", n)
		}
	}
}

// Among cards that the ledger knows, one written by hand is drawn over: the
// contract has it so. A merge that nobody resolved is healed in the same way.
func TestCardByHandDisappears(t *testing.T) {
	for name, by := range map[string]func(string) string{
		"a card":   func(b string) string { return b + "  - {task_id: HAND, title: x, status: ready}\n" },
		"first":    func(b string) string { return strings.Replace(b, "tasks:\n", "tasks:\n  - task_id: \"HAND\"\n", 1) },
		"reworded": func(b string) string { return strings.ReplaceAll(b, "  - task_id:", "  - 'task_id':") },
		"no cards": func(b string) string { return b[:strings.Index(b, "tasks:\n")] + "tasks: []\n" },
		"a merge":  func(b string) string { return strings.Replace(b, "tasks:\n", "tasks:\n<<<<<<< HEAD\n", 1) },
	} {
		d, _ := project(t)
		put(t, d, "_grimoire/standard/.keep", "")
		ready(t, d, "known", "")
		put(t, d, standard.BoardFile, by(boardText(t, d)))
		out, err := d.Add(bg, task.New{Title: "other", Acceptance: []string{"tests"}})
		if err != nil || out.BoardErr != nil || onDisk(t, d) != drawn(t, d) {
			t.Errorf("%s: %v, %v\n%s", name, err, out.BoardErr, boardText(t, d))
		}
	}
}

// A ledger beside the project's own does not take its board.
func TestSideLedger(t *testing.T) {
	d, _ := project(t)
	put(t, d, "_grimoire/standard/.keep", "")
	ready(t, d, "known", "")
	before := onDisk(t, d)
	side := task.Open(d.Root, "it's other")
	out, err := side.Add(bg, task.New{Title: "aside", Acceptance: []string{"tests"}})
	var kept *task.KeptBoardError
	if err != nil || !errors.As(out.BoardErr, &kept) || onDisk(t, d) != before {
		t.Fatalf("%+v, %v", out, err)
	}
	if said := kept.Text().EN; strings.Contains(said, "migrate") || !strings.Contains(said, `--ledger-root "it's other" --to <file>`) {
		t.Error(said)
	}
	if path, b, err := side.WriteExport("", "aside.yaml"); err != nil || path != "aside.yaml" || b.Tasks != 1 {
		t.Error(path, err)
	}
	if _, _, err := d.WriteExport("", "aside.yaml"); err == nil || !strings.Contains(err.Error(), "--to") {
		t.Error(err) // one board more whose cards are others'
	}
}

// What is no board is never replaced, and no board is put where records are.
func TestExportReplacesBoardsOnly(t *testing.T) {
	d, _ := project(t)
	put(t, d, "_grimoire/standard/.keep", "")
	ready(t, d, "known", "")
	files := map[string]string{
		"_grimoire/standard/evidence-gates.yaml": "$schema: grimoire-agentic-standard-evidence-gates/v1\n", ".claude/settings.json": "{}\n",
		"README.md": "$schema: x\n", "empty": "", "x.yaml": "# $schema: grimoire-agentic-standard-task-board/v1\ntasks: []\n",
	}
	for name, text := range files {
		put(t, d, name, text)
	}
	if err := os.Symlink("README.md", filepath.Join(d.Root, "link")); err != nil {
		t.Fatal(err)
	}
	files["link"] = files["README.md"]
	for name, text := range files {
		if _, _, err := d.WriteExport("", name); err == nil || !strings.Contains(err.Error(), "no task board") {
			t.Errorf("%s: %v", name, err)
		}
		if got, _ := os.ReadFile(filepath.Join(d.Root, name)); string(got) != text {
			t.Errorf("%s: %s", name, got)
		}
	}
	put(t, d, "sub/.keep", "")
	if err := os.Symlink("_grimoire-runtime-output", filepath.Join(d.Root, "out")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		ledger.Dir + "/events.jsonl", ledger.Dir + "/new.yaml", "out/ledger/new.yaml", "sub/../" + task.EvidenceDir + "/packs.jsonl", standard.EvidenceDir + "/T/x.yaml",
		standard.JournalFile, "_grimoire-output/.runs/evidence/x", "_GRIMOIRE-output/Events/x", "../x.yaml", ".", "sub", "", "a\x00b", "/etc/x",
	} {
		path, _, err := d.WriteExport("", name)
		if name == "" {
			if err != nil || path != standard.BoardFile {
				t.Error(path, err)
			}
		} else if err == nil {
			t.Errorf("%q was written as %s", name, path)
		}
	}
	d.Dir = filepath.Join(d.Root, "sub")
	for range 2 {
		if path, _, err := d.WriteExport("", "b.yaml"); err != nil || path != "sub/b.yaml" {
			t.Error(path, err)
		}
	}
}
