package task

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/surface"
)

// boardSchema is the format of a board, as its `$schema` names it.
const boardSchema = "grimoire-agentic-standard-task-board/v1"

// schemaLine is that name where a board has it, in its head.
var schemaLine = regexp.MustCompile(`(?m)^["']?\$schema["']?\s*:\s*["']?` + regexp.QuoteMeta(boardSchema) + `["']?\s*$`)

// KeptBoardError is a board that was not drawn over, because it has cards of
// somebody's that the ledger does not know.
type KeptBoardError struct {
	Path   string
	card   string // the first of them
	ledger string // the folder of the ledger that was to be drawn; "" is the project's own
	own    bool   // the cards are those of the project's own ledger
}

func (e *KeptBoardError) Error() string { return e.Text().EN }

// Text is the message in both languages.
func (e *KeptBoardError) Text() surface.Text {
	card, file, side := surface.Shown(e.card), surface.Shown(e.Path), ""
	if e.ledger != "" {
		side = " --ledger-root " + argument(e.ledger)
	}
	kept := surface.Text{
		FR: file + " reste tel quel : le journal ne connaît pas ses cartes (" + card + ")",
		EN: file + " stays as it is: the ledger does not know its cards (" + card + ")"}
	switch {
	case e.Path != standard.BoardFile:
		return surface.Text{FR: kept.FR + " ; écris le tableau dans un autre fichier (--to)", EN: kept.EN + "; write the board to another file (--to)"}
	case e.own:
		return surface.Text{
			FR: file + " reste tel quel : c'est le tableau de " + ledger.Dir + " ; `grimoire task board export" + side + " --to <fichier>` écrit celui-ci ailleurs",
			EN: file + " stays as it is: it is the board of " + ledger.Dir + "; `grimoire task board export" + side + " --to <file>` writes this one elsewhere"}
	}
	return surface.Text{
		FR: kept.FR + " ; `grimoire task migrate-standard" + side + "` les reprend, et le tableau suit de nouveau",
		EN: kept.EN + "; `grimoire task migrate-standard" + side + "` takes them over, and the board follows again"}
}

// replaceable is the one rule for drawing a board over a file that is there: it
// is a task board, and one whose cards the ledger knows. On a board that says it
// was drawn, one card that the ledger knows is enough, and a card by hand among
// them goes, as the existing kit has it; on one that does not say so, every card.
func (d *Desk) replaceable(path string) error {
	f, size, err := d.open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	head, err := firstBytes(f)
	if err != nil {
		return &fileError{path, err}
	}
	named := schemaLine.Match(head)
	if path == standard.BoardFile {
		if int64(len(head)) == size && len(bytes.Trim(head, "\x00 \t\r\n")) == 0 {
			return nil // a name that a power cut left without its bytes
		}
	} else if !named {
		return notBoard(path)
	}
	marked := bytes.Contains(head, []byte(projectionMark))
	return d.Ledger.View(func(s *ledger.State) error {
		if marked {
			if known, err := d.knowsDrawn(path, s); known || err != nil {
				return err
			}
		}
		return d.knowsCards(path, s, named, marked)
	})
}

func notBoard(path string) error {
	return &fileError{path, say("ce n'est pas un tableau des tâches ($schema: %s), donc il n'est pas remplacé ; donne un autre fichier, ou déplace celui-ci",
		"it is no task board ($schema: %s), so it is not replaced; name another file, or move this one", boardSchema)}
}

// knowsDrawn reports whether the ledger knows a card of a board that was drawn
// here. Each begins with a line of its own, so that the first most often tells
// and nothing is parsed.
func (d *Desk) knowsDrawn(path string, s *ledger.State) (known bool, err error) {
	f, _, err := d.open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	in := bufio.NewReader(f)
	for {
		line, err := in.ReadString('\n')
		if spelt, ok := strings.CutPrefix(line, "  - task_id: "); ok {
			var id string
			if json.Unmarshal([]byte(strings.TrimSpace(spelt)), &id) == nil {
				if _, ok := s.Task(id); ok {
					return true, nil
				}
			}
		}
		if errors.Is(err, io.EOF) {
			return false, nil
		}
		if err != nil {
			return false, &fileError{path, err}
		}
	}
}

