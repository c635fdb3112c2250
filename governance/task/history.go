package task

import (
	"context"
	"encoding/json"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

// Handoff records a capsule, a JSON object, that hands a task from one to
// another, and returns the packet as it was recorded.
func (d *Desk) Handoff(ctx context.Context, id string, capsule []byte, actor string) (json.RawMessage, error) {
	t, err := d.Find(id)
	if err != nil {
		return nil, err
	}
	var object map[string]json.RawMessage
	err = json.Unmarshal(capsule, &object)
	if line, column := fault.JSONPlace(capsule, err); line > 0 {
		return nil, say("La capsule n'est pas un objet JSON : ligne %d, colonne %d : %s", "The capsule is not a JSON object: line %d, column %d: %s", line, column, fault.JSON(err))
	}
	if err != nil || object == nil {
		return nil, say("La capsule n'est pas un objet JSON : { … } était attendu.", "The capsule is not a JSON object: { … } was expected.")
	}
	packet, err := marshal(struct {
		Task    string          `json:"task_id"`
		Actor   string          `json:"actor_id"`
		State   string          `json:"state"`
		Session string          `json:"session_id"`
		At      string          `json:"created_at"`
		Capsule json.RawMessage `json:"capsule"`
	}{t.ID, oneActor(actor), string(t.Status), sessionOf(&t), ledger.FormatTime(d.clock()), capsule})
	if err != nil {
		return nil, err
	}
	return packet, d.Ledger.Update(ctx, func(tx *ledger.Tx) error {
		return tx.Note(ledger.Handoff, ledger.KindTask, t.ID, oneActor(actor), string(packet))
	})
}

func sessionOf(t *ledger.Task) string {
	if t.Claim == nil {
		return ""
	}
	return t.Claim.Session
}

// hasLedger reports whether there is a log to speak of.
func (d *Desk) hasLedger() (bool, error) {
	has := false
	err := d.Ledger.View(func(s *ledger.State) error {
		has = s.Log.Lines > 0 || s.Log.Torn > 0
		return nil
	})
	return has, err
}

// ExportBoard is the board to be exported. Without a ledger there is none:
// writing one would lose the board that is there.
func (d *Desk) ExportBoard(mission string) (*Board, error) {
	has, err := d.hasLedger()
	if err != nil {
		return nil, err
	}
	if !has && d.isFile(standard.BoardFile) {
		return nil, say("Il n'y a pas de journal : rien n'est écrit. `grimoire task migrate-standard` en ouvre un avec le tableau qui existe.",
			"There is no ledger: nothing is written. `grimoire task migrate-standard` opens one with the board there is.")
	}
	if !has {
		return nil, say("Il n'y a pas de journal : rien n'est écrit. `grimoire task add \"<titre>\" -a \"<critère>\"` en ouvre un.",
			"There is no ledger: nothing is written. `grimoire task add \"<title>\" -a \"<criterion>\"` opens one.")
	}
	return d.Board(mission)
}

// WriteExport writes ExportBoard to a file of the project, as a person typed it
// where they stand, and returns its path; "" is the project's own board, which
// has its turn among those who write it.
func (d *Desk) WriteExport(mission, typed string) (path string, b *Board, err error) {
	path = standard.BoardFile
	if typed != "" {
		if path, err = d.exportTo(typed); err != nil {
			return "", nil, err
		}
	}
	if b, err = d.ExportBoard(mission); err != nil {
		return path, nil, err
	}
	if path != standard.BoardFile {
		here := *d
		here.Root = d.tree() // where the person stands
		return path, b, here.putBoard(path, b)
	}
	return path, b, d.follow(func() error {
		if b, err = d.Board(mission); err != nil {
			return err
		}
		return d.putBoard(path, b)
	})
}
