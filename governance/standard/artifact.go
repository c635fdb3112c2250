package standard

import (
	"fmt"
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/surface"
)

// Folders of the standard, relative to the project. What is in the first is
// declared and versioned; the others hold what work leaves behind.
const (
	Dir         = "_grimoire/standard"
	EvidenceDir = "_grimoire-output/evidence"
	contextDir  = "_grimoire-output/context"
	decisionDir = "_grimoire-output/decisions"
	scoreDir    = "_grimoire-output/standard"
)

// ProfileFile says which profile a project enrolled at.
const ProfileFile = Dir + "/standard-profile.yaml"

// BoardFile is the board of tasks, a projection of the mission ledger.
const BoardFile = Dir + "/task-board.yaml"

// ManifestFile is the record of the files that were generated.
const ManifestFile = Dir + "/.generated.json"

// Records are the folders and files that grimoire itself goes on writing about
// the work while it is done: that they change says nothing of the work.
var Records = []string{"_grimoire-output", "_grimoire-runtime-output", BoardFile, ManifestFile}

// IsRecord reports whether a file, by its slash path in the project, is among
// Records.
func IsRecord(name string) bool {
	return slices.ContainsFunc(Records, func(r string) bool { return name == r || strings.HasPrefix(name, r+"/") })
}

// Bootstrap is the task that stands for setting the standard up.
const Bootstrap = "bootstrap"

// Artifact is one file that a profile asks for.
type Artifact struct {
	Type string // the existing kit's word for it: "mission_brief"
	Ext  string // ".yaml" or ".md"
	// PerTask is a file that each task has.
	PerTask bool
	// From is the weakest profile that has it.
	From surface.Profile
	// Optional is a file that came with later versions of the kit: it is
	// written, and a project without it verifies.
	Optional bool
}

// artifacts are all of them, in the order people read them.
var artifacts = []Artifact{
	{Type: "mission_brief", Ext: ".md", From: surface.ProfileStarter},
	{Type: "task_envelope", Ext: ".md", From: surface.ProfileStarter, PerTask: true},
	{Type: "evidence_pack", Ext: ".md", From: surface.ProfileStarter, PerTask: true},
	{Type: "claim_ledger", Ext: ".md", From: surface.ProfileStarter, PerTask: true, Optional: true},

	{Type: "llm_provider_registry", Ext: ".yaml", From: surface.ProfileControlled},
	{Type: "compliance_declaration", Ext: ".md", From: surface.ProfileControlled},

	{Type: "task_board", Ext: ".yaml", From: surface.ProfileOrchestrated},
	{Type: "knowledge_source_registry", Ext: ".yaml", From: surface.ProfileOrchestrated},
	{Type: "memory_policy", Ext: ".yaml", From: surface.ProfileOrchestrated},
	{Type: "context_contract", Ext: ".yaml", From: surface.ProfileOrchestrated},
	{Type: "decision_graph", Ext: ".yaml", From: surface.ProfileOrchestrated},
	{Type: "rule_packs", Ext: ".yaml", From: surface.ProfileOrchestrated},
	{Type: "hook_registry", Ext: ".yaml", From: surface.ProfileOrchestrated},
	{Type: "orchestration_policy", Ext: ".yaml", From: surface.ProfileOrchestrated},
	{Type: "evidence_gates", Ext: ".yaml", From: surface.ProfileOrchestrated},
	{Type: "pattern_catalog", Ext: ".yaml", From: surface.ProfileOrchestrated},

	{Type: "compliance_score", Ext: ".yaml", From: surface.ProfileGoverned},
	{Type: "remediation_plan", Ext: ".yaml", From: surface.ProfileGoverned},
	{Type: "accepted_risks", Ext: ".yaml", From: surface.ProfileGoverned},
	{Type: "waivers", Ext: ".yaml", From: surface.ProfileGoverned},
	{Type: "observability_policy", Ext: ".yaml", From: surface.ProfileGoverned},
	{Type: "runtime_surface_registry", Ext: ".yaml", From: surface.ProfileGoverned, Optional: true},
	{Type: "capability_registry", Ext: ".yaml", From: surface.ProfileGoverned, Optional: true},
	{Type: "tool_registry", Ext: ".yaml", From: surface.ProfileGoverned, Optional: true},
	{Type: "risk_control_matrix", Ext: ".yaml", From: surface.ProfileGoverned, Optional: true},
	{Type: "incident_registry", Ext: ".yaml", From: surface.ProfileGoverned, Optional: true},
	{Type: "retention_registry", Ext: ".yaml", From: surface.ProfileGoverned, Optional: true},
	{Type: "acceptance_record", Ext: ".md", From: surface.ProfileGoverned, PerTask: true, Optional: true},
}

// Artifacts are the files of a profile, the optional ones too. The profile
// file itself is none of them.
func Artifacts(p surface.Profile) []Artifact {
	return slices.DeleteFunc(slices.Clone(artifacts), func(a Artifact) bool { return a.From.Rank() > p.Rank() })
}

// Required are the types of the files that a profile requires.
func Required(p surface.Profile) []string {
	var types []string
	for _, a := range Artifacts(p) {
		if !a.Optional {
			types = append(types, a.Type)
		}
	}
	return types
}

// Name is the artifact's file name without extension: "mission-brief".
func (a Artifact) Name() string { return strings.ReplaceAll(a.Type, "_", "-") }

// Path is where the artifact stands, relative to the project. task must have
// passed CheckTask.
func (a Artifact) Path(task string) string {
	if a.PerTask {
		return EvidenceDir + "/" + task + "/" + a.Name() + a.Ext
	}
	return Dir + "/" + a.Name() + a.Ext
}

// pathOf is Path by type.
func pathOf(kind, task string) string {
	for _, a := range artifacts {
		if a.Type == kind {
			return a.Path(task)
		}
	}
	return ""
}

// TaskError is a task id that no path may be built of.
type TaskError struct{ ID string }

func (e *TaskError) Error() string { return e.Text().EN }

// Text is the message in both languages.
func (e *TaskError) Text() surface.Text {
	shown := surface.Quoted(e.ID)
	return surface.Text{
		FR: fmt.Sprintf("Identifiant de tâche invalide : %s (attendu : 1 à 128 lettres, chiffres, « _ . - », le premier étant une lettre ou un chiffre)", shown),
		EN: fmt.Sprintf("Invalid task_id: %s (expected 1 to 128 letters, digits, `_ . -`, the first a letter or a digit)", shown),
	}
}

// CheckTask refuses, as a *TaskError, an id that no path may be built of.
func CheckTask(id string) error {
	ok := len(id) >= 1 && len(id) <= 128
	for i := 0; i < len(id) && ok; i++ {
		c := id[i]
		ok = '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || i > 0 && (c == '_' || c == '.' || c == '-')
	}
	if !ok {
		return &TaskError{id}
	}
	return nil
}
