package task

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/surface"
)

// derivedCache holds what others worked out from a board; it goes with it.
const derivedCache = "_grimoire-output/.runs/standard-state-cache.json"

// ContextPath is where the context of a task stands, relative to the project.
func ContextPath(task string) string {
	return "_grimoire-output/context/" + task + "/context-bundle.yaml"
}

// DecisionPath is where the trace of its decisions stands.
func DecisionPath(task string) string {
	return "_grimoire-output/decisions/" + task + "/decision-trace.yaml"
}

func evidencePath(task string) string {
	return standard.EvidenceDir + "/" + task + "/evidence-pack.md"
}

// Board is the ledger as a board: what is written, and how many tasks stand in
// each status.
type Board struct {
	YAML     []byte
	Tasks    int
	ByStatus map[string]int
}

// WriteBoard writes the project's board where it follows the standard, and
// returns its path; "" where it does not.
func (d *Desk) WriteBoard() (string, error) {
	if info, err := os.Stat(d.inProject(standard.Dir)); err != nil || !info.IsDir() {
		return "", nil
	}
	err := d.follow(func() error {
		b, err := d.Board("")
		if err != nil {
			return err
		}
		return d.putBoard(standard.BoardFile, b)
	})
	if err != nil {
		return "", err
	}
	return standard.BoardFile, nil
}

// follow gives one process at a time the board to draw, see ledger.Follow.
func (d *Desk) follow(draw func() error) error {
	ctx, cancel := context.WithTimeout(context.Background(), boardWait)
	defer cancel()
	err := d.Ledger.Follow(ctx, "board", draw)
	if errors.Is(err, ledger.ErrBusy) {
		return say("un autre processus l'écrit depuis %d s : la prochaine commande qui change une tâche le remet à jour", "another process has been writing it for %d s: the next command that changes a task brings it up to date",
			int(boardWait.Seconds()))
	}
	return err
}

// boardWait is how long a change waits for others to write the board. One
// writes for all that wait, so that it is far more than they take.
const boardWait = 10 * time.Second

// projectionMark stands in the head of every board that a ledger wrote.
const projectionMark = "source: mission-ledger"

// firstBytes are the beginning of a board, which says where it comes from. It
// closes f.
func firstBytes(f *os.File) ([]byte, error) {
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, 2048))
}

// LostLedger says what is wrong where the board was drawn from a ledger and
// there is none: it was deleted, is not where it was, or was never committed.
func (d *Desk) LostLedger() (why surface.Text, lost bool) {
	if ledger.Exists(d.Root, d.ledgerDir) {
		return why, false
	}
	f, _, err := d.open(standard.BoardFile)
	if err != nil {
		return why, false
	}
	if head, err := firstBytes(f); err != nil || !bytes.Contains(head, []byte(projectionMark)) {
		return why, false
	}
	return surface.Text{
		FR: standard.BoardFile + " est tiré d'un journal qui n'est pas là : remets-le (git, sauvegarde), ou `grimoire task migrate-standard` en ouvre un avec les cartes du tableau, qui d'ici là reste tel quel",
		EN: standard.BoardFile + " was drawn from a ledger that is not here: put it back (git, a backup), or `grimoire task migrate-standard` opens one with the board's cards; until then the board stays as it is"}, true
}

