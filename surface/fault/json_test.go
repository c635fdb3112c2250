package fault

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
)

// English of the library in a French sentence is a text nobody wrote: each of
// its messages about syntax has its French.
func TestJSON(t *testing.T) {
	for text, want := range map[string]string{
		``:                         "le texte s'arrête avant sa fin",
		`{"a":`:                    "le texte s'arrête avant sa fin",
		`x`:                        "caractère inattendu 'x' là où une valeur doit commencer",
		`{x}`:                      "caractère inattendu 'x' là où une clé entre guillemets doit commencer",
		`{"a" 1}`:                  "caractère inattendu '1' après une clé, là où « : » était attendu",
		`{"a":1 "b":2}`:            `caractère inattendu '"' après une valeur, là où « , » ou « } » était attendu`,
		`[1 2]`:                    "caractère inattendu '2' après un élément, là où « , » ou « ] » était attendu",
		`{} {}`:                    "caractère inattendu '{' après la fin du document",
		"\"a\nb\"":                 `caractère inattendu '\n' dans une chaîne, où il doit être échappé`,
		`"\x"`:                     `caractère inattendu 'x' après « \ » dans une chaîne`,
		`"\u00g0"`:                 `caractère inattendu 'g' dans un échappement « \u »`,
		`-x`:                       "caractère inattendu 'x' dans un nombre",
		`1.x`:                      "caractère inattendu 'x' dans un nombre",
		`1ex`:                      "caractère inattendu 'x' dans un nombre",
		`trve`:                     "caractère inattendu 'v' dans un mot qui n'est ni true, ni false, ni null",
		`'a'`:                      `caractère inattendu '\'' là où une valeur doit commencer`,
		strings.Repeat("[", 20000): "trop de niveaux d'imbrication",
	} {
		err := json.Unmarshal([]byte(text), new(json.RawMessage))
		if err == nil {
			t.Fatalf("%.20q is JSON", text)
		}
		if got := JSON(err); got.FR != want || got.EN == got.FR {
			t.Errorf("%.20q: %+v, want %s", text, got, want)
		}
	}
	for _, err := range []error{json.Unmarshal([]byte(`{"a":1}`), &struct{ A string }{}), errors.New("json: unknown field \"x\""), io.ErrUnexpectedEOF} {
		if got := JSON(err); got.FR == got.EN || strings.Contains(got.FR, "json") {
			t.Errorf("%v: %+v", err, got)
		}
	}
}
