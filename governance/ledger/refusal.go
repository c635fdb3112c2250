package ledger

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

// What a Refusal is about, for errors.Is.
var (
	ErrID             = errors.New("invalid id")
	ErrUnknownTask    = errors.New("unknown task")
	ErrUnknownMission = errors.New("unknown mission")
	ErrExists         = errors.New("already exists")
	ErrIncomplete     = errors.New("incomplete")
	ErrTooLong        = errors.New("too long")
	// ErrIllegal is a move that the table of states does not have.
	ErrIllegal = errors.New("illegal transition")
	// ErrChanged is a move judged on a state that is no longer so.
	ErrChanged = errors.New("state changed meanwhile")
	// ErrHeld is a task that is another's.
	ErrHeld = errors.New("held by another")
	// ErrEpoch is an act on a lease that has been given anew since.
	ErrEpoch = errors.New("stale lease")

	// ErrBusy is a lock that did not come free in time.
	ErrBusy = errors.New("ledger locked by another process")
	// ErrNoLock is a file system that has no locks.
	ErrNoLock = errors.New("no lock")
	// ErrMoved is a log that no longer ends, or no longer reads, where the
	// caller saw it.
	ErrMoved = errors.New("the log has moved")
)

// Refusal is a change that the ledger does not make, and then nothing is
// written. It says why in both languages.
type Refusal struct {
	why  error
	said surface.Text
}

func (r *Refusal) Error() string      { return r.said.EN }
func (r *Refusal) Text() surface.Text { return r.said }
func (r *Refusal) Unwrap() error      { return r.why }

func refuse(why error, fr, en string, args ...any) error {
	return &Refusal{why: why, said: surface.Text{FR: fmt.Sprintf(fr, fault.In(surface.French, args)...), EN: fmt.Sprintf(en, fault.In(surface.English, args)...)}}
}

// explain says what was being done to a file when the system failed, and in
// both languages where a person can do something about it.
func explain(doing, path string, err error) error {
	said := fault.Cause(err)
	err = fmt.Errorf("%s %s: %w", doing, path, err)
	switch {
	case isFull(err):
		return refuse(err, "Le disque est plein : %s n'a pas pu être écrit ; rien n'est perdu de ce qui y était.",
			"The disk is full: %s could not be written; nothing of what it held is lost.", path)
	case isReadOnly(err), errors.Is(err, fs.ErrPermission):
		return refuse(err, "%s n'est pas accessible en écriture ou en lecture : vérifie les droits du dossier.",
			"%s may not be written or read: check the rights of its folder.", path)
	}
	fr := map[string]string{"read": "lecture", "append to": "ajout", "lock": "verrou"}[doing]
	return &failure{err, surface.Text{FR: path + " : " + fr + " impossible : " + said.FR, EN: doing + " " + path + ": " + said.EN}}
}

// failure is an error of the system that says in both languages what was being
// done. Unlike after a Refusal, something may have been written.
type failure struct {
	err  error
	said surface.Text
}

func (f *failure) Error() string      { return f.said.EN }
func (f *failure) Text() surface.Text { return f.said }
func (f *failure) Unwrap() error      { return f.err }
