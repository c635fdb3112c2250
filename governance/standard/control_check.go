package standard

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/grimoire-kit/grimoire/surface"
)

// controls examines the files of control that are there, and misses those of
// patterns that were selected.
func (e *examination) controls() {
	selected, binding := e.selection()
	for _, c := range controlFiles {
		if slices.ContainsFunc(selected, func(s Control) bool { return s.Type == c.Type }) {
			switch {
			case e.f.isFile(c.Path()):
				e.v.Present = append(e.v.Present, c.Path())
			case binding:
				e.v.Missing = append(e.v.Missing, c.Path())
			default:
				x := &file{v: e.v, path: c.Path()}
				x.note("manifest.pattern_missing", node{},
					SelectionFile+" mène ici à ce fichier, qui n'est pas là ; `grimoire standard init` l'écrit",
					SelectionFile+" leads here, and the file is not there; `grimoire standard init` writes it")
			}
		}
		if x := e.yaml(c.Path()); x != nil {
			x.control(c)
		}
	}
}

// control examines one file.
func (x *file) control(c Control) {
	if s := x.top.get("$schema"); !s.isEmpty() && s.text() != c.Format() {
		x.note(c.Family+"format_unknown", s,
			"$schema vaut "+surface.Quoted(s.text())+", un format que ce grimoire ne vérifie pas (le sien : "+c.Format()+")",
			"$schema is "+surface.Quoted(s.text())+", a format that this grimoire does not check (its own: "+c.Format()+")")
		return
	}
	r := &reading{x: x, family: c.Family, seen: map[visit]bool{}, ids: map[string]set{}}
	for _, f := range c.Fields {
		if f.Kind == Entries {
			r.ids[f.Key] = idsOf(x.top.get(f.Key))
		}
	}
	r.table("", x.top, c.Fields, "$schema", "metadata")
}

func idsOf(list node) set {
	ids := set{}
	for _, e := range list.list() {
		ids[e.get("id").text()] = true
	}
	return ids
}

// reading is one pass over a control.
type reading struct {
	x      *file
	family string
	ids    map[string]set // of the lists at the top, for references
	seen   map[visit]bool
}

// visit is a value under a path: what an alias repeats is read once.
type visit struct {
	n    *yaml.Node
	path string
}

// table examines a mapping. path is "" at the top, else "levels.".
func (r *reading) table(path string, at node, fields []Field, besides ...string) {
	known := set{}
	for _, key := range besides {
		known[key] = true
	}
	for _, f := range fields {
		known[f.Key] = true
		r.field(path+f.Key, at, f)
	}
	for key, v := range at.pairs() {
		// Keys of a team's own begin with x-.
		if !known[key] && !strings.HasPrefix(key, "x-") {
			where := surface.Quoted(path + key)
			r.x.warn(r.family+"key_unknown", v,
				"la clé "+where+" est inconnue et ne règle rien (une clé à soi commence par x-)",
				"the key "+where+" is unknown and settles nothing (a key of your own begins with x-)")
		}
	}
}

// field examines the value of a key.
func (r *reading) field(path string, at node, f Field) {
	v := at.get(f.Key)
	if v.isEmpty() {
		if !f.Optional {
			r.x.fail(r.family+path+"_missing", at, "la clé "+path+" manque", "the key "+path+" is missing")
		}
		return
	}
	if r.seen[visit{v.n, path}] {
		return
	}
	r.seen[visit{v.n, path}] = true
	switch f.Kind {
	case Table:
		if !v.isMap() {
			r.invalid(path, v, surface.Text{FR: "une table de clés", EN: "a mapping"})
			return
		}
		r.table(path+".", v, f.Of)
	case Entries:
		r.entries(path, v, f)
	case Texts, Enums:
		r.words(path, v, f)
	default:
		r.scalar(path, v, f)
	}
}

func (r *reading) invalid(path string, at node, want surface.Text) {
	fr, en := path+" : "+want.FR+" attendue", path+": "+want.EN+" was expected"
	if t := at.text(); t != "" {
		fr, en = fr+", pas "+surface.Quoted(t), en+", not "+surface.Quoted(t)
	}
	r.x.fail(r.family+path+"_invalid", at, fr, en)
}