// putBoard puts a board into a file of the project. Every drawing of a board
// comes through here, and replaces only what replaceable lets it.
func (d *Desk) putBoard(path string, b *Board) error {
	if err := d.replaceable(path); err != nil {
		return err
	}
	if err := d.write(path, b.YAML); err != nil {
		return err
	}
	if err := os.Remove(d.inProject(derivedCache)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Board is the board of a mission's tasks, or of all for "".
func (d *Desk) Board(mission string) (*Board, error) {
	name := d.projectName()
	b := &Board{ByStatus: map[string]int{}}
	err := d.Ledger.View(func(s *ledger.State) error {
		var tasks []*ledger.Task
		for r := range s.Rows() {
			if mission == "" || r.Mission == mission {
				t, _ := s.Task(r.ID)
				tasks = append(tasks, &t)
				b.ByStatus[string(t.Status)]++
			}
		}
		b.Tasks = len(tasks)
		slices.SortFunc(tasks, func(a, b *ledger.Task) int {
			if c := column(a) - column(b); c != 0 {
				return c
			}
			if p := slices.Index(ledger.Priorities, b.Priority()) - slices.Index(ledger.Priorities, a.Priority()); p != 0 {
				return p
			}
			return strings.Compare(a.ID, b.ID)
		})
		b.YAML = drawBoard(name, tasks)
		return nil
	})
	return b, err
}

func column(t *ledger.Task) int { return slices.Index(standard.States, standard.Column(t.Status)) }

// projectName is the one of the board that is there, so that it stays as the
// project wrote it, else that of the folder.
func (d *Desk) projectName() string {
	for _, file := range []string{standard.ProfileFile, "project-context.yaml"} {
		var doc struct {
			Project yaml.Node `yaml:"project"`
		}
		if d.readYAML(file, &doc) != nil {
			continue
		}
		if doc.Project.Kind == yaml.ScalarNode && doc.Project.Value != "" {
			return doc.Project.Value
		}
		var named struct {
			Name string `yaml:"name"`
		}
		if doc.Project.Decode(&named) == nil && named.Name != "" {
			return named.Name
		}
	}
	return filepath.Base(d.Root)
}

// Transitions of the board with what the template of gates asks of them.
const boardHead = `states: [proposed, ready, in_progress, blocked, review, accepted, released, archived]
transitions:
  proposed_to_ready: {requires: [acceptance_criteria, owner_or_agent_role]}
  ready_to_in_progress: {requires: [context_bundle, provider_policy]}
  in_progress_to_review: {requires: [evidence_pack, decision_trace]}
  review_to_accepted: {requires: [review_gate, evidence_gate]}
  accepted_to_released: {requires: [compliance_score, release_authorization]}
  any_to_blocked: {requires: [blocker_reason, remediation_plan]}
`

// drawBoard spells the board. Values are JSON, which YAML reads as its own.
func drawBoard(project string, tasks []*ledger.Task) []byte {
	b := drawing{buf: make([]byte, 0, len(boardHead)+sizeOf(tasks))}
	b.raw("$schema: \"grimoire-agentic-standard-task-board/v1\"\n")
	b.raw("metadata:\n  project: " + quoted(project) + "\n  generated_by: \"grimoire task\"\n")
	b.raw("  purpose: \"A projection of the mission ledger: a card written by hand does not survive.\"\n  " + projectionMark + "\n")
	b.raw(boardHead)
	if len(tasks) == 0 {
		b.raw("tasks: []\n")
		return b.buf
	}
	b.raw("tasks:\n")
	for _, t := range tasks {
		b.card(t)
	}
	return b.buf
}

// sizeOf guesses how long the cards will be, in bytes.
func sizeOf(tasks []*ledger.Task) (n int) {
	for _, t := range tasks {
		n += 700 + len(t.Title) + len(t.Description) + len(t.Extra)
		for _, list := range [][]string{t.Acceptance, t.Guardrails, t.Evidence} {
			for _, text := range list {
				n += len(text) + 4
			}
		}
	}
	return n
}

// drawing is a board in the making.
type drawing struct {
	buf  []byte
	keys []string // of the card
}

func (b *drawing) raw(s string) { b.buf = append(b.buf, s...) }

// key begins an entry of the card.
func (b *drawing) key(k string) {
	if len(b.keys) == 0 {
		b.raw("  - ")
	} else {
		b.raw("    ")
	}
	b.keys = append(b.keys, k)
	b.raw(k)
	b.raw(": ")
}

// put writes an entry whose value is YAML already.
func (b *drawing) put(k, value string) {
	b.key(k)
	b.raw(value)
	b.raw("\n")
}

func (b *drawing) text(k, s string) {
	b.key(k)
	b.buf = append(appendQuoted(b.buf, s), '\n')
}

// given writes the entry only where there is something to say.
func (b *drawing) given(k, s string) {
	if s != "" {
		b.text(k, s)
	}
}

func (b *drawing) texts(k string, list []string) {
	b.key(k)
	b.raw("[")
	for i, s := range list {
		if i > 0 {
			b.raw(",")
		}
		b.buf = appendQuoted(b.buf, s)
	}
	b.raw("]\n")
}

func (b *drawing) card(t *ledger.Task) {
	b.keys = b.keys[:0]
	b.text("task_id", t.ID)
	b.text("title", t.Title)
	b.put("status", standard.Column(t.Status))
	b.put("priority", t.Priority())
	owner := t.Owner
	if owner == "" && t.Claim != nil {
		owner = t.Claim.Actor
	}
	b.text("owner", owner)
	roles := t.Roles
	if len(roles) == 0 {
		roles = []string{t.Type}
	}
	b.texts("agent_roles", roles)
	b.texts("acceptance_criteria", t.Acceptance)
	b.put("verifiability", "{class: "+class(t)+"}")
	b.put("blockers", blockers(t))
	b.text("context_bundle_ref", ContextPath(t.ID))
	b.text("decision_trace_ref", DecisionPath(t.ID))
	b.text("evidence_pack_ref", evidencePath(t.ID))
	b.given("description", t.Description)
	if len(t.Guardrails) > 0 {
		b.texts("guardrails", t.Guardrails)
	}
	if len(t.Evidence) > 0 {
		b.texts("expected_evidence", t.Evidence)
	}
	b.given("surface", t.Surface)
	b.given("finition", t.Finition)
	switch {
	case t.Remediation != "":
		b.given("remediation_ref", t.Remediation)
	case standard.Column(t.Status) == "blocked":
		b.given("remediation_ref", standard.Dir+"/remediation-plan.yaml")
	}
	if w := t.Wait; w != nil {
		b.given("waiting", string(w.Reason))
		b.given("resume_branch", w.Branch)
	}
	if t.Claim != nil && t.Status.Active() {
		b.given("session_id", t.Claim.Session)
		b.given("session_host", t.Claim.SessionHost)
	}
	var extra map[string]json.RawMessage
	if t.Extra != "" && json.Unmarshal([]byte(t.Extra), &extra) == nil {
		taken := b.keys
		for _, k := range slices.Sorted(maps.Keys(extra)) {
			if !slices.Contains(taken, k) {
				b.put(quoted(k), string(oneLine(extra[k])))
			}
		}
	}
}

func oneLine(raw json.RawMessage) []byte {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return []byte("null")
	}
	line, err := marshal(v)
	if err != nil {
		return []byte("null")
	}
	return line
}

// dependsOn begins the reason of a blocker that gives no other.
const dependsOn = "depends on "

// blockers are the tasks that a task waits for, else what stopped it.
func blockers(t *ledger.Task) string {
	var list []map[string]string
	for _, dep := range t.DependsOn {
		if dep.Kind == "blocks" {
			reason := dependsOn + dep.Target
			if t.Status == ledger.Blocked && t.Reason != "" {
				reason = t.Reason
			}
			list = append(list, map[string]string{"reason": reason, "target": dep.Target})
		}
	}
	if len(list) == 0 && (t.Status == ledger.Blocked || t.Status == ledger.Failed) {
		reason := t.Reason
		if reason == "" {
			reason = string(t.Status)
		}
		list = append(list, map[string]string{"reason": reason, "target": t.ID})
	}
	if len(list) == 0 {
		return "[]"
	}
	line, err := marshal(list)
	if err != nil {
		return "[]"
	}
	return string(line)
}
