package scaffold

import (
	"os"
	"path/filepath"

	"github.com/grimoire-kit/grimoire/surface"
)

// HomeError says that a folder is no place for a project: hosts read the files
// of the user's home, and of the disk's root, in every project.
type HomeError struct{ Dir string }

func (e *HomeError) Error() string { return e.Text().EN }

// Text is the message in both languages.
func (e *HomeError) Text() surface.Text {
	return surface.Text{
		FR: e.Dir + " n'est pas un projet : ce que les hôtes y lisent vaut pour tous tes projets. Va dans le dossier du projet, ou nomme-le avec --project-root.",
		EN: e.Dir + " is not a project: what hosts read there acts on every project of yours. Go to the project's folder, or name it with --project-root.",
	}
}

// refuseHome turns down the user's home and the root of a disk. root is a
// physical path.
func refuseHome(root string) error {
	if filepath.Dir(root) == root {
		return &HomeError{root}
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return nil // a machine without homes
	}
	if physical, err := filepath.EvalSymlinks(home); err == nil && physical == root {
		return &HomeError{root}
	}
	return nil
}
