package ledger

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"
)

func sample() Event {
	return Event{ID: "evt-0123456789ab", Type: "moon.rose", Entity: "GAO-a-001", Kind: KindTask, Actor: "claude", At: morning, Payload: `{"a": 1}`}
}

func TestEncodeIsStrict(t *testing.T) {
	for name, change := range map[string]func(*Event){
		"no id":      func(e *Event) { e.ID = "" },
		"no type":    func(e *Event) { e.Type = "" },
		"no actor":   func(e *Event) { e.Actor = "" },
		"no date":    func(e *Event) { e.At = time.Time{} },
		"kind":       func(e *Event) { e.Kind = "robot" },
		"entity":     func(e *Event) { e.Entity = "../x" },
		"no object":  func(e *Event) { e.Payload = `[1]` },
		"no JSON":    func(e *Event) { e.Payload = `{"a":` },
		"two values": func(e *Event) { e.Payload = `{} {}` },
		"not text":   func(e *Event) { e.Payload = "{\"a\": \"\xff\"}" },
		"too long":   func(e *Event) { e.Payload = `{"a": "` + strings.Repeat("x", MaxLine) + `"}` },
		"too deep":   func(e *Event) { e.Payload = `{"a":` + strings.Repeat("[", 600) + strings.Repeat("]", 600) + `}` },
	} {
		e := sample()
		change(&e)
		if line, err := e.encode(); err == nil {
			t.Errorf("%s: written as %.80s", name, line)
		}
	}
	e := sample()
	e.Payload = "{\"a\":\n\"x\u2028y\u0085\"}"
	line, err := e.encode()
	want := `{"id": "evt-0123456789ab", "schema_version": "grimoire.ledger_event.v1", "event_type": "moon.rose", "entity_id": "GAO-a-001", "entity_kind": "task", "actor_id": "claude", "created_at": "2026-09-28T10:00:00+00:00", "payload": {"a": "x\u2028y\u0085"}}`
	if err != nil || string(line) != want {
		t.Fatalf("%s, %v", line, err)
	}
}

func TestDecode(t *testing.T) {
	good, _ := ptr(sample()).encode()
	line := string(good)
	drop := func(key string) string { return strings.Replace(line, `"`+key+`"`, `"other"`, 1) }
	tests := []struct {
		name, line string
		want       FaultKind
	}{
		{"an event", line, ""},
		{"no id", drop("id"), FaultNotEvent},
		{"no payload", drop("payload"), FaultNotEvent},
		{"no date", drop("created_at"), FaultNotEvent},
		{"payload a list", strings.Replace(line, `{"a": 1}`, `[1]`, 1), FaultNotEvent},
		{"an id that is a number", strings.Replace(line, `"evt-0123456789ab"`, `7`, 1), FaultNotEvent},
		{"another schema", strings.Replace(line, "event.v1", "event.v9", 1), FaultSchema},
		{"a list", `[1]`, FaultNotObject},
		{"prose", `hello`, FaultNotJSON},
		{"zeros", "\x00\x00\x00", FaultCut},
		{"zeros at the end", line[:40] + "\x00\x00", FaultCut},
		{"zeros for its end", line + "\x00\x00", FaultCut},
		{"zeros inside", line[:40] + "\x00\x00" + line[40:], FaultNotJSON},
		{"no text", "{\"id\": \"\xff\"}", FaultNotText},
		{"a hole", strings.Replace(line, `"actor_id": `, `"actor_id" `, 1), FaultNotJSON},
		{"deep", strings.Repeat("[", 501), FaultTooDeep},
		{"long", `{"id": "` + strings.Repeat("x", MaxLine), FaultTooLong},
		{"cut", line[:len(line)-1], FaultCut},
		{"cut early", line[:9], FaultCut},
		{"cut in a character", line[:60] + "\xc3", FaultCut},
		{"glued", line[:70] + line, FaultGlued},
	}
	for _, tt := range tests {
		if _, got := decode(tt.line); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		if tt.want != "" && (tt.want.Text().FR == "" || tt.want.Text().EN == "") {
			t.Errorf("%s has no text", tt.want)
		}
	}
	// Wherever a crash cuts an event, it is one that was cut, also as a writer
	// spells it that sets no spaces, and so is one that the next event was
	// written onto.
	var compact bytes.Buffer
	if err := json.Compact(&compact, []byte(line)); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{line, compact.String()} {
		for n := 1; n < len(line); n++ {
			if _, got := decode(line[:n]); got != FaultCut {
				t.Errorf("cut to %s: %q", line[:n], got)
			}
			if _, got := decode(line[:n] + line); got != FaultGlued {
				t.Errorf("glued onto %s: %q", line[:n], got)
			}
		}
	}
	// Of equal keys the last counts, and the order of keys does not.
	e, fault := decode(`{"payload":{"b":2},` + line[1:len(line)-1] + `, "actor_id": "other", "x": [{}]}`)
	if fault != "" || e.Actor != "other" || e.Payload != `{"a": 1}` || !e.At.Equal(morning) {
		t.Fatalf("%+v %s", e, fault)
	}
}

func ptr[T any](v T) *T { return &v }

func TestDates(t *testing.T) {
	for s, want := range map[string]time.Time{
		"2026-09-28T10:00:00+00:00":        morning,
		"2026-09-28T10:00:00.000250+00:00": morning.Add(250 * time.Microsecond),
		"2026-09-28T12:00:00+02:00":        morning,
		"2026-09-28T10:00:00":              morning,
		"2026-09-28 10:00:00":              morning,
		"2026-09-28T10:00:00Z":             morning,
		"2026-09-28T10:00:00.5":            morning.Add(500 * time.Millisecond),
	} {
		if got, ok := ParseTime(s); !ok || !got.Equal(want) {
			t.Errorf("%s: %v %v", s, got, ok)
		}
	}
	for _, s := range []string{"", "now", "2026-13-01T00:00:00", "28/09/2026"} {
		if _, ok := ParseTime(s); ok {
			t.Errorf("%q is a date", s)
		}
	}
	for _, d := range []time.Duration{0, time.Microsecond, 999999 * time.Microsecond} {
		if got, ok := ParseTime(FormatTime(morning.Add(d))); !ok || !got.Equal(morning.Add(d)) {
			t.Errorf("%v is not what was written", got)
		}
	}
}

func FuzzDecode(f *testing.F) {
	good, _ := ptr(sample()).encode()
	f.Add(string(good))
	f.Add(string(good[:40]) + string(good))
	f.Add("{\"id\": \"\xc3")
	f.Fuzz(func(t *testing.T, line string) {
		e, fault := decode(line)
		if fault == "" {
			s := newState()
			s.add(&Task{ID: e.Entity, Status: Claimed, Claim: &Claim{Actor: "a"}, Directives: []Directive{{ID: "dir-1"}}})
			for _, e.Type = range []Type{MissionCreated, MissionTransitioned, TaskTransitioned, TaskPrioritized, TaskDirectiveAdded, TaskDirectiveDelivered,
				TaskDirectiveAcknowledged, TaskSessionAttached, TaskLinked, TaskLeaseRenewed, TaskCreated} {
				s.apply(e) // whatever a payload holds
			}
			image := string(encodeImage(memory{state: s}))
			if m, ok := decodeImage(image); !ok || string(encodeImage(m)) != image {
				t.Fatalf("what the event left cannot be written down:\n%s", image)
			}
			if e.ID == "" || e.Entity == "" || tooDeep(line) {
				t.Fatalf("%+v is an event", e)
			}
			return
		}
		if fault.Text().EN == "" {
			t.Fatalf("%q has no text", fault)
		}
	})
}
