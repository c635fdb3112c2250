package policy

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/grimoire-kit/grimoire/governance/session"
	"github.com/grimoire-kit/grimoire/surface"
)

// approvalIDLength is how many hex digits of a fingerprint name an action at
// the command line.
const approvalIDLength = 12

// unnamed starts the key of a pending action whose call has no id. Ids of
// hosts that could collide with it only cost one question more.
const unnamed = "fingerprint-"

func approvalText(c *Call, r *Rule, fingerprint string, canAsk bool) surface.Text {
	wayOut := surface.Text{
		FR: "la personne répond à la question",
		EN: "the person answers the question"}
	if !canAsk {
		id := fingerprint[:approvalIDLength]
		wayOut = surface.Text{
			FR: "la personne lance grimoire policies approve " + id + " dans son terminal, puis l'action est rejouée telle quelle",
			EN: "the person runs grimoire policies approve " + id + " in their terminal, then the action is repeated as it was"}
	}
	return Say(c.Tool,
		surface.Text{FR: "accord requis (règle " + r.ID + ")", EN: "approval required (rule " + r.ID + ")"},
		r.why(), wayOut)
}

// remember keeps which action a call was about: a hook may rewrite the input
// before it runs, and only its id then leads back. An action without an id is
// kept only while it waits, for `policies approve`.
func remember(c *Call, s *session.State, fingerprint string, rules []string, open bool, now time.Time) {
	key := pendingKey(c.ToolUseID)
	if key == "" {
		if !open {
			return
		}
		key = unnamed + fingerprint[:16]
	}
	s.Ask(session.Pending{Key: key, Fingerprint: fingerprint, Rules: rules, Tool: OneLine(c.Tool, 80), Asked: now})
}

// pendingKey is the key of a call's pending action: its id, or a hash of one
// that no host would make and that the session need not carry.
func pendingKey(id string) string {
	if len(id) <= 128 {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:])
}

// RecordRun records the approvals that a call which ran is proof of, whether it
// then failed or not: the host reports it only if nobody refused. The action is the one put to the person
// under the call's id, or else the call itself.
func (r *Rules) RecordRun(c *Call, s *session.State) {
	if c.ToolUseID != "" {
		if p, ok := s.Answer(pendingKey(c.ToolUseID)); ok {
			r.approve(s, p, false)
			return
		}
	}
	p := session.Pending{}
	for i := range r.list {
		if rule := &r.list[i]; rule.RequireApproval && c.matches(rule.Pattern) {
			p.Rules = append(p.Rules, rule.ID)
		}
	}
	if len(p.Rules) > 0 {
		p.Fingerprint = Fingerprint(c.Tool, c.Input)
		r.approve(s, p, false)
	}
}

// approve records p for those of its rules that are still declared, and takes
// the same action out of what waits without an id.
func (r *Rules) approve(s *session.State, p session.Pending, person bool) {
	for _, id := range p.Rules {
		if rule, ok := r.Find(id); ok && rule.RequireApproval {
			s.Rule(id).Approve(p.Fingerprint, person)
		}
	}
	s.Pending = slices.DeleteFunc(s.Pending, func(q session.Pending) bool {
		return q.Fingerprint == p.Fingerprint && strings.HasPrefix(q.Key, unnamed)
	})
}

// Waiting is an action that waits for a person's approval. It says which tool
// and which rules, never what the tool was given.
type Waiting struct {
	ID    string   `json:"id"`
	Tool  string   `json:"tool"`
	Rules []string `json:"rules"`
	// Asked is when it was last put to the person; zero where not known.
	Asked time.Time `json:"asked_at"`
}

// Summary describes the action without its content.
func (w Waiting) Summary() surface.Text {
	tool, rules := OneLine(w.Tool, 80), strings.Join(w.Rules, ", ")
	if tool == "" {
		tool = "?"
	}
	t := surface.Text{FR: tool + " (règles : " + rules + ")", EN: tool + " (rules: " + rules + ")"}
	if !w.Asked.IsZero() {
		at := w.Asked.Local().Format("15:04:05")
		t = surface.Text{FR: t.FR + ", demandé à " + at, EN: t.EN + ", asked at " + at}
	}
	return t
}

// Waiting lists the actions of a session that are not approved, each once,
// oldest first.
func (r *Rules) Waiting(s *session.State) []Waiting {
	var out []Waiting
	for _, p := range s.Pending {
		if raw, err := hex.DecodeString(p.Fingerprint); err != nil || len(raw) != sha256.Size {
			continue // the file is a project's, and may hold anything
		}
		w := Waiting{ID: p.Fingerprint[:approvalIDLength], Tool: p.Tool, Asked: p.Asked}
		for _, id := range p.Rules {
			rule, declared := r.Find(id)
			if declared && rule.RequireApproval && !s.Rules[id].IsApproved(p.Fingerprint) {
				w.Rules = append(w.Rules, id)
			}
		}
		if len(w.Rules) == 0 {
			continue
		}
		out = slices.DeleteFunc(out, func(q Waiting) bool { return q.ID == w.ID })
		out = append(out, w)
	}
	return out
}

// The ways an id given to Approve can fail.
var (
	ErrNotWaiting = errors.New("no action of this session waits under that id")
	ErrAmbiguous  = errors.New("several actions wait under that id")
)

// Approve records a person's approval of one waiting action, named by its id
// or at least six digits of it, in the session. The caller has made sure that
// a person is asking. The action then passes until the session ends; any other
// asks anew.
func (r *Rules) Approve(s *session.State, id string) (Waiting, error) {
	id = strings.ToLower(strings.TrimSpace(id))
	var found []Waiting
	for _, w := range r.Waiting(s) {
		if len(id) >= 6 && strings.HasPrefix(w.ID, id) {
			found = append(found, w)
		}
	}
	switch len(found) {
	case 0:
		return Waiting{}, fmt.Errorf("approve %q: %w", clip(id, 64), ErrNotWaiting)
	case 1:
	default:
		return Waiting{}, fmt.Errorf("approve %q: %w", clip(id, 64), ErrAmbiguous)
	}
	w := found[0]
	for _, p := range slices.Clone(s.Pending) {
		if strings.HasPrefix(p.Fingerprint, w.ID) {
			r.approve(s, p, true)
		}
	}
	return w, nil
}