// anyID is the id of a card, however its board is spelt.
var anyID = regexp.MustCompile(`(?m)^[ \t]*(?:-[ \t]+)?["']?task_id["']?[ \t]*:[ \t]*["']?([^"'\s]+)`)

// knowsCards refuses a board whose cards the ledger does not know, or that is
// none.
func (d *Desk) knowsCards(path string, s *ledger.State, named, marked bool) error {
	var doc struct {
		Tasks *[]yaml.Node `yaml:"tasks"`
	}
	if err := d.readYAML(path, &doc); err != nil {
		if data, failed := d.read(path); failed == nil && marked { // a merge that nobody resolved
			for _, m := range anyID.FindAllSubmatch(data, -1) {
				if _, ok := s.Task(string(m[1])); ok {
					return nil
				}
			}
		}
		return err
	}
	if doc.Tasks == nil && !named {
		return notBoard(path)
	}
	if doc.Tasks == nil || len(*doc.Tasks) == 0 {
		return nil
	}
	ids, unknown := make([]string, len(*doc.Tasks)), -1
	for i, n := range *doc.Tasks {
		var card struct {
			ID string `yaml:"task_id"`
		}
		if n.Decode(&card) == nil {
			ids[i] = card.ID
		}
		if _, ok := s.Task(ids[i]); ok && marked {
			return nil
		} else if !ok && unknown < 0 {
			unknown = i
		}
	}
	if unknown < 0 {
		return nil
	}
	kept := &KeptBoardError{Path: path, card: ids[unknown]}
	if kept.card == "" {
		kept.card = fmt.Sprintf("%d", (*doc.Tasks)[unknown].Line)
	}
	if side := d.sideLedger(); side != "" {
		kept.ledger = side
		_ = ledger.Open(d.Root, "").View(func(own *ledger.State) error { // without it they are nobody's we know
			for _, id := range ids {
				if _, ok := own.Task(id); ok {
					kept.own = true
				}
			}
			return nil
		})
	}
	return kept
}

// sideLedger is the folder of a ledger that is not the project's own, else "".
func (d *Desk) sideLedger() string {
	if ledger.NewFile(d.Root, d.ledgerDir).Path() == ledger.NewFile(d.Root, "").Path() {
		return ""
	}
	return d.ledgerDir
}

// writtenBy are the folders that hold what grimoire and the hook record: what
// is decided about the work is read from there, and no board belongs in one.
var writtenBy = []string{
	ledger.Dir, EvidenceDir, standard.EvidenceDir, "_grimoire-output/events", "_grimoire-output/.runs", "_grimoire-output/traces", migrationsDir,
}

// exportTo is the file that a person names for a board, relative to the
// project.
func (d *Desk) exportTo(typed string) (string, error) {
	path, ok := d.projectPath(typed)
	if !ok || path == "." {
		return "", say("%s n'est pas un chemin du projet : le tableau s'écrit dans un fichier du projet.",
			"%s is no path of the project: the board is written to a file of the project.", surface.Quoted(typed))
	}
	records := writtenBy
	for _, dir := range []string{d.ledgerDir, d.EvidenceDir} {
		if p, ok := within(d.Root, d.Root, dir); ok && p != "." {
			records = append(records[:len(records):len(records)], p)
		}
	}
	for _, dir := range records {
		if fold(path) == fold(dir) || strings.HasPrefix(fold(path), fold(dir)+"/") {
			return "", say("%s est dans %s, où grimoire seul écrit : donne un autre fichier (--to).",
				"%s is in %s, which grimoire alone writes: name another file (--to).", surface.Quoted(typed), dir)
		}
	}
	return path, nil
}
