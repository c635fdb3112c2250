package current

import (
	"slices"
	"strings"
	"time"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/standard"
)

// Source is what designated a task.
type Source string

const (
	Env          Source = "env"           // GRIMOIRE_TASK_ID
	SessionClaim Source = "session_claim" // a claim that carries the session
	LedgerClaim  Source = "ledger_claim"  // the only claim there is
	BoardCard    Source = "board"         // the only card in progress, without a ledger
	Ambiguous    Source = "ambiguous"     // several claims, and nothing says which
	None         Source = "bootstrap"
)

// Found is a session's task.
type Found struct {
	Source Source
	// ID and State are "" where the source is Ambiguous or None; State is the
	// ledger's word, or a column for a card of a board.
	ID, State string
	Claim     *ledger.Claim
	// Candidates are the tasks among which nothing chooses: all of them claims
	// that carry the session, where Own says so.
	Candidates []string
	Own        bool
	// Expired are the claims that have run out and designate nothing.
	Expired []Expired
	// Review are the tasks of the session that are being verified, unless it
	// holds another.
	Review []string
	// Parked are the tasks that the session itself left to wait.
	Parked []Parked
}

// Expired is a claim whose lease has run out.
type Expired struct {
	Task  string
	Claim ledger.Claim
}

// Parked is a task that waits for its session to take it up again.
type Parked struct {
	Task  string
	Claim ledger.Claim
	// Fenced reports that the session may do nothing before: the lease it kept
	// has run out, and it holds no other. Another may have the work by now.
	Fenced bool
}

// Asking is who asks.
type Asking struct {
	Root    string
	Ledger  *ledger.Ledger
	Session string              // "" where the host gives none
	Getenv  func(string) string // GRIMOIRE_TASK_ID and GRIMOIRE_ACTOR are looked at
}

// Find looks for the task of a session: its claims, else GRIMOIRE_TASK_ID, else
// the only claim there is, else, without a ledger, the only card in progress.
//
// The existing kit lets GRIMOIRE_TASK_ID come before everything. Here it fills
// a gap and takes nothing away: a project may set the variables of a hook, and
// must not lead a session away from the gates of the task it holds. For the
// same reason it only names a task that has left proposed and has not ended.
func Find(a Asking) (Found, error) {
	f := Found{Source: None}
	exists := false
	err := a.Ledger.ViewHeld(func(s *ledger.State) error {
		exists = s.Log.Lines > 0
		f.choose(s.Held(), a, time.Now())
		return nil
	})
	if err != nil || f.Source == SessionClaim {
		return f, err
	}
	if id := strings.TrimSpace(a.Getenv("GRIMOIRE_TASK_ID")); ledger.CheckID(id) == nil {
		state, claim, err := state(a.Ledger, id)
		if err != nil {
			return f, err
		}
		if state != "" && state != ledger.Proposed && !state.Ended() {
			return Found{Source: Env, ID: id, State: string(state), Claim: claim, Expired: f.Expired, Review: f.Review, Parked: f.Parked}, nil
		}
	}
	if exists || f.ID != "" {
		return f, nil
	}
	return f, f.card(a.Root)
}

// choose is Find among the held tasks.
func (f *Found) choose(held []ledger.Task, a Asking, now time.Time) {
	actor := a.Getenv("GRIMOIRE_ACTOR")
	var live, ours []ledger.Task
	for _, t := range held {
		if ledger.CheckID(t.ID) != nil { // a log comes with a repository
			continue
		}
		expired, _ := t.Claim.Expired(now)
		if t.Status == ledger.Waiting && a.Session != "" && t.Claim.Session == a.Session {
			f.Parked = append(f.Parked, Parked{t.ID, *t.Claim, expired})
		}
		if t.Status == ledger.NeedsVerification && a.Session != "" && t.Claim.Session == a.Session {
			f.Review = append(f.Review, t.ID)
		}
		if !t.Status.Active() {
			continue
		}
		if expired {
			f.Expired = append(f.Expired, Expired{t.ID, *t.Claim})
			continue
		}
		live = append(live, t)
		if a.Session != "" && t.Claim.Session == a.Session {
			ours = append(ours, t)
		}
	}
	if len(ours) > 0 { // what it does, it does under a lease
		for i := range f.Parked {
			f.Parked[i].Fenced = false
		}
	}
	if t := latest(ours, actor); t != nil {
		f.Review = nil
		f.take(SessionClaim, t)
		return
	}
	if actor != "" {
		live = slices.DeleteFunc(live, func(t ledger.Task) bool { return t.Claim.Actor != actor })
	}
	switch {
	case len(live) == 1:
		f.take(LedgerClaim, &live[0])
	case len(live) > 1:
		f.Source, f.Own = Ambiguous, len(ours) > 1
		if f.Own {
			live = ours
		}
		for _, t := range live {
			f.Candidates = append(f.Candidates, t.ID)
		}
	}
}

func (f *Found) take(from Source, t *ledger.Task) {
	f.Source, f.ID, f.State, f.Claim = from, t.ID, string(t.Status), t.Claim
}

// latest is the one of a session's claims that it works on: the only one, else
// the one that was attached by name last, else the only one of the actor.
func latest(claims []ledger.Task, actor string) *ledger.Task {
	if len(claims) == 1 {
		return &claims[0]
	}
	var named *ledger.Task
	var when time.Time
	for i := range claims {
		if at, ok := ledger.ParseTime(claims[i].Claim.AttachedAt); ok && (named == nil || !at.Before(when)) {
			named, when = &claims[i], at
		}
	}
	if named != nil || actor == "" {
		return named
	}
	var only *ledger.Task
	for i := range claims {
		if claims[i].Claim.Actor == actor {
			if only != nil {
				return nil
			}
			only = &claims[i]
		}
	}
	return only
}

// card is the only card in progress of a board that was there before any
// ledger.
func (f *Found) card(root string) error {
	folder, err := standard.Open(root)
	if err != nil {
		return err
	}
	defer folder.Close()
	board, err := folder.Board()
	if err != nil {
		return err
	}
	id, err := board.Current()
	if err == nil && id != "" {
		f.Source, f.ID, f.State = BoardCard, id, "in_progress"
	}
	return err
}

// state is where a task stands, "" where nobody has heard of it. Only a task
// that nobody holds costs a look at the whole ledger.
func state(l *ledger.Ledger, id string) (status ledger.Status, claim *ledger.Claim, err error) {
	look := func(s *ledger.State) error {
		if t, ok := s.Task(id); ok {
			status, claim = t.Status, t.Claim
		}
		return nil
	}
	if err = l.ViewHeld(look); err == nil && status == "" {
		err = l.View(look)
	}
	return status, claim, err
}
