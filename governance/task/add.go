package task

import (
	"context"
	"strings"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/surface"
)

// New is a task to be added.
type New struct {
	Title      string
	Acceptance []string
	Evidence   []string // expected
	Mission    string   // "" is the ledger's first; where there is none, one is opened
	Owner      string
	Ready      bool   // and made ready, if its gate lets it
	Actor      string // who adds it
	Origin     string // of a mission that is opened: cli or mcp
}

// Added is a new task. Where it was to be ready and the gate refused, Refusal
// says why: the task is there all the same, as proposed.
type Added struct {
	Outcome
	MissionCreated string // id of the mission that was opened for it, or ""
	Refusal        *Refusal
}

// defaultMission takes tasks of projects that named none.
const defaultMission = "Travaux courants"

// KnowsMission refuses a mission that nobody has heard of, with those there are.
func (d *Desk) KnowsMission(id string) error {
	return d.Ledger.View(func(s *ledger.State) error {
		if _, ok := s.Mission(id); ok {
			return nil
		}
		known := []string{}
		for _, m := range s.Missions() {
			known = append(known, m.ID)
		}
		if len(known) > maxNamed {
			known = append(known[:maxNamed], "…")
		}
		list, shown := strings.Join(known, ", "), surface.Shown(id)
		if list == "" {
			list = "–"
		}
		return say("Mission inconnue : %s (missions : %s)", "Unknown mission: %s (missions: %s)", shown, list)
	})
}

// maxNamed is how many of a list are named where one is not in it.
const maxNamed = 10

// Add adds a task.
func (d *Desk) Add(ctx context.Context, n New) (*Added, error) {
	out := &Added{}
	if n.Mission != "" {
		if err := d.KnowsMission(n.Mission); err != nil {
			return nil, err
		}
	}
	err := d.Ledger.Update(ctx, func(tx *ledger.Tx) error {
		out.MissionCreated = ""
		mission := n.Mission
		if mission == "" {
			if all := tx.State().Missions(); len(all) > 0 {
				mission = all[0].ID
			} else {
				id, err := tx.CreateMission(ledger.Mission{Title: defaultMission, Origin: n.Origin, CreatedBy: oneActor(n.Actor)})
				if err != nil {
					return err
				}
				if err := tx.MoveMission(id, ledger.MissionOpen, "", n.Actor); err != nil {
					return err
				}
				mission, out.MissionCreated = id, id
			}
		}
		id, err := tx.CreateTask(ledger.Task{Title: n.Title, Mission: mission, Owner: n.Owner, Acceptance: n.Acceptance, Evidence: n.Evidence})
		if err != nil {
			return err
		}
		out.Task, err = find(tx.State(), id)
		return err
	})
	if err != nil {
		return nil, err
	}
	out.From = out.Task.Status
	if n.Ready {
		moved, err := d.Move(ctx, out.Task.ID, MoveTo{To: ledger.Ready, Actor: n.Actor})
		if err == nil {
			out.Outcome = *moved
			return out, nil
		}
		r, ok := err.(*Refusal)
		if !ok {
			return nil, err
		}
		out.Refusal = r
	}
	d.project(&out.Outcome)
	return out, nil
}
