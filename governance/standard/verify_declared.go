package standard

import (
	"errors"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/grimoire-kit/grimoire/governance/policy"
	"github.com/grimoire-kit/grimoire/surface"
)

// upstream is where the mission says the standard comes from, as the existing
// kit writes it.
const upstream = "processus-developpement-agentique/docs/norme-structure-agentique.md"

// manifest examines the profile file.
func (e *examination) manifest() {
	x := e.yaml(ProfileFile)
	if x == nil {
		return
	}
	if follows := e.f.Followed(); e.v.Unsure {
		x.fail("manifest.profile_mismatch", node{&yaml.Node{Line: follows.Line}}, follows.Wrong.FR, follows.Wrong.EN)
	} else if got := merged(x.top, "profile"); got.text() != string(e.v.Profile) {
		x.fail("manifest.profile_mismatch", got,
			"profile vaut "+surface.Quoted(got.text())+", attendu "+string(e.v.Profile),
			"profile is "+surface.Quoted(got.text())+", expected "+string(e.v.Profile))
	}
	if x.top.get("project").text() == "" {
		x.warn("manifest.project_missing", x.top, "le nom du projet manque", "the project has no name")
	}
	if got := x.top.get("task_id"); got.text() != e.v.Task {
		x.warn("manifest.task_id_mismatch", got,
			"task_id vaut "+surface.Quoted(got.text())+", attendu "+e.v.Task,
			"task_id is "+surface.Quoted(got.text())+", expected "+e.v.Task)
	}
	declared := x.top.get("required_artifacts")
	if lacks := declared.set().lacks(Required(e.v.Profile)); len(lacks) > 0 {
		x.warn("manifest.required_artifacts_mismatch", declared,
			"required_artifacts ne nomme pas "+strings.Join(lacks, ", "), "required_artifacts does not name "+strings.Join(lacks, ", "))
	}
}

// mission examines the mission brief, whose labels the existing kit reads.
func (e *examination) mission() {
	x := e.markdown(pathOf("mission_brief", e.v.Task))
	if x == nil {
		return
	}
	if filled(x.text, "- Project:") == "" {
		x.warn("mission.project_missing", x.line("- Project:"), "« - Project: » n'a pas de valeur", "`- Project:` has no value")
	}
	want := "- Selected profile: `" + string(e.v.Profile) + "`"
	// What the file of the profile was meant to say is not known.
	if !e.v.Unsure && !strings.Contains(x.text, want) {
		x.fail("mission.profile_missing", x.line("- Selected profile:"), "la ligne « "+want+" » manque", "the line "+want+" is missing")
	}
	if !strings.Contains(x.text, upstream) {
		x.warn("mission.upstream_missing", node{}, "le standard suivi n'est pas nommé ("+upstream+")", "the standard that is followed is not named ("+upstream+")")
	}
}

// filled is what follows a label at the start of a line, "" where nothing does.
func filled(text, label string) string {
	for line := range strings.Lines(text) {
		if value, ok := strings.CutPrefix(line, label); ok {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// envelope examines what a task is allowed: a row of the template that was
// never filled bounds nothing.
func (e *examination) envelope() {
	x := e.markdown(pathOf("task_envelope", e.v.Task))
	if x == nil {
		return
	}
	if at := x.line("- Current state: `intake | planned | executing | validating | blocked | done`"); at.n != nil {
		x.owed("task.state_placeholder", at, "« Current state » est encore à choisir", "`Current state` is still to be chosen")
	}
	if at := x.line("|  |  |  |  |  |"); at.n != nil {
		x.owed("task.context_placeholder", at, "la table du contexte a une ligne vide", "the table of the context has an empty row")
	}
	if at := x.line("|  | read-only |  |  |"); at.n != nil {
		x.owed("task.tool_boundary_placeholder", at, "aucun outil n'est nommé dans la frontière", "no tool is named in the boundary")
	}
	if at := x.line("pending |"); at.n != nil && e.v.Profile.Blocks() {
		x.fail("task.pending_gate", at, "un gate de l'enveloppe est encore « pending »", "a gate of the envelope is still `pending`")
	}
}

// evidencePack examines the proof of a task as a person reads it.
func (e *examination) evidencePack() {
	x := e.markdown(pathOf("evidence_pack", e.v.Task))
	if x == nil {
		return
	}
	x.text = withoutLog(x.text) // what the hook saw leaves nothing to fill in
	if at := x.line("pending"); at.n != nil {
		x.warn("evidence.pending_gate", at, "un gate est encore « pending »", "a gate is still `pending`")
	}
	if at := x.line("- Outcome:\n", "- Final state:\n"); at.n != nil {
		x.warn("evidence.summary_placeholder", at, "« Outcome » ou « Final state » n'a pas de valeur", "`Outcome` or `Final state` has no value")
	}
	if at := x.line("|  |  |  |  |"); at.n != nil {
		x.warn("evidence.inventory_placeholder", at, "l'inventaire des preuves a une ligne vide", "the inventory of evidence has an empty row")
	}
}

// controls are the words that the stronger profiles want to find in the
// mission or the declaration.
var controls = map[surface.Profile][]string{
	surface.ProfileGoverned:   {"environment", "workspace", "telemetry"},
	surface.ProfileProduction: {"environment", "workspace", "telemetry", "dry-run", "rollback", "slo"},
}

// compliance examines the declaration of compliance.
func (e *examination) compliance() {
	path := pathOf("compliance_declaration", e.v.Task)
	said := ""
	if x := e.markdown(path); x != nil {
		said = x.text
		if at := x.line("| unknown |"); at.n != nil {
			x.warn("compliance.unknown_status", at, "un statut est encore « unknown »", "a status is still `unknown`")
		}
		if at := x.line("- Declaration owner:\n"); at.n != nil {
			x.warn("compliance.owner_missing", at, "« Declaration owner » n'a pas de valeur", "`Declaration owner` has no value")
		}
	}
	if brief, err := e.f.read(pathOf("mission_brief", e.v.Task), maxFile); err == nil {
		said += string(brief)
	}
	said = strings.ToLower(said)
	for _, word := range controls[e.v.Profile] {
		if !strings.Contains(said, word) {
			x := &file{v: e.v, path: path}
			x.warn("profile."+strings.ReplaceAll(word, "-", "_")+"_missing", node{},
				"ni la déclaration ni la mission ne parlent de « "+word+" »",
				"neither the declaration nor the mission speaks of `"+word+"`")
		}
	}
}

// policies examines the project's own rules as the hook reads them.
func (e *examination) policies() {
	data, err := e.f.read(policy.File, maxFile)
	if err != nil {
		return
	}
	_, err = policy.Parse(data)
	var wrong policy.Errors
	if !errors.As(err, &wrong) {
		return
	}
	for _, w := range wrong {
		x := &file{v: e.v, path: policy.File}
		e.v.Checks = append(e.v.Checks, Check{ID: "policies.invalid", Severity: Error, Text: w.Text(), Path: x.path, Line: w.Line})
	}
}
