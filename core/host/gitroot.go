package host

import (
	"github.com/grimoire-kit/grimoire/core/project"
	"github.com/grimoire-kit/grimoire/surface"
)

// BelowGitRoot is the remark on a project in a sub-folder of a git repository,
// which two hosts load their files past; false for any other.
func BelowGitRoot(root string) (surface.Text, bool) {
	if top := project.GitRoot(root); top == "" || top == root {
		return surface.Text{}, false
	}
	return surface.Text{
		FR: "Ce projet est dans un sous-dossier d'un dépôt git : GitHub Copilot et Codex chargent leurs fichiers depuis la racine du dépôt, pas d'ici.",
		EN: "This project is in a sub-folder of a git repository: GitHub Copilot and Codex load their files from the repository's root, not from here.",
	}, true
}
