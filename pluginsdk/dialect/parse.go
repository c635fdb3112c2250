package dialect

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/grimoire-kit/grimoire/surface"
)

// Error is a fault in a dialect document.
type Error struct {
	// Path is where it stands: `variants.0.when.1.is`.
	Path string
	Err  error
}

func (e *Error) Error() string {
	if e.Path == "" {
		return "dialect: " + e.Err.Error()
	}
	return "dialect: " + e.Path + ": " + e.Err.Error()
}

func (e *Error) Unwrap() error { return e.Err }

// within puts key in front of the place of err.
func within(key string, err error) error {
	if err == nil {
		return nil
	}
	var e *Error
	if !errors.As(err, &e) {
		return &Error{key, err}
	}
	if e.Path != "" {
		key += "." + e.Path
	}
	return &Error{key, e.Err}
}

// maxDocument is the longest document that is read, in bytes: some twenty
// times the longest bundled one.
const maxDocument = 256 << 10

// Parse reads a dialect document. A key it does not know, a word outside a
// closed set and an answer that would let a tool run are errors, each an
// *Error that says where.
func Parse(data []byte) (*Dialect, error) {
	if len(data) > maxDocument {
		return nil, &Error{"", fmt.Errorf("%d bytes are more than %d", len(data), maxDocument)}
	}
	text, cause := read(data)
	if cause != "" {
		return nil, &Error{"", fmt.Errorf("not a JSON object in UTF-8: %s", cause)}
	}
	d, err := open(text)
	if err != nil {
		return nil, err
	}
	if err := d.check(); err != nil {
		return nil, err
	}
	return d, nil
}

// Open reads a document that Parse is known to accept, as a bundled one is,
// at a third of the cost: it looks at what a call needs. What is wrong in a
// document that Parse refuses counts as absent.
func Open(data []byte) (*Dialect, error) {
	return open(string(data))
}

func open(text string) (*Dialect, error) {
	d := &Dialect{}
	err := members(gjson.Parse(text), []string{"version", "host", "host_id", "observed", "asks", "limits", "root", "variants"}, func(key string, v gjson.Result) error {
		switch key {
		case "$schema":
			return nil
		case "version":
			if v.Type != gjson.Number || v.Num != Version {
				return fmt.Errorf("%s is not a version this program reads: it reads %d", v.Raw, Version)
			}
			return nil
		case "host":
			return readText(&d.Host, v)
		case "host_id":
			return readText(&d.HostID, v)
		case "observed":
			return readList(&d.Observed, v, nil)
		case "asks":
			return readBool(&d.Asks, v)
		case "unhooked_input":
			return readBool(&d.UnhookedInput, v)
		case "tells_after":
			return readBool(&d.TellsAfter, v)
		case "dispatch":
			d.dispatch = v
			return nil
		case "limits":
			return d.Limits.parse(v)
		case "root":
			return readList(&d.root, v, checkRoot)
		case "tools":
			d.tools = toolTable{v}
			return nil
		case "answers":
			d.answers = answerTable{v}
			return nil
		case "variants":
			return items(v, func(v gjson.Result) error {
				d.variants = append(d.variants, v)
				return nil
			})
		}
		return errUnknown
	})
	if err != nil {
		return nil, err
	}
	return d, nil
}

// check reads everything that open left for later.
func (d *Dialect) check() error {
	if err := within("tools", d.tools.check()); err != nil {
		return err
	}
	if err := within("answers", d.answers.check()); err != nil {
		return err
	}
	if err := within("dispatch", checkDispatch(d.dispatch)); err != nil {
		return err
	}
	reads := false
	for i, doc := range d.variants {
		v, err := parseVariant(doc)
		if err == nil {
			err = within("event", within("ignored", checkReasons(v.ignores)))
		}
		if err == nil {
			err = within("tools", v.tools.check())
		}
		if err == nil {
			err = within("answers", v.answers.check())
		}
		if err != nil {
			return within("variants", within(fmt.Sprint(i), err))
		}
		reads = reads || v.decodes()
	}
	if !reads {
		return &Error{"variants", errors.New("no variant reads a payload")}
	}
	return nil
}

func (l *Limits) parse(v gjson.Result) error {
	return members(v, []string{"on_timeout", "on_crash"}, func(key string, v gjson.Result) error {
		switch key {
		case "context_chars":
			return readCount(&l.ContextChars, v)
		case "timeout_s":
			return readCount(&l.TimeoutSeconds, v)
		case "on_timeout":
			return readWord(&l.OnTimeout, v, []Reaction{Runs, Refuses, Profile})
		case "on_crash":
			return readWord(&l.OnCrash, v, []Reaction{Runs, Refuses, Profile})
		}
		return errUnknown
	})
}

