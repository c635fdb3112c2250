package standard_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/surface"
)

// Whatever a file of the standard holds, the look at it ends, in checks with a
// text in both languages and a line that the file has.
func FuzzVerify(f *testing.F) {
	archive, err := txtar.ParseFile("testdata/existing_kit.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range archive.Files {
		f.Add(file.Name, string(file.Data))
	}
	for name, text := range map[string]string{
		gates: "a: &a [*a]\n", memory: "? [x]\n: y\n", envelope: "|  |  |  |  |  |\n", score: "dimensions: {artifacts: 9223372036854775807}\n",
		standard.BoardFile: "tasks: [{task_id: ../x, status: blocked}]\n", knowledge: "sources: [{enabled: true, type: folder, locator: \"C:\\\\x\"}]\n",
		providers: "\ufeffproviders: [[], {}]\n", standard.JournalFile: "{\n",
	} {
		f.Add(name, text)
	}
	paths := map[string]bool{standard.ProfileFile: true, standard.JournalFile: true, standard.SelectionFile: true}
	for _, c := range standard.Controls() {
		f.Add(c.Path(), "? [x]\n: y\nlevels: &a [*a, {id: &b {}, max_files: 9223372036854775808}]\n")
		paths[c.Path()] = true
	}
	f.Add(standard.SelectionFile, "needs: &a [*a, web-ui]\npatterns: *a\n")
	for _, a := range standard.Artifacts(surface.ProfileProduction) {
		paths[a.Path(standard.Bootstrap)] = true
	}
	dir := f.TempDir()
	folder, err := standard.Open(dir)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = folder.Close() })
	f.Fuzz(func(t *testing.T, name, text string) {
		if !paths[name] {
			t.Skip()
		}
		put(t, dir, name, text)
		defer func() { _ = os.Remove(filepath.Join(dir, filepath.FromSlash(name))) }()
		s := folder.Score(standard.Options{Profile: surface.ProfileProduction})
		if s.Score < 0 || s.Score > 100 {
			t.Errorf("score %d", s.Score)
		}
		for _, c := range s.Verification.Checks {
			if c.ID == "" || c.Text.FR == "" || c.Text.EN == "" || filepath.IsAbs(c.Path) || c.Line < 0 {
				t.Errorf("check %+v", c)
			}
		}
		tasks, err := folder.Tasks()
		if err != nil {
			return
		}
		if _, err := folder.CheckGate(tasks, standard.GateOptions{}); err != nil {
			t.Errorf("gate: %v", err)
		}
	})
}
