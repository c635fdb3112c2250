package standard_test

import (
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/surface"
)

// A gates file that says less than was meant is broken: its first fault is
// named with its line, the key and what was expected.
func TestBrokenGateFiles(t *testing.T) {
	const tail = "\n    from: in_progress\n    to: review\n    required_evidence: [evidence_pack]\n"
	for name, tt := range map[string]struct {
		text string
		line int
		says string
	}{
		"empty":                    {"", 1, "a mapping was expected"},
		"a comment":                {"# x\n", 1, "a mapping was expected"},
		"a list":                   {"- x\n", 1, "a mapping was expected"},
		"not YAML":                 {"x: 1\ntransitions: [\n", 2, "invalid YAML"},
		"no transitions":           {"x: 1\n", 1, "the key transitions is missing"},
		"transitions misspelt":     {"x: 1\ntransition:\n  - id: g" + tail, 2, `transitions is missing, a list of moves was expected (is the key "transition" misspelt?)`},
		"transitions null":         {"x: 1\ntransitions:\n", 2, "the key transitions is missing"},
		"transitions empty":        {"transitions: []\n", 1, "transitions is empty"},
		"transitions a mapping":    {"transitions: {a: b}\n", 1, "a list of moves was expected"},
		"a move that is a word":    {"transitions:\n  - g\n", 2, "must be a mapping"},
		"evidence misspelt":        {"transitions:\n  - id: g\n    from: in_progress\n    to: review\n    required_evidences: [evidence_pack]\n", 5, `(is the key "required_evidences" misspelt?)`},
		"evidence in another case": {"transitions:\n  - id: g\n    from: in_progress\n    to: review\n    requiredEvidence: [evidence_pack]\n", 5, `(is the key "requiredEvidence" misspelt?)`},
		"evidence missing":         {"transitions:\n  - id: g\n    from: in_progress\n    to: review\n", 2, "required_evidence is missing, a list of evidence was expected"},
		"evidence null":            {"transitions:\n  - id: g\n    from: in_progress\n    to: review\n    required_evidence:\n", 5, "required_evidence is empty"},
		"evidence empty":           {"transitions:\n  - id: g\n    from: in_progress\n    to: review\n    required_evidence: []\n", 5, "required_evidence is empty"},
		"evidence a word":          {"transitions:\n  - id: g\n    from: in_progress\n    to: review\n    required_evidence: evidence_pack\n", 5, "required_evidence is no list"},
		"evidence of nothing":      {"transitions:\n  - id: g\n    from: in_progress\n    to: review\n    required_evidence: [evidence_pack, ~]\n", 5, "no name of evidence"},
		"column misspelt":          {"transitions:\n  - id: g\n    from: in_progres\n    to: review\n    required_evidence: [x]\n", 3, `from is "in_progres", a column was expected (proposed, ready,`},
		"column in another case":   {"transitions:\n  - id: g\n    from: in_progress\n    to: Review\n    required_evidence: [x]\n", 4, `to is "Review", a column was expected`},
		"column a list":            {"transitions:\n  - id: g\n    from: [in_progress]\n    to: review\n    required_evidence: [x]\n", 3, "a column was expected"},
		"column missing":           {"transitions:\n  - id: g\n    From: in_progress\n    to: review\n    required_evidence: [x]\n", 3, `from is missing (is the key "From" misspelt?)`},
		"two documents":            {"transitions: [{id: g, from: ready, to: review, required_evidence: [x]}]\n---\ntransitions:\n  - id: g" + tail, 3, "a second YAML document"},
		"two documents, one bad":   {"transitions: [{id: g, from: ready, to: review, required_evidence: [x]}]\n---\n]\n", 2, "invalid YAML"},
		"a key twice":              {"transitions:\n  - id: g" + tail + "transitions: []\n", 6, "the key transitions is written twice, first on line 1"},
		"a key twice in a move":    {"transitions:\n  - id: g" + tail + "    from: ready\n", 6, "the key from is written twice, first on line 3"},
		"a conflict":               {"<<<<<<< HEAD\ntransitions: []\n=======\n>>>>>>> x\n", 2, "invalid YAML"},
	} {
		_, broken := standard.ParseGates([]byte(tt.text))
		if len(broken) == 0 {
			t.Errorf("%s: it is taken", name)
			continue
		}
		if c := broken[0]; c.Line != tt.line || !strings.Contains(c.Text.EN, tt.says) || c.Severity != standard.Error || c.Path != standard.GatesFile || c.Text.FR == c.Text.EN {
			t.Errorf("%s: %+v", name, c)
		}
	}
}

// What other kits add, and what YAML allows, is harmless.
func TestGateFilesOfOtherKits(t *testing.T) {
	for name, text := range map[string]string{
		"keys of its own":      "transition_notes: x\nchecks: {a: b}\ntransitions:\n  - {id: g, from: in_progress, to: review, required_evidence: [evidence_pack, magic], required_evidence_note: x, transition: 3}\nprofile_strictness: [a]\n",
		"columns of its own":   "states: [qa]\ntransitions:\n  - {id: q, from: qa, to: review, required_evidence: [x]}\n  - {id: g, from: in_progress, to: review, required_evidence: [evidence_pack, magic]}\n",
		"without ids":          "transitions: [{from: in_progress, to: review, required_evidence: [evidence_pack, magic]}]\n",
		"anchors":              "x: &e [evidence_pack, magic]\ny: &m {from: in_progress, to: review}\ntransitions: [{<<: *m, id: g, required_evidence: *e}]\n",
		"a BOM and an end":     "\ufefftransitions: [{id: g, from: in_progress, to: review, required_evidence: [evidence_pack, magic]}]\n---\n# nothing\n",
		"a strictness no word": "transitions: [{id: g, from: in_progress, to: review, required_evidence: [evidence_pack, magic]}]\nprofile_strictness: {governed: 3, production: soft, starter: }\n",
	} {
		g, broken := standard.ParseGates([]byte(text))
		if len(broken) > 0 {
			t.Errorf("%s: %+v", name, broken)
			continue
		}
		last := g.Transitions[len(g.Transitions)-1]
		if last.From != "in_progress" || last.To != "review" || strings.Join(last.Evidence, " ") != "evidence_pack magic" {
			t.Errorf("%s: %+v", name, g)
		}
	}
}

// A move that the file leaves free is said, and weighs a warning everywhere: a
// project may have fewer.
func TestFreeMovesAreSaid(t *testing.T) {
	for _, profile := range []surface.Profile{surface.ProfileOrchestrated, surface.ProfileProduction} {
		root := enrolled(t, profile, surface.English)
		damage(t, root, gates, "  - id: review_to_accepted\n    from: review\n    to: accepted\n", "  - id: again\n    from: accepted\n    to: released\n")
		var said []string
		for _, c := range open(t, root).Verify(standard.Options{}).Checks {
			if c.ID == "gates.transition_absent" {
				said = append(said, string(c.Severity)+" "+c.Text.EN)
			}
		}
		if len(said) != 1 || !strings.HasPrefix(said[0], "warning the move from review to accepted") {
			t.Errorf("%s: %q", profile, said)
		}
	}
}
