package task_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/task"
	"github.com/grimoire-kit/grimoire/governance/trace"
)

const gates = `transitions:
  - {id: proposed_to_ready, from: proposed, to: ready, required_evidence: [acceptance_criteria, owner_or_agent_role]}
  - {id: ready_to_in_progress, from: ready, to: in_progress, required_evidence: [context_bundle, provider_policy]}
  - {id: in_progress_to_review, from: in_progress, to: review, required_evidence: [evidence_pack, decision_trace]}
  - {id: review_to_accepted, from: review, to: accepted, required_evidence: [review_gate, evidence_gate]}
profile_strictness: {starter: advisory, controlled: warning, governed: hard_fail}
`

// A governed life: every refusal writes nothing, and what it asks for opens
// the way.
func TestGovernedLife(t *testing.T) {
	d, _ := project(t)
	put(t, d, task.GatesFile, gates)
	put(t, d, "_grimoire/standard/standard-profile.yaml", "profile: governed\n")
	added, err := d.Add(bg, task.New{Title: "one", Acceptance: []string{"the tests pass"}, Ready: true})
	if err != nil || added.Refusal == nil || added.Task.Status != ledger.Proposed {
		t.Fatalf("%+v, %v", added, err)
	}
	id := ready(t, d, "two", "ada")
	before := log(t, d)
	_, err = d.Claim(bg, id, task.NewClaim{Actor: "ada"})
	refused(t, d, before, err, "ready_to_in_progress", "context_bundle")
	put(t, d, task.ContextPath(id), "x: 1\n")
	put(t, d, "_grimoire/standard/llm-provider-registry.yaml", "providers: [{id: a, enabled: \"true\"}]\n")
	_, err = d.Claim(bg, id, task.NewClaim{Actor: "ada"})
	refused(t, d, before, err, "ready_to_in_progress", "provider_policy") // a text is no boolean
	put(t, d, "_grimoire/standard/llm-provider-registry.yaml", "providers: [")
	_, err = d.Claim(bg, id, task.NewClaim{Actor: "ada"})
	refused(t, d, before, err, "ready_to_in_progress", "provider_policy")
	if !strings.Contains(err.Error(), "llm-provider-registry.yaml") {
		t.Error(err)
	}
	put(t, d, "_grimoire/standard/llm-provider-registry.yaml", "providers: [{id: a, enabled: true}]\n")
	if _, err = d.Claim(bg, id, task.NewClaim{Actor: "ada"}); err != nil {
		t.Fatal(err)
	}
	if _, err = d.Move(bg, id, task.MoveTo{To: ledger.Running}); err != nil {
		t.Fatal(err)
	}
	before = log(t, d)
	_, err = d.Move(bg, id, task.MoveTo{To: ledger.NeedsVerification})
	refused(t, d, before, err, "in_progress_to_review", "evidence_pack")
	put(t, d, "out/test.txt", "ok\n")
	put(t, d, "out/log.txt", "ok\n")
	put(t, d, task.DecisionPath(id), "x: 1\n")
	p, err := d.Prove(bg, id, []task.NewItem{{Kind: "test", Path: "out/test.txt"}}, nil)
	if err != nil || p.Verdict.Verdict != "failed" {
		t.Fatalf("%+v, %v", p, err)
	}
	if _, err = d.Move(bg, id, task.MoveTo{To: ledger.NeedsVerification}); err != nil {
		t.Fatal(err)
	}
	before = log(t, d)
	_, err = d.Close(bg, id, task.Holder{Actor: "ada"})
	refused(t, d, before, err, "review_to_accepted", "review_gate")
	if !strings.Contains(err.Error(), "kind-log-present") || !strings.Contains(err.Error(), "the tests pass") {
		t.Errorf("it does not name what failed: %v", err)
	}
	if p, err = d.Prove(bg, id, []task.NewItem{{Kind: "test", Path: "out/test.txt"}, {Kind: "log", Path: "out/log.txt"}}, []string{"all"}); err != nil || p.Verdict.Verdict != "passed" {
		t.Fatalf("%+v, %v", p, err)
	}
	if p.Pack.ID != "EVD-"+id+"-002" || !strings.HasPrefix(p.Pack.Items[0].Digest, "sha256-") {
		t.Errorf("%+v", p.Pack)
	}
	out, err := d.Close(bg, id, task.Holder{Actor: "ada"})
	if err != nil || out.Task.Status != ledger.Closed || out.Board == "" {
		t.Fatalf("%+v, %v", out, err)
	}
}

