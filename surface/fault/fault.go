// Package fault says in both languages what errors of the system and of encoding/json say in English alone.
//
// The English is the error's own. The French knows the errors that people meet; of any other error of the system it gives
// the system's words in quotes, and an error of nobody's stays as it is: it may be a sentence that is French already.
// It is pure; anything may import it.
package fault

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"github.com/grimoire-kit/grimoire/surface"
)

// NotRegular is a folder, link, pipe or device where a file was wanted. It is what an fs.PathError says of a path.
var NotRegular error = Said{FR: "ce n'est pas un fichier ordinaire", EN: "not a regular file"}

// Said is an error that is a text of ours.
type Said surface.Text

func (s Said) Error() string { return s.EN }

// Text is the error in both languages.
func (s Said) Text() surface.Text { return surface.Text(s) }

// Text is err for people. An error that speaks both languages itself (Text() surface.Text) is taken at its word.
func Text(err error) surface.Text {
	var speaks interface{ Text() surface.Text }
	var syntax *json.SyntaxError
	var shape *json.UnmarshalTypeError
	switch {
	case errors.As(err, &speaks):
		var path *fs.PathError
		if said, ok := speaks.(Said); ok && errors.As(err, &path) && errors.Is(path.Err, said) {
			return surface.Text{FR: path.Path + " : " + said.FR, EN: err.Error()}
		}
		return speaks.Text()
	case escapes(err):
		return outside(err)
	case errors.As(err, &syntax), errors.As(err, &shape):
		return JSON(err)
	}
	return surface.Text{FR: french(err), EN: err.Error()}
}

// In are the arguments of a sentence in l: errors and texts among them are said in that language.
func In(l surface.Language, args []any) []any {
	out := make([]any, len(args))
	for i, arg := range args {
		switch arg := arg.(type) {
		case error:
			out[i] = Text(arg).In(l)
		case surface.Text:
			out[i] = arg.In(l)
		default:
			out[i] = arg
		}
	}
	return out
}

// Under is Text behind the name of what it is about.
func Under(name string, err error) surface.Text {
	t := Text(err)
	return surface.Text{FR: name + " : " + t.FR, EN: name + ": " + t.EN}
}

// Cause is Text without the path that a call of the system failed on, for a message that has named the file already or
// that must not show this machine's folders.
func Cause(err error) surface.Text {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return Text(path.Err)
	case errors.As(err, &link):
		return Text(link.Err)
	}
	return Text(err)
}

// escapes reports whether an os.Root would not follow a path out of its folder. The standard library gives that error no name,
// and words that nobody who does not write Go understands.
func escapes(err error) bool { return strings.HasSuffix(err.Error(), "path escapes from parent") }

func outside(err error) surface.Text {
	said := surface.Text{FR: "mène hors du dossier", EN: "leads out of the folder"}
	var path *fs.PathError
	if errors.As(err, &path) && path.Path != "" {
		said.FR, said.EN = path.Path+" : "+said.FR, path.Path+": "+said.EN
	}
	return said
}

// french says what failed on which file, as far as the system told.
func french(err error) string {
	var path *fs.PathError
	var link *os.LinkError
	words, system := systemWords(err)
	switch {
	case !system:
		return err.Error()
	case errors.As(err, &path):
		return path.Path + " : " + words
	case errors.As(err, &link):
		return link.Old + " vers " + link.New + " : " + words
	}
	return words
}

// notFound is how os/exec ends the error of a program that is not there.
const notFound = "executable file not found in $PATH"

// systemWords are the French of an error of the system; false for one of nobody's.
func systemWords(err error) (string, bool) {
	for _, known := range []struct {
		err   error
		words string
	}{
		{fs.ErrNotExist, "n'existe pas"},
		{syscall.ENOTEMPTY, "le dossier n'est pas vide"}, // which is an fs.ErrExist too
		{fs.ErrPermission, "permission refusée"},
		{fs.ErrExist, "existe déjà"},
		{syscall.EISDIR, "c'est un dossier"},
		{syscall.ENOTDIR, "un élément du chemin n'est pas un dossier"},
		{syscall.EROFS, "système de fichiers en lecture seule"},
		{syscall.ENOSPC, "plus de place sur le disque"},
		{syscall.EDQUOT, "plus de place dans le quota du disque"},
		{syscall.EFBIG, "fichier trop grand"},
		{syscall.EIO, "erreur d'entrée-sortie"},
		{syscall.ENAMETOOLONG, "nom trop long"},
		{syscall.ELOOP, "les liens symboliques tournent en rond"},
		{syscall.EXDEV, "d'un système de fichiers à un autre"},
		{syscall.EMFILE, "trop de fichiers ouverts"},
		{syscall.EBUSY, "occupé"},
		{syscall.ENXIO, "personne au bout du tube ou du périphérique"},
		{context.DeadlineExceeded, "délai dépassé"},
		{os.ErrDeadlineExceeded, "délai dépassé"},
		{context.Canceled, "interrompu"},
	} {
		if errors.Is(err, known.err) {
			return known.words, true
		}
	}
	if text := err.Error(); strings.HasSuffix(text, notFound) {
		text = strings.TrimSuffix(strings.TrimSuffix(text, notFound), ": ")
		return "programme introuvable : " + strings.Trim(text[strings.LastIndexByte(text, ' ')+1:], `"`), true
	}
	var path *fs.PathError
	var link *os.LinkError
	var call *os.SyscallError
	var number syscall.Errno
	switch {
	case errors.As(err, &path):
		return quoted(path.Err), true
	case errors.As(err, &link):
		return quoted(link.Err), true
	case errors.As(err, &call):
		return quoted(call.Err), true
	case errors.As(err, &number):
		return quoted(number), true
	}
	return "", false
}

func quoted(err error) string { return "« " + err.Error() + " »" }
