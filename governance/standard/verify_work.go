package standard

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/governance/locate"
	"github.com/grimoire-kit/grimoire/surface"
)

// States are the columns of the board, in the order of a task's life.
var States = []string{"proposed", "ready", "in_progress", "blocked", "review", "accepted", "released", "archived"}

// board examines the board of tasks.
func (e *examination) board() {
	x := e.yaml(BoardFile)
	if x == nil {
		return
	}
	states := x.top.get("states")
	if lacks := states.set().lacks(States); len(lacks) > 0 {
		x.fail("board.states_incomplete", states, "states ne déclare pas "+strings.Join(lacks, ", "), "states does not declare "+strings.Join(lacks, ", "))
	}
	tasks := x.top.get("tasks")
	if !tasks.isList() {
		x.fail("board.tasks_missing", tasks, "tasks doit être une liste", "tasks must be a list")
		return
	}
	if len(tasks.list()) == 0 {
		x.warn("board.no_tasks", tasks, "aucune tâche ; `grimoire task add \"<titre>\" -a \"<critère>\"` en ajoute une", "no task; `grimoire task add \"<title>\" -a \"<criterion>\"` adds one")
	}
	first := map[string]node{}
	for _, t := range x.entries(tasks, "board.task_invalid") {
		e.card(x, t)
		id := t.get("task_id")
		same := strings.ToLower(id.text()) // files are named after ids, and some systems ignore case
		if one, taken := first[same]; taken && same != "" {
			x.fail("board.task_id_duplicate", id,
				fmt.Sprintf("l'identifiant %s est déjà celui de la carte de la ligne %d", surface.Quoted(id.text()), one.line()),
				fmt.Sprintf("the id %s is already that of the card on line %d", surface.Quoted(id.text()), one.line()))
		} else {
			first[same] = id
		}
	}
}

func (e *examination) card(x *file, t node) {
	x.require("board.task", t, "task_id", "title", "status", "acceptance_criteria", "evidence_pack_ref")
	id, status := t.get("task_id").text(), t.get("status").text()
	shown := surface.Quoted(id)
	if id != "" {
		if err := CheckTask(id); err != nil {
			said := err.(*TaskError).Text()
			x.fail("board.task_id_invalid", t.get("task_id"), said.FR, said.EN)
		}
	}
	if status != "" && !slices.Contains(States, status) {
		x.fail("board.status_invalid", t.get("status"),
			shown+" : status "+surface.Quoted(status)+" n'est pas une colonne ("+strings.Join(States, ", ")+")",
			shown+": status "+surface.Quoted(status)+" is no column ("+strings.Join(States, ", ")+")")
	}
	if status == "blocked" && len(t.get("blockers").list()) == 0 {
		x.fail("board.blocker_reason_missing", t, shown+" est bloquée sans blockers", shown+" is blocked without blockers")
	}
	if e.v.Profile.Blocks() && (status == "accepted" || status == "released") && t.get("decision_trace_ref").text() == "" {
		x.fail("board.decision_trace_missing", t, shown+" : decision_trace_ref manque", shown+": decision_trace_ref is missing")
	}
	for _, key := range []string{"context_bundle_ref", "decision_trace_ref", "evidence_pack_ref", "remediation_ref"} {
		if ref := t.get(key); ref.text() != "" && outside(ref.text()) {
			x.fail("board."+key+"_outside_root", ref, shown+" : "+key+" sort du projet", shown+": "+key+" leaves the project")
		}
	}
	for _, key := range []string{"worktree", "worktree_path", "resume_branch"} {
		place := t.get(key)
		if temp := e.f.temporary(place.text()); temp != "" {
			x.fail("board.worktree_temporary", place,
				shown+" : "+key+" est dans "+surface.Shown(temp)+", un dossier temporaire, dont le contenu peut disparaître ; `git worktree move` l'en sort",
				shown+": "+key+" is in "+surface.Shown(temp)+", a temporary folder, whose content may disappear; `git worktree move` takes it out")
		}
	}
}

// temporary is the folder for temporary files that a place of work is named
// in. A project that is itself in one may have its worktrees beside it.
func (f *Folder) temporary(place string) string {
	switch {
	case place == "":
		return ""
	case filepath.IsAbs(place), strings.HasPrefix(place, "/"):
		return locate.Temporary(place)
	}
	dir, err := filepath.Abs(f.dir)
	if err != nil {
		return ""
	}
	temp := locate.Temporary(filepath.Join(dir, filepath.FromSlash(place)))
	if temp == locate.Temporary(dir) {
		return ""
	}
	return temp
}

// Evidence are the names that a gate can check. The last is a person's word,
// which no file proves: a gate that asks for it refuses.
var Evidence = []string{
	"acceptance_criteria", "owner_or_agent_role", "provider_policy", "context_bundle", "decision_trace",
	"evidence_pack", "review_gate", "evidence_gate", "observed_check", "compliance_score", "release_authorization",
}

// strictnesses are what a profile makes of a red gate.
var strictnesses = []string{"advisory", "warning", "hard_fail"}

// gates examines the evidence that each move of a task asks for.
func (e *examination) gates() {
	data, err := e.f.read(GatesFile, maxFile)
	if err != nil {
		e.yaml(GatesFile) // which reports what it cannot read
		return
	}
	r := readGates(data)
	r.between()
	if slices.ContainsFunc(r.broken, func(c Check) bool { return c.ID == "yaml.invalid" }) {
		e.v.InvalidYAML = append(e.v.InvalidYAML, GatesFile)
	}
	e.v.Checks = append(append(e.v.Checks, r.broken...), r.doubts...)
}

// orchestration examines the roles of agents.
func (e *examination) orchestration() {
	x := e.yaml(pathOf("orchestration_policy", e.v.Task))
	if x == nil {
		return
	}
	roles := x.top.get("roles")
	if len(roles.list()) == 0 {
		x.fail("orchestration.roles_missing", roles, "roles est vide : aucun rôle n'est déclaré", "roles is empty: no role is declared")
		return
	}
	for _, role := range x.entries(roles, "orchestration.role_invalid") {
		x.require("orchestration.role", role, "role_id", "persona_or_archetype", "responsibilities", "allowed_tools",
			"allowed_memory_types", "allowed_providers", "autonomy_level", "handoff_contracts", "escalation_triggers",
			"review_gates", "rollback_policy")
	}
}
