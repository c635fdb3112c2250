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

// Parse reads a dialect document. A key it does not know, a word outside a
// closed set and an answer that would let a tool run are errors, each an
// *Error that says where.
func Parse(data []byte) (*Dialect, error) {
	text, cause := read(data)
	if cause != "" {
		return nil, &Error{"", fmt.Errorf("not a JSON object in UTF-8: %s", cause)}
	}
	d := &Dialect{answers: answerTable{}}
	err := members(gjson.Parse(text), []string{"version", "host", "observed", "asks", "limits", "root", "variants"}, func(key string, v gjson.Result) error {
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
		case "observed":
			return readList(&d.Observed, v, nil)
		case "asks":
			return readBool(&d.Asks, v)
		case "limits":
			return d.Limits.parse(v)
		case "root":
			return readList(&d.root, v, checkRoot)
		case "tools":
			return d.tools.parse(v)
		case "answers":
			return d.answers.parse(v)
		case "variants":
			return items(v, func(v gjson.Result) error {
				d.variants = append(d.variants, variant{})
				return d.variants[len(d.variants)-1].parse(v)
			})
		}
		return errUnknown
	})
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(d.variants, func(v variant) bool { return v.decodes() }) {
		return nil, &Error{"variants", errors.New("no variant reads a payload")}
	}
	return d, nil
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

func checkRoot(from string) error {
	if name, ok := strings.CutPrefix(from, "env:"); from == "payload" || from == "process" || ok && name != "" {
		return nil
	}
	return fmt.Errorf("%q is not one of \"payload\", \"process\", \"env:NAME\"", from)
}

func (v *variant) parse(doc gjson.Result) error {
	v.answers = answerTable{}
	named := false
	err := members(doc, []string{"id"}, func(key string, r gjson.Result) error {
		switch key {
		case "id":
			return readText(&v.id, r)
		case "when":
			return items(r, func(r gjson.Result) error {
				v.when = append(v.when, predicate{})
				return v.when[len(v.when)-1].parse(r)
			})
		case "ignored":
			return readText(&v.ignored, r)
		case "belongs_to":
			return readText(&v.belongsTo, r)
		case "silent_if":
			return readText(&v.silentIf, r)
		case "event":
			named = true
			return v.parseEvent(r)
		case "fields":
			return v.fields.parse(r)
		case "tools":
			return v.tools.parse(r)
		case "answers":
			return v.answers.parse(r)
		}
		return errUnknown
	})
	switch {
	case err != nil:
		return err
	case v.ignored != "" && v.belongsTo != "":
		return errors.New("a variant has one of ignored and belongs_to")
	case v.decodes() != named || v.decodes() != (v.fields.session != nil):
		return errors.New("a variant has event and fields, or says in ignored or belongs_to why not")
	case v.silentIf != "" && v.belongsTo == "":
		return errors.New("silent_if goes with belongs_to")
	}
	return nil
}

func (v *variant) parseEvent(doc gjson.Result) error {
	return members(doc, []string{"names"}, func(key string, r gjson.Result) error {
		switch key {
		case "paths":
			return readList(&v.eventPaths, r, checkPath)
		case "names":
			return members(r, nil, func(wire string, r gjson.Result) error {
				n := eventName{wire: wire}
				v.events = append(v.events, n)
				return readWord(&v.events[len(v.events)-1].event, r, events)
			})
		case "ignored":
			v.ignores = map[string]string{}
			return members(r, nil, func(wire string, r gjson.Result) error {
				var why string
				err := readText(&why, r)
				v.ignores[wire] = why
				return err
			})
		}
		return errUnknown
	})
}

