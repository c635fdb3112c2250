package task

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/surface"
)

const (
	importMission = "MIS-standard-import-001"
	importActor   = "task-unification"
	migrationsDir = "_grimoire-output/.migrations"
)

// Migration is what became of a board whose cards were put into the ledger.
type Migration struct {
	Read           int      `json:"tasks_read"`
	Imported       []string `json:"tasks_imported"`
	Skipped        []string `json:"tasks_skipped"` // the ledger has them
	MissionCreated bool     `json:"mission_created"`
	Snapshot       string   `json:"snapshot_path"` // the board as it was; "" where nothing was written
	Stamp          string   `json:"stamp"`
	DryRun         bool     `json:"dry_run"`
	Restored       []string `json:"restored,omitempty"`
}

// paths are the moves from proposed to where a card of each column stands.
var paths = map[string][]ledger.Status{
	"proposed":    nil,
	"ready":       {ledger.Ready},
	"in_progress": {ledger.Ready, ledger.Claimed, ledger.Running},
	"blocked":     {ledger.Ready, ledger.Blocked},
	"review":      {ledger.Ready, ledger.Claimed, ledger.Running, ledger.NeedsVerification},
	"accepted":    {ledger.Ready, ledger.Claimed, ledger.Running, ledger.NeedsVerification, ledger.Closed},
	"released":    {ledger.Ready, ledger.Claimed, ledger.Running, ledger.NeedsVerification, ledger.Closed},
	"archived":    {ledger.Cancelled},
}

