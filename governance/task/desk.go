package task

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/grimoire-kit/grimoire/governance/failpoint"
	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

// Desk is where the tasks of one project are handled.
type Desk struct {
	Ledger *ledger.Ledger
	Root   string // the project's folder
	// Tree is the folder of the project in the linked worktree of git where work
	// is done, see locate.Main; "" is Root.
	Tree string
	// Dir is the folder that paths are typed in, "" for the project's.
	Dir string
	// EvidenceDir is where packs and verdicts are kept, see EvidenceDir.
	EvidenceDir string
	// Language is that of the recall that is kept for the hook; "" is English.
	Language surface.Language

	ledgerDir string // relative to the project or absolute
}

// Open is the desk of the project at root with the ledger in dir, see
// ledger.NewFile. It touches nothing.
func Open(root, dir string) *Desk {
	d := &Desk{Ledger: ledger.Open(root, dir), Root: root, EvidenceDir: EvidenceDir, ledgerDir: dir}
	if dir == "" {
		d.ledgerDir = ledger.Dir
	}
	return d
}

// tree is where work is done.
func (d *Desk) tree() string {
	if d.Tree == "" {
		return d.Root
	}
	return d.Tree
}

// inProject is a path of the project as the system spells it.
func (d *Desk) inProject(path string) string {
	return filepath.Join(d.Root, filepath.FromSlash(path))
}

// Outcome is a task after a change.
type Outcome struct {
	Task ledger.Task
	From ledger.Status // before it; the task's own where it did not move
	// Advisories are what a gate misses under a profile that lets it pass.
	Advisories []surface.Text
	// Board is the board's path where it was written, relative to the project.
	// BoardErr is why it was not; the change stands all the same.
	Board    string
	BoardErr error
}

// Column is where the board shows a task.
func Column(t *ledger.Task) string { return standard.Column(t.Status) }

// Find is the task with that id.
func (d *Desk) Find(id string) (ledger.Task, error) {
	var t ledger.Task
	err := d.Ledger.View(func(s *ledger.State) error {
		var err error
		t, err = find(s, id)
		return err
	})
	return t, err
}

// UnknownError is a task that nobody has heard of.
type UnknownError struct{ ID string }

func (e *UnknownError) Error() string { return e.Text().EN }

// Text is the message in both languages.
func (e *UnknownError) Text() surface.Text {
	id := surface.Shown(e.ID)
	return surface.Text{
		FR: "Tâche inconnue : " + id + ". `grimoire task list` montre celles qu'il y a.",
		EN: "Unknown task: " + id + ". `grimoire task list` shows those there are."}
}

// Unwrap makes it the ledger's kind of error.
func (e *UnknownError) Unwrap() error { return ledger.ErrUnknownTask }

func find(s *ledger.State, id string) (ledger.Task, error) {
	t, ok := s.Task(strings.TrimSpace(id))
	if !ok {
		return t, &UnknownError{id}
	}
	// A log comes with a repository: paths and branches are named after ids.
	return t, ledger.CheckID(t.ID)
}

// change makes one change of one task under the lock, then writes the board.
func (d *Desk) change(ctx context.Context, id string, do func(tx *ledger.Tx, t ledger.Task) error) (*Outcome, error) {
	before, err := d.Find(id) // and no ledger is made for a task that is unknown
	if err != nil {
		return nil, err
	}
	return d.changeFound(ctx, before, do)
}

func (d *Desk) changeFound(ctx context.Context, before ledger.Task, do func(tx *ledger.Tx, t ledger.Task) error) (*Outcome, error) {
	out := &Outcome{From: before.Status}
	err := d.Ledger.Update(ctx, func(tx *ledger.Tx) error {
		t, err := find(tx.State(), before.ID)
		if err != nil {
			return err
		}
		if err := do(tx, t); err != nil {
			return err
		}
		out.Task, err = find(tx.State(), before.ID)
		return err
	})
	if err != nil {
		return nil, err
	}
	d.project(out)
	if out.Task.Status.Active() && !out.From.Active() {
		_ = d.keepRecall(&out.Task, d.Language) // without it a session starts without a recall, no more
	}
	return out, nil
}

// project writes the board after a change. A board that fails costs nothing
// but itself: the next change writes it anew.
func (d *Desk) project(out *Outcome) {
	failpoint.Hit("task.before-board")
	path, err := d.WriteBoard()
	if err != nil {
		out.BoardErr = fmt.Errorf("write %s: %w", standard.BoardFile, err)
	}
	out.Board = path
}

// oneActor is who acts where nobody is named.
func oneActor(actor string) string {
	if actor = strings.TrimSpace(actor); actor != "" {
		return actor
	}
	return ledger.DefaultActor
}

// sayError is an input that says nothing, in both languages.
type sayError surface.Text

func (e sayError) Error() string      { return e.EN }
func (e sayError) Text() surface.Text { return surface.Text(e) }

// say formats both languages with the same arguments. One that is an error is
// said in the language of its sentence.
func say(fr, en string, args ...any) error {
	return sayError{FR: fmt.Sprintf(fr, fault.In(surface.French, args)...), EN: fmt.Sprintf(en, fault.In(surface.English, args)...)}
}

// clock is the ledger's idea of now.
func (d *Desk) clock() time.Time {
	if d.Ledger.Now != nil {
		return d.Ledger.Now().UTC()
	}
	return time.Now().UTC()
}
