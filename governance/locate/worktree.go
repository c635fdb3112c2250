package locate

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/grimoire-kit/grimoire/surface"
)

// What makes a project one whose tasks its linked worktrees share: it follows
// the standard, or has a ledger.
var shares = []string{
	Folder + "/standard/standard-profile.yaml",
	Folder + "/standard/task-board.yaml",
	"_grimoire-runtime-output/ledger/events.jsonl",
}

// maxPointer bounds what is read of a file by which git points to another, in
// bytes.
const maxPointer = 8 << 10

// LinkError is a .git file that should name a worktree's records and does not.
type LinkError struct {
	Path string // of the .git file
	said surface.Text
}

func (e *LinkError) Error() string { return e.Text().EN }

// Text is the message in both languages.
func (e *LinkError) Text() surface.Text {
	at := surface.Shown(e.Path)
	return surface.Text{FR: at + " : " + e.said.FR, EN: at + ": " + e.said.EN}
}

// Main is the project in the main worktree of which dir holds a copy: dir is a
// project, or a folder without one, in a worktree that `git worktree add` made.
// It is "" anywhere else: in a main worktree, a submodule, a worktree of a
// repository without a main one, and where the main one holds no project that
// shares its tasks.
//
// A .git that is a file says that there may be another worktree; nothing is
// read where it is a folder. What it says is not believed by itself, since it
// may have come in an archive: the records that it names must lie in the .git
// folder of the main worktree (worktrees/<id>), and the back pointer in them
// must name this very .git file, as git wrote it. Whoever can write there owns
// the main project already. A pointer that leads nowhere or does not point back
// is a *LinkError.
func Main(dir string) (string, error) {
	main, rel, err := counterpart(dir)
	if main == "" || err != nil {
		return "", err
	}
	for own := isProject(dir); ; {
		at := filepath.Join(main, rel)
		if real, err := filepath.EvalSymlinks(at); err == nil && real == at { // a link is another folder than this one's copy
			for _, name := range shares {
				if info, err := os.Stat(filepath.Join(at, filepath.FromSlash(name))); err == nil && info.Mode().IsRegular() {
					return at, nil
				}
			}
		}
		if own || rel == "." {
			return "", nil
		}
		rel = filepath.Dir(rel)
	}
}

// Copies reports whether dir is the folder that stands for the project at main
// in a linked worktree of its repository.
func Copies(dir, main string) bool {
	top, rel, err := counterpart(dir)
	if top == "" || err != nil || filepath.Join(top, rel) != main {
		return false
	}
	info, err := os.Lstat(dir)
	return err == nil && info.IsDir()
}

// counterpart is the main worktree of the linked one that holds dir, and the
// path of dir in it; main is "" where dir is in no linked worktree.
func counterpart(dir string) (main, rel string, err error) {
	top, dotGit := dir, ""
	for ; ; top = filepath.Dir(top) {
		dotGit = filepath.Join(top, ".git")
		if info, err := os.Lstat(dotGit); err == nil {
			if !info.Mode().IsRegular() {
				return "", "", nil
			}
			break
		}
		if filepath.Dir(top) == top {
			return "", "", nil
		}
	}
	common, err := commonDir(dotGit)
	if err != nil || common == "" || filepath.Base(common) != ".git" {
		return "", "", err
	}
	rel, err = filepath.Rel(top, dir)
	return filepath.Dir(common), rel, err
}

// commonDir is the folder of the repository whose linked worktree a .git file
// belongs to, with its links resolved; "" where it is no linked worktree's.
func commonDir(dotGit string) (string, error) {
	wrong := func(fr, en string) error { return &LinkError{dotGit, surface.Text{FR: fr, EN: en}} }
	text, err := pointer(dotGit)
	if err != nil {
		return "", wrong("ne se lit pas", "it cannot be read")
	}
	to, ok := strings.CutPrefix(text, "gitdir: ")
	if !ok || to == "" || strings.ContainsAny(to, "\x00\n") {
		return "", wrong("« gitdir: <dossier> » était attendu", "\"gitdir: <folder>\" was expected")
	}
	shown := surface.Shown(to)
	records, err := filepath.EvalSymlinks(from(filepath.Dir(dotGit), to))
	if err != nil {
		return "", wrong("nomme "+shown+", qui n'est pas là ; `git worktree repair`, lancé dans l'arbre principal, refait le lien",
			"it names "+shown+", which is not there; `git worktree repair`, run in the main worktree, mends the link")
	}
	up, err := pointer(filepath.Join(records, "commondir"))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil // a submodule, or a repository kept elsewhere
	}
	common := filepath.Dir(filepath.Dir(records))
	if named, wrongLink := filepath.EvalSymlinks(from(records, up)); err != nil || wrongLink != nil || named != common || filepath.Base(filepath.Dir(records)) != "worktrees" {
		return "", wrong("nomme "+shown+", qui n'est pas le dossier d'un arbre de travail de git", "it names "+shown+", which is no folder of a worktree of git")
	}
	back, err := pointer(filepath.Join(records, "gitdir"))
	if err == nil {
		back = from(records, back)
		folder, gone := filepath.EvalSymlinks(filepath.Dir(back))
		here, lost := filepath.EvalSymlinks(filepath.Dir(dotGit))
		if gone == nil && lost == nil && folder == here && filepath.Base(back) == ".git" {
			return common, nil
		}
	}
	return "", wrong("nomme "+shown+", qui appartient à un autre arbre de travail ; si celui-ci a été déplacé, `git worktree repair` refait le lien",
		"it names "+shown+", which belongs to another worktree; if this one was moved, `git worktree repair` mends the link")
}

// from is a path as it stands in a file of that folder.
func from(folder, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(folder, filepath.FromSlash(path))
}

// pointer is the line of a small regular file.
func pointer(name string) (string, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() || info.Size() > maxPointer {
		return "", errors.Join(err, errors.New("not a pointer of git"))
	}
	text, err := io.ReadAll(io.LimitReader(f, maxPointer))
	return strings.TrimRight(string(text), "\r\n"), err
}
