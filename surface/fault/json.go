package fault

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/grimoire-kit/grimoire/surface"
)

// JSON says what an error of encoding/json says, for people: that package
// speaks English only. What it says of no syntax is passed over in French, and
// named as what it is: JSON of another shape.
func JSON(err error) surface.Text {
	return surface.Text{FR: jsonInFrench(err.Error(), isSyntax(err)), EN: strings.TrimPrefix(err.Error(), "json: ")}
}

// JSONOf is JSON of an error that src led to, which says where a merge that git
// left undone is the cause.
func JSONOf(src []byte, err error) surface.Text {
	if line := Conflict(src); line > 0 {
		return surface.Text{
			FR: fmt.Sprintf("ligne %d : un conflit git n'est pas résolu ; garde l'un des deux côtés", line),
			EN: fmt.Sprintf("line %d: a git conflict is not resolved; keep one of the two sides", line)}
	}
	return JSON(err)
}

// JSONPlace is where src stops being JSON, as an error of encoding/json has it:
// line and column from 1, the column in characters. An error about anything but
// syntax has no place: 0, 0.
func JSONPlace(src []byte, err error) (line, column int) {
	var syntax *json.SyntaxError
	at := len(src)
	switch {
	case errors.As(err, &syntax):
		if syntax.Offset > 0 && !strings.Contains(err.Error(), "unexpected end") {
			at = min(int(syntax.Offset)-1, at) // the offset counts the byte that is wrong
		}
	case !errors.Is(err, io.ErrUnexpectedEOF):
		return 0, 0
	}
	return 1 + bytes.Count(src[:at], []byte("\n")), 1 + utf8.RuneCount(src[bytes.LastIndexByte(src[:at], '\n')+1:at])
}

// JSONSyntax gives the French of a message of encoding/json about syntax.
func JSONSyntax(message string) string { return jsonInFrench(message, true) }

func isSyntax(err error) bool {
	var syntax *json.SyntaxError
	return errors.As(err, &syntax)
}

// afterCharacter is where a character stands that cannot, by the end of
// encoding/json's message.
var afterCharacter = []struct{ english, french string }{
	{"looking for beginning of value", "là où une valeur doit commencer"},
	{"looking for beginning of object key string", "là où une clé entre guillemets doit commencer"},
	{"after object key:value pair", "après une valeur, là où « , » ou « } » était attendu"},
	{"after object key", "après une clé, là où « : » était attendu"},
	{"after array element", "après un élément, là où « , » ou « ] » était attendu"},
	{"after top-level value", "après la fin du document"},
	{"in string literal", "dans une chaîne, où il doit être échappé"},
	{"in string escape code", "après « \\ » dans une chaîne"},
	{"hexadecimal character escape", "dans un échappement « \\u »"},
	{"numeric literal", "dans un nombre"},
}

// jsonInFrench gives the French of a message of encoding/json.
func jsonInFrench(message string, syntax bool) string {
	switch {
	case strings.HasPrefix(message, "unexpected end of JSON input"), strings.HasPrefix(message, "unexpected EOF"), message == "EOF":
		return "le texte s'arrête avant sa fin"
	case strings.HasSuffix(message, "exceeded max depth"):
		return "trop de niveaux d'imbrication"
	}
	rest, found := strings.CutPrefix(message, "invalid character ")
	if !found {
		if syntax {
			return "ce n'est pas du JSON valide"
		}
		return "ce n'est pas la forme attendue"
	}
	// The character is quoted as Go does: ' is written '\''.
	end := strings.Index(rest[1:], "' ")
	if end < 0 {
		return "ce n'est pas du JSON valide"
	}
	character, where := rest[:end+2], "dans un mot qui n'est ni true, ni false, ni null"
	for _, w := range afterCharacter {
		if strings.Contains(rest[end+2:], w.english) {
			where = w.french
			break
		}
	}
	return "caractère inattendu " + character + " " + where
}
