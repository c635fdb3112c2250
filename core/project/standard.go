package project

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/fault"
	"github.com/grimoire-kit/grimoire/surface/frontmatter"
)

// Either file enrols a project in the standard; the first says how strictly.
const (
	profileFile = Folder + "/standard/standard-profile.yaml"
	boardFile   = Folder + "/standard/task-board.yaml"
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

// enrolment reads whether the project is enrolled, and its profile. A profile
// that cannot be read is the weakest, as for every other reader of the file,
// but not in silence.
func (l *loader) enrolment() (enrolled bool, profile surface.Profile) {
	text, err := l.tree.read(profileFile)
	if errors.Is(err, fs.ErrNotExist) {
		return l.tree.exists(boardFile) == nil, surface.ProfileStarter
	}
	weakest := func(line int, fr, en string) (bool, surface.Profile) {
		l.warn(Warning{Path: profileFile, Line: line, Text: surface.Text{
			FR: fr + " ; le profil est donc starter", EN: en + "; so the profile is starter"}})
		return true, surface.ProfileStarter
	}
	if err != nil {
		why := fault.Text(err)
		return weakest(0, why.FR, why.EN)
	}
	fields, wrong := frontmatter.Parse(text, 1)
	if wrong != nil {
		return weakest(wrong.Line, wrong.Text.FR, wrong.Text.EN)
	}
	f, ok := fields["profile"]
	if !ok {
		return weakest(0, "la clé profile manque", "the key profile is missing")
	}
	s, _ := f.Scalar()
	if p := surface.Profile(s); p.Rank() >= 0 {
		return true, p
	}
	return weakest(f.Line, "le profil "+surface.Quoted(s)+" n'existe pas", "there is no profile "+surface.Quoted(s))
}