func (p *predicate) parse(doc gjson.Result) error {
	err := members(doc, []string{"path", "is"}, func(key string, r gjson.Result) error {
		switch key {
		case "path":
			return readPath(&p.path, r)
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
		to := map[string]*[]string{
			"session": &f.session, "parent_session": &f.parentSession, "agent": &f.agent, "agent_type": &f.agentType,
			"tool": &f.tool, "tool_use_id": &f.toolUseID, "tool_input": &f.toolInput, "tool_response": &f.toolResponse,
			"cwd": &f.cwd, "prompt": &f.prompt, "source": &f.source, "stop_active": &f.stopActive,
		}[key]
		if to == nil {
			return errUnknown
		}
		return readList(to, r, checkPath)
	})
}

func (t *toolTable) parse(doc gjson.Result) error {
	t.exact = map[string]tool{}
	return members(doc, nil, func(name string, r gjson.Result) error {
		e := tool{name: name, generic: true}
		err := members(r, []string{"family"}, func(key string, r gjson.Result) error {
			switch key {
			case "as":
				return readText(&e.as, r)
			case "family":
				return readWord(&e.family, r, surface.ToolFamilies)
			case "args":
				e.generic = false
				return members(r, nil, func(path string, r gjson.Result) error {
					a := argument{path: path}
					if err := checkPath(path); err != nil {
						return err
					}
					err := readWord(&a.kind, r, Kinds)
					e.args = append(e.args, a)
					return err
				})
			}
			return errUnknown
		})
		if name == everyTool || strings.Contains(name, "*") {
			t.globs = append(t.globs, e)
		} else {
			t.exact[name] = e
		}
		return err
	})
}

func (t answerTable) parse(doc gjson.Result) error {
	return members(doc, nil, func(event string, r gjson.Result) error {
		if event != everyEvent && !slices.Contains(events, surface.HookEvent(event)) {
			return fmt.Errorf("not an event: %w", notOneOf(event, events))
		}
		outcomes := map[Outcome]answer{}
		t[event] = outcomes
		return members(r, nil, func(name string, r gjson.Result) error {
			o := Outcome(name)
			if !slices.Contains(Outcomes, o) {
				return notOneOf(name, Outcomes)
			}
			if o == Grant && event != string(surface.PermissionRequest) {
				return errors.New("grant exists for permission_request alone")
			}
			var a answer
			err := a.parse(r, o)
			outcomes[o] = a
			return err
		})
	})
}

func (a *answer) parse(doc gjson.Result, o Outcome) error {
	err := members(doc, nil, func(key string, r gjson.Result) error {
		switch key {
		case "stdout":
			a.stdout = r
			if r.Type == gjson.String {
				return checkText(r.Str)
			}
			return checkSkeleton(r, o)
		case "stderr":
			if err := readText(&a.stderr, r); err != nil {
				return err
			}
			return checkText(a.stderr)
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
	if err != nil {
		return err
	}
	if need := placeholderOf[o]; need != "" && !a.empty() && !a.says(need) {
		return fmt.Errorf("nothing in it says %s", need)
	}
	return nil
}

func (a *answer) empty() bool {
	return !a.stdout.Exists() && a.stderr == "" && a.exit == 0
}

// placeholderOf is what an outcome exists to say.
var placeholderOf = map[Outcome]string{Refuse: "{reason}", Ask: "{reason}", BlockStop: "{reason}", Context: "{context}"}

// checkSkeleton looks for what a dialect must not say: that a tool may run.
func checkSkeleton(v gjson.Result, o Outcome) error {
	if !v.IsObject() {
		return errors.New("neither an object nor a string")
	}
	return members(v, nil, func(key string, v gjson.Result) error {
		switch {
		case o != Grant && permits(key):
			return errPermits
		case v.IsObject():
			return checkSkeleton(v, o)
		case v.IsArray():
			return errors.New("an answer has no lists")
		case v.Type != gjson.String:
			return nil
		case o != Grant && permits(v.Str):
			return errPermits
		}
		return checkText(v.Str)
	})
}

var errPermits = errors.New("an answer cannot let a tool run: a hook that has nothing to say is silent, and the host asks whom it would ask")

// permits reports whether a word is one by which a host lets something run.
func permits(word string) bool {
	word = strings.ToLower(word)
	for _, w := range []string{"allow", "approve", "accept", "proceed", "permit"} {
		if strings.HasPrefix(word, w) {
			return true
		}
	}
	return false
}

// checkText accepts a placeholder, or a text without one.
func checkText(s string) error {
	if _, ok := (filler{}).value(s); ok || !strings.ContainsAny(s, "{}") {
		return nil
	}
	return fmt.Errorf("%q is neither plain words nor one of {reason}, {context}, {event}", s)
}
