package dialect

import (
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// Reply is the text of an answer.
type Reply struct {
	// Reason is what the model, and where it is asked the person, reads about
	// a refusal.
	Reason string
	// Context is what the model reads beside what it asked for.
	Context string
	// More says where the rest stands, when Context is longer than the host
	// takes: it ends the part that is sent.
	More string
}

// Answer is what the hook gives back to the host, byte for byte.
type Answer struct {
	Stdout, Stderr []byte
	Exit           int
	// Held is the reason of an answer that holds something up, "" for any
	// other: what is left to say where Stdout cannot be written.
	Held string
}

// noReason stands in for a reason that is missing: several hosts run the tool
// when a refusal has none.
const noReason = "Grimoire : refusé sans motif / refused without a reason"

// instead lists what an outcome becomes where a host has no answer for it, in
// order; after the last comes silence. A refusal is never softened while the
// host has any way to hold something up.
var instead = map[Outcome][]Outcome{
	Refuse:    {Refuse, BlockStop, Context},
	Ask:       {Ask, Refuse, Context},
	BlockStop: {BlockStop, Refuse, Context},
	Context:   {Context},
	Grant:     {Grant},
}

// Can reports whether the host has an answer of its own for outcome o at the
// event of c. Encode turns the others into the nearest it has.
func (d *Dialect) Can(c *Call, o Outcome) bool {
	if o == NoOpinion {
		return true
	}
	_, ok := d.answer(c, o)
	return ok
}

// Encode puts outcome o in the words of the host that c came from. Where the
// host has none for it, an Ask becomes a refusal, a refusal a text for the
// model, and a text silence.
func (d *Dialect) Encode(c *Call, o Outcome, r Reply) Answer {
	r.Reason, r.Context = clean(r.Reason), clean(r.Context)
	if strings.TrimSpace(r.Reason) == "" {
		r.Reason = noReason
	}
	for _, as := range instead[o] {
		reply := r
		if as == Context && o != Context {
			reply.Context = joined(r.Reason, r.Context)
		}
		if as == Context && strings.TrimSpace(reply.Context) == "" {
			break
		}
		if a, ok := d.answer(c, as); ok {
			return d.fill(a, c, as, reply)
		}
	}
	a, _ := d.answer(c, NoOpinion)
	return d.fill(a, c, NoOpinion, Reply{})
}

func (d *Dialect) answer(c *Call, o Outcome) (answer, bool) {
	if a, ok := d.shape(c).answers.find(c.Event, o); ok {
		return a, true
	}
	return d.answers.find(c.Event, o)
}

// shape is the variant that answers c: the one it was read by, else the first
// that reads payloads at all.
func (d *Dialect) shape(c *Call) *variant {
	if c.variant != nil && c.variant.decodes() {
		return c.variant
	}
	for _, doc := range d.variants {
		if v, err := parseVariant(doc); err == nil && v.decodes() {
			return v
		}
	}
	return &variant{}
}

func (d *Dialect) fill(a answer, c *Call, o Outcome, r Reply) Answer {
	event := c.WireEvent
	if event == "" {
		event = d.wireName(c)
	}
	if o != Context && !a.says("{context}") {
		r.Reason, r.Context = joined(r.Reason, r.Context), ""
	}
	f := filler{reason: r.Reason, context: cut(r.Context, clean(r.More), d.Limits.ContextChars), event: event}
	out := Answer{Stderr: []byte(f.plain(a.stderr)), Exit: a.exit}
	if o == Refuse || o == Ask || o == BlockStop {
		out.Held = r.Reason
	}
	switch {
	case a.stdout.IsObject():
		out.Stdout = f.object(nil, a.stdout)
	case a.stdout.Type == gjson.String:
		out.Stdout = []byte(f.plain(a.stdout.Str))
	}
	return out
}

// wireName is the host's word for the event of c.
func (d *Dialect) wireName(c *Call) string {
	for _, n := range d.shape(c).events {
		if n.event == c.Event {
			return n.wire
		}
	}
	return string(c.Event)
}

func (a answer) says(placeholder string) bool {
	return strings.Contains(a.stdout.Raw, placeholder) || strings.Contains(a.stderr, placeholder)
}

// filler puts texts where an answer has placeholders.
type filler struct{ reason, context, event string }

// value returns the text a placeholder stands for; ok is false for any other
// string.
func (f filler) value(s string) (text string, ok bool) {
	switch s {
	case "{reason}":
		return f.reason, true
	case "{context}":
		return f.context, true
	case "{event}":
		return f.event, true
	}
	return "", false
}

// object appends v with its placeholders filled. A key whose text is empty is
// left out.
func (f filler) object(b []byte, v gjson.Result) []byte {
	b = append(b, '{')
	first := true
	v.ForEach(func(key, value gjson.Result) bool {
		text, filled := f.value(value.Str)
		if filled && text == "" {
			return true
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(append(b, key.Raw...), ':')
		switch {
		case filled:
			b = gjson.AppendJSONString(b, text)
		case value.IsObject():
			b = f.object(b, value)
		default:
			b = append(b, value.Raw...)
		}
		return true
	})
	return append(b, '}')
}

func (f filler) plain(s string) string {
	if text, ok := f.value(s); ok {
		return text
	}
	return s
}

func joined(a, b string) string {
	if strings.TrimSpace(b) == "" {
		return a
	}
	if strings.TrimSpace(a) == "" {
		return b
	}
	return a + "\n\n" + b
}

// clean drops what no terminal and no host should be given: NUL, escape and
// other control characters, and bytes that are not UTF-8.
func clean(s string) string {
	bad := func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r == 0x7f }
	if utf8.ValidString(s) && !strings.ContainsFunc(s, bad) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if bad(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

// cut shortens s to limit UTF-16 code units, as hosts written in JavaScript
// count, and ends it with more. A limit of 0 is none.
func cut(s, more string, limit int) string {
	if limit <= 0 || len(s) <= limit || units(s) <= limit {
		return s
	}
	end := "\n…"
	if more != "" {
		end += " " + more
	}
	left := limit - units(end)
	if left <= 0 { // a pointer that fits nowhere is no pointer
		end, left = "…", limit-1
	}
	for i, r := range s {
		if r >= 0x10000 {
			left--
		}
		if left--; left < 0 {
			return s[:i] + end
		}
	}
	return s
}

func units(s string) int {
	n := 0
	for _, r := range s {
		if n++; r >= 0x10000 {
			n++
		}
	}
	return n
}

// RootSource is a folder to look for the project from.
type RootSource struct {
	Path string
	// From says where it comes from: "env:NAME", "payload" or "process".
	From string
}

// Roots returns the folders from which the project of c is to be looked for,
// upwards, best first. getenv reads the environment and process is the folder
// the hook runs in. Environment variables that hosts set are hints alone: a
// project may have set them.
func (d *Dialect) Roots(c *Call, getenv func(string) string, process string) []RootSource {
	var out []RootSource
	for _, from := range d.root {
		path := process
		if name, ok := strings.CutPrefix(from, "env:"); ok {
			path = getenv(name)
		} else if from == "payload" {
			path = c.Cwd
		}
		if path != "" {
			out = append(out, RootSource{path, from})
		}
	}
	return out
}
