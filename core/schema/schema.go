// Package schema holds the JSON Schemas (draft 2020-12) of the YAML that people
// write for grimoire: editors complete and check with them. They say what the
// readers of those files take; the readers themselves do not use them.
//
// Only core and cmd import it.
package schema

import (
	"embed"
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/surface"
)

//go:embed schemas/*.schema.json
var files embed.FS

// base is where the schemas are published: the folder beside this file.
const base = "https://raw.githubusercontent.com/grimoire-kit/grimoire/main/core/schema/schemas/"

// Schema describes one kind of file.
type Schema struct {
	Name string // "policies"
	// Files are where such files stand in a project.
	Files string
	About surface.Text
}

// all are the schemas, by name.
var all = listed()

// listed adds the controls, whose schemas are generated from what verify checks
// (control_test.go).
func listed() []Schema {
	list := written
	for _, c := range standard.Controls() {
		list = append(list, Schema{c.Name(), c.Path(), c.About})
	}
	slices.SortFunc(list, func(a, b Schema) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// written are the schemas that are written by hand.
var written = []Schema{
	{"accepted-risks", "_grimoire/standard/accepted-risks.yaml", surface.Text{FR: "risques acceptés", EN: "accepted risks"}},
	{"capacity", "_grimoire/standard/capacity.yaml", surface.Text{FR: "combien de travail à la fois", EN: "how much work at once"}},
	{"command", "_grimoire/{overrides,kit}/commands/*.md", surface.Text{FR: "en-tête d'une commande", EN: "frontmatter of a command"}},
	{"compliance-score", "_grimoire/standard/compliance-score.yaml", surface.Text{FR: "poids et seuils du score", EN: "weights and thresholds of the score"}},
	{"context-contract", "_grimoire/standard/context-contract.yaml", surface.Text{FR: "assemblage du contexte", EN: "how context is put together"}},
	{"decision-graph", "_grimoire/standard/decision-graph.yaml", surface.Text{FR: "décisions tracées", EN: "decisions that leave a trace"}},
	{"evidence-gates", "_grimoire/standard/evidence-gates.yaml", surface.Text{FR: "preuves demandées à chaque passage", EN: "evidence that each move asks for"}},
	{"hook-registry", "_grimoire/standard/hook-registry.yaml", surface.Text{FR: "registre des hooks", EN: "register of hooks"}},
	{"install-manifest", standard.SelectionFile, surface.Text{FR: "ce qui a été choisi en plus du profil", EN: "what was selected beside the profile"}},
	{"knowledge-source-registry", "_grimoire/standard/knowledge-source-registry.yaml", surface.Text{FR: "documentation lue par les agents", EN: "documentation that agents read"}},
	{"llm-provider-registry", "_grimoire/standard/llm-provider-registry.yaml", surface.Text{FR: "fournisseurs de modèles", EN: "providers of models"}},
	{"memory-policy", "_grimoire/standard/memory-policy.yaml", surface.Text{FR: "ce que les agents retiennent", EN: "what agents may remember"}},
	{"observability-policy", "_grimoire/standard/observability-policy.yaml", surface.Text{FR: "ce qui peut être montré", EN: "what may be shown"}},
	{"orchestration-policy", "_grimoire/standard/orchestration-policy.yaml", surface.Text{FR: "rôles des agents", EN: "roles of agents"}},
	{"pattern-catalog", "_grimoire/standard/pattern-catalog.yaml", surface.Text{FR: "façons de travailler", EN: "ways of working"}},
	{"persona", "_grimoire/{overrides,kit}/agents/*.md", surface.Text{FR: "en-tête d'une persona", EN: "frontmatter of a persona"}},
	{"policies", "_grimoire/standard/policies.yaml", surface.Text{FR: "règles de session", EN: "session rules"}},
	{"project-context", "project-context.yaml", surface.Text{FR: "le projet, ses hôtes, sa langue", EN: "the project, its hosts, its language"}},
	{"remediation-plan", "_grimoire/standard/remediation-plan.yaml", surface.Text{FR: "ce qui est à réparer", EN: "what is to be repaired"}},
	{"rule-packs", "_grimoire/standard/rule-packs.yaml", surface.Text{FR: "règles du standard", EN: "rules of the standard"}},
	{"runtime-surface-registry", "_grimoire/standard/runtime-surface-registry.yaml", surface.Text{FR: "où des agents travaillent", EN: "where agents work"}},
	{"skill", "_grimoire/{overrides,kit}/skills/*.md", surface.Text{FR: "en-tête d'une compétence", EN: "frontmatter of a skill"}},
	{"standard-profile", "_grimoire/standard/standard-profile.yaml", surface.Text{FR: "profil du standard", EN: "profile of the standard"}},
	{"task-board", "_grimoire/standard/task-board.yaml", surface.Text{FR: "tableau des tâches", EN: "board of tasks"}},
	{"waivers", "_grimoire/standard/waivers.yaml", surface.Text{FR: "dérogations", EN: "waivers"}},
}

// All lists the schemas by name.
func All() []Schema { return slices.Clone(all) }

// Find is the schema of that name.
func Find(name string) (Schema, bool) {
	i := slices.IndexFunc(all, func(s Schema) bool { return s.Name == name })
	if i < 0 {
		return Schema{}, false
	}
	return all[i], true
}

// JSON is the schema's text.
func (s Schema) JSON() []byte {
	text, err := files.ReadFile("schemas/" + s.Name + ".schema.json")
	if err != nil {
		panic(err) // the file is embedded: only a broken build lacks it
	}
	return text
}

// URL is the schema's `$id`, which a file names in its first line:
// `# yaml-language-server: $schema=<url>`.
func URL(name string) string { return base + name + ".schema.json" }
