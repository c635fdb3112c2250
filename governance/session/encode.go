package session

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/tidwall/gjson"

	"github.com/grimoire-kit/grimoire/governance/canonical"
)

// schemaVersion is the only one read: any other file is a new session.
const schemaVersion = 1

// extraKey is a key at the top of the file that this version does not know.
type extraKey struct{ key, raw string }

// decode reads a session file. It reports false for what is no session of
// this schema; inside one, what has the wrong type counts as absent.
func decode(data []byte) (*State, bool) {
	// Not gjson's own check, which follows any depth of nesting.
	if _, ok := canonical.Parse(data); !ok {
		return nil, false
	}
	top := gjson.ParseBytes(data)
	if v := top.Get("schema_version"); !top.IsObject() || v.Type != gjson.Number || v.Num != schemaVersion {
		return nil, false
	}
	s := &State{Rules: map[string]*Counters{}}
	top.ForEach(func(key, v gjson.Result) bool {
		switch key.String() {
		case "schema_version":
		case "session_id":
			s.ID = text(v)
		case "started_at":
			s.StartedAt = moment(v)
		case "updated_at":
			s.UpdatedAt = moment(v)
		case "task_id":
			s.Task = text(v)
		case "mutations":
			s.Mutations = count(v)
		case "rules":
			each(v, func(id string, r gjson.Result) { s.Rules[id] = decodeCounters(r) })
		case "pending_approvals":
			s.Pending = decodePending(v)
		default:
			s.extra = append(s.extra, extraKey{key.String(), v.Raw})
		}
		return true
	})
	return s, true
}

func decodeCounters(r gjson.Result) *Counters {
	c := &Counters{}
	each(r, func(key string, v gjson.Result) {
		switch key {
		case "calls":
			c.Calls = count(v)
		case "writes":
			c.Writes = count(v)
		case "cost_usd":
			if v.Type == gjson.Number && v.Num > 0 && !math.IsInf(v.Num, 0) {
				c.CostUSD = v.Num
			}
		case "approved":
			c.legacyApproval = v.Type == gjson.True
		case "approved_fingerprints":
			c.Approved = newest(texts(v), MaxApproved)
		case "approved_by_person":
			c.ByPerson = newest(texts(v), MaxApproved)
		case "hits":
			for _, h := range texts(v) {
				if t, ok := parseTime(h); ok {
					c.Hits = append(c.Hits, t)
				}
			}
		}
	})
	c.legacyApproval = c.legacyApproval && len(c.Approved) == 0
	return c
}

// decodePending restores the order in which actions were asked. The file is
// an object with sorted keys, as the existing kit writes it, so each entry
// carries its place; entries of that kit have none and come first.
func decodePending(v gjson.Result) []Pending {
	type placed struct {
		Pending
		place float64
	}
	var all []placed
	each(v, func(key string, e gjson.Result) {
		p := placed{Pending: Pending{
			Key: key, Fingerprint: text(e.Get("fingerprint")),
			Rules: texts(e.Get("rules")), Tool: text(e.Get("tool"))}}
		if p.Fingerprint == "" {
			return
		}
		p.Asked = moment(e.Get("asked_at"))
		if n := e.Get("order"); n.Type == gjson.Number {
			p.place = n.Num
		}
		all = slices.DeleteFunc(all, func(q placed) bool { return q.Key == key }) // the last of two equal keys counts
		all = append(all, p)
	})
	slices.SortStableFunc(all, func(a, b placed) int {
		switch {
		case a.place < b.place:
			return -1
		case a.place > b.place:
			return 1
		}
		return 0
	})
	var out []Pending
	for _, p := range all {
		out = append(out, p.Pending)
	}
	return newest(out, MaxPending)
}