// checkDispatch wants a text in each language, where there is one at all.
func checkDispatch(v gjson.Result) error {
	if !v.Exists() {
		return nil
	}
	return members(v, []string{"fr", "en"}, func(key string, v gjson.Result) error {
		if key != "fr" && key != "en" {
			return errUnknown
		}
		var text string
		return readText(&text, v)
	})
}

func checkRoot(from string) error {
	if name, ok := strings.CutPrefix(from, "env:"); from == "payload" || from == "process" || ok && name != "" {
		return nil
	}
	return fmt.Errorf("%q is not one of \"payload\", \"process\", \"env:NAME\"", from)
}

func parseVariant(doc gjson.Result) (*variant, error) {
	v := &variant{}
	named := false
	err := members(doc, []string{"id"}, func(key string, r gjson.Result) error {
		switch key {
		case "id":
			return readText(&v.id, r)
		case "when":
			return v.parseWhen(r)
		case "ignored":
			return readText(&v.ignored, r)
		case "belongs_to":
			return readText(&v.belongsTo, r)
		case "silent_if":
			return readText(&v.silentIf, r)
		case "off_in":
			return readList(&v.offIn, r, nil)
		case "event":
			named = true
			return v.parseEvent(r)
		case "fields":
			return v.fields.parse(r)
		case "tools":
			v.tools = toolTable{r}
			return nil
		case "answers":
			v.answers = answerTable{r}
			return nil
		}
		return errUnknown
	})
	switch {
	case err != nil:
	case v.ignored != "" && v.belongsTo != "":
		err = errors.New("a variant has one of ignored and belongs_to")
	case v.decodes() != named || v.decodes() != (v.fields.session != nil):
		err = errors.New("a variant has event and fields, or says in ignored or belongs_to why not")
	case v.silentIf != "" && v.belongsTo == "":
		err = errors.New("silent_if goes with belongs_to")
	case v.offIn != nil && v.silentIf == "":
		err = errors.New("off_in goes with silent_if")
	}
	return v, err
}

func (v *variant) parseWhen(doc gjson.Result) error {
	return items(doc, func(r gjson.Result) error {
		var p predicate
		err := p.parse(r)
		v.when = append(v.when, p)
		return err
	})
}

func (v *variant) parseEvent(doc gjson.Result) error {
	return members(doc, []string{"names"}, func(key string, r gjson.Result) error {
		switch key {
		case "paths":
			return readList(&v.eventPaths, r, checkPlace)
		case "names":
			return members(r, nil, func(wire string, r gjson.Result) error {
				n := eventName{wire: wire}
				v.events = append(v.events, n)
				return readWord(&v.events[len(v.events)-1].event, r, events)
			})
		case "ignored":
			v.ignores = r
			return nil
		}
		return errUnknown
	})
}

func checkReasons(doc gjson.Result) error {
	if !doc.Exists() {
		return nil
	}
	return members(doc, nil, func(_ string, r gjson.Result) error {
		var why string
		return readText(&why, r)
	})
}

func (p *predicate) parse(doc gjson.Result) error {
	err := members(doc, []string{"path", "is"}, func(key string, r gjson.Result) error {
		switch key {
		case "path":
			return readPlace(&p.path, r)
		case "is":
			return readWord(&p.is, r, []string{"present", "absent", "string", "object"})
		case "equals":
			return readText(&p.equals, r)
		}
		return errUnknown
	})
	if err == nil && p.equals != "" && p.is != "string" {
		err = within("equals", errors.New(`goes with "is": "string"`))
	}
	return err
}

func (f *fields) parse(doc gjson.Result) error {
	return members(doc, []string{"session"}, func(key string, r gjson.Result) error {
		to := f.named(key)
		if to == nil {
			return errUnknown
		}
		return readList(to, r, checkPlace)
	})
}

func (f *fields) named(key string) *[]string {
	switch key {
	case "session":
		return &f.session
	case "parent_session":
		return &f.parentSession
	case "agent":
		return &f.agent
	case "agent_type":
		return &f.agentType
	case "tool":
		return &f.tool
	case "tool_use_id":
		return &f.toolUseID
	case "tool_input":
		return &f.toolInput
	case "tool_response":
		return &f.toolResponse
	case "cwd":
		return &f.cwd
	case "prompt":
		return &f.prompt
	case "source":
		return &f.source
	case "stop_active":
		return &f.stopActive
	}
	return nil
}

