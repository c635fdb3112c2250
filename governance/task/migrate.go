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
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/frontmatter"
)

const (
	importMission = "MIS-standard-import-001"
	importActor   = "task-unification"
	migrationsDir = "_grimoire-output/.migrations"
)

// Migration is what became of a board whose cards were put into the ledger.
type Migration struct {
	Read     int      `json:"tasks_read"`
	Imported []string `json:"tasks_imported"`
	Skipped  []string `json:"tasks_skipped"` // the ledger has them
	// FromTitle are those imported whose card has no criterion: their title is it.
	FromTitle      []string `json:"criteria_from_title"`
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
	if err := checkCards(cards); err != nil {
		return nil, err
	}
	m := &Migration{Read: len(cards), Imported: []string{}, Skipped: []string{}, FromTitle: []string{}, DryRun: dry}
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
			if c.fromTitle {
				m.FromTitle = append(m.FromTitle, c.task.ID)
			}
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

// checkCards refuses a board with a card that cannot become a task of its own:
// one without an id, with one that is none, or with that of another.
func checkCards(cards []card) error {
	first := map[string]int{}
	for _, c := range cards {
		if c.task.ID == "" {
			return &fileError{standard.BoardFile, say("ligne %d : task_id manque à cette carte ; donne-lui un identifiant", "line %d: this card has no task_id; give it an id", c.line)}
		}
		if err := standard.CheckTask(c.task.ID); err != nil {
			shown := surface.Quoted(c.task.ID)
			return &fileError{standard.BoardFile, say("ligne %d : task_id %s n'est pas un identifiant (lettres, chiffres, points, tirets ; 128 au plus)",
				"line %d: task_id %s is no id (letters, digits, dots, dashes; 128 at most)", c.line, shown)}
		}
		if strings.TrimSpace(c.task.Title) == "" {
			return &fileError{standard.BoardFile, say("ligne %d : title manque à la carte %s", "line %d: the card %s has no title", c.line, c.task.ID)}
		}
		same := strings.ToLower(c.task.ID) // files are named after ids, and some systems ignore case
		if at, taken := first[same]; taken {
			return &fileError{standard.BoardFile, say("ligne %d : l'identifiant %s est déjà celui de la carte de la ligne %d ; donne-lui-en un autre",
				"line %d: the id %s is already that of the card on line %d; give it another one", c.line, c.task.ID, at)}
		}
		first[same] = c.line
	}
	return nil
}

// importCards adds the cards that the ledger lacks, then what they wait for:
// a card may wait for one that stands below it.
func importCards(tx *ledger.Tx, cards []card) error {
	known := map[string]bool{}
	for _, c := range cards {
		known[c.task.ID] = true
	}
	waits := map[string][]string{}
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
		reason := c.waitsFor(func(id string) bool {
			_, ok := tx.State().Task(id)
			return ok || known[id]
		}, waits)
		if _, err := tx.CreateTask(c.task); err != nil {
			return fmt.Errorf("task %s of the board: %w", surface.Shown(c.task.ID), err)
		}
		for _, to := range paths[c.column] {
			move := ledger.Move{To: to, Reason: "imported from the board", Actor: importActor}
			if to == ledger.Blocked && reason != "" {
				move.Reason = reason
			}
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
	for _, c := range cards {
		for _, target := range waits[c.task.ID] {
			if err := tx.Link(c.task.ID, ledger.Dependency{Kind: "blocks", Target: target}, importActor); err != nil {
				return fmt.Errorf("task %s of the board: %w", c.task.ID, err)
			}
		}
	}
	return nil
}

// card is a task of a board.
type card struct {
	task      ledger.Task
	column    string
	line      int // of the board's file
	blockers  []blocker
	fromTitle bool // it has no criterion, so its title is one
}

type blocker struct {
	Reason string `yaml:"reason" json:"reason,omitempty"`
	Target string `yaml:"target" json:"target,omitempty"`
}

// waitsFor adds the tasks that a card waits for to those of all, and returns
// why it is blocked. What a card in another column says beside them has no
// place in the ledger, so that it stays with the card.
func (c *card) waitsFor(known func(id string) bool, all map[string][]string) (reason string) {
	var reasons []string
	var beside []blocker
	for _, b := range c.blockers {
		linked := b.Target != c.task.ID && known(b.Target)
		if linked && !slices.Contains(all[c.task.ID], b.Target) {
			all[c.task.ID] = append(all[c.task.ID], b.Target)
		}
		if linked && (b.Reason == "" || b.Reason == dependsOn+b.Target) {
			continue
		}
		beside = append(beside, b)
		switch {
		case linked || b.Target == "" || b.Target == c.task.ID:
			reasons = append(reasons, b.Reason)
		case b.Reason == "":
			reasons = append(reasons, b.Target)
		default:
			reasons = append(reasons, b.Reason+" ("+b.Target+")")
		}
	}
	if c.column != "blocked" && len(beside) > 0 {
		extra := map[string]json.RawMessage{}
		if c.task.Extra != "" && json.Unmarshal([]byte(c.task.Extra), &extra) != nil {
			return ""
		}
		if line, err := json.Marshal(beside); err == nil {
			extra["imported_blockers"] = line
		}
		if text, err := json.Marshal(extra); err == nil {
			c.task.Extra = string(text)
		}
	}
	return strings.Join(reasons, "; ")
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
	err := d.readYAML(standard.BoardFile, &doc)
	if err != nil {
		return nil, err
	}
	var out []card
	for _, n := range doc.Tasks {
		var x struct {
			ID       string    `yaml:"task_id"`
			Title    string    `yaml:"title"`
			Status   string    `yaml:"status"`
			Priority string    `yaml:"priority"`
			Owner    string    `yaml:"owner"`
			Roles    []string  `yaml:"agent_roles"`
			Criteria []string  `yaml:"acceptance_criteria"`
			About    string    `yaml:"description"`
			Rails    []string  `yaml:"guardrails"`
			Evidence []string  `yaml:"expected_evidence"`
			Surface  string    `yaml:"surface"`
			Finition string    `yaml:"finition"`
			Remedy   string    `yaml:"remediation_ref"`
			Blockers yaml.Node `yaml:"blockers"`
		}
		if err := n.Decode(&x); err != nil {
			return nil, &fileError{standard.BoardFile, wrongType(err)}
		}
		if _, ok := paths[x.Status]; !ok {
			shown, all := surface.Quoted(x.Status), strings.Join(standard.States, ", ")
			return nil, &fileError{standard.BoardFile, say("ligne %d : %s n'est pas une colonne (%s)", "line %d: %s is no column (%s)", n.Line, shown, all)}
		}
		c := card{column: x.Status, line: n.Line, task: ledger.Task{ID: x.ID, Title: x.Title, Description: x.About, Owner: x.Owner, Acceptance: x.Criteria,
			Guardrails: x.Rails, Evidence: x.Evidence, Surface: x.Surface, Finition: x.Finition, Remediation: x.Remedy, Roles: x.Roles}}
		if slices.Contains(ledger.Priorities, x.Priority) && x.Priority != c.task.Priority() {
			c.task.Declared = x.Priority
		}
		if len(c.task.Acceptance) == 0 {
			c.task.Acceptance, c.fromTitle = []string{x.Title}, true // a task says what will show that it is done
		}
		if c.blockers, err = blockersOf(&x.Blockers); err != nil {
			return nil, &fileError{standard.BoardFile, err}
		}
		if c.task.Extra, err = extraOf(&n); err != nil {
			return nil, &fileError{standard.BoardFile, say("ligne %d : %v", "line %d: %v", n.Line, err)}
		}
		out = append(out, c)
	}
	return out, nil
}

// blockersOf are the blockers of a card. One that is a text is its reason.
func blockersOf(n *yaml.Node) ([]blocker, error) {
	var list []yaml.Node
	if err := n.Decode(&list); err != nil {
		return nil, wrongType(err)
	}
	var out []blocker
	for _, e := range list {
		var b blocker
		var err error
		if e.Kind == yaml.ScalarNode {
			b.Reason = e.Value
		} else {
			err = e.Decode(&b)
		}
		if err != nil {
			return nil, wrongType(err)
		}
		out = append(out, b)
	}
	return out, nil
}

// extraOf are the keys of a card that are nobody's here, as JSON; "" is none.
func extraOf(card *yaml.Node) (string, error) {
	asWritten(card)
	var all map[string]any
	if err := card.Decode(&all); err != nil {
		return "", wrongType(err)
	}
	for _, key := range projected {
		delete(all, key)
	}
	if len(all) == 0 {
		return "", nil
	}
	extra, err := json.Marshal(all)
	return string(extra), err
}

// asWritten settles what JSON has no word for: a date and what is no number
// stay the text that was written, a key is a text, and the booleans of YAML
// 1.1, which the existing kit reads, are booleans.
func asWritten(n *yaml.Node) {
	for i, sub := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 {
			if sub.Kind == yaml.ScalarNode && sub.ShortTag() != "!!merge" {
				sub.Tag = "!!str"
			}
			continue
		}
		asWritten(sub)
	}
	if n.Kind != yaml.ScalarNode {
		return
	}
	switch tag := n.ShortTag(); {
	case tag == "!!timestamp", tag == "!!float" && strings.ContainsAny(n.Value, "nN"): // .nan, .inf
		n.Tag = "!!str"
	case tag == "!!str":
		if yes, ok := frontmatter.Bool(n); ok {
			n.Tag, n.Value = "!!bool", strconv.FormatBool(yes)
		}
	}
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
	m := &Migration{Imported: []string{}, Skipped: []string{}, FromTitle: []string{}, Snapshot: dir, Stamp: stamp, DryRun: dry, Restored: []string{standard.BoardFile}}
	if dry {
		return m, nil
	}
	return m, d.write(standard.BoardFile, board)
}
