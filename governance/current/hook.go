package current

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"github.com/grimoire-kit/grimoire/governance/decide"
	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/surface"
)

// beat is how old a lease's last sign of life gets before the session's work
// gives another: often enough for LeaseTTL, rarely enough for the log.
const beat = ledger.LeaseTTL / 8

// handMade is the size, in bytes, up to which a board may be somebody's writing.
const handMade = 1 << 20

// maxLines is how many missing things a hook names.
const maxLines = 6

// Hook is the mission ledger as the hook's decisions ask for it.
type Hook struct {
	getenv  func(string) string
	ledgers map[string]*ledger.Ledger
	found   map[string]Found // by root and session, until something is written
	wait    time.Duration    // what is left of how long a hook waits for the lock
}

var _ decide.Ledger = (*Hook)(nil)

// NewHook reads no file before it is asked.
func NewHook(getenv func(string) string) *Hook {
	return &Hook{getenv: getenv, ledgers: map[string]*ledger.Ledger{}, found: map[string]Found{}, wait: ledger.HookWait}
}

func (h *Hook) ledger(root string) *ledger.Ledger {
	l := h.ledgers[root]
	if l == nil {
		l = ledger.Open(root, "")
		h.ledgers[root] = l
	}
	return l
}

func (h *Hook) find(root, session string) (Found, error) {
	key := root + "\x00" + session
	if f, ok := h.found[key]; ok {
		return f, nil
	}
	f, err := Find(Asking{Root: root, Ledger: h.ledger(root), Session: session, Getenv: h.getenv})
	if err == nil {
		h.found[key] = f
	}
	return f, err
}

// Task implements decide.Ledger.
func (h *Hook) Task(root, session string) (decide.Task, error) {
	f, err := h.find(root, session)
	t := decide.Task{ID: f.ID, State: f.State, Candidates: f.Candidates, Own: f.Own, Review: f.Review}
	for _, e := range f.Expired {
		as := holder(e.Claim)
		t.Expired = append(t.Expired, surface.Text{
			FR: "le bail de " + e.Task + " a expiré (" + surface.Shown(e.Claim.Expires) + ") : `grimoire task renew " + e.Task + " " + as + "` le reprend, ou GRIMOIRE_TASK_ID nomme la tâche",
			EN: "the lease of " + e.Task + " has run out (" + surface.Shown(e.Claim.Expires) + "): `grimoire task renew " + e.Task + " " + as + "` takes it up again, or GRIMOIRE_TASK_ID names the task"})
	}
	for _, p := range f.Parked {
		t.Parked = append(t.Parked, decide.Parked{ID: p.Task, As: holder(p.Claim), Fenced: p.Fenced})
	}
	return t, err
}

// holder are the options by which a command speaks for a claim.
func holder(c ledger.Claim) string {
	if c.Epoch != 0 {
		return fmt.Sprintf("--epoch %d", c.Epoch)
	}
	// It becomes part of a command line that an agent copies, and a log comes
	// with a repository.
	if strings.IndexFunc(c.Actor, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_.@", r)
	}) >= 0 || c.Actor == "" || c.Actor[0] == '-' {
		return "--actor <actor_id>"
	}
	return "--actor " + c.Actor
}

// State implements decide.Ledger.
func (h *Hook) State(root, task string) (string, error) {
	if ledger.CheckID(task) != nil {
		return "", nil
	}
	s, _, err := state(h.ledger(root), task)
	return string(s), err
}

// write makes a change of the held tasks. One that finds the ledger locked is
// left to the next call of the hook, and the others of this one with it: the
// wait is one for them all.
func (h *Hook) write(root string, change func(tx *ledger.Tx) error) error {
	if h.wait <= 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), h.wait)
	defer cancel()
	started := time.Now()
	defer func() {
		if ctx.Err() != nil {
			h.wait = 0
		}
		h.wait -= min(h.wait, time.Since(started))
	}()
	clear(h.found)
	err := h.ledger(root).UpdateHeld(ctx, change)
	var refusal *ledger.Refusal
	if errors.As(err, &refusal) {
		return nil // another was quicker, or the lock is taken
	}
	return err
}

