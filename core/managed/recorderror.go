package managed

import (
	"encoding/json"
	"fmt"

	"github.com/grimoire-kit/grimoire/surface"
	"github.com/grimoire-kit/grimoire/surface/fault"
)

// RecordError says why the ownership record cannot be believed, and what a person
// does about it. What it says of the user's files is then unknown: neither those
// nor the record may be written.
type RecordError struct {
	Conflict int   // line of the first conflict marker that git left; 0 for none
	Newer    int   // the version, where a later grimoire wrote it; 0 where none did
	Cause    error // any other reason
	// Line and Column are where Cause found it, from 1; 0 for the whole record.
	Line, Column int
}

func (e *RecordError) Error() string { return RecordPath + ": " + e.Text().EN }

func (e *RecordError) Unwrap() error { return e.Cause }

// Text is the reason with its remedy, without the record's path.
func (e *RecordError) Text() surface.Text {
	switch {
	case e.Conflict > 0:
		return surface.Text{
			FR: fmt.Sprintf("ligne %d : un conflit git n'est pas résolu ; garde l'un des deux côtés, puis resynchronise", e.Conflict),
			EN: fmt.Sprintf("line %d: a git conflict is not resolved; keep one of the two sides, then sync again", e.Conflict),
		}
	case e.Newer > 0:
		return surface.Text{
			FR: fmt.Sprintf("écrit par un grimoire plus récent (version %d, celui-ci connaît la %d) ; mets grimoire à jour", e.Newer, recordVersion),
			EN: fmt.Sprintf("written by a newer grimoire (version %d, this one knows %d); update grimoire", e.Newer, recordVersion),
		}
	}
	why := fault.JSON(e.Cause)
	if e.Line > 0 {
		why.FR = fmt.Sprintf("ligne %d, colonne %d : %s", e.Line, e.Column, why.FR)
		why.EN = fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, why.EN)
	}
	return surface.Text{
		FR: "n'est pas un registre que grimoire écrit (" + why.FR + ") ; rétablis-le depuis git, ou supprime-le pour repartir de zéro : les règles déjà en place compteront comme les tiennes",
		EN: "is not a record that grimoire writes (" + why.EN + "); restore it from git, or delete it to start anew: the rules that are in place will count as yours",
	}
}

// newerVersion gives the version of a record that a later grimoire wrote, which
// may have keys that this one does not know.
func newerVersion(data []byte) int {
	var doc struct {
		Version int `json:"version"`
	}
	if json.Unmarshal(data, &doc) != nil || doc.Version <= recordVersion {
		return 0
	}
	return doc.Version
}
