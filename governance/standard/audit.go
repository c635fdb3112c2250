package standard

import (
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/surface"
)

// Remedy is what to do about one finding. The action is a stable word.
type Remedy struct {
	Check    string // id; "artifact.missing" for a file that is not there
	Severity Severity
	Action   string
	Path     string
	Text     surface.Text
}

// The actions. Only the first can be carried out by grimoire: it loses nobody's
// text.
const (
	GenerateMissing = "generate_missing_artifact"
	moveInside      = "move_reference_inside_project_root"
	updateProviders = "update_provider_registry"
	fillKnowledge   = "complete_knowledge_registry"
	fillMemory      = "complete_memory_policy"
	fillContext     = "complete_context_contract"
	attachEvidence  = "attach_required_evidence"
	fillField       = "complete_required_field"
)

// Remedies are what to do about a verification, in its order, missing files
// first.
func (v *Verification) Remedies() []Remedy {
	var out []Remedy
	for _, path := range v.Missing {
		r := Remedy{Check: "artifact.missing", Severity: Error, Action: GenerateMissing, Path: path, Text: surface.Text{
			FR: "manque ; `grimoire standard fix --apply" + forTask(v.Task) + "` l'écrit",
			EN: "is missing; `grimoire standard fix --apply" + forTask(v.Task) + "` writes it"}}
		if slices.ContainsFunc(v.Checks, func(c Check) bool {
			return c.Path == path && (c.ID == "artifact.unreadable" || c.ID == "yaml.invalid")
		}) {
			r.Action = fillField // nothing is written over what stands there
			r.Text = surface.Text{
				FR: "n'est pas un fichier du projet : ôte ce qui est à sa place, puis `grimoire standard fix --apply" + forTask(v.Task) + "`",
				EN: "is no file of the project: take away what stands in its place, then `grimoire standard fix --apply" + forTask(v.Task) + "`"}
		}
		out = append(out, r)
	}
	for _, c := range v.Checks {
		if c.Severity == Info {
			continue // there is nothing to do about it
		}
		out = append(out, Remedy{Check: c.ID, Severity: c.Severity, Action: actionFor(c.ID), Path: c.Path, Text: c.Text})
	}
	return out
}

func actionFor(id string) string {
	switch family, _, _ := strings.Cut(id, "."); {
	case strings.HasSuffix(id, "_outside_root"):
		return moveInside
	case family == "providers":
		return updateProviders
	case family == "knowledge":
		return fillKnowledge
	case family == "memory":
		return fillMemory
	case family == "context":
		return fillContext
	case family == "acceptance", family == "evidence", family == "gate", id == "task.pending_gate":
		return attachEvidence
	}
	return fillField
}

// forTask is the option that names a task other than the default.
func forTask(task string) string {
	if task == Bootstrap {
		return ""
	}
	return " --task-id " + task
}
