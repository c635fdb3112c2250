package merge

import (
	"fmt"
	"unicode/utf8"

	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

// ShapeError says that a file has a shape we do not understand at the place we
// would have to edit. The file is left alone, and no option overrides that.
type ShapeError struct {
	JSONPath     string // $.hooks.Stop[0]; empty when the text is not JSON at all
	Line, Column int    // from 1; the column counts characters
	Want, Got    string // in English; Text translates them

	at int // offset, until locate turns it into line and column
}

// ConflictError says that a key of ours holds a value somebody else wrote.
type ConflictError struct {
	JSONPath     string
	Line, Column int

	at int
}

// LimitError says that a file is past a bound.
type LimitError struct {
	What         string // what there is too much of, in English
	Max          int
	Line, Column int // of the nesting; 0 for the size
}

// What can be wanted and found beside the JSON types.
const (
	wantJSON     = "JSON, with or without comments and trailing commas"
	wantUTF8     = "UTF-8 text"
	wantOneKey   = "the key once"
	wantStrings  = "array of strings"
	wantGroups   = "array of hook groups"
	wantGroup    = `object with a "hooks" array, or with a "command"`
	wantHandlers = "array of hook handlers"

	gotUTF16       = "UTF-16"
	gotNUL         = "a NUL byte, which no text has"
	gotDuplicate   = "the key twice"
	gotOpenComment = "a comment that is not closed"
	gotNoHooks     = `no "hooks" array`
	gotNoValue     = "a comment and no value: add {}, or delete the file"

	tooLarge = "bytes"
	tooDeep  = "levels of nesting"
	tooMany  = "entries of ours to edit in a file of this size"
)

var french = map[string]string{
	string(Object):  "un objet",
	string(Array):   "un tableau",
	string(String):  "une chaîne",
	string(Number):  "un nombre",
	string(Boolean): "un booléen",
	string(Null):    "null",
	wantJSON:        "du JSON, avec ou sans commentaires et virgules finales",
	wantUTF8:        "du texte UTF-8",
	wantOneKey:      "la clé une seule fois",
	wantStrings:     "un tableau de chaînes",
	wantGroups:      "un tableau de groupes de hooks",
	wantGroup:       "un objet avec un tableau « hooks », ou avec une « command »",
	wantHandlers:    "un tableau de hooks",
	gotUTF16:        "de l'UTF-16",
	gotNUL:          "un octet nul, qu'aucun texte ne porte",
	gotDuplicate:    "la clé deux fois",
	gotOpenComment:  "un commentaire jamais fermé",
	gotNoHooks:      "aucun tableau « hooks »",
	gotNoValue:      "un commentaire et aucune valeur : ajoute {}, ou supprime le fichier",
	tooLarge:        "octets",
	tooDeep:         "niveaux d'imbrication",
	tooMany:         "entrées à nous à modifier dans un fichier de cette taille",
}

// inFrench translates a phrase of ours, or of encoding/json about syntax.
func inFrench(s string) string {
	if t, ok := french[s]; ok {
		return t
	}
	return fault.JSONSyntax(s)
}

func (e *ShapeError) Error() string { return e.Text().EN }

// Text is the message in both languages.
func (e *ShapeError) Text() surface.Text {
	if e.Want == wantJSON {
		return surface.Text{
			FR: fmt.Sprintf("ligne %d, colonne %d : ce n'est pas du JSON valide (%s)", e.Line, e.Column, inFrench(e.Got)),
			EN: fmt.Sprintf("line %d, column %d: this is not valid JSON (%s)", e.Line, e.Column, e.Got),
		}
	}
	at := ""
	if e.JSONPath != "" {
		at = ", " + e.JSONPath
	}
	return surface.Text{
		FR: fmt.Sprintf("ligne %d, colonne %d%s : attendu %s, trouvé %s", e.Line, e.Column, at, inFrench(e.Want), inFrench(e.Got)),
		EN: fmt.Sprintf("line %d, column %d%s: want %s, got %s", e.Line, e.Column, at, e.Want, e.Got),
	}
}

// Reason is what was found, without its place.
func (e *ShapeError) Reason() surface.Text { return surface.Text{FR: inFrench(e.Got), EN: e.Got} }

func (e *ConflictError) Error() string { return e.Text().EN }

// Text is the message in both languages.
func (e *ConflictError) Text() surface.Text {
	return surface.Text{
		FR: fmt.Sprintf("ligne %d, colonne %d, %s : cette clé porte une valeur que grimoire n'a pas écrite", e.Line, e.Column, e.JSONPath),
		EN: fmt.Sprintf("line %d, column %d, %s: this key holds a value that grimoire did not write", e.Line, e.Column, e.JSONPath),
	}
}

func (e *LimitError) Error() string { return e.Text().EN }

// Text is the message in both languages.
func (e *LimitError) Text() surface.Text {
	t := surface.Text{
		FR: fmt.Sprintf("plus de %d %s", e.Max, inFrench(e.What)),
		EN: fmt.Sprintf("more than %d %s", e.Max, e.What),
	}
	if e.Line > 0 {
		t.FR = fmt.Sprintf("ligne %d, colonne %d : %s", e.Line, e.Column, t.FR)
		t.EN = fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, t.EN)
	}
	return t
}

// shape is the error for the value at an offset; what was got is its type. Many
// are made only to learn that something is not ours, so locating is left for later.
func (d *doc) shape(steps []any, at int, want string) *ShapeError {
	return &ShapeError{JSONPath: jsonPath(steps), Want: want, Got: string(d.kind(at)), at: at}
}

// unreadable is the error for text that is not JSON.
func (d *doc) unreadable(at int, want, got string) error {
	return d.locate(&ShapeError{Want: want, Got: got, at: at})
}

// locate fills in the line and the column of an error about this document.
func (d *doc) locate(err error) error {
	switch e := err.(type) {
	case *ShapeError:
		e.Line, e.Column = d.position(e.at)
	case *ConflictError:
		e.Line, e.Column = d.position(e.at)
	}
	return err
}

// position counts lines and characters from 1.
func (d *doc) position(at int) (line, column int) {
	line = 1
	start := 0
	for i := range at {
		if d.src[i] == '\n' || d.src[i] == '\r' && (i+1 == len(d.src) || d.src[i+1] != '\n') {
			line++
			start = i + 1
		}
	}
	return line, utf8.RuneCount(d.src[start:at]) + 1
}
