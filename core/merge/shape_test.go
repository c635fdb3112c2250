package merge

import (
	"errors"
	"strings"
	"testing"
)

func TestShapeErrorOfNoJSON(t *testing.T) {
	_, err := parse([]byte("{\n  \"a\": nope\n}"))
	var shape *ShapeError
	if !errors.As(err, &shape) {
		t.Fatal(err)
	}
	const want = "ligne 2, colonne 9 : ce n'est pas du JSON valide (caractère inattendu 'o' dans un mot qui n'est ni true, ni false, ni null)"
	if got := shape.Text(); got.FR != want || !strings.HasPrefix(got.EN, "line 2, column 9: this is not valid JSON (invalid character 'o' in literal") {
		t.Errorf("%+v", got)
	}
}
