package pluginsdk

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"
	"text/template"

	"github.com/Masterminds/sprig/v3"

	"github.com/grimoire-kit/grimoire/surface"
)

// Templates are the texts of one emitter. `templates/<name>.tmpl` is the same
// in every language; `templates/fr/<name>.tmpl` and `templates/en/<name>.tmpl`
// come in pairs.
type Templates struct {
	parse func() (*template.Template, error)
}

// NewTemplates returns the texts of every *.tmpl file under templates/ of fsys.
// They are read at the first Render, so that a program which holds many emitters
// pays for the one it serves. Functions are sprig's hermetic map: no clock, no
// environment, no random. A key that the data does not have is an error, never an
// empty string.
func NewTemplates(fsys fs.FS) *Templates {
	return &Templates{sync.OnceValues(func() (*template.Template, error) { return parseTemplates(fsys) })}
}

func parseTemplates(fsys fs.FS) (*template.Template, error) {
	set := template.New("").Option("missingkey=error").Funcs(sprig.HermeticTxtFuncMap())
	err := fs.WalkDir(fsys, "templates", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".tmpl" {
			return err
		}
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		key := strings.TrimSuffix(strings.TrimPrefix(name, "templates/"), ".tmpl")
		if _, err := set.New(key).Parse(string(text)); err != nil {
			return fmt.Errorf("parse %s: %w", name, err)
		}
		return nil
	})
	return set, err
}

// Render executes the template called name in language l, or the one that
// serves every language.
func (t *Templates) Render(l surface.Language, name string, data any) ([]byte, error) {
	set, err := t.parse()
	if err != nil {
		return nil, err
	}
	tmpl := set.Lookup(string(l) + "/" + name)
	if tmpl == nil {
		tmpl = set.Lookup(name)
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