func (t toolTable) check() error {
	if !t.doc.Exists() {
		return nil
	}
	return members(t.doc, nil, func(name string, doc gjson.Result) error {
		_, err := parseTool(name, doc)
		return err
	})
}

func parseTool(name string, doc gjson.Result) (tool, error) {
	t := tool{name: name, generic: true}
	err := members(doc, []string{"family"}, func(key string, r gjson.Result) error {
		switch key {
		case "as":
			return readText(&t.as, r)
		case "family":
			return readWord(&t.family, r, surface.ToolFamilies)
		case "args":
			t.generic = false
			return members(r, nil, func(path string, r gjson.Result) error {
				a := argument{path: path}
				if err := checkPath(path); err != nil {
					return err
				}
				err := readWord(&a.kind, r, Kinds)
				t.args = append(t.args, a)
				return err
			})
		}
		return errUnknown
	})
	return t, err
}

func (t answerTable) check() error {
	if !t.doc.Exists() {
		return nil
	}
	return members(t.doc, nil, func(event string, doc gjson.Result) error {
		if event != everyEvent && !slices.Contains(events, surface.HookEvent(event)) {
			return notOneOf(event, events)
		}
		return members(doc, nil, func(name string, doc gjson.Result) error {
			o := Outcome(name)
			if !slices.Contains(Outcomes, o) {
				return notOneOf(name, Outcomes)
			}
			if o == Grant && event != string(surface.PermissionRequest) {
				return errors.New("grant exists for permission_request alone")
			}
			_, err := parseAnswer(doc, o)
			return err
		})
	})
}

func parseAnswer(doc gjson.Result, o Outcome) (answer, error) {
	var a answer
	err := members(doc, nil, func(key string, r gjson.Result) error {
		switch key {
		case "stdout":
			a.stdout = r
			if r.Type == gjson.String {
				return checkSaid(r.Str, o)
			}
			return checkSkeleton(r, o)
		case "stderr":
			if err := readText(&a.stderr, r); err != nil {
				return err
			}
			return checkSaid(a.stderr, o)
		case "exit":
			if err := readCount(&a.exit, r); err != nil {
				return err
			}
			if a.exit > 125 {
				return fmt.Errorf("%d is not an exit code of a program: at most 125", a.exit)
			}
			return nil
		}
		return errUnknown
	})
	if need := placeholderOf[o]; err == nil && need != "" && !a.empty() && !a.says(need) {
		err = fmt.Errorf("nothing in it says %s", need)
	}
	return a, err
}

func (a answer) empty() bool {
	return !a.stdout.Exists() && a.stderr == "" && a.exit == 0
}

// placeholderOf is what an outcome exists to say.
var placeholderOf = map[Outcome]string{Refuse: "{reason}", Ask: "{reason}", BlockStop: "{reason}", Context: "{context}"}

// checkSkeleton accepts an object of plain values and such objects.
func checkSkeleton(v gjson.Result, o Outcome) error {
	if !v.IsObject() {
		return errors.New("neither an object nor a text")
	}
	return members(v, nil, func(key string, v gjson.Result) error {
		if err := checkSaid(key, o); err != nil {
			return err
		}
		switch {
		case v.IsObject():
			return checkSkeleton(v, o)
		case v.IsArray():
			return errors.New("an answer has no lists")
		case v.Type == gjson.String:
			return checkSaid(v.Str, o)
		}
		return nil
	})
}

// checkSaid accepts a placeholder, or words without one. What a dialect must
// not say is that a tool may run.
func checkSaid(s string, o Outcome) error {
	if _, ok := (filler{}).value(s); !ok && strings.ContainsAny(s, "{}") {
		return fmt.Errorf("%q is neither plain words nor one of {reason}, {context}, {event}", s)
	}
	if o != Grant && slices.ContainsFunc(permitting, func(w string) bool { return strings.Contains(strings.ToLower(s), w) }) {
		return fmt.Errorf("%q: an answer cannot let a tool run; a hook that has nothing to say is silent, and the host asks whom it would ask", s)
	}
	return nil
}

// permitting are the words by which hosts let something run.
var permitting = []string{"allow", "approve", "accept", "proceed", "permit"}
