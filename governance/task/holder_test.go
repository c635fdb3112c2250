package task_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/grimoire-kit/grimoire/governance/ledger"
	"github.com/grimoire-kit/grimoire/governance/task"
)

// A task under way is its holder's: who says to be another, by name or by
// session, moves nothing, and a lease that was given anew names nobody.
func TestFence(t *testing.T) {
	held := ledger.Claim{Actor: "ada", Session: "s-ada", Epoch: 2}
	alone := ledger.Claim{Actor: "ada", Epoch: 2}
	old := ledger.Claim{Actor: "ada", Session: "s-ada"}
	for _, tt := range []struct {
		name  string
		claim ledger.Claim
		by    task.Holder
		ok    bool
	}{
		{"a person or an older script", held, task.Holder{Actor: "cli", Unnamed: true}, true},
		{"nobody at all", held, task.Holder{}, true},
		{"the holder by name", held, task.Holder{Actor: "ada"}, true},
		{"the holder's session", held, task.Holder{Actor: "cli", Unnamed: true, Session: "s-ada"}, true},
		{"both", held, task.Holder{Actor: "ada", Session: "s-ada"}, true},
		{"another by name", held, task.Holder{Actor: "bob"}, false},
		{"another by name in the holder's session", held, task.Holder{Actor: "bob", Session: "s-ada"}, false},
		{"another session", held, task.Holder{Actor: "cli", Unnamed: true, Session: "s-bob"}, false},
		{"the same name in another session", held, task.Holder{Actor: "ada", Session: "s-bob"}, false},
		{"the lease by number", held, task.Holder{Actor: "bob", Session: "s-bob", Epoch: 2}, true},
		{"a lease that is over", held, task.Holder{Actor: "ada", Session: "s-ada", Epoch: 1}, false},
		{"a session, and the claim has none", alone, task.Holder{Actor: "cli", Unnamed: true, Session: "s-bob"}, true},
		{"a session of another name, and the claim has none", alone, task.Holder{Actor: "bob", Session: "s-bob"}, false},
		{"an older kit's claim, its actor in another session", old, task.Holder{Actor: "ada", Session: "s-bob"}, true},
		{"an older kit's claim, another session", old, task.Holder{Actor: "cli", Unnamed: true, Session: "s-bob"}, false},
	} {
		acts := map[string]func(d *task.Desk, id string) error{
			"move": func(d *task.Desk, id string) error {
				_, err := d.Move(bg, id, task.MoveTo{To: ledger.Ready}.By(tt.by))
				return err
			},
			"block": func(d *task.Desk, id string) error {
				_, err := d.Block(bg, id, "the server is down", tt.by)
				return err
			},
		}
		if tt.by.Actor == "ada" || tt.by.Session != "" || tt.by.Epoch != 0 { // a cancellation wants the holder
			acts["cancel"] = func(d *task.Desk, id string) error {
				_, err := d.Cancel(bg, id, "no more", tt.by, false)
				return err
			}
		}
		for name, act := range acts {
			if name == "cancel" && tt.name == "a session, and the claim has none" {
				continue
			}
			d, now := project(t)
			id := ready(t, d, "One", "ada")
			c := tt.claim
			c.Expires = ledger.FormatTime(now.Add(time.Hour))
			if err := d.Ledger.Update(bg, func(tx *ledger.Tx) error {
				if err := tx.Move(id, ledger.Move{To: ledger.Claimed, Claim: &c}); err != nil {
					return err
				}
				return tx.Move(id, ledger.Move{To: ledger.Running})
			}); err != nil {
				t.Fatal(err)
			}
			before := log(t, d)
			err := act(d, id)
			if (err == nil) != tt.ok || err != nil && log(t, d) != before {
				t.Errorf("%s, %s: %v", name, tt.name, err)
			}
			var r *task.Refusal
			if errors.As(err, &r) && (!strings.Contains(err.Error(), "held by ada") || r.Transition != name || r.Missing[0].Evidence != "claim") {
				t.Errorf("%s, %s: %v", name, tt.name, err)
			}
		}
	}
}

// A lease that was lost or given back is over, also while nobody else has one;
// one that has run out fences nobody before it is taken back.
func TestFenceOfALostLease(t *testing.T) {
	d, now := project(t)
	id := ready(t, d, "One", "ada")
	claim := func(actor string) {
		t.Helper()
		if _, err := d.Claim(bg, id, task.NewClaim{Actor: actor}); err != nil {
			t.Fatal(err)
		}
		if _, err := d.Move(bg, id, task.MoveTo{To: ledger.Running, Actor: actor}); err != nil {
			t.Fatal(err)
		}
	}
	claim("ada")
	*now = now.Add(5 * time.Hour)
	if _, err := d.Reap(bg, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Cancel(bg, id, "mine", task.Holder{Actor: "ada", Epoch: 1}, false); err == nil || !strings.Contains(err.Error(), "lease 1 was given back") {
		t.Error(err)
	}
	claim("bob")
	for name, by := range map[string]task.Holder{"by name": {Actor: "ada"}, "by number": {Actor: "ada", Epoch: 1}} {
		if _, err := d.Move(bg, id, task.MoveTo{To: ledger.NeedsVerification}.By(by)); err == nil {
			t.Errorf("ada hands bob's work over %s", name)
		}
	}
	if _, err := d.Move(bg, id, task.MoveTo{To: ledger.NeedsVerification, Actor: "bob"}); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Close(bg, id, task.Holder{Actor: "eve", Epoch: 1}); err == nil {
		t.Error("closed under a lease that is over")
	}
	// Who reads the work is not who did it.
	if _, err := d.Close(bg, id, task.Holder{Actor: "eve", Session: "s-eve"}); err != nil {
		t.Error(err)
	}
	id = ready(t, d, "Two", "ada")
	claim("ada")
	*now = now.Add(5 * time.Hour)
	if _, err := d.Move(bg, id, task.MoveTo{To: ledger.Ready, Actor: "bob"}); err != nil {
		t.Error(err)
	}
}

// A default is no name: the session that it stands in decides.
func TestADefaultActorSpeaksForNoOtherSession(t *testing.T) {
	d, _ := project(t)
	id := ready(t, d, "One", "ada")
	if _, err := d.Claim(bg, id, task.NewClaim{Actor: "cli", Session: task.Session{ID: "s-ada"}}); err != nil {
		t.Fatal(err)
	}
	by := task.Holder{Actor: "cli", Unnamed: true, Session: "s-bob"}
	if _, err := d.Wait(bg, id, task.NewWait{Reason: ledger.WaitCI, Holder: by}); err == nil {
		t.Error("another session parked it")
	}
	by.Session = ""
	if _, err := d.Wait(bg, id, task.NewWait{Reason: ledger.WaitCI, Holder: by}); err != nil {
		t.Error(err)
	}
}
