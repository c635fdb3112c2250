package prose_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// Every emitter says everything in both languages: the same templates, with
// the same actions in the same order.
func TestTemplatesOfBothLanguages(t *testing.T) {
	folders, err := filepath.Glob("../*/templates")
	if err != nil || len(folders) == 0 {
		t.Fatalf("no templates found: %v", err)
	}
	for _, folder := range folders {
		fr, en := actions(t, filepath.Join(folder, "fr")), actions(t, filepath.Join(folder, "en"))
		for name := range fr {
			if _, ok := en[name]; !ok {
				t.Errorf("%s/en/%s is missing", folder, name)
			}
		}
		for name, want := range en {
			got, ok := fr[name]
			if !ok {
				t.Errorf("%s/fr/%s is missing", folder, name)
				continue
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: %s has other actions in French:\n%q\nthan in English:\n%q", folder, name, got, want)
			}
		}
	}
}

var action = regexp.MustCompile(`\{\{-?\s*(.*?)\s*-?\}\}`)

// actions maps each template under dir to its actions.
func actions(t *testing.T, dir string) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	if _, err := os.Stat(dir); err != nil {
		return out
	}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		found := []string{}
		for _, m := range action.FindAllStringSubmatch(string(text), -1) {
			found = append(found, m[1])
		}
		out[name] = found
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
