package task

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/standard"
)

// plainly is a card as drawing.card writes it, entry by entry, each value by
// way of encoding/json.
func plainly(t *ledger.Task) string {
	var lines []string
	has := map[string]bool{}
	put := func(key, value string) {
		has[key] = true
		lines = append(lines, key+": "+value)
	}
	value := func(v any) string {
		line, err := marshal(v)
		if err != nil {
			panic(err)
		}
		return string(line)
	}
	list := func(l []string) string { return value(append([]string{}, l...)) }
	given := func(key, s string) {
		if s != "" {
			put(key, value(s))
		}
	}
	put("task_id", value(t.ID))
	put("title", value(t.Title))
	put("status", standard.Column(t.Status))
	put("priority", t.Priority())
	switch {
	case t.Owner == "" && t.Claim != nil:
		put("owner", value(t.Claim.Actor))
	default:
		put("owner", value(t.Owner))
	}
	if t.Roles == nil {
		put("agent_roles", list([]string{t.Type}))
	} else {
		put("agent_roles", list(t.Roles))
	}
	put("acceptance_criteria", list(t.Acceptance))
	class := "V0"
	for _, text := range append(slices.Clone(t.Acceptance), t.Evidence...) {
		if p, judged := slowly(text); p == "" {
			class = "V2"
		} else if judged && class == "V0" {
			class = "V1"
		}
	}
	if len(t.Acceptance)+len(t.Evidence) == 0 {
		class = "V2"
	}
	put("verifiability", "{class: "+class+"}")
	put("blockers", blockers(t))
	put("context_bundle_ref", value("_grimoire-output/context/"+t.ID+"/context-bundle.yaml"))
	put("decision_trace_ref", value("_grimoire-output/decisions/"+t.ID+"/decision-trace.yaml"))
	put("evidence_pack_ref", value("_grimoire-output/evidence/"+t.ID+"/evidence-pack.md"))
	given("description", t.Description)
	if t.Guardrails != nil {
		put("guardrails", list(t.Guardrails))
	}
	if t.Evidence != nil {
		put("expected_evidence", list(t.Evidence))
	}
	given("surface", t.Surface)
	given("finition", t.Finition)
	if t.Remediation == "" && (t.Status == ledger.Blocked || t.Status == ledger.Failed) {
		put("remediation_ref", `"_grimoire/standard/remediation-plan.yaml"`)
	}
	given("remediation_ref", t.Remediation)
	if t.Wait != nil {
		given("waiting", string(t.Wait.Reason))
		given("resume_branch", t.Wait.Branch)
	}
	if t.Claim != nil && t.Status.Active() {
		given("session_id", t.Claim.Session)
		given("session_host", t.Claim.SessionHost)
	}
	var extra map[string]any
	if t.Extra != "" {
		if err := json.Unmarshal([]byte(t.Extra), &extra); err != nil {
			panic(err)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(extra)) {
		if !has[k] {
			put(value(k), value(extra[k]))
		}
	}
	return "  - " + strings.Join(lines, "\n    ") + "\n"
}

// The board is written at every change: it must not differ with how it is
// made, nor for any text, and it must be YAML.
func TestBoardBytes(t *testing.T) {
	piece := rapid.SampledFrom([]string{"a", "tests", " ", "review", "é", "e\u0301", "\"", "\\", "\n", "\t", "\x00", "\x1f", "\x7f", "\u0085", "\u009f", "\u00a0", "\u2028", "\u2029",
		"\ufeff", "\ufffd", "\ufffe", "\uffff", "\xff", "\xe2\x80", "语", "😀", "<&>", ": ", " #", "- ", "'", "{", "}", "\r\n", "file exists"})
	text := rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(piece, 0, 6).Draw(t, "text"), "") })
	texts := rapid.Custom(func(t *rapid.T) []string {
		if rapid.Bool().Draw(t, "none") {
			return nil
		}
		return rapid.SliceOfN(text, 1, 3).Draw(t, "texts")
	})
	status := rapid.SampledFrom([]ledger.Status{ledger.Proposed, ledger.Ready, ledger.Claimed, ledger.Running, ledger.Blocked, ledger.Failed, ledger.Waiting, ledger.Closed})
	rapid.Check(t, func(t *rapid.T) {
		x := ledger.Task{ID: "GAO-a-001", Title: text.Draw(t, "title"), Status: status.Draw(t, "status"), Type: "test", Risk: rapid.SampledFrom([]string{"light", "standard", "strict"}).Draw(t, "risk"),
			Owner: text.Draw(t, "owner"), Roles: texts.Draw(t, "roles"), Acceptance: texts.Draw(t, "acceptance"), Guardrails: texts.Draw(t, "guardrails"),
			Evidence: texts.Draw(t, "evidence"), Description: text.Draw(t, "description"), Surface: text.Draw(t, "surface"), Remediation: text.Draw(t, "remediation"), Reason: text.Draw(t, "reason")}
		if rapid.Bool().Draw(t, "claimed") {
			x.Claim = &ledger.Claim{Actor: text.Draw(t, "actor"), Session: text.Draw(t, "session"), SessionHost: text.Draw(t, "host")}
		}
		if rapid.Bool().Draw(t, "waits") {
			x.Wait = &ledger.Wait{Reason: "ci", Branch: text.Draw(t, "branch")}
		}
		if rapid.Bool().Draw(t, "extra") {
			more := map[string]any{text.Draw(t, "key"): texts.Draw(t, "value"), "title": "of another", "n": 7}
			line, err := json.Marshal(more)
			if err != nil {
				t.Fatal(err)
			}
			x.Extra = string(line)
		}
		got := drawBoard("demo", []*ledger.Task{&x})
		_, cards, _ := strings.Cut(string(got), "tasks:\n")
		if want := plainly(&x); cards != want {
			t.Fatalf("%s\nwant\n%s", cards, want)
		}
		var doc any
		if err := yaml.Unmarshal(got, &doc); err != nil {
			t.Fatalf("%v in\n%s", err, got)
		}
	})
}
