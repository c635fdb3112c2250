package project

import (
	"os"
	"path/filepath"

	"github.com/grimoire-kit/grimoire/governance/locate"
	"github.com/grimoire-kit/grimoire/surface"
)

// ConfigFile is the file that describes a project; Folder holds its personas.
const (
	ConfigFile = locate.ConfigFile
	Folder     = locate.Folder
)

// FindRoot is the folder of the project around dir; see locate.Project.
func FindRoot(dir string) (root string, ok bool) { return locate.Project(dir) }

// GitRoot is the root of the git repository around dir; see locate.GitRoot.
func GitRoot(dir string) string { return locate.GitRoot(dir) }

// misnamedConfig is what people also call ConfigFile; nothing reads it.
const misnamedConfig = "project-context.yml"

// Misnamed tells of a file in dir that its author takes for ConfigFile.
func Misnamed(dir string) (Warning, bool) {
	there := func(name string) bool {
		_, err := os.Lstat(filepath.Join(dir, name))
		return err == nil
	}
	switch {
	case !there(misnamedConfig):
		return Warning{}, false
	case there(ConfigFile):
		return Warning{Path: misnamedConfig, Text: surface.Text{
			FR: "n'est pas lu : " + ConfigFile + " l'est", EN: "is not read: " + ConfigFile + " is"}}, true
	}
	return Warning{Path: misnamedConfig, Text: surface.Text{
		FR: "n'est pas lu : grimoire lit " + ConfigFile + ", renomme-le", EN: "is not read: grimoire reads " + ConfigFile + ", rename it"}}, true
}
