package dialect

import (
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/grimoire-kit/grimoire/surface"
)

// MaxPayload is the longest payload that is read, in bytes.
const MaxPayload = 16 << 20

// maxDepth is how deep a payload may be nested. The JSON reader recurses, and
// a stack that overflows cannot be recovered from.
const maxDepth = 1_000

// Decode reads a host's payload. event is the one the hook was called for, in
// the host's word or the neutral one; "" where the caller does not know. A
// payload that names an event of the dialect is believed over it, since the
// host wrote it.
//
// There is no error: a payload that cannot be judged says so in NotEvaluated,
// and what could be read of it stands in the Call.
func (d *Dialect) Decode(payload []byte, event string) Call {
	text, cause := read(payload)
	if cause != "" {
		return Call{Event: d.Event(event), NotEvaluated: cause}
	}
	o := takeApart(gjson.Parse(text))
	v := d.match(o)
	if v == nil {
		return Call{Event: d.Event(event), NotEvaluated: UnknownShape}
	}
	c := Call{variant: v}
	switch {
	case v.belongsTo != "":
		c.Event = d.Event(event)
		c.NotEvaluated, c.Detail = OtherHost, v.belongsTo
		c.BelongsTo = v.belongsTo
		if c.Event != "" {
			c.OffIn = v.offIn
			c.SilentIf = strings.ReplaceAll(v.silentIf, "{event}", strings.ReplaceAll(string(c.Event), "_", "-"))
		}
		return c
	case v.ignored != "":
		c.NotEvaluated, c.Detail = IgnoredEvent, v.ignored
		return c
	}
	c.readEvent(d, o, event)
	c.readFields(o)
	if c.NotEvaluated == "" && isToolEvent(c.Event) {
		if c.Tool == "" {
			c.NotEvaluated = NoTool
			return c
		}
		input := o.first(v.fields.toolInput)
		c.ToolInput = []byte(input.Raw)
		c.readTool(v.tools, d.tools, input)
	}
	return c
}

// read returns the payload as the text of one JSON object.
func read(payload []byte) (string, Cause) {
	if len(payload) > MaxPayload {
		return "", TooLarge
	}
	text := strings.TrimSpace(strings.TrimPrefix(string(payload), "\uFEFF"))
	switch {
	case text == "":
		return "", Empty
	case !utf8.ValidString(text):
		return "", NotUTF8
	case tooDeep(text):
		return "", TooDeep
	case !gjson.Valid(text):
		return "", NotJSON
	case text[0] != '{':
		return "", NotObject
	}
	return text, ""
}

// tooDeep counts brackets outside strings.
func tooDeep(text string) bool {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			if depth++; depth > maxDepth {
				return true
			}
		case '}', ']':
			depth--
		}
	}
	return false
}

// match returns the first variant whose predicates all hold, or nil.
func (d *Dialect) match(o object) *variant {
	for _, doc := range d.variants {
		if !fits(doc, o) {
			continue
		}
		if v, err := parseVariant(doc); err == nil {
			return v
		}
	}
	return nil
}

func fits(doc gjson.Result, o object) bool {
	when := memberOf(doc, "when")
	if !when.Exists() {
		return true
	}
	var v variant
	if v.parseWhen(when) != nil {
		return false
	}
	for _, p := range v.when {
		if !p.holds(o) {
			return false
		}
	}
	return true
}

// readEvent settles which event this is.
func (c *Call) readEvent(d *Dialect, o object, hint string) {
	c.WireEvent = o.text(c.variant.eventPaths)
	name := c.WireEvent
	if name == "" {
		name = hint
	}
	if c.Event = c.variant.event(name); c.Event != "" {
		return
	}
	if why := memberOf(c.variant.ignores, name); why.Exists() {
		c.NotEvaluated, c.Detail = IgnoredEvent, name+": "+why.Str
		return
	}
	if c.Event = d.Event(hint); c.Event == "" {
		c.NotEvaluated, c.Detail = UnknownEvent, name
	}
}

func (c *Call) readFields(o object) {
	f := &c.variant.fields
	c.Session = o.text(f.session)
	c.ParentSession = o.text(f.parentSession)
	if c.ParentSession == c.Session {
		c.ParentSession = ""
	}
	c.Agent = o.text(f.agent)
	c.AgentType = o.text(f.agentType)
	c.Tool = o.text(f.tool)
	c.ToolUseID = o.text(f.toolUseID)
	c.ToolResponse = []byte(o.first(f.toolResponse).Raw)
	c.Cwd = localPath(o.text(f.cwd))
	c.WorkDir = c.Cwd
	c.Prompt = o.text(f.prompt)
	c.Source = o.text(f.source)
	c.StopActive = o.first(f.stopActive).Bool()
}

// Event returns the event that name stands for: the neutral word, or the
// host's in any of its shapes; case, `-`, `_` and spaces do not count. It is ""
// for any other name.
func (d *Dialect) Event(name string) surface.HookEvent {
	folded := fold(name)
	if folded == "" {
		return ""
	}
	for _, e := range events {
		if fold(string(e)) == folded {
			return e
		}
	}
	for _, doc := range d.variants {
		v, err := parseVariant(doc)
		if err != nil {
			continue
		}
		for _, n := range v.events {
			if fold(n.wire) == folded {
				return n.event
			}
		}
	}
	return ""
}

func (v *variant) event(wire string) surface.HookEvent {
	for _, n := range v.events {
		if n.wire == wire {
			return n.event
		}
	}
	return ""
}

// events are those a dialect may name.
var events = append(append([]surface.HookEvent{}, surface.HookEvents...), surface.PermissionRequest)

func isToolEvent(e surface.HookEvent) bool {
	switch e {
	case surface.PreToolUse, surface.PostToolUse, surface.PostToolUseFailure, surface.PermissionRequest:
		return true
	}
	return false
}

func fold(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r == ' ' {
			return -1
		}
		return r
	}, strings.ToLower(name))
}
