package task_test

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/standard"
)

// A card that cannot become a task of its own is named with its line, and none
// is taken over.
func TestMigrateNamesTheCard(t *testing.T) {
	const good = "tasks:\n  - {task_id: T-1, title: one, status: ready, acceptance_criteria: [x]}\n"
	for card, want := range map[string]string{
		"  - {task_id: T-1, title: two, status: ready}\n":    "line 3: the id T-1 is already that of the card on line 2",
		"  - {task_id: t-1, title: two, status: ready}\n":    "line 3: the id t-1 is already that of the card on line 2",
		"  - {title: two, status: ready}\n":                  "line 3: this card has no task_id",
		"  - {task_id: '../x', title: two, status: ready}\n": `line 3: task_id "../x" is no id`,
		"  - {task_id: T-2, status: ready}\n":                "line 3: the card T-2 has no title",
		"  - {task_id: T-2, status: ready, blockers: {}}\n":  "line 3: a list was expected here",
	} {
		d, _ := project(t)
		put(t, d, standard.BoardFile, good+card)
		for _, dry := range []bool{true, false} {
			if _, err := d.Migrate(bg, dry); err == nil || !strings.Contains(err.Error(), standard.BoardFile+": "+want) {
				t.Errorf("%s%v", card, err)
			}
		}
		if log(t, d) != "" {
			t.Errorf("%s was taken over", card)
		}
	}
}

// What a card waits for becomes a dependency where the task is there, also one
// that stands further down; why it waits is kept either way.
func TestMigrateKeepsBlockers(t *testing.T) {
	d, _ := project(t)
	put(t, d, standard.BoardFile, `tasks:
  - {task_id: A, title: a, status: blocked, acceptance_criteria: [x], blockers: [{reason: needs the index, target: B}, {reason: the vendor, target: JIRA-7}]}
  - {task_id: B, title: b, status: ready, acceptance_criteria: [x], blockers: [{reason: depends on C, target: C}]}
  - {task_id: C, title: c, status: ready, blockers: [{reason: the budget, target: JIRA-8}], squad: blue}
  - {task_id: D, title: d, status: blocked, acceptance_criteria: [x], blockers: [{reason: it is down, target: D}]}
`)
	m, err := d.Migrate(bg, false)
	if err != nil || !slices.Equal(m.FromTitle, []string{"C"}) {
		t.Fatalf("%+v, %v", m, err)
	}
	want := map[string]struct {
		on     []ledger.Dependency
		reason string
		extra  string
	}{
		"A": {[]ledger.Dependency{{Kind: "blocks", Target: "B"}}, "needs the index; the vendor (JIRA-7)", ""},
		"B": {[]ledger.Dependency{{Kind: "blocks", Target: "C"}}, "imported from the board", ""},
		"C": {nil, "imported from the board", `{"imported_blockers":[{"reason":"the budget","target":"JIRA-8"}],"squad":"blue"}`},
		"D": {nil, "it is down", ""},
	}
	for id, w := range want {
		x, err := d.Find(id)
		if err != nil || !slices.Equal(x.DependsOn, w.on) || x.Reason != w.reason || x.Extra != w.extra {
			t.Errorf("%s: %v %q %s, %v", id, x.DependsOn, x.Reason, x.Extra, err)
		}
	}
	blockers := map[string]any{}
	for _, c := range readBoard(t, d) {
		blockers[c["task_id"].(string)] = c["blockers"]
	}
	entry := func(reason, target string) []any { return []any{map[string]any{"reason": reason, "target": target}} }
	if !reflect.DeepEqual(blockers, map[string]any{
		"A": entry("needs the index; the vendor (JIRA-7)", "B"), "B": entry("depends on C", "C"), "C": []any{}, "D": entry("it is down", "D")}) {
		t.Error(blockers)
	}
}

// The keys of others are carried as they were written, with the booleans that
// the existing kit reads.
func TestMigrateCarriesKeys(t *testing.T) {
	d, _ := project(t)
	put(t, d, standard.BoardFile, `tasks:
  - task_id: T
    title: t
    status: ready
    acceptance_criteria: [x]
    due: 2024-05-01
    at: 2024-05-01 10:00:00
    hot: yes
    cold: [Off, "no", n]
    limit: .inf
    1: one
    on: {2: two, at: 2024-05-02}
`)
	if _, err := d.Migrate(bg, false); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"due": "2024-05-01", "at": "2024-05-01 10:00:00", "hot": true, "cold": []any{false, "no", "n"}, "limit": ".inf", "1": "one",
		"on": map[string]any{"2": "two", "at": "2024-05-02"}}
	x, err := d.Find("T")
	if err != nil {
		t.Fatal(err)
	}
	var extra map[string]any
	if err := json.Unmarshal([]byte(x.Extra), &extra); err != nil || !reflect.DeepEqual(extra, want) {
		t.Errorf("%s, %v", x.Extra, err)
	}
	card := readBoard(t, d)[0]
	maps.DeleteFunc(card, func(k string, _ any) bool { _, ours := want[k]; return !ours })
	if !reflect.DeepEqual(card, want) {
		t.Error(card)
	}
}