func (r *reading) entries(path string, list node, f Field) {
	if !list.isList() || len(list.list()) == 0 && !f.Empty {
		r.invalid(path, list, surface.Text{FR: "une liste d'au moins une entrée", EN: "a list of at least one entry"})
		return
	}
	ids := set{}
	for _, e := range list.list() {
		if !e.isMap() {
			r.invalid(path, e, surface.Text{FR: "une table de clés par entrée", EN: "a mapping for each entry"})
			continue
		}
		if id := e.get("id").text(); id != "" {
			if ids[id] && hasID(f.Of) {
				r.x.fail(r.family+path+".id_duplicate", e.get("id"),
					path+" : l'id "+surface.Quoted(id)+" y est deux fois", path+": the id "+surface.Quoted(id)+" stands there twice")
			}
			ids[id] = true
		}
		if v := (visit{e.n, path}); !r.seen[v] {
			r.seen[v] = true
			r.table(path+".", e, f.Of)
		}
	}
}

func (r *reading) words(path string, list node, f Field) {
	if !list.isList() || len(list.list()) == 0 && !f.Empty {
		r.invalid(path, list, surface.Text{FR: "une liste d'au moins un mot", EN: "a list of at least one word"})
		return
	}
	for _, e := range list.list() {
		switch {
		case e.text() == "":
			r.invalid(path, e, surface.Text{FR: "une suite de textes", EN: "a list of texts"})
		case f.Kind == Enums && !slices.Contains(f.Words, e.text()):
			r.invalid(path, e, oneOf(f.Words))
		}
	}
}

func oneOf(words []string) surface.Text {
	list := strings.Join(words, ", ")
	return surface.Text{FR: "une valeur parmi " + list, EN: "one of " + list}
}

func (r *reading) scalar(path string, v node, f Field) {
	text := v.text()
	switch f.Kind {
	case Text:
		if text == "" {
			r.invalid(path, v, surface.Text{FR: "une valeur de texte", EN: "a text"})
		}
	case Enum:
		if !slices.Contains(f.Words, text) {
			r.invalid(path, v, oneOf(f.Words))
		}
	case Flag, Enforced:
		on, ok := v.flag()
		switch {
		case !ok:
			r.invalid(path, v, surface.Text{FR: "la valeur true ou false", EN: "true or false"})
		case !on && f.Kind == Enforced:
			r.x.fail(r.family+path+"_required", v, path+" doit être true : sans cela le reste ne tient pas", path+" must be true: the rest stands on it")
		}
	case Count:
		if n, ok := v.integer(); !ok || n < 1 {
			r.invalid(path, v, surface.Text{FR: "une valeur entière d'au moins 1", EN: "a whole number from 1"})
		}
	case Percent:
		if n, ok := v.integer(); !ok || n < 1 || n > 100 {
			r.invalid(path, v, surface.Text{FR: "une valeur entière de 1 à 100", EN: "a whole number from 1 to 100"})
		}
	case Amount:
		if !v.isAmount() {
			r.invalid(path, v, surface.Text{FR: "une quantité d'au moins 0", EN: "a number from 0"})
		}
	case Date:
		if _, err := time.Parse(time.DateOnly, text); err != nil {
			r.invalid(path, v, surface.Text{FR: "une date AAAA-MM-JJ", EN: "a day YYYY-MM-DD"})
		}
	case Place:
		switch {
		case text == "":
			r.invalid(path, v, surface.Text{FR: "une valeur de chemin", EN: "a path"})
		case outside(text):
			r.x.fail(r.family+path+"_outside_root", v, path+" : "+surface.Quoted(text)+" sort du projet", path+": "+surface.Quoted(text)+" leaves the project")
		}
	case Reference:
		switch {
		case text == "":
			r.invalid(path, v, surface.Text{FR: "une référence à un id", EN: "an id"})
		case !r.ids[f.Ref][text]:
			r.x.fail(r.family+path+"_unknown", v,
				fmt.Sprintf("%s : %s n'est l'id d'aucune entrée de %s", path, surface.Quoted(text), f.Ref),
				fmt.Sprintf("%s: %s is the id of no entry of %s", path, surface.Quoted(text), f.Ref))
		}
	}
}

// isAmount reports a finite number that is not negative.
func (v node) isAmount() bool {
	if v.n == nil || v.n.Kind != yaml.ScalarNode || v.n.Tag != "!!int" && v.n.Tag != "!!float" {
		return false
	}
	n, err := strconv.ParseFloat(v.n.Value, 64)
	return err == nil && n >= 0 && n <= 1e15
}
