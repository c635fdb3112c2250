package pluginsdk

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig/v3"

	"github.com/grimoire-kit/grimoire/surface"
)

// Templates are the texts of one emitter. `templates/<name>.tmpl` is the same
// in every language; `templates/fr/<name>.tmpl` and `templates/en/<name>.tmpl`
// come in pairs.
type Templates struct {
	set *template.Template
}

// ParseTemplates reads every *.tmpl file under templates/ of fsys. Functions
// are sprig's hermetic map: no clock, no environment, no random. A key that
// the data does not have is an error, never an empty string.
func ParseTemplates(fsys fs.FS) (*Templates, error) {
	t := &Templates{set: template.New("").Option("missingkey=error").Funcs(sprig.HermeticTxtFuncMap())}
	err := fs.WalkDir(fsys, "templates", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".tmpl" {
			return err
		}
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		key := strings.TrimSuffix(strings.TrimPrefix(name, "templates/"), ".tmpl")
		if _, err := t.set.New(key).Parse(string(text)); err != nil {
			return fmt.Errorf("parse %s: %w", name, err)
		}
		return nil
	})
	return t, err
}

// MustParseTemplates is ParseTemplates for templates embedded in a binary,
// where an error is the author's own.
func MustParseTemplates(fsys fs.FS) *Templates {
	t, err := ParseTemplates(fsys)
	if err != nil {
		panic(err)
	}
	return t
}

// Render executes the template called name in language l, or the one that
// serves every language.
func (t *Templates) Render(l surface.Language, name string, data any) ([]byte, error) {
	tmpl := t.set.Lookup(string(l) + "/" + name)
	if tmpl == nil {
		tmpl = t.set.Lookup(name)
	}
	if tmpl == nil {
		return nil, fmt.Errorf("render %s: no such template in language %q", name, l)
	}
	var b bytes.Buffer
	if err := tmpl.Execute(&b, data); err != nil {
		return nil, fmt.Errorf("render %s: %w", name, err)
	}
	return b.Bytes(), nil
}
