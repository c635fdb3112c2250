package standard

import (
	"errors"
	"io/fs"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

// Severity is how much a check weighs.
type Severity string

// The words are the existing kit's. A check that passes is not reported.
const (
	Error   Severity = "error"   // the project does not follow its profile
	Warning Severity = "warning" // something is left to say or to tidy
	Info    Severity = "info"    // worth knowing; it weighs nothing
)

// Check is one thing that was found.
type Check struct {
	ID       string // "board.status_invalid", stable
	Severity Severity
	Text     surface.Text
	Path     string // relative to the project
	Line     int    // from 1; 0 where the whole file is meant
}

// Placed is the text after its line.
func (c Check) Placed() surface.Text {
	if c.Line == 0 {
		return c.Text
	}
	at := node{&yaml.Node{Line: c.Line}}
	return surface.Text{FR: lineFR(at) + c.Text.FR, EN: lineEN(at) + c.Text.EN}
}

// file is one file under examination.
type file struct {
	v    *Verification
	path string
	top  node   // of a YAML file
	text string // of a Markdown file
}

func (x *file) add(s Severity, id string, at node, fr, en string) {
	x.v.Checks = append(x.v.Checks, Check{ID: id, Severity: s, Text: surface.Text{FR: fr, EN: en}, Path: x.path, Line: at.line()})
}

// fail reports an error, warn a warning. owed is an error under the profiles
// that refuse, else a warning.
func (x *file) fail(id string, at node, fr, en string) { x.add(Error, id, at, fr, en) }

func (x *file) note(id string, at node, fr, en string) { x.add(Info, id, at, fr, en) }

func (x *file) warn(id string, at node, fr, en string) { x.add(Warning, id, at, fr, en) }

func (x *file) owed(id string, at node, fr, en string) {
	if x.v.Profile.Blocks() {
		x.fail(id, at, fr, en)
	} else {
		x.warn(id, at, fr, en)
	}
}

// line is the place in a Markdown file where one of some texts stands first,
// whatever the case of its letters; the zero node where none does.
func (x *file) line(texts ...string) node {
	low := strings.ToLower(x.text)
	for _, text := range texts {
		if at := strings.Index(low, strings.ToLower(text)); at >= 0 {
			return node{&yaml.Node{Line: 1 + strings.Count(low[:at], "\n")}}
		}
	}
	return node{}
}

// require wants keys of a mapping to have a value.
func (x *file) require(family string, at node, keys ...string) {
	for _, key := range keys {
		if at.get(key).isEmpty() {
			x.fail(family+"."+key+"_missing", at, "la clé "+key+" manque", "the key "+key+" is missing")
		}
	}
}

// entries are the mappings of a list; an element that is none is reported.
func (x *file) entries(list node, id string) []node {
	var out []node
	for _, e := range list.list() {
		if !e.isMap() {
			x.fail(id, e, "chaque entrée doit être une table de clés", "every entry must be a mapping")
			continue
		}
		out = append(out, e)
	}
	return out
}

// yaml opens a YAML file of the standard for examination. One that is not
// there is nil, and so is one that cannot be read, which is reported once.
func (e *examination) yaml(path string) *file {
	top, present, err := e.f.yaml(path)
	switch {
	case err == nil:
		return &file{v: e.v, path: path, top: top}
	case present:
		e.v.InvalidYAML = append(e.v.InvalidYAML, path)
		why, x, at := words(err), &file{v: e.v, path: path}, node{}
		var u *unreadable
		if errors.As(err, &u) && u.line > 0 {
			at, why = node{&yaml.Node{Line: u.line}}, u.why
		}
		x.fail("yaml.invalid", at, why.FR, why.EN)
	}
	return nil
}

// markdown opens a text, nil where there is none.
func (e *examination) markdown(path string) *file {
	data, err := e.f.read(path, maxFile)
	switch {
	case err == nil && strings.TrimSpace(string(data)) != "":
		return &file{v: e.v, path: path, text: strings.ReplaceAll(string(data), "\r\n", "\n")}
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		why := words(err)
		x := &file{v: e.v, path: path}
		x.fail("artifact.unreadable", node{}, why.FR, why.EN)
	}
	return nil
}

// words are an error of this package for people.
func words(err error) surface.Text {
	var u *unreadable
	if errors.As(err, &u) {
		return Check{Text: u.why, Line: u.line}.Placed()
	}
	return fault.Text(err)
}
