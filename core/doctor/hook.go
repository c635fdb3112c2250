package doctor

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/core/plugin"
	"github.com/grimoire-kit/grimoire/surface"
)

// hookProgram is what every hook line runs.
const hookProgram = "grimoire-hook"

// hookRemedy installs it.
const hookRemedy = "go install github.com/grimoire-kit/grimoire/cmd/...@latest"

// hookFolders are where a hook's line looks behind PATH
// (pluginsdk.HookCommand), in its order. Home-relative ones start with "~/".
var hookFolders = []string{"~/go/bin", "~/.local/bin", "/usr/local/bin", "/opt/homebrew/bin"}

// hook checks that the program which decides can be found and run, as the
// emitted hook lines look for it.
func (e *examination) hook() []Check {
	called := slices.ContainsFunc(e.hosts, func(h plugin.Host) bool { return len(h.Profile.HookEvents) > 0 })
	if !called {
		return nil
	}
	const name = "hook_program"
	var blocked []finding
	for _, dir := range e.hookPath() {
		file := filepath.Join(dir, hookProgram)
		info, err := os.Stat(file)
		switch {
		case err != nil || info.IsDir():
		case info.Mode().Perm()&0o111 == 0:
			blocked = append(blocked, finding{failure, surface.Text{
				FR: file + " n'est pas exécutable ; chmod +x " + file,
				EN: file + " is not executable; chmod +x " + file}})
		default:
			return []Check{conclude(name, nil, surface.Text{FR: file, EN: file})}
		}
	}
	if blocked == nil {
		blocked = []finding{{failure, surface.Text{
			FR: hookProgram + " est introuvable : aucune règle n'est appliquée, ou tout outil est refusé selon le profil ; " + hookRemedy,
			EN: hookProgram + " is nowhere to be found: no rule is applied, or every tool is refused, by profile; " + hookRemedy}}}
	}
	return []Check{conclude(name, blocked, surface.Text{})}
}

// hookPath lists the folders a hook's line looks into. Relative entries of PATH
// are left out: they would be others in every folder a host starts from.
func (e *examination) hookPath() []string {
	dirs := filepath.SplitList(orElse(e.Getenv("PATH"), "/usr/bin:/bin"))
	if dir := e.Getenv("GOBIN"); dir != "" {
		dirs = append(dirs, dir)
	}
	home := e.Getenv("HOME")
	for _, dir := range hookFolders {
		if below, ok := strings.CutPrefix(dir, "~/"); ok {
			if home == "" {
				continue
			}
			dir = filepath.Join(home, below)
		}
		dirs = append(dirs, dir)
	}
	return slices.DeleteFunc(dirs, func(dir string) bool { return !filepath.IsAbs(dir) })
}