// encode writes the session with sorted keys and no spaces.
func (s *State) encode() []byte {
	o := newObject()
	o.raw("schema_version", strconv.Itoa(schemaVersion))
	o.text("session_id", s.ID)
	o.text("started_at", FormatTime(s.StartedAt))
	o.text("updated_at", FormatTime(s.UpdatedAt))
	o.text("task_id", s.Task)
	o.raw("mutations", strconv.Itoa(s.Mutations))
	rules := newObject()
	for id, c := range s.Rules {
		rules.raw(id, c.encode())
	}
	o.raw("rules", rules.String())
	pending := newObject()
	for i, p := range s.Pending {
		e := newObject()
		e.text("fingerprint", p.Fingerprint)
		e.raw("order", strconv.Itoa(i+1))
		e.texts("rules", p.Rules)
		if p.Tool != "" {
			e.text("tool", p.Tool)
		}
		if !p.Asked.IsZero() {
			e.text("asked_at", FormatTime(p.Asked))
		}
		pending.raw(p.Key, e.String())
	}
	o.raw("pending_approvals", pending.String())
	for _, x := range s.extra {
		o.raw(x.key, x.raw)
	}
	return []byte(o.String())
}

func (c *Counters) encode() string {
	o := newObject()
	o.raw("calls", strconv.Itoa(c.Calls))
	o.raw("writes", strconv.Itoa(c.Writes))
	o.raw("cost_usd", canonical.Float(c.CostUSD))
	o.raw("approved", strconv.FormatBool(len(c.Approved) > 0 || c.legacyApproval))
	o.texts("approved_fingerprints", c.Approved)
	if len(c.ByPerson) > 0 {
		o.texts("approved_by_person", c.ByPerson)
	}
	hits := make([]string, len(c.Hits))
	for i, h := range c.Hits {
		hits[i] = FormatTime(h)
	}
	o.texts("hits", hits)
	return o.String()
}

// object collects the members of a JSON object and spells it canonically.
type object map[string]string

func newObject() object { return object{} }

func (o object) raw(key, json string) { o[key] = json }

func (o object) text(key, s string) { o[key] = string(canonical.AppendString(nil, s)) }

func (o object) texts(key string, list []string) {
	b := []byte{'['}
	for i, s := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = canonical.AppendString(b, s)
	}
	o[key] = string(append(b, ']'))
}

func (o object) String() string {
	b := []byte{'{'}
	for i, key := range slices.Sorted(maps.Keys(o)) {
		if i > 0 {
			b = append(b, ',')
		}
		b = canonical.AppendString(b, key)
		b = append(b, ':')
		b = append(b, o[key]...)
	}
	return string(append(b, '}'))
}

func text(v gjson.Result) string {
	if v.Type == gjson.String {
		return v.Str
	}
	return ""
}

func count(v gjson.Result) int {
	if v.Type == gjson.Number && v.Num >= 0 && v.Num <= math.MaxInt32 && v.Num == math.Trunc(v.Num) {
		return int(v.Num)
	}
	return 0
}

func texts(v gjson.Result) []string {
	var out []string
	if v.IsArray() {
		v.ForEach(func(_, item gjson.Result) bool {
			if item.Type == gjson.String {
				out = append(out, item.Str)
			}
			return true
		})
	}
	return out
}

func each(v gjson.Result, do func(key string, value gjson.Result)) {
	if v.IsObject() {
		v.ForEach(func(key, value gjson.Result) bool {
			do(key.String(), value)
			return true
		})
	}
}

func newest[T any](list []T, n int) []T { return list[max(0, len(list)-n):] }

// moment is a time, zero where none can be read.
func moment(v gjson.Result) time.Time {
	t, ok := parseTime(text(v))
	if !ok {
		return time.Time{}
	}
	return t
}

// parseTime reads an ISO-8601 time; one without a zone is UTC.
func parseTime(s string) (time.Time, bool) {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999"} {
		if t, err := time.ParseInLocation(layout, s, time.UTC); err == nil {
			t = t.UTC()
			return t, t.Year() >= 1970 && t.Year() <= 9999 // outside, nothing a session did
		}
	}
	return time.Time{}, false
}

// FormatTime writes UTC as Python's isoformat does: six digits of a second
// or none.
func FormatTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	t = t.UTC().Truncate(time.Microsecond)
	if t.Nanosecond() == 0 {
		return t.Format("2006-01-02T15:04:05+00:00")
	}
	return t.Format("2006-01-02T15:04:05.000000+00:00")
}
