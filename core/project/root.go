package project

import "github.com/grimoire-kit/grimoire/governance/locate"

// ConfigFile is the file that describes a project; Folder holds its personas.
const (
	ConfigFile = locate.ConfigFile
	Folder     = locate.Folder
)

// FindRoot is the folder of the project around dir; see locate.Project.
func FindRoot(dir string) (root string, ok bool) { return locate.Project(dir) }

// GitRoot is the root of the git repository around dir; see locate.GitRoot.
func GitRoot(dir string) string { return locate.GitRoot(dir) }
