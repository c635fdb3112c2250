package ledger

import (
	"time"

	"github.com/tidwall/gjson"
)

// LeaseTTL is how long a claim holds without a sign of life.
const LeaseTTL = 4 * time.Hour

// Claim says who works on a task, and its lease until when. Claims of older
// kits have neither session nor lease.
type Claim struct {
	Actor   string
	Host    string
	Files   []string // reserved: exclusive_files
	Expires string   // ISO 8601; "" is never
	Session string
	// SessionHost is the host's id, e.g. host-claude-code-cli.
	SessionHost string
	// AttachedAt is when a person attached the session by name, else "".
	AttachedAt string
	// Epoch tells this lease from those before and after it; 0 where the claim
	// has none. Beat is the last sign of life.
	Epoch int64
	Beat  string

	unknown []member
}

// Expired reports whether the lease has ended. A date that cannot be read has
// passed; readable is then false.
func (c *Claim) Expired(now time.Time) (expired, readable bool) {
	if c.Expires == "" {
		return false, true
	}
	t, ok := ParseTime(c.Expires)
	return !ok || !now.Before(t), ok
}

// MarshalJSON spells the claim in the existing kit's keys and order.
func (c Claim) MarshalJSON() ([]byte, error) { return c.object().bytes(), nil }

func (c *Claim) object() *object {
	o := newObject()
	o.text("actor_id", c.Actor)
	o.text("host_id", c.Host)
	o.texts("exclusive_files", c.Files)
	o.text("expires_at", c.Expires)
	o.text("session_id", c.Session)
	o.text("session_host", c.SessionHost)
	o.given("attached_explicit_at", c.AttachedAt)
	if c.Epoch != 0 {
		o.number("epoch", c.Epoch)
	}
	o.given("heartbeat_at", c.Beat)
	o.rest(c.unknown)
	return o
}

func decodeClaim(o gjson.Result) *Claim {
	if !o.IsObject() {
		return nil
	}
	c := &Claim{}
	o.ForEach(func(key, v gjson.Result) bool {
		switch key.Str {
		case "actor_id":
			c.Actor = text(v)
		case "host_id":
			c.Host = text(v)
		case "exclusive_files":
			c.Files = texts(v)
		case "expires_at":
			c.Expires = text(v)
		case "session_id":
			c.Session = text(v)
		case "session_host":
			c.SessionHost = text(v)
		case "attached_explicit_at":
			c.AttachedAt = text(v)
		case "epoch":
			c.Epoch = epoch(v)
		case "heartbeat_at":
			c.Beat = text(v)
		default:
			c.unknown = append(c.unknown, member{key.Str, v.Raw})
		}
		return true
	})
	return c
}

// epoch reads a count of leases; a line cannot make the next one overflow.
func epoch(v gjson.Result) int64 {
	if v.Type != gjson.Number || v.Num < 0 || v.Num > 1<<52 {
		return 0
	}
	return int64(v.Num)
}
