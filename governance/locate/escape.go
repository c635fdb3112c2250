package locate

import (
	"strings"

	"github.com/grimoire-kit/grimoire/surface"
)

// Escape says of an error that an os.Root would not follow a link out of its
// folder; ok is false for any other error. The standard library gives that one
// no name.
func Escape(err error) (why surface.Text, ok bool) {
	if err == nil || !strings.HasSuffix(err.Error(), "path escapes from parent") {
		return why, false
	}
	return surface.Text{FR: "un lien mène hors du projet", EN: "a link leads outside the project"}, true
}