// Attach implements decide.Ledger.
func (h *Hook) Attach(root string, t decide.Task, session, host string) error {
	f, err := h.find(root, session)
	if err != nil || f.ID != t.ID || f.Claim == nil || f.Source != LedgerClaim && f.Source != SessionClaim {
		return err
	}
	attach := f.Claim.Session == ""
	last, ok := ledger.ParseTime(f.Claim.Beat)
	renew := f.Claim.Epoch != 0 && f.Claim.Session == session && ok && time.Since(last) > beat
	if !attach && !renew {
		return nil
	}
	return h.write(root, func(tx *ledger.Tx) error {
		if attach {
			return tx.Attach(t.ID, session, host, false)
		}
		return tx.Renew(t.ID, f.Claim.Epoch, f.Claim.Actor)
	})
}

// Directives implements decide.Ledger.
func (h *Hook) Directives(root string, t decide.Task, session string) ([]decide.Directive, error) {
	var list []decide.Directive
	var ids []string
	pending := func(s *ledger.State) {
		list, ids = nil, nil
		task, _ := s.Task(t.ID)
		if task.Claim != nil && task.Claim.Session != "" && task.Claim.Session != session {
			return // they are for the session at work on it
		}
		for _, d := range task.Directives {
			if d.DeliveredAt == "" {
				list = append(list, decide.Directive{ID: d.ID, Kind: d.Kind, Author: d.Author, Text: d.Text})
				ids = append(ids, d.ID)
			}
		}
	}
	err := h.ledger(root).ViewHeld(func(s *ledger.State) error {
		pending(s)
		return nil
	})
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	delivered := false
	err = h.write(root, func(tx *ledger.Tx) error {
		pending(tx.State()) // another session may have been shown them
		if len(ids) == 0 {
			return nil
		}
		delivered = true
		return tx.Deliver(t.ID, ids, ledger.DefaultActor)
	})
	if err != nil || !delivered {
		return nil, err
	}
	return list, nil
}

// Gates implements decide.Ledger: what the task owes in its column, as
// `grimoire standard gate check` says it.
func (h *Hook) Gates(root string, t decide.Task) (decide.Gates, error) {
	folder, err := standard.Open(root)
	if err != nil {
		return decide.Gates{}, err
	}
	defer folder.Close()
	g, err := folder.CheckGate(oneTask(t), standard.GateOptions{Options: standard.Options{Task: t.ID}})
	if err != nil {
		return decide.Gates{}, err
	}
	if g.OK() {
		return decide.Gates{OK: true}, nil
	}
	// A board that is broken must not hold a session open, whatever it owes.
	// One of thousands of cards is not looked at: it was not written by hand.
	if info, err := os.Lstat(filepath.Join(root, filepath.FromSlash(standard.BoardFile))); err == nil && info.Size() <= handMade {
		if _, err := folder.Board(); err != nil {
			return decide.Gates{}, err
		}
	}
	// Nor must a gates file that is: no work of the session mends it.
	if err := folder.GatesProblem(); err != nil {
		return decide.Gates{}, err
	}
	out := decide.Gates{}
	n := 0
	for _, c := range g.Checks {
		if c.Severity != standard.Error {
			continue
		}
		if n++; n <= maxLines {
			out.Missing = append(out.Missing, c.Text)
		}
	}
	if n > maxLines {
		out.Missing = append(out.Missing, surface.Text{FR: fmt.Sprintf("et %d de plus", n-maxLines), EN: fmt.Sprintf("and %d more", n-maxLines)})
	}
	return out, nil
}

// only is a gate's view of one task.
type only struct{ id, column string }

func oneTask(t decide.Task) only {
	if column := standard.Column(ledger.Status(t.State)); column != "" {
		return only{t.ID, column}
	}
	return only{t.ID, t.State} // a card of a board stands in a column already
}

func (o only) State(string) (state string, known bool, err error) { return o.column, true, nil }
