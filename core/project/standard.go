package project

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/grimoire-kit/grimoire/governance/standard"
	"github.com/grimoire-kit/grimoire/surface"
)

// Either file enrols a project in the standard; the first says how strictly.
const (
	profileFile = standard.ProfileFile
	boardFile   = standard.BoardFile
)

// IsEnrolled reports whether the project at root is enrolled in the standard.
func IsEnrolled(root string) bool {
	for _, name := range []string{profileFile, boardFile} {
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(name))); err == nil {
			return true
		}
	}
	return false
}

// enrolment reads whether the project is enrolled, and its profile as every
// reader of the file does.
func (l *loader) enrolment() (enrolled bool, profile surface.Profile) {
	text, err := l.tree.read(profileFile)
	if errors.Is(err, fs.ErrNotExist) {
		return l.tree.exists(boardFile) == nil, surface.ProfileStarter
	}
	follows := standard.ReadProfile([]byte(text), err)
	switch {
	case follows.Wrong.EN != "":
		l.warn(Warning{Path: profileFile, Line: follows.Line, Text: surface.Text{
			FR: follows.Wrong.FR + " ; le profil est tenu pour governed d'ici là", EN: follows.Wrong.EN + "; the profile is held to be governed until then"}})
		l.project.ProfileUnread = true
	case !follows.Declared:
		l.warn(Warning{Path: profileFile, Text: surface.Text{
			FR: "la clé profile manque ; le profil est donc starter", EN: "the key profile is missing; so the profile is starter"}})
	}
	return true, follows.Profile
}