// A move that the state machine does not have is its error, not a gate's.
func TestIllegalMovesAreNotGates(t *testing.T) {
	d, _ := project(t)
	put(t, d, task.GatesFile, gates)
	put(t, d, "_grimoire/standard/standard-profile.yaml", "profile: governed\n")
	id := ready(t, d, "one", "ada")
	_, err := d.Close(bg, id, task.Holder{Actor: ""})
	if err == nil || !strings.Contains(err.Error(), "does not go from ready to closed") {
		t.Error(err)
	}
}

func TestStrictness(t *testing.T) {
	for _, tt := range []struct {
		profile, table string
		passes         bool
	}{
		{"profile: starter\n", "{starter: advisory}", true},
		{"", "{starter: advisory}", true},
		{"profile: controlled\n", "{controlled: warning}", true},
		{"profile: governed\n", "{governed: hard_fail}", false},
		{"profile: governed\n", "{starter: advisory}", false},
		{"profile: governed\n", "{governed: 3}", false},
		{"profile: governed\n", "{governed: maybe}", false},
		{"profile: governed\n", "", false},
	} {
		d, _ := project(t)
		put(t, d, task.GatesFile, "transitions: [{id: g, from: proposed, to: ready, required_evidence: [owner_or_agent_role]}]\nprofile_strictness: "+tt.table+"\n")
		if tt.profile != "" {
			put(t, d, "_grimoire/standard/standard-profile.yaml", tt.profile)
		}
		added, err := d.Add(bg, task.New{Title: "one", Acceptance: []string{"x"}})
		if err != nil {
			t.Fatal(err)
		}
		before := log(t, d)
		out, err := d.Move(bg, added.Task.ID, task.MoveTo{To: ledger.Ready})
		if tt.passes {
			if err != nil || len(out.Advisories) != 1 || !strings.Contains(out.Advisories[0].EN, "owner_or_agent_role") {
				t.Errorf("%+v: %+v, %v", tt, out, err)
			}
			continue
		}
		refused(t, d, before, err, "g", "owner_or_agent_role")
	}
}

// A file that cannot be read blocks every move, and is named.
func TestBrokenGates(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"evidence-gates.yaml":   {task.GatesFile: "transitions: ["},
		"a list":                {task.GatesFile: "- x\n"},
		"empty":                 {task.GatesFile: ""},
		"of other types":        {task.GatesFile: "transitions: [{id: g, required_evidence: 3}]\n"},
		"a key misspelt":        {task.GatesFile: strings.ReplaceAll(gates, "required_evidence:", "required_evidences:")},
		"the list misspelt":     {task.GatesFile: strings.Replace(gates, "transitions:", "transition:", 1)},
		"a column misspelt":     {task.GatesFile: strings.Replace(gates, "from: in_progress,", "from: in_progres,", 1)},
		"a second document":     {task.GatesFile: "transitions: [{id: g, from: ready, to: review, required_evidence: [x]}]\n---\n" + gates},
		"standard-profile.yaml": {task.GatesFile: gates, "_grimoire/standard/standard-profile.yaml": "profile: ["},
	} {
		d, _ := project(t)
		added, err := d.Add(bg, task.New{Title: "one", Acceptance: []string{"x"}})
		if err != nil {
			t.Fatal(err)
		}
		for path, text := range files {
			put(t, d, path, text)
		}
		before := log(t, d)
		_, err = d.Move(bg, added.Task.ID, task.MoveTo{To: ledger.Cancelled})
		file := "evidence-gates.yaml"
		if name == "standard-profile.yaml" {
			file = name
		}
		refused(t, d, before, err, file, "_grimoire/standard/"+file)
		if d.GatesProblem() == nil {
			t.Errorf("%s: no problem", name)
		}
	}
}

func TestUnknownEvidenceRefuses(t *testing.T) {
	d, _ := project(t)
	put(t, d, task.GatesFile, "transitions: [{id: g, from: proposed, to: ready, required_evidence: [good_mood]}]\n")
	added, err := d.Add(bg, task.New{Title: "one", Acceptance: []string{"x"}, Owner: "ada"})
	if err != nil {
		t.Fatal(err)
	}
	before := log(t, d)
	_, err = d.Move(bg, added.Task.ID, task.MoveTo{To: ledger.Ready})
	refused(t, d, before, err, "g", "good_mood")
}

