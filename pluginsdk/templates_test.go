package pluginsdk

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/grimoire-kit/grimoire/surface"
)

func TestTemplates(t *testing.T) {
	files := func(texts map[string]string) fstest.MapFS {
		fsys := fstest.MapFS{}
		for name, text := range texts {
			fsys["templates/"+name] = &fstest.MapFile{Data: []byte(text)}
		}
		return fsys
	}
	good := NewTemplates(files(map[string]string{
		"both.tmpl": "{{.Name | upper}}", "fr/own.tmpl": "bonjour", "en/own.tmpl": "hello", "README.md": "{{",
	}))
	for name, c := range map[string]struct {
		templates    *Templates
		language     surface.Language
		template     string
		want, saying string
	}{
		"every language":   {good, surface.French, "both", "SCRIBE", ""},
		"french":           {good, surface.French, "own", "bonjour", ""},
		"english":          {good, surface.English, "own", "hello", ""},
		"unknown template": {good, surface.English, "other", "", `render other: no such template in language "en"`},
		"missing key":      {NewTemplates(files(map[string]string{"a.tmpl": "{{.Nope}}"})), surface.English, "a", "", "Nope"},
		"no clock":         {NewTemplates(files(map[string]string{"a.tmpl": "{{now}}"})), surface.English, "a", "", "parse templates/a.tmpl"},
		"broken":           {NewTemplates(files(map[string]string{"a.tmpl": "{{"})), surface.English, "a", "", "parse templates/a.tmpl"},
	} {
		for range 2 { // an error does not go away
			got, err := c.templates.Render(c.language, c.template, map[string]string{"Name": "scribe"})
			switch {
			case c.saying == "" && (err != nil || string(got) != c.want):
				t.Errorf("%s: %q, %v", name, got, err)
			case c.saying != "" && (err == nil || !strings.Contains(err.Error(), c.saying)):
				t.Errorf("%s: error %v, want one with %q", name, err, c.saying)
			}
		}
	}
}
