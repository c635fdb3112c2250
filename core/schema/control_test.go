package schema_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/grimoire-kit/grimoire/core/enrol"
	"github.com/grimoire-kit/grimoire/core/schema"
	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/surface"
)

var update = flag.Bool("update", false, "write the schemas of controls anew")

// The schema of a control says what verify checks of it.
func TestControlSchemasAreGenerated(t *testing.T) {
	for _, c := range standard.Controls() {
		var want bytes.Buffer
		if err := json.Indent(&want, []byte(controlSchema(c)), "", "  "); err != nil {
			t.Fatal(err)
		}
		want.WriteByte('\n')
		file := filepath.Join("schemas", c.Name()+".schema.json")
		if *update {
			if err := os.WriteFile(file, want.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want.Bytes()) {
			t.Errorf("%s is out of date (%v): go test ./core/schema -update, then build again", file, err)
		}
	}
}

// object writes a JSON object in the order of its keys.
type object []string

func (o *object) add(key string, value any) {
	text, ok := value.(string)
	if !ok || !strings.HasPrefix(text, "{") {
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		_ = enc.Encode(value)
		text = b.String()
	}
	*o = append(*o, `"`+key+`":`+text)
}

func (o object) String() string { return "{" + strings.Join(o, ",") + "}" }

func controlSchema(c standard.Control) string {
	var top, properties, format, metadata object
	format.add("description", "Name and version of the format. A file that names another one is not checked.")
	format.add("type", "string")
	format.add("examples", []string{c.Format()})
	metadata.add("description", "What the file is about: project, who generated it, why.")
	metadata.add("type", "object")
	properties.add("$schema", format.String())
	properties.add("metadata", metadata.String())
	top.add("$schema", "https://json-schema.org/draft/2020-12/schema")
	top.add("$id", schema.URL(c.Name()))
	top.add("title", c.Name()+".yaml")
	about := c.About.EN
	top.add("description", strings.ToUpper(about[:1])+about[1:]+".")
	mapping(&top, properties, c.Fields)
	return top.String()
}

func mapping(o *object, properties object, fields []standard.Field) {
	o.add("type", "object")
	var required []string
	for _, f := range fields {
		if !f.Optional {
			required = append(required, f.Key)
		}
		properties.add(f.Key, fieldSchema(f))
	}
	if len(required) > 0 {
		o.add("required", required)
	}
	o.add("properties", properties.String())
}

func fieldSchema(f standard.Field) string {
	var o object
	if f.About != "" {
		o.add("description", f.About)
	}
	// A key without a value is one that is left out.
	typed := func(types ...string) {
		if f.Optional {
			types = append(types, "null")
		}
		if len(types) == 1 {
			o.add("type", types[0])
		} else {
			o.add("type", types)
		}
	}
	enum := func(o *object, optional bool) {
		words := []any{}
		for _, w := range f.Words {
			words = append(words, w)
		}
		if optional {
			words = append(words, nil)
		}
		o.add("enum", words)
	}
	list := func(items string) {
		typed("array")
		if !f.Empty {
			o.add("minItems", 1)
		}
		o.add("items", items)
	}
	text := func(o *object, types any) {
		o.add("type", types)
		o.add("pattern", `\S`)
	}
	scalars := []string{"string", "number", "boolean"}
	switch f.Kind {
	case standard.Text, standard.Reference:
		if f.Optional {
			scalars = append(scalars, "null")
		}
		text(&o, scalars)
	case standard.Texts:
		var item object
		text(&item, scalars)
		list(item.String())
	case standard.Enum:
		enum(&o, f.Optional)
	case standard.Enums:
		var item object
		enum(&item, false)
		list(item.String())
	case standard.Flag:
		typed("boolean")
	case standard.Enforced:
		o.add("const", true)
	case standard.Count:
		typed("integer")
		o.add("minimum", 1)
	case standard.Percent:
		typed("integer")
		o.add("minimum", 1)
		o.add("maximum", 100)
	case standard.Amount:
		typed("number")
		o.add("minimum", 0)
	case standard.Date:
		typed("string")
		o.add("pattern", "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$")
	case standard.Place:
		var out object
		out.add("pattern", `^([/~]|[A-Za-z]:)|(^|[/\\])\.\.([/\\]|$)`)
		typed("string")
		o.add("minLength", 1)
		o.add("not", out.String())
	case standard.Table:
		mapping(&o, nil, f.Of)
	case standard.Entries:
		var item object
		mapping(&item, nil, f.Of)
		list(item.String())
	}
	return o.String()
}

// sample is a value that a field takes.
func sample(f standard.Field) any {
	switch f.Kind {
	case standard.Texts:
		return []any{"some text"}
	case standard.Enum:
		return f.Words[0]
	case standard.Enums:
		return []any{f.Words[0]}
	case standard.Flag:
		return false
	case standard.Enforced:
		return true
	case standard.Count, standard.Percent:
		return 1
	case standard.Amount:
		return 0.5
	case standard.Date:
		return "2026-11-30"
	case standard.Place:
		return "docs/x"
	case standard.Table:
		return samples(f.Of)
	case standard.Entries:
		return []any{samples(f.Of)}
	}
	return "a"
}

func samples(fields []standard.Field) map[string]any {
	m := map[string]any{}
	for _, f := range fields {
		m[f.Key] = sample(f)
	}
	return m
}

// fault is a way to break a field, with the end of the check's id
// and whether a schema can say it too.
type fault struct {
	suffix string
	value  any
	schema bool
}

func faultsOf(f standard.Field) []fault {
	list := []fault{}
	if !f.Optional {
		list = append(list, fault{"_missing", nil, true}, fault{"_missing", "", true})
	}
	bad := func(values ...any) {
		for _, v := range values {
			list = append(list, fault{"_invalid", v, true})
		}
	}
	switch f.Kind {
	case standard.Text:
		bad([]any{"a"}, map[string]any{"a": 1}, "  ")
	case standard.Texts:
		bad("a", []any{map[string]any{}}, []any{""})
		if !f.Empty {
			bad([]any{})
		}
	case standard.Enum:
		bad("nope", []any{f.Words[0]})
	case standard.Enums:
		bad(f.Words[0], []any{"nope"})
		if !f.Empty {
			bad([]any{})
		}
	case standard.Flag:
		bad("yes", 1)
	case standard.Enforced:
		bad("true", 1)
		list = append(list, fault{"_required", false, true})
	case standard.Count:
		bad(0, -1, 1.5, "1")
	case standard.Percent:
		bad(0, 101, "50")
	case standard.Amount:
		bad(-0.5, "1", []any{1})
	case standard.Date:
		bad("soon", "2026-13-01", []any{"2026-11-30"})
		list = append(list, fault{"_invalid", "2026-02-30", false})
	case standard.Place:
		bad([]any{"docs"})
		for _, p := range []string{"../x", "/etc/passwd", "~/x", `C:\x`, "docs/../../x", `..\x`} {
			list = append(list, fault{"_outside_root", p, true})
		}
	case standard.Reference:
		bad([]any{"a"})
		list = append(list, fault{"_unknown", "nobody", false})
	case standard.Table:
		bad("a", []any{})
	case standard.Entries:
		bad("a", []any{"a"})
		if !f.Empty {
			bad([]any{})
		}
		one := samples(f.Of)
		if one["id"] != nil {
			list = append(list, fault{".id_duplicate", []any{one, samples(f.Of)}, false})
		}
	}
	return list
}

// Each check of each control finds its fault, at a line of its file; the
// schema refuses what a schema can say.
func TestControlChecks(t *testing.T) {
	dir := t.TempDir()
	f, err := standard.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := os.MkdirAll(filepath.Join(dir, filepath.FromSlash(standard.Dir)), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range standard.Controls() {
		t.Run(c.Name(), func(t *testing.T) {
			s, file := compile(t, c.Name()), filepath.Join(dir, filepath.FromSlash(c.Path()))
			defer os.Remove(file)
			// found are the checks of the file, by id.
			found := func(doc map[string]any) (map[string]standard.Check, bool) {
				text, err := yaml.Marshal(doc)
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, text, 0o644); err != nil {
					t.Fatal(err)
				}
				ids := map[string]standard.Check{}
				for _, check := range f.Verify(standard.Options{}).Checks {
					if check.Path == c.Path() {
						ids[check.ID] = check
					}
				}
				return ids, s.Validate(value(t, string(text))) == nil
			}
			whole := func() map[string]any { return samples(c.Fields) }
			if ids, valid := found(whole()); len(ids) > 0 || !valid {
				t.Fatalf("the sample: %v, valid for the schema: %t", ids, valid)
			}
			provoked := map[string]bool{}
			try := func(id string, doc map[string]any, refused bool) {
				ids, valid := found(doc)
				check, ok := ids[id]
				if !ok {
					t.Errorf("%s is not found in %v: %v", id, doc, ids)
					return
				}
				if check.Line == 0 || check.Text.FR == "" || check.Text.EN == "" {
					t.Errorf("%+v", check)
				}
				if valid == refused {
					t.Errorf("%s: valid for the schema: %t, in %v", id, valid, doc)
				}
				provoked[id] = true
			}
			other, unknown := whole(), whole()
			other["$schema"], unknown["surprise"] = "someone-elses/v1", 1
			try(c.Family+"format_unknown", other, false)
			try(c.Family+"key_unknown", unknown, false)
			// at gives the mapping that a field stands in, in a new document.
			var walk func(prefix string, fields []standard.Field, at func() (doc, m map[string]any))
			walk = func(prefix string, fields []standard.Field, at func() (doc, m map[string]any)) {
				for _, field := range fields {
					for _, wrong := range faultsOf(field) {
						doc, m := at()
						if m[field.Key] = wrong.value; wrong.value == nil {
							delete(m, field.Key)
						}
						try(prefix+field.Key+wrong.suffix, doc, wrong.schema)
					}
					walk(prefix+field.Key+".", field.Of, func() (doc, m map[string]any) {
						doc, m = at()
						switch in := m[field.Key].(type) {
						case map[string]any:
							return doc, in
						case []any:
							return doc, in[0].(map[string]any)
						}
						return doc, nil
					})
				}
			}
			walk(c.Family, c.Fields, func() (doc, m map[string]any) { doc = whole(); return doc, doc })
			for _, id := range c.Checks() {
				if !provoked[id] {
					t.Errorf("%s is provoked by nothing", id)
				}
			}
			for id := range provoked {
				if !slices.Contains(c.Checks(), id) {
					t.Errorf("%s is not listed", id)
				}
			}
		})
	}
}

// A project with any selection verifies as it comes, and its files are what
// their schemas ask for.
func TestSelectionsVerify(t *testing.T) {
	choices := map[string]enrol.Options{"all": {Selection: standard.Selection{Memory: []string{"redis"}}}}
	for _, c := range standard.Patterns() {
		choices[c.Type] = enrol.Options{Selection: standard.Selection{Patterns: []string{c.Type}}}
		all := choices["all"]
		all.Selection.Patterns = append(all.Selection.Patterns, c.Type)
		choices["all"] = all
	}
	for _, n := range standard.Needs() {
		choices[n.ID] = enrol.Options{Selection: standard.Selection{Needs: []string{n.ID}}}
	}
	for name, o := range choices {
		for _, l := range []surface.Language{surface.French, surface.English} {
			o.Language, o.Now, o.Project = l, time.Now(), "a \"b\": 'c' #d"
			dir := t.TempDir()
			plan, err := enrol.Prepare(dir, o)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := plan.Apply(); err != nil {
				t.Fatal(err)
			}
			_ = plan.Close()
			f, err := standard.Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			v := f.Verify(standard.Options{})
			_ = f.Close()
			for _, c := range o.Selection.Controls() {
				if !slices.Contains(v.Present, c.Path()) {
					t.Errorf("%s: %s is not there", name, c.Path())
				}
			}
			if n := len(o.Selection.Controls()); n == 0 || !v.OK() {
				t.Errorf("%s, %s: %d controls, missing %v, checks %v", name, l, n, v.Missing, v.Checks)
			}
			for _, check := range v.Checks {
				if !strings.HasPrefix(check.ID, "evidence.") && !strings.HasPrefix(check.ID, "compliance.") && check.ID != "providers.none_enabled" {
					t.Errorf("%s, %s: %s: %s", name, l, check.ID, check.Text.EN)
				}
			}
			files, _ := filepath.Glob(filepath.Join(dir, filepath.FromSlash(standard.Dir), "*.yaml"))
			for _, file := range files {
				data, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				schemaName := strings.TrimSuffix(filepath.Base(file), ".yaml")
				if err := compile(t, schemaName).Validate(value(t, string(data))); err != nil {
					t.Errorf("%s, %s, %s: %v", name, l, schemaName, err)
				}
				if first, _, _ := strings.Cut(string(data), "\n"); first != "# yaml-language-server: $schema="+schema.URL(schemaName) {
					t.Errorf("%s begins with %q", schemaName, first)
				}
			}
		}
	}
}
