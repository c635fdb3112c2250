package observe

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/governance/command"
	"github.com/grimoire-kit/grimoire/governance/locate"
)

// needs are the files of which a program has to find one, in the folder where
// it starts or above, before it checks anything.
var needs = map[string][]string{
	"npm":   {"package.json"},
	"pnpm":  {"package.json"},
	"yarn":  {"package.json"},
	"bun":   {"package.json"},
	"cargo": {"Cargo.toml"},
	"go":    {"go.mod", "go.work"},
}

// lost reports whether the program of a check finds no file that it needs. One
// that is told where to look, or which files to take, is believed.
func (at Place) lost(kind string, p command.Program) bool {
	name, _, _ := strings.Cut(kind, " ")
	files := needs[name]
	if len(files) == 0 || name == "bun" && (len(p.Args) == 0 || p.Args[0].Text != "run") { // its own tests need none
		return false
	}
	for _, a := range p.Args {
		option, _, _ := option(a.Text)
		if slices.Contains([]string{"prefix", "C", "dir", "cwd", "manifest-path"}, option) || name == "go" && strings.HasSuffix(a.Text, ".go") {
			return false
		}
	}
	top := locate.GitRoot(at.Root) // a package may be larger than the project in it
	for dir := at.Dir; ; dir = filepath.Dir(dir) {
		for _, file := range files {
			if info, err := os.Stat(filepath.Join(dir, file)); err == nil && info.Mode().IsRegular() {
				return false
			}
		}
		if dir == top || top == "" && dir == at.Root || dir == filepath.Dir(dir) {
			return true
		}
	}
}
