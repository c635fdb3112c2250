package tree

import (
	"errors"
	"io/fs"
	"syscall"

	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

// reason is a sentinel error in both languages.
type reason struct{ surface.Text }

func (r *reason) Error() string { return r.EN }

func newReason(fr, en string) error { return &reason{surface.Text{FR: fr, EN: en}} }

// The reasons a Fault can have.
var (
	ErrIllegalPath = newReason(
		"chemin non admis : il doit être relatif, normalisé, en `/`, valable sur tous les systèmes",
		"illegal path: it must be relative, clean, slash-separated and valid on every system")
	ErrGitDirectory = newReason(
		"mène dans le dossier de git, où rien ne s'écrit",
		"leads into git's directory, where nothing is written")
	ErrOutside = newReason(
		"un lien symbolique mène hors du projet",
		"a symbolic link leads outside the project")
	ErrElsewhere = newReason(
		"est hors du projet",
		"is outside the project")
	ErrLinkLoop = newReason(
		"les liens symboliques tournent en rond",
		"the symbolic links loop")
	ErrBrokenLink = newReason(
		"un lien symbolique traverse un dossier qui n'existe pas",
		"a symbolic link goes through a directory that does not exist")
	ErrAbsent = newReason(
		"n'existe pas",
		"does not exist")
	ErrNotDirectory = newReason(
		"un élément du chemin n'est pas un dossier",
		"a part of the path is not a directory")
	ErrDirectory = newReason(
		"est un dossier",
		"is a folder")
	ErrNotRegular = newReason(
		"n'est pas un fichier ordinaire",
		"is not a regular file")
	ErrTooLarge = newReason(
		"dépasse la taille que grimoire accepte de lire (16 Mio)",
		"is larger than grimoire reads (16 MiB)")
	ErrUnreadable = newReason(
		"ne peut pas être lu",
		"cannot be read")
	ErrReadOnly = newReason(
		"est en lecture seule ; rends-le modifiable (chmod u+w) puis recommence",
		"is read-only; make it writable (chmod u+w), then try again")
	ErrReadOnlyDirectory = newReason(
		"son dossier est en lecture seule ; rends-le modifiable (chmod u+w) puis recommence",
		"its directory is read-only; make it writable (chmod u+w), then try again")
	ErrForeignOwner = newReason(
		"appartient à un autre utilisateur du système ; le remplacer changerait son propriétaire",
		"belongs to another user of the system; replacing it would change its owner")
	ErrChanged = newReason(
		"a changé pendant la synchronisation ; relance-la",
		"changed while syncing; run it again")
	ErrDiskFull = newReason(
		"le disque est plein (ou la limite de taille est atteinte)",
		"the disk is full (or a size limit is reached)")
	ErrWrite = newReason(
		"n'a pas pu être écrit",
		"could not be written")
)

// Fault says why one path could not be read or replaced. errors.Is finds its
// Reason and its Cause.
type Fault struct {
	Path   string // project-relative, as it was asked for
	Reason error  // one of the Err variables
	Cause  error  // the system's error, or nil
}

func (f *Fault) Error() string { return f.Path + ": " + f.Text().EN }

func (f *Fault) Unwrap() []error { return []error{f.Reason, f.Cause} }

// Text is the fault in words, without its path.
func (f *Fault) Text() surface.Text {
	text := surface.Text{FR: f.Reason.Error(), EN: f.Reason.Error()}
	var r *reason
	if errors.As(f.Reason, &r) {
		text = r.Text
	}
	if f.Cause != nil {
		cause := fault.Cause(f.Cause) // the path is said already, and a temporary's name helps nobody
		text.FR += " (" + cause.FR + ")"
		text.EN += " (" + cause.EN + ")"
	}
	return text
}

// writeFault gives a failed system call its most telling reason.
func writeFault(path string, err error) error {
	f := &Fault{Path: path, Reason: ErrWrite, Cause: err}
	switch {
	case isDiskFull(err):
		f.Reason = ErrDiskFull
	case errors.Is(err, syscall.EROFS), errors.Is(err, fs.ErrPermission):
		f.Reason = ErrReadOnlyDirectory
	}
	return f
}