// Migrate puts the cards of a board that was there before any ledger into the
// ledger, each by the moves that lead to its column. What the ledger has is
// left alone, so a second time does nothing. The board is kept beside first.
func (d *Desk) Migrate(ctx context.Context, dry bool) (*Migration, error) {
	data, err := d.read(standard.BoardFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, say("Il n'y a pas de tableau (%s) : rien à reprendre.", "There is no board (%s): nothing to take over.", standard.BoardFile)
	}
	if err != nil {
		return nil, err
	}
	cards, err := d.cards()
	if err != nil {
		return nil, err
	}
	m := &Migration{Read: len(cards), Imported: []string{}, Skipped: []string{}, DryRun: dry}
	has := map[string]bool{}
	missions := map[string]bool{}
	err = d.Ledger.View(func(s *ledger.State) error {
		for r := range s.Rows() {
			has[r.ID] = true
		}
		_, missions[importMission] = s.Mission(importMission)
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, c := range cards {
		if has[c.task.ID] {
			m.Skipped = append(m.Skipped, c.task.ID)
		} else {
			m.Imported = append(m.Imported, c.task.ID)
		}
	}
	m.MissionCreated = len(m.Imported) > 0 && !missions[importMission]
	if dry || len(m.Imported) == 0 {
		return m, nil
	}
	m.Stamp = d.clock().Format("20060102T150405Z")
	m.Snapshot = migrationsDir + "/" + m.Stamp + "-tasks-unification"
	if err := d.keep(m.Snapshot, data); err != nil {
		return nil, fmt.Errorf("keep the board: %w", err)
	}
	err = d.Ledger.Update(ctx, func(tx *ledger.Tx) error { return importCards(tx, cards) })
	if err != nil {
		return nil, err
	}
	var out Outcome
	d.project(&out)
	return m, out.BoardErr
}

func importCards(tx *ledger.Tx, cards []card) error {
	if _, ok := tx.State().Mission(importMission); !ok {
		if _, err := tx.CreateMission(ledger.Mission{ID: importMission, Title: "Standard import", Origin: "standard-task-board", CreatedBy: importActor}); err != nil {
			return err
		}
		if err := tx.MoveMission(importMission, ledger.MissionOpen, "", importActor); err != nil {
			return err
		}
	}
	for _, c := range cards {
		if _, ok := tx.State().Task(c.task.ID); ok {
			continue
		}
		c.task.Mission = importMission
		if _, err := tx.CreateTask(c.task); err != nil {
			return fmt.Errorf("task %s of the board: %w", surface.Shown(c.task.ID), err)
		}
		for _, to := range paths[c.column] {
			move := ledger.Move{To: to, Reason: "imported from the board", Actor: importActor}
			if to == ledger.Claimed {
				// Nobody knows since when: the claim has no end, as those of the existing kit.
				claim := tx.Lease(c.task.ID, ledger.Claim{Actor: oneActor(c.task.Owner), Host: "local"})
				claim.Expires, claim.Beat = "", ""
				move.Claim = &claim
			}
			if err := tx.Move(c.task.ID, move); err != nil {
				return fmt.Errorf("task %s of the board: %w", c.task.ID, err)
			}
		}
	}
	return nil
}

// card is a task of a board.
type card struct {
	task   ledger.Task
	column string
}

// projected are the keys of a card that are worked out, not declared.
var projected = []string{"task_id", "title", "status", "priority", "owner", "agent_roles", "acceptance_criteria", "verifiability", "blockers",
	"context_bundle_ref", "decision_trace_ref", "evidence_pack_ref", "description", "guardrails", "expected_evidence", "surface", "finition",
	"remediation_ref", "session_id", "session_host", "waiting", "resume_branch"}

// cards reads the board. A card in a column that is none is an error.
func (d *Desk) cards() ([]card, error) {
	var doc struct {
		Tasks []yaml.Node `yaml:"tasks"`
	}
	if err := d.readYAML(standard.BoardFile, &doc); err != nil {
		return nil, err
	}
	var out []card
	for _, n := range doc.Tasks {
		var x struct {
			ID       string   `yaml:"task_id"`
			Title    string   `yaml:"title"`
			Status   string   `yaml:"status"`
			Priority string   `yaml:"priority"`
			Owner    string   `yaml:"owner"`
			Roles    []string `yaml:"agent_roles"`
			Criteria []string `yaml:"acceptance_criteria"`
			About    string   `yaml:"description"`
			Rails    []string `yaml:"guardrails"`
			Evidence []string `yaml:"expected_evidence"`
			Surface  string   `yaml:"surface"`
			Finition string   `yaml:"finition"`
			Remedy   string   `yaml:"remediation_ref"`
		}
		if err := n.Decode(&x); err != nil {
			return nil, &fileError{standard.BoardFile, wrongType(err)}
		}
		if _, ok := paths[x.Status]; !ok {
			shown, all := surface.Quoted(x.Status), strings.Join(standard.States, ", ")
			return nil, &fileError{standard.BoardFile, say("ligne %d : %s n'est pas une colonne (%s)", "line %d: %s is no column (%s)", n.Line, shown, all)}
		}
		c := card{column: x.Status, task: ledger.Task{ID: x.ID, Title: x.Title, Description: x.About, Owner: x.Owner, Acceptance: x.Criteria,
			Guardrails: x.Rails, Evidence: x.Evidence, Surface: x.Surface, Finition: x.Finition, Remediation: x.Remedy, Roles: x.Roles}}
		if slices.Contains(ledger.Priorities, x.Priority) && x.Priority != c.task.Priority() {
			c.task.Declared = x.Priority
		}
		if len(c.task.Acceptance) == 0 {
			c.task.Acceptance = []string{x.Title} // a task says what will show that it is done
		}
		var all map[string]any
		if err := n.Decode(&all); err == nil {
			for _, key := range projected {
				delete(all, key)
			}
			if len(all) > 0 {
				extra, err := json.Marshal(all)
				if err != nil {
					return nil, &fileError{standard.BoardFile, say("ligne %d : %v", "line %d: %v", n.Line, err)}
				}
				c.task.Extra = string(extra)
			}
		}
		out = append(out, c)
	}
	return out, nil
}

// keep writes a snapshot of the board with a manifest of it.
func (d *Desk) keep(dir string, board []byte) error {
	sum := sha256.Sum256(board)
	manifest, err := json.MarshalIndent(map[string]any{
		"schema": "grimoire-migration/v1", "files": map[string]string{standard.BoardFile: "sha256-" + hex.EncodeToString(sum[:])}}, "", "  ")
	if err != nil {
		return err
	}
	if err := d.write(dir+"/files/"+standard.BoardFile, board); err != nil {
		return err
	}
	return d.write(dir+"/manifest.json", append(manifest, '\n'))
}

var stampShape = regexp.MustCompile(`^[0-9]{8}T[0-9]{6}Z$`)

// Restore puts the board of a migration back. The ledger keeps what happened:
// its history is never rewritten, and the next change of a task writes the
// board anew.
func (d *Desk) Restore(stamp string, dry bool) (*Migration, error) {
	if !stampShape.MatchString(stamp) {
		return nil, say("%s n'est pas la date d'une migration (attendu : 20261130T090000Z).", "%s is not the date of a migration (expected 20261130T090000Z).", surface.Quoted(stamp))
	}
	dir := migrationsDir + "/" + stamp + "-tasks-unification"
	board, err := d.read(dir + "/files/" + standard.BoardFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, say("Il n'y a pas de migration %s (%s).", "There is no migration %s (%s).", stamp, migrationsDir)
	}
	if err != nil {
		return nil, err
	}
	m := &Migration{Imported: []string{}, Skipped: []string{}, Snapshot: dir, Stamp: stamp, DryRun: dry, Restored: []string{standard.BoardFile}}
	if dry {
		return m, nil
	}
	return m, d.write(standard.BoardFile, board)
}