// A refused gate leaves its verdicts in the trace ledger.
func TestRefusalsAreTraced(t *testing.T) {
	d, _ := project(t)
	put(t, d, task.GatesFile, "transitions: [{id: g, from: proposed, to: ready, required_evidence: [owner_or_agent_role, context_bundle]}]\n")
	added, err := d.Add(bg, task.New{Title: "one", Acceptance: []string{"x"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Move(bg, added.Task.ID, task.MoveTo{To: ledger.Ready}); err == nil {
		t.Fatal("it was let through")
	}
	text, err := os.ReadFile(filepath.Join(d.Root, filepath.FromSlash(trace.File)))
	if err != nil {
		t.Fatal(err)
	}
	want := `"policy_verdicts":[{"verdict_id":"owner_or_agent_role","action_kind":"task.transition:proposed->ready","verdict":"block"},` +
		`{"verdict_id":"context_bundle","action_kind":"task.transition:proposed->ready","verdict":"block"}]`
	if !strings.Contains(string(text), want) || !strings.Contains(string(text), `"run_id":"task-gate-`+added.Task.ID) {
		t.Errorf("%s", text)
	}
}

// Evidence that is not what it was when it was recorded does not close a task:
// the file is named. What has no digest, stands elsewhere, or is written on by
// grimoire itself is taken at its word.
func TestEvidenceThatChanged(t *testing.T) {
	const gate = "transitions: [{id: g, from: review, to: accepted, required_evidence: [evidence_gate]}]\n"
	pack := func(items string) string {
		return `{"id":"EVD-x","schema_version":"grimoire.evidence_pack.v1","task_id":"GAO-one-001","items":[` + items + `],"acceptance_covered":[],"coverage":{"acceptance_covered":["x"],"acceptance_missing":[]}}` + "\n"
	}
	item := func(uri, digest string) string {
		return `{"id":"i","kind":"test","uri":"` + uri + `","digest":"` + digest + `"}`
	}
	other := "sha256-" + strings.Repeat("0", 64)
	for name, tt := range map[string]struct {
		spoil func(d *task.Desk)
		want  string // of the reason; "" where it closes
	}{
		"nothing":             {func(*task.Desk) {}, ""},
		"a change":            {func(d *task.Desk) { put(t, d, "out/t.txt", "FAIL\n") }, "out/t.txt has changed since EVD-GAO-one-001-001 shows it"},
		"gone":                {func(d *task.Desk) { remove(t, d, "out/t.txt") }, "out/t.txt, shown by EVD-GAO-one-001-001, is gone"},
		"a folder":            {func(d *task.Desk) { remove(t, d, "out/t.txt"); put(t, d, "out/t.txt/x", "") }, "out/t.txt, shown by EVD-GAO-one-001-001, is gone"},
		"a record of ours":    {func(d *task.Desk) { put(t, d, "_grimoire-output/evidence/GAO-one-001/evidence-pack.md", "more\n") }, ""},
		"no digest":           {func(d *task.Desk) { put(t, d, d.EvidenceDir+"/packs.jsonl", pack(item("out/t.txt", ""))) }, ""},
		"a digest of another": {func(d *task.Desk) { put(t, d, d.EvidenceDir+"/packs.jsonl", pack(item("out/t.txt", "md5-1"))) }, ""},
		"a page": {func(d *task.Desk) {
			put(t, d, d.EvidenceDir+"/packs.jsonl", pack(item("https://example.org/x", other)))
		}, ""},
		"another project":    {func(d *task.Desk) { put(t, d, d.EvidenceDir+"/packs.jsonl", pack(item("../x/t.txt", other))) }, ""},
		"one of the old kit": {func(d *task.Desk) { put(t, d, d.EvidenceDir+"/packs.jsonl", pack(item("out/t.txt", other))) }, "out/t.txt has changed since EVD-x shows it"},
	} {
		d, _ := project(t)
		id := ready(t, d, "one", "ada")
		put(t, d, "out/t.txt", "ok\n")
		put(t, d, "_grimoire-output/evidence/"+id+"/evidence-pack.md", "x\n")
		if _, err := d.Claim(bg, id, task.NewClaim{Actor: "ada"}); err != nil {
			t.Fatal(err)
		}
		for _, to := range []ledger.Status{ledger.Running, ledger.NeedsVerification} {
			if _, err := d.Move(bg, id, task.MoveTo{To: to}); err != nil {
				t.Fatal(err)
			}
		}
		items := []task.NewItem{{Kind: "test", Path: "out/t.txt"}, {Kind: "log", Path: "out/t.txt"}, {Kind: "doc", Path: "_grimoire-output/evidence/" + id + "/evidence-pack.md"}}
		if _, err := d.Prove(bg, id, items, []string{"all"}); err != nil {
			t.Fatal(err)
		}
		put(t, d, task.GatesFile, gate)
		tt.spoil(d)
		before := log(t, d)
		_, err := d.Close(bg, id, task.Holder{Actor: "ada"})
		if tt.want == "" {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		refused(t, d, before, err, "g", "evidence_gate")
		if err != nil && (!strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "`grimoire task prove "+id)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func remove(t *testing.T, d *task.Desk, name string) {
	t.Helper()
	if err := os.Remove(filepath.Join(d.Root, filepath.FromSlash(name))); err != nil {
		t.Fatal(err)
	}
}
